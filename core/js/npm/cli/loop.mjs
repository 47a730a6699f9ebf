// A reflection loop that a YAML file configures, run to its end.
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { said } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { standardInput } from './open.mjs';
import { whole } from './options.mjs';
import { started } from './start.mjs';
import { inline, safeJson, visible } from './text.mjs';
import { noun, reward } from './words.mjs';

/** Languages of inline code, each a module that is loaded when it is needed. */
const LANGUAGES = ['javascript', 'python', 'lua', 'prolog'];

export const usage = 'FILE [--state JSON] [--node NAME] [--model M] [--record FILE]';
export const takes = { least: 1, most: 1, missing: '`loop` needs a YAML file, or - for standard input.' };
export const options = {
  state: { type: 'string', short: 's', value: 'JSON', says: 'what templates and code see: JSON, or @FILE' },
  node: { type: 'string', value: 'NAME', says: 'which node of a workflow, where the file has several' },
  model: { type: 'string', short: 'm', value: 'M', says: 'the model; OPENAI_MODEL if left out' },
  'base-url': { type: 'string', value: 'URL', says: 'the endpoint, without /chat/completions; OPENAI_BASE_URL if left out' },
  retries: { type: 'string', value: 'N', says: 'tries after the first, where the server says that it is worth it; 2 if left out' },
  'allow-code': { type: 'boolean', says: 'runs the inline code of the file (run:); only for files that you trust' },
  record: { type: 'string', value: 'FILE', says: 'appends records of reflection memory to a JSON Lines file, where the file configures memory' },
};
export const examples = [
  ["hindscope loop profile.yaml --state '{\"person\": \"Ada Lovelace\"}'", 'asks OPENAI_BASE_URL with OPENAI_API_KEY until the schema accepts the answer'],
  ['hindscope loop workflow.yaml --node draft --state @case.json --record .aiwg/ralph/draft.jsonl', 'one node; what was learned is kept for `hindscope history`'],
  ['hindscope loop profile.yaml --json | jq .usage', 'everything that came of it'],
];
export const notes = [
  'FILE is a node with `action: reflection.loop`, `reflection.evaluate` or `reflection.correct`, the inside of its `with:`, or a document with `nodes:`. ' +
    'Its output stands on standard output, each round on standard error. The key of the model comes from the environment only, and is in no message.',
];
export const exits = { 1: 'no output was accepted; the best or last one stands on standard output if the file asks for it' };

export async function run({ values, positionals: [file], out }) {
  const retries = whole(values.retries, 'retries', { least: 0, most: 9 }) ?? 2;
  const hindscope = await started();
  const yaml = file === '-' ? String(await standardInput()) : text(file);
  const state = stateOf(values.state);
  // Before anything is paid for.
  const records = values.record === undefined ? undefined : recordsFile(values.record);
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once('SIGINT', interrupt);
  try {
    const { action, config } = hindscope.parseLoopConfig(yaml, values.node);
    const call = { 'reflection.loop': 'reflectionLoop', 'reflection.evaluate': 'reflectionEvaluate', 'reflection.correct': 'reflectionCorrect' }[action];
    const result = await hindscope[call]({
      ...config,
      state,
      llm: hindscope.openaiChat({ retries, ...(values.model && { model: values.model }), ...(values['base-url'] && { baseUrl: values['base-url'] }) }),
      ...(values['allow-code'] && { languages: languages() }),
      signal: controller.signal,
      onEvent: (event) => tellEvent(event, out),
    });
    // The single forms answer what is wrong with a request instead of throwing it.
    if (action !== 'reflection.loop' && result.success === false) throw singleRefusal(result, values);
    const unreached = unreachedBy(result);
    if (out.isJson || !unreached) tell(result, out);
    keep(result.records, records, out);
    if (unreached && !out.isJson) throw new Refusal(unreached.code, unreached.message, { exit: EXIT.unread });
    if (unreached) return EXIT.unread;
    if (result.stop_reason === 'aborted') return EXIT.interrupted;
    return (result.valid ?? result.success) ? EXIT.fine : EXIT.negative;
  } catch (cause) {
    throw refusalOf(cause, values, records, out, hindscope);
  } finally {
    process.off('SIGINT', interrupt);
    if (records) closeSync(records.open);
  }
}

function text(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Refusal('unreadable-input', `${file} cannot be read: ${said(cause)}`, { exit: EXIT.unread, details: { path: file }, cause });
  }
}

/** The state that was given: JSON, or a file of it. */
function stateOf(given = '{}') {
  const json = given.startsWith('@') ? text(given.slice(1)) : given;
  let state;
  try {
    state = JSON.parse(json);
  } catch (cause) {
    throw new Refusal('invalid-option', `--state is no JSON: ${said(cause)}`, { cause });
  }
  if (typeof state === 'object' && state !== null && !Array.isArray(state)) return state;
  throw new Refusal('invalid-option', '--state is a JSON object.');
}

