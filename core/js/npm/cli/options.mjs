// Reads the options and arguments of a command line.
import { parseArgs } from 'node:util';
import { Refusal, similar } from './errors.mjs';

/** Options that every command has. */
export const COMMON = Object.freeze({
  json: { type: 'boolean', says: 'print the result as JSON (TypeScript types: hindscope/cli/answers)' },
  help: { type: 'boolean', short: 'h', says: 'show this help' },
});

/** All options of a command. */
export function optionsOf({ options = {}, hasJson = true }) {
  const { json, help } = COMMON;
  return { ...options, ...(hasJson && { json }), help };
}

/** The options and positional arguments of a command line. */
export function parsed(command, args) {
  const known = optionsOf(command);
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short, multiple }]) => [name, { type, ...(short && { short }), ...(multiple && { multiple }) }]),
  );
  let answer;
  try {
    answer = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (cause) {
    throw misuse(command, known, cause);
  }
  const { values, positionals } = answer;
  for (const [name, { choices }] of Object.entries(known)) {
    for (const value of choices && values[name] !== undefined ? [values[name]].flat() : []) choice(value, name, choices);
  }
  const { least = 0, most = Infinity, missing, first } = command.takes ?? {};
  if (values.help) return { values, positionals };
  if (positionals.length < least) {
    throw new Refusal('missing-argument', missing, { hint: `Usage: ${usage(command)}` });
  }
  if (positionals.length > most) {
    throw new Refusal('too-many-arguments', `Unexpected argument: ${positionals[most]}.`, { hint: `Usage: ${usage(command)}` });
  }
  if (first && !first.includes(positionals[0])) {
    throw new Refusal('invalid-option', `\`${command.name}\` needs ${anyOf(first)}, not ${positionals[0]}.`);
  }
  return { values, positionals };
}

/** The usage line of a command. */
export function usage({ name, usage: how }) {
  return `hindscope ${name} ${how}`.trimEnd();
}

/** An error of parseArgs, with what to do about it. */
function misuse(command, known, cause) {
  const hint = `\`hindscope ${command.name} --help\` lists the options.`;
  const [, name = ''] = /'(--?[^' ]*)/.exec(cause.message) ?? [];
  if (cause.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = similar(name.replace(/^-+/, ''), Object.keys(known));
    const better = near.length > 0 ? `Did you mean ${near.map((one) => `--${one}`).join(' or ')}? ` : '';
    return new Refusal('unknown-option', `\`${command.name}\` has no option ${name}.`, { hint: better + hint });
  }
  const long = /--([\w-]+)/.exec(cause.message)?.[1];
  const isFlag = known[long]?.type === 'boolean';
  const message = isFlag ? `--${long} takes no value.` : `${name || 'An option'} needs a value. A value that starts with a dash is written as ${name || '--option'}=-1.`;
  return new Refusal('invalid-option', message, { hint });
}

/** `a, b, or c`. */
function anyOf(names) {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}

function choice(value, name, choices) {
  if (choices.includes(value)) return;
  throw new Refusal('invalid-option', `--${name} must be ${anyOf(choices)}, not ${value}.`);
}

/** The integer that an option gives; undefined if the option was not given. */
export function whole(value, name, { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = {}) {
  if (value === undefined) return undefined;
  const number = Number(value);
  const isInteger = /^[+-]?\d+$/.test(value);
  if (isInteger && number >= least && number <= most) return number;
  // No program can tell larger ones apart, so no attempt has one.
  const any = isInteger ? ` within ±${Number.MAX_SAFE_INTEGER}` : '';
  const range = least === Number.MIN_SAFE_INTEGER ? any : most === Number.MAX_SAFE_INTEGER ? ` ≥ ${least}` : ` from ${least} to ${most}`;
  throw new Refusal('invalid-option', `--${name} must be an integer${range}, not ${value}.`);
}

/** The number that an option gives; undefined if the option was not given. */
export function decimal(value, name) {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() !== '' && Number.isFinite(number)) return number;
  throw new Refusal('invalid-option', `--${name} must be a number, not ${value}.`);
}
