// The reflection loop: generate, evaluate, correct, and again.
import { ask } from './core.mjs';
import { clockOf, drive } from './drive.mjs';
import { said } from './error.mjs';
import { ReflectionConfigError, answered } from './failure.mjs';
import { machineOf } from './machine.mjs';
import { loopSettings, singleSettings } from './settings.mjs';

export async function reflectionLoop(options) {
  const settings = loopSettings(options);
  const now = clockOf(settings);
  const machine = machineOf((Machine) => Machine.start(settings.config, settings.host, now()));
  return drive(machine, settings, now);
}

export async function* reflectionEvents(options) {
  const controller = new AbortController();
  const { signal } = controller;
  const { signal: theirs } = options ?? {};
  const abort = () => controller.abort(theirs.reason);
  if (theirs?.aborted) abort();
  theirs?.addEventListener?.('abort', abort, { once: true });
  const events = [];
  let wake = () => {};
  const onEvent = (event) => {
    events.push(event);
    wake();
    return options.onEvent?.(event);
  };
  let end;
  const running = reflectionLoop({ ...options, signal, onEvent }).then(
    (result) => {
      end = { result };
      wake();
    },
    (error) => {
      end = { error };
      wake();
    },
  );
  try {
    for (;;) {
      while (events.length > 0) yield events.shift();
      if (end) break;
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
    if (end.error) throw end.error;
    yield { type: 'result', result: end.result };
  } finally {
    // Whoever stops listening wants no more of the loop.
    controller.abort();
    theirs?.removeEventListener?.('abort', abort);
    await running;
  }
}

export async function reflectionEvaluate(options) {
  let settings;
  try {
    settings = singleSettings(options, 'evaluate');
  } catch (cause) {
    const { code, message } = refusal(cause);
    return { valid: false, score: 0, errors: [{ message, code }], suggestions: [], feedback: '', coercions: [], output: null, success: false };
  }
  const now = clockOf(settings);
  const machine = machineOf((Machine) => Machine.evaluate(settings.params, settings.state, settings.host, now()));
  return drive(machine, settings, now);
}

export async function reflectionCorrect(options) {
  let settings;
  try {
    settings = singleSettings(options, 'correct');
  } catch (cause) {
    const { code, message } = refusal(cause);
    return { corrected_output: null, success: false, error: message, code };
  }
  const now = clockOf(settings);
  const machine = machineOf((Machine) => Machine.correct(settings.params, settings.state, settings.host, now()));
  return drive(machine, settings, now);
}

export { reflectionCorrect as correctReflection, reflectionEvaluate as evaluateReflection };

/** Requests that are wrong are answered, whatever is wrong with them. */
function refusal(cause) {
  if (cause instanceof ReflectionConfigError) return cause;
  throw cause;
}

export function coerce(schema, data) {
  const texts = [jsonText(schema, 'schema'), jsonText(data, 'data')];
  const text = ask((core) => core.LoopMachine.coerce(...texts));
  // Nested too deep to be looked into: nothing is converted.
  return text === undefined ? { value: JSON.parse(texts[1]), coercions: [] } : JSON.parse(text);
}

export function renderTemplate(template, state = {}) {
  if (typeof template !== 'string') throw new ReflectionConfigError('config_value', 'A template is a text.', { field: '/template' });
  const text = jsonText(state, 'state');
  return answered(ask((core) => core.LoopMachine.render(template, text)));
}

export function parseLoopConfig(yaml, name = undefined) {
  if (typeof yaml !== 'string') throw new ReflectionConfigError('config_yaml', 'YAML is a text.');
  return answered(ask((core) => core.LoopMachine.fromYaml(yaml, name)));
}

export function toRecord(entry, context) {
  const texts = [jsonText(entry, 'entry'), jsonText(context, 'context')];
  return answered(ask((core) => core.LoopMachine.toRecord(...texts))) ?? undefined;
}

function jsonText(value, what) {
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'null';
  } catch (cause) {
    throw new ReflectionConfigError('config_value', `\`${what}\` cannot be written as JSON: ${said(cause)}`, { field: `/${what}` }, { cause });
  }
}