function languages() {
  const lazily = (name) => ({ run: async (...given) => (await import(`../languages/${name}.mjs`)).run(...given) });
  return Object.fromEntries(LANGUAGES.map((name) => [name, lazily(name)]));
}

/** Each round, as it ends. */
function tellEvent({ type, iteration, entry, code, message }, out) {
  if (out.isJson) return;
  const { green, red, dim } = out.asideStyle;
  if (type === 'evaluated') {
    const verdict = entry.valid ? green('accepted') : red('refused');
    const why = entry.valid ? '' : ` ${dim(inline(entry.errors?.[0]?.message ?? entry.feedback ?? ''))}`;
    out.aside(`round ${iteration}: ${verdict}, score ${reward(entry.score)}${why}\n`);
  } else if (type === 'warning') out.note(`${message} [${code}]`);
}

/** A file that records can be appended to. */
function recordsFile(file) {
  try {
    return { file, open: openSync(file, 'a+') };
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unwritable(file, cause) {
  return new Refusal('unwritable-output', `${file} cannot be written: ${said(cause)}`, { exit: EXIT.unread, details: { path: file }, cause });
}

/** Whether the last line of a file lacks its end; pipes have none. */
function isUnended(open) {
  const status = fstatSync(open);
  if (!status.isFile() || status.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(open, last, 0, 1, status.size - 1);
  return last[0] !== 0x0a;
}

function keep(records, to, out) {
  if (to === undefined) return;
  if (!records) {
    out.note('There are no records to keep: the file configures no memory.');
    return;
  }
  try {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const bytes = Buffer.from(isUnended(to.open) ? `\n${lines}` : lines);
    for (let at = 0; at < bytes.length; ) at += writeSync(to.open, bytes, at);
  } catch (cause) {
    throw unwritable(to.file, cause);
  }
}

/** The output, whatever action it is of. */
function tell(result, out) {
  if (out.isJson) {
    out.json(result);
    return;
  }
  const output = 'reflection_output' in result ? result.reflection_output : 'corrected_output' in result ? result.corrected_output : result.output;
  if (typeof output === 'string') out.line(out.isTerminal ? visible(output) : output);
  else out.line(safeJson(output ?? null, 2));
  if (!('reflection_output' in result)) for (const { message } of result.errors ?? []) out.note(message ?? 'refused');
  if (result.usage) {
    const { calls, total_tokens: tokens } = result.usage;
    out.note(`${result.stop_reason ?? (result.valid ? 'valid' : 'not valid')} after ${noun(calls.total, 'call')}, ${noun(tokens, 'token')}`);
  }
}

/** Why no round had an answer: the model was never there. */
function unreachedBy({ reflection_history: rounds = [] }) {
  const failures = rounds.map(({ output, errors }) => (output === null ? errors?.find(({ code }) => code === 'unavailable') : undefined));
  return failures.every(Boolean) ? failures[0] : undefined;
}

/** What a single form was refused with, or failed with. */
function singleRefusal({ code, error, errors }, values) {
  const [first = {}] = errors ?? [];
  const name = code ?? first.code ?? 'reflection_failed';
  const exit = name.startsWith('config') ? EXIT.misuse : EXIT.negative;
  return new Refusal(name, error ?? first.message ?? 'It failed.', { exit, hint: codeHint(name, values) });
}

function codeHint(code, values) {
  const isCode = code === 'config_unknown_language' && !values['allow-code'];
  return isCode ? 'The file has inline code: --allow-code runs it.' : undefined;
}

/** What the loop was refused with, or ended with. */
function refusalOf(cause, values, records, out, { ReflectionConfigError, ReflectionFailedError, ReflectionTemplateError, ModelError }) {
  if (cause instanceof ReflectionFailedError) {
    keep(cause.records, records, out);
    if (cause.stopReason === 'aborted') return new Refusal(cause.code, cause.message, { exit: EXIT.interrupted, cause });
    const hint = cause.best === null ? undefined : `The best output, of score ${reward(cause.bestScore ?? undefined)}: ${JSON.stringify(cause.best)}`;
    return new Refusal(cause.code, cause.message, { exit: EXIT.negative, hint, details: { best: cause.best, errors: cause.errors, usage: cause.usage }, cause });
  }
  if (cause instanceof ReflectionConfigError) {
    const places = cause.problems.length > 1 ? cause.problems.map(({ field, message }) => `${field}: ${message}`).join('\n  ') : cause.field && `At ${cause.field}.`;
    const hint = codeHint(cause.code, values) ?? places;
    return new Refusal(cause.code, cause.message, { hint: hint || undefined, details: { problems: cause.problems }, cause });
  }
  if (cause instanceof ReflectionTemplateError) return new Refusal(cause.code, cause.message, { cause });
  if (cause instanceof ModelError) return new Refusal(cause.code, cause.message, { cause });
  return cause;
}
