// The loop of the component in the words of the other faces: the machine with steps and replies as
// JSON has them, and on it a driver for callbacks that answer at once. Nothing here belongs to Node.
import { free } from './face.mjs';

/** What a refusal is, in the JSON form of every face. */
export function errorOf({ type, code, message, field, details }) {
  return { type: type === 'failed' ? 'ReflectionFailedError' : type, code, message, field: field ?? null, details: JSON.parse(details) };
}

/** What was thrown by the component; anything else goes on. */
export function refusal(error) {
  if (error.payload?.details === undefined) throw error;
  return errorOf(error.payload);
}

function callOf({ tag, val }) {
  if (tag === 'run') return { ...val };
  const params = JSON.parse(val.params);
  return tag === 'callback' ? { callback: val.callback ?? true, params } : { ...val, params };
}

function budgetOf({ iterations, calls, tokens, cost, ms }) {
  return { iterations, calls: calls === undefined ? null : Number(calls), tokens: tokens ?? null, cost: cost ?? null, ms: ms ?? null };
}

const members = {
  'resolve-schema': (val) => val,
  generate: ({ call, isLast, budgetLeft }) => ({ ...callOf(call), is_last: isLast, budget_left: budgetOf(budgetLeft) }),
  'evaluate-llm': ({ model = null, ...val }) => ({ ...val, model }),
  'evaluate-custom': ({ evaluator, output, call }) => ({ evaluator, output: JSON.parse(output), ...callOf(call) }),
  correct: ({ call, output, errors, suggestions, feedback, isLast, budgetLeft }) => ({
    ...callOf(call),
    output: JSON.parse(output),
    errors: JSON.parse(errors),
    suggestions: JSON.parse(suggestions),
    feedback,
    is_last: isLast,
    budget_left: budgetOf(budgetLeft),
  }),
  wait: (ms) => ({ ms }),
  done: (result) => ({ result: JSON.parse(result) }),
  failed: (error) => ({ error: errorOf(error) }),
};

function stepOf({ id, iteration, candidate = null, try: tries, timeoutMs = null, kind: { tag, val } }) {
  return { id, type: tag.replaceAll('-', '_'), iteration, candidate, try: tries, timeout_ms: timeoutMs, ...members[tag](val) };
}

function answerOf(reply) {
  if (reply.type === 'value') return { tag: 'value', val: JSON.stringify(reply.value) };
  if (reply.type === 'too_deep') return { tag: 'too-deep' };
  if (reply.type === 'aborted') return { tag: 'aborted', val: reply.reason };
  const { message, kind = 'error', retryable = false, retry_after_ms: retryAfterMs } = reply;
  return { tag: 'error', val: { message, kind, retryable, retryAfterMs } };
}

function replyOf({ usage, ms, now, at, not_finite: notFinite = [], ...reply }) {
  const { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, cost } = usage ?? {};
  return { answer: answerOf(reply), usage: usage && { inputTokens, outputTokens, totalTokens, cost }, ms, now, at, notFinite };
}

/** A machine with the methods of npm's, over a handle of the component. */
export class Machine {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  steps() {
    return this.#handle.steps().map(stepOf);
  }

  resume(id, reply) {
    return this.#handle.resume(id, replyOf(reply)).map(stepOf);
  }

  events() {
    return this.#handle.events().map(({ details, seq, type, iteration, candidate }) => ({
      seq, type, iteration, ...(candidate === undefined ? {} : { candidate }), ...JSON.parse(details),
    }));
  }

  state(id) {
    const text = this.#handle.state(id);
    return text === undefined ? undefined : JSON.parse(text);
  }

  abort(reason) {
    return this.#handle.abort(reason).map(stepOf);
  }

  snapshot() {
    return this.#handle.snapshot();
  }

  free() {
    free(this.#handle);
  }
}

