// The reflection loop: generate, evaluate, correct, and again.
import { messageOf } from '../error.mjs';
import { ask } from './core.mjs';
import { begunAt, clockOf, drive } from './drive.mjs';
import { LoopEvents } from './events.mjs';
import { ReflectionConfigError, answered } from './failure.mjs';
import { machineOf } from './machine.mjs';
import { coreContext } from './names.mjs';
import { isTooDeep, jsonText } from './replies.mjs';
import { loopSettings, readFromYaml, singleSettings } from './settings.mjs';
import { standardOf } from './standard.mjs';

export async function reflectionLoop(options) {
  return loop(loopSettings(options));
}

export function reflectionEvents(options) {
  return new LoopEvents(() => loopSettings(options), loop);
}

async function loop(settings) {
  const now = clockOf(settings);
  const begun = begunAt(now);
  const machine = machineOf((Machine) => Machine.start(settings.config, settings.host, begun));
  return drive(machine, settings, now);
}

export async function reflectionEvaluate(options) {
  return single('evaluate', options, ({ code, message }) => {
    return { valid: false, score: 0, errors: [{ message, code }], suggestions: [], feedback: '', coercions: [], output: null, success: false };
  });
}

export async function reflectionCorrect(options) {
  return single('correct', options, ({ code, message, data }) => ({ output: data, success: false, error: message, code }));
}

/** Requests that are wrong are answered, whatever is wrong with them. */
async function single(name, options, refused) {
  try {
    const settings = singleSettings(options, name);
    const now = clockOf(settings);
    const begun = begunAt(now);
    const machine = machineOf((Machine) => Machine[name](settings.params, settings.state, settings.host, begun));
    return await drive(machine, settings, now);
  } catch (cause) {
    if (!(cause instanceof ReflectionConfigError)) throw cause;
    if (!isTooDeep(options)) return refused({ code: cause.code, message: cause.message, data: dataOf(options) });
    return refused({ code: 'too_deep', message: 'The request is nested deeper than 128 levels, or contains itself.', data: dataOf(options) });
  }
}

function dataOf(options) {
  try {
    return options.data ?? null;
  } catch {
    return null;
  }
}

export function coerce(schema, data) {
  if (standardOf(schema)) throw new ReflectionConfigError('config_value', '`coerce` reads JSON Schemas only. Schemas of other libraries convert values themselves.', { field: '/schema' });
  const texts = [textOf(schema, 'schema'), textOf(data, 'data')];
  const text = ask((core) => core.LoopMachine.coerce(...texts));
  // Nested too deep to be looked into: nothing is converted.
  return text === undefined ? { value: JSON.parse(texts[1]), coercions: [] } : JSON.parse(text);
}

export function renderTemplate(template, state = {}) {
  if (typeof template !== 'string') throw new ReflectionConfigError('config_value', 'A template must be a string.', { field: '/template' });
  const text = textOf(state, 'state');
  return answered(ask((core) => core.LoopMachine.render(template, text)));
}

export function parseLoopConfig(yaml, name = undefined) {
  if (typeof yaml !== 'string') throw new ReflectionConfigError('config_value', 'YAML must be a string.');
  if (name !== undefined && name !== null && typeof name !== 'string') throw new ReflectionConfigError('config_value', 'The name of a node must be a string.');
  const read = answered(ask((core) => core.LoopMachine.fromYaml(yaml, name)));
  readFromYaml(read.config);
  return read;
}

export function toRecord(attempt, context) {
  const texts = [textOf(attempt, 'attempt'), textOf(context, 'context', coreContext)];
  return answered(ask((core) => core.LoopMachine.toRecord(...texts))) ?? undefined;
}

function textOf(value, what, renamed = (same) => same) {
  try {
    return jsonText(renamed(value)) ?? 'null';
  } catch (cause) {
    throw new ReflectionConfigError('config_value', `Cannot convert \`${what}\` to JSON: ${messageOf(cause)}`, { field: `/${what}` }, { cause });
  }
}
