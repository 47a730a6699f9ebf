// The loop of the component with the functions of the npm package, so that tests/loop/ can play its cases on
// it: the machine, with steps and replies as JSON has them, and a driver for callbacks that answer at
// once.
import { free } from './face.mjs';

/** What a refusal is, in the JSON form of every face, where codes have underscores. */
function errorOf({ type, code, message, field, details }) {
  return { type: type === 'failed' ? 'ReflectionFailedError' : type, code: code.replaceAll('-', '_'), message, field: field ?? null, details: JSON.parse(details) };
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
  const { message, kind = 'error', retryable = false, fatal = false, retry_after_ms: retryAfterMs } = reply;
  return { tag: 'error', val: { message, kind, retryable, fatal, retryAfterMs } };
}

function replyOf({ usage, ms, now, at, not_finite: notFinite = [], ...reply }) {
  const { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens, cost } = usage ?? {};
  return { answer: answerOf(reply), usage: usage && { inputTokens, outputTokens, totalTokens, cost }, ms, now, at, notFinite };
}

function eventOf({ details, seq, type, iteration, candidate }) {
  return { seq, type, iteration, ...(candidate === undefined ? {} : { candidate }), ...JSON.parse(details) };
}

/** What tests/loop/*.mjs take from a package, over the interface `loop`. */
export function driver(loop) {
  const { ReflectionLoop } = loop;
  const text = JSON.stringify;

  class ReflectionError extends Error {
    constructor({ message, code, field, details }) {
      super(message);
      Object.assign(this, { code, field, ...details, attempts: details.history });
    }
  }
  class ReflectionConfigError extends ReflectionError {}
  class ReflectionTemplateError extends ReflectionError {}
  class ReflectionFailedError extends ReflectionError {}
  class ReflectionUsageError extends ReflectionError {}
  const classes = {
    config: ReflectionConfigError, template: ReflectionTemplateError, ReflectionFailedError, usage: ReflectionUsageError,
  };

  /** A step whose state is made when it is looked at. */
  class LoopStep {
    #handle;

    constructor(handle, step) {
      this.#handle = handle;
      Object.assign(this, stepOf(step));
    }

    get state() {
      const state = this.#handle.state(this.id);
      return state === undefined ? undefined : JSON.parse(state);
    }
  }

  const failed = (error) => new classes[error.type](error);
  const asked = (ask) => {
    try {
      return ask();
    } catch (error) {
      if (error.payload?.details === undefined) throw error;
      throw failed(errorOf(error.payload));
    }
  };

  class LoopMachine {
    #handle;

    /** Of single forms and of snapshots there is a handle already. */
    constructor(config, host, now, handle = asked(() => ReflectionLoop.start(text(config), text(host), now))) {
      this.#handle = handle;
    }

    static evaluate(params, state, host, now) {
      return LoopMachine.#single('evaluate', params, state, host, now);
    }

    static correct(params, state, host, now) {
      return LoopMachine.#single('correct', params, state, host, now);
    }

    static #single(form, params, state = null, host = {}, now = undefined) {
      const handle = asked(() => ReflectionLoop[form](text(params), text(state), text(host), now));
      return new LoopMachine(params, host, now, handle);
    }

    static restore(config, host, snapshot) {
      return new LoopMachine(config, host, undefined, asked(() => ReflectionLoop.restore(text(config), text(host), snapshot)));
    }

    steps() {
      return this.#steps((handle) => handle.steps());
    }

    resume(id, reply) {
      return this.#steps((handle) => handle.resume(id, replyOf(reply)));
    }

    events() {
      return this.#handle.events().map(eventOf);
    }

    abort(reason) {
      return this.#steps((handle) => handle.abort(reason));
    }

    snapshot() {
      return this.#handle.snapshot();
    }

    free() {
      free(this.#handle);
    }

    #steps(ask) {
      return asked(() => ask(this.#handle)).map((step) => new LoopStep(this.#handle, step));
    }
  }

  /** Makes the calls of a machine until it ends. */
  const drive = async ({ actions = {}, languages = {}, llm, resolveSchema, ...settings }, start) => {
    const host = { llm: llm !== undefined, actions: Object.keys(actions), languages: Object.keys(languages) };
    const machine = start(settings, host);
    try {
      for (;;) {
        const [step] = machine.steps();
        if (step.type === 'done') return step.result;
        if (step.type === 'failed') throw failed(step.error);
        machine.resume(step.id, replied(() => made(step, { actions, languages, llm, resolveSchema })));
      }
    } finally {
      machine.free();
    }
  };

  return {
    LoopMachine,
    ReflectionConfigError,
    ReflectionTemplateError,
    ReflectionFailedError,
    reflectionLoop: (settings) => drive(settings, (config, host) => new LoopMachine(config, host)),
    reflectionEvaluate: (settings) => drive(settings, ({ state, ...params }, host) => LoopMachine.evaluate(params, state, host)),
    reflectionCorrect: (settings) => drive(settings, ({ state, ...params }, host) => LoopMachine.correct(params, state, host)),
    coerce(schema, data) {
      const { value, coercions } = asked(() => loop.coerce(text(schema), text(data)));
      const one = ({ pointer, from, to }) => ({ pointer, from: JSON.parse(from), to: JSON.parse(to) });
      return { value: JSON.parse(value), coercions: coercions.map(one) };
    },
    renderTemplate: (template, state) => asked(() => loop.render(template, text(state))),
  };
}

/** What a step asks for, of a host that answers at once. */
function made(step, { actions, languages, llm, resolveSchema }) {
  if (step.type === 'wait') return null;
  if (step.type === 'resolve_schema') return resolveSchema(step.uri);
  if (step.type === 'evaluate_llm') return llm({ ...(step.model === null ? {} : { model: step.model }), messages: step.messages });
  if (step.prompt !== undefined) return llm({ ...step.params, prompt: step.prompt });
  if (step.run !== undefined) return languages[step.language](step.run, { state: step.state, output: step.output });
  return actions[step.action](step.params, { state: step.state });
}

/** A reply with what a call returns or throws. JSON has no NaN: the places where one stands are sent along. */
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