/** What tests/loop/steps.mjs plays its cases on. */
export function machines({ ReflectionLoop }) {
  const everything = { llm: true, actions: 'any', languages: 'any', clock: true };
  const hostOf = ({ host = everything }) => JSON.stringify(host);
  return {
    start(one) {
      const { op, now } = one;
      if (op !== undefined) {
        return new Machine(ReflectionLoop[op](JSON.stringify(one.params), JSON.stringify(one.state ?? null), hostOf(one), now));
      }
      return new Machine(ReflectionLoop.start(JSON.stringify(one.config), hostOf(one), now));
    },
    restore(one, bytes) {
      const { op, params, state = null } = one;
      const config = op === undefined ? one.config : { op, params, state };
      return new Machine(ReflectionLoop.restore(JSON.stringify(config), hostOf(one), bytes));
    },
    refusal,
  };
}

/** The names that tests/loop/adapter.mjs takes from a package, over the interface `loop`. */
export function driver(loop) {
  class ReflectionError extends Error {
    constructor({ message, code, details }) {
      super(message);
      Object.assign(this, { code, ...details });
    }
  }
  class ReflectionConfigError extends ReflectionError {}
  class ReflectionTemplateError extends ReflectionError {}
  class ReflectionFailedError extends ReflectionError {}
  const classes = { config: ReflectionConfigError, template: ReflectionTemplateError, ReflectionFailedError };

  const failed = (error) => new (classes[error.type] ?? ReflectionError)(error);
  const asked = (ask) => {
    try {
      return ask();
    } catch (error) {
      throw failed(refusal(error));
    }
  };

  /** Makes the calls of a machine until it ends. */
  function drive(handle, calls) {
    const machine = new Machine(handle);
    try {
      for (;;) {
        const [step] = machine.steps();
        if (step.type === 'done') return step.result;
        if (step.type === 'failed') throw failed(step.error);
        const reply = replied(() => made(step, () => machine.state(step.id), calls));
        asked(() => machine.resume(step.id, reply));
      }
    } finally {
      machine.free();
    }
  }

  const run = async (settings, start) => {
    const { actions = {}, languages = {}, llm, resolveSchema, ...config } = settings;
    const names = (given) => Object.keys(given);
    const host = JSON.stringify({ llm: llm !== undefined, actions: names(actions), languages: names(languages) });
    return drive(asked(() => start(config, host)), { actions, languages, llm, resolveSchema });
  };
  const single = (form) => ({ state = null, ...params }, host) => loop.ReflectionLoop[form](JSON.stringify(params), JSON.stringify(state), host);
  return {
    ReflectionConfigError,
    ReflectionTemplateError,
    ReflectionFailedError,
    reflectionLoop: (settings) => run(settings, (config, host) => loop.ReflectionLoop.start(JSON.stringify(config), host)),
    reflectionEvaluate: (settings) => run(settings, single('evaluate')),
    reflectionCorrect: (settings) => run(settings, single('correct')),
    coerce(schema, data) {
      const { value, coercions } = asked(() => loop.coerce(JSON.stringify(schema), JSON.stringify(data)));
      return { value: JSON.parse(value), coercions: coercions.map(({ pointer, from, to }) => ({ pointer, from: JSON.parse(from), to: JSON.parse(to) })) };
    },
    renderTemplate: (template, state) => asked(() => loop.render(template, JSON.stringify(state))),
  };
}

/** What a step asks for, of a host that answers at once. */
function made(step, state, { actions, languages, llm, resolveSchema }) {
  if (step.type === 'wait') return null;
  if (step.type === 'resolve_schema') return resolveSchema(step.uri);
  if (step.type === 'evaluate_llm') return llm({ ...(step.model === null ? {} : { model: step.model }), messages: step.messages });
  if (step.prompt !== undefined) return llm({ ...step.params, prompt: step.prompt });
  if (step.run !== undefined) return languages[step.language](step.run, { state: state(), output: step.output });
  return actions[step.action](step.params, { state: state() });
}

/** A reply with what a call returns or throws. JSON has no NaN: the places where one stands are told. */
function replied(call) {
  let value;
  try {
    value = call();
  } catch (error) {
    return { type: 'error', message: error.message };
  }
  return { type: 'value', value, not_finite: notFinite(value, '') };
}

function notFinite(value, pointer) {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`));
}
