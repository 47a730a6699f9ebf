// Drives a machine: makes the calls that it asks for, several at a time where it asks for several,
// and hands it what came of them.
import { followed, messageOf } from '../error.mjs';
import { MOST_MS } from '../input.mjs';
import { Achieved } from './achieved.mjs';
import { Call, States } from './calls.mjs';
import { ReflectionConfigError, ReflectionUsageError, answered, failure } from './failure.mjs';
import { eventOf, resultOf } from './names.mjs';
import { errorReply, valueReply } from './replies.mjs';
import { deafSignal, reasonOf } from './settings.mjs';

const clock = () => performance.now();
const date = () => new Date().toISOString();

export function clockOf({ now = clock }) {
  return () => {
    const moment = now();
    return typeof moment === 'number' && Number.isFinite(moment) ? moment : 0;
  };
}

/** The first time that a clock gives. A clock that throws here is an error of the configuration. */
export function begunAt(now) {
  try {
    return now();
  } catch (cause) {
    throw new ReflectionConfigError('config_value', `\`now\` threw an error: ${messageOf(cause)}`, { field: '/now' }, { cause });
  }
}

/** Runs a machine to its end, frees it, and gives the result or throws what it failed with. */
export async function drive(machine, settings, now) {
  const run = new Drive(machine, settings, now);
  try {
    return await run.toEnd();
  } finally {
    run.close();
  }
}

class Drive {
  #machine;
  #states;
  #settings;
  #now;
  #at;
  #achieved = new Achieved();
  /** The last moment that the clock gave, and why it gives no more. */
  #last = 0;
  #broken;
  /** What the call threw whose reply the machine got last: if that ends the loop, it is the `cause` of the error. */
  #cause;
  /** Calls that somebody waits for, by the id of their step. */
  #running = new Map();
  /** The runners of languages, by their names. */
  #runners = new Map();
  /** What came of calls, until the machine gets it. */
  #inbox = [];
  #wake;
  #isOver = false;

  constructor(machine, settings, now) {
    this.#machine = machine;
    this.#states = new States(machine);
    this.#settings = settings;
    this.#now = now;
    this.#at = settings.hasMemory ? settings.at ?? date : undefined;
  }

  async toEnd() {
    const { signal, isSingle } = this.#settings;
    const release = followed(signal, () => this.#wake?.(), deafSignal);
    let end;
    try {
      end = await this.#end();
    } catch (cause) {
      // Only a crash comes here: whatever callers do is answered.
      throw isSingle ? cause : this.#achieved.lost(cause);
    } finally {
      release();
    }
    return ended(end, this.#cause);
  }

  async #end() {
    const steps = this.#ask((inner) => inner.steps());
    for (;;) {
      const reason = this.#reason();
      if (reason !== undefined && !steps.some(isEnd)) steps.push(...this.#ask((inner) => inner.abort(reason)));
      // Nobody waits for the steps before it any more: they are not begun.
      const end = steps.find(isEnd);
      if (end) return end;
      if (steps.length > 0) {
        // A candidate goes on before the next one begins: its verdict may end the round.
        steps.unshift(...this.#begin(steps.shift()));
      } else if (this.#inbox.length > 0) {
        steps.push(...this.#resume(...this.#inbox.shift()));
      } else {
        await new Promise((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }

  /** Why the loop is to end now, if it is. */
  #reason() {
    const { signal } = this.#settings;
    return this.#broken ?? (signal?.aborted ? reasonOf(signal) : undefined);
  }

  /** The clock is the caller's: one that fails ends the loop with what it has. */
  #moment() {
    try {
      this.#last = this.#now();
    } catch (cause) {
      this.#broken ??= `The clock \`now\` threw an error: ${messageOf(cause)}`;
    }
    return this.#last;
  }

  /** Aborts the calls that are still at work. */
  close() {
    this.#isOver = true;
    if (this.#running.size > 0) this.#cancel();
    this.#machine.free();
    for (const runner of this.#runners.values()) closed(runner);
  }

  #cancel() {
    const reason = this.#settings.signal?.aborted ? this.#settings.signal.reason : new DOMException('The loop has ended.', 'AbortError');
    for (const { call, timer } of this.#running.values()) {
      clearTimeout(timer);
      Call.cancel(call, reason);
    }
    this.#running.clear();
  }

  /** New steps, and the events that led to them. */
  #ask(call) {
    const steps = answered(this.#machine.ask(call));
    this.#report(this.#machine.ask((inner) => inner.events()));
    return steps;
  }

  /** What an answer leads to. */
  #proceed(id, reply) {
    const text = this.#machine.ask((inner) => inner.proceed(id, reply));
    const end = text.indexOf('\n');
    const steps = answered(end < 0 ? text : text.slice(0, end));
    this.#report(text.slice(end + 1));
    return steps;
  }

  #report(text) {
    this.#achieved.happens(text);
    const { onEvent } = this.#settings;
    if (!onEvent) return;
    for (const event of JSON.parse(text)) {
      try {
        // What a listener throws does not end the loop.
        const returned = onEvent(eventOf(event));
        if (isPromise(returned)) returned.then(undefined, () => {});
      } catch {
        // The same.
      }
    }
  }

  #resume(id, { reply, cause }) {
    this.#cause = cause;
    try {
      return this.#proceed(id, reply);
    } catch (cause) {
      if (!(cause instanceof ReflectionUsageError)) throw cause;
      // An answer that cannot be read is a call that failed.
      return this.#proceed(id, errorReply(cause, {}));
    }
  }

  /** Makes the call of a step. Gives the next steps if the answer is there at once. */
  #begin(step) {
    this.#achieved.begins(step);
    const begun = this.#moment();
    const call = new Call(step, this.#states);
    const isVerdict = step.type === 'evaluate_custom' || step.type === 'evaluate_llm';
    // A function that has answered at once has asked no model.
    let hasModel = step.callback === undefined && (step.action === undefined || step.action === 'llm.call');
    const more = () => {
      const now = this.#moment();
      return { usage: Call.usageOf(call, hasModel), ms: Math.max(0, now - begun), now, at: this.#stamp() };
    };
    const failed = (cause) => ({ reply: errorReply(cause, more()), cause });
    const unread = (cause) => ({ reply: errorReply(cause, more(), true) });
    const given = (value) => {
      try {
        this.#achieved.gives(step, value);
        return { reply: valueReply(value, isVerdict, more()) };
      } catch (cause) {
        return unread(cause);
      }
    };
    let value;
    let answer;
    try {
      value = this.#made(step, call);
    } catch (cause) {
      answer = failed(cause);
    }
    try {
      if (isPromise(value) || value?.usage !== undefined) hasModel = true;
      if (!answer && !isPromise(value)) answer = given(value);
    } catch (cause) {
      answer = unread(cause);
    }
    if (answer !== undefined) return this.#resume(step.id, answer);
    const waiting = { call, timer: undefined };
    this.#running.set(step.id, waiting);
    const deliver = (make, outcome) => {
      // Late answers, to steps that were ended by their time, are dropped.
      if (this.#isOver || !this.#running.delete(step.id)) return;
      clearTimeout(waiting.timer);
      this.#inbox.push([step.id, make(outcome)]);
      this.#wake?.();
    };
    const { timeout_ms: timeout } = step;
    if (timeout !== null && timeout !== undefined && step.type !== 'wait') {
      waiting.timer = setTimeout(() => {
        const late = new DOMException(`The call took longer than ${Math.round(timeout)} ms.`, 'TimeoutError');
        deliver(failed, late);
        Call.cancel(call, late);
      }, Math.min(Math.max(0, timeout), MOST_MS));
    }
    try {
      value.then((returned) => deliver(given, returned), (cause) => deliver(failed, cause));
    } catch (cause) {
      deliver(failed, cause);
    }
    return [];
  }

  #stamp() {
    if (!this.#at) return undefined;
    try {
      const at = this.#at();
      return typeof at === 'string' ? at : new Date(at).toISOString();
    } catch {
      return undefined;
    }
  }

  /** What runs code of a language. A module of ours gives a runner that lives as long as the loop, so that its engine starts once. */
  #runOf(name) {
    const { languages, isSingle } = this.#settings;
    const language = languages?.[name];
    // For a single call, `run` may have an engine ready.
    const isKept = typeof language?.runner === 'function' && !(isSingle && typeof language.run === 'function');
    if (isKept && !this.#runners.has(name)) this.#runners.set(name, language.runner({ keepEngine: true }));
    const run = typeof language === 'function' ? language : (this.#runners.get(name) ?? language)?.run;
    if (typeof run !== 'function') throw missing(`Unknown language ${name}: pass it in \`languages\`.`);
    return run;
  }

  /** What is called, and by what. May throw, and may give a promise. */
  #made(step, call) {
    const { callbacks, actions, llm, resolveSchema } = this.#settings;
    if (step.type === 'wait') return pause(step.ms, call.signal);
    if (step.type === 'resolve_schema') {
      if (!resolveSchema) throw missing('Cannot resolve the schema: pass `resolveSchema`.');
      return resolveSchema(step.uri, call);
    }
    if (step.type === 'evaluate_llm') {
      return asked(llm, { model: step.model, messages: step.messages }, call);
    }
    if (step.callback !== undefined) {
      const callback = callbacks.get(step.callback);
      if (!callback) throw missing(`Unknown function ${JSON.stringify(step.callback)}.`);
      return callback(call);
    }
    if (step.run !== undefined) {
      const run = this.#runOf(step.language);
      const { state, signal, timeoutMs } = call;
      const output = step.type === 'generate' ? {} : { output: step.output };
      return run(step.run, { state, ...output, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    }
    if (step.prompt !== undefined) return asked(llm, { ...step.params, prompt: step.prompt }, call);
    const action = Object.hasOwn(actions ?? {}, step.action) ? actions[step.action] : undefined;
    if (typeof action === 'function') return action(step.params, call);
    if (step.action === 'llm.call') return asked(llm, step.params, call);
    throw missing(`Unknown action ${step.action}: pass it in \`actions\`.`);
  }
}

/** Closes a runner. What it throws does not end the loop. */
async function closed(runner) {
  try {
    await runner?.close?.();
  } catch {
    // The same.
  }
}

function asked(llm, request, call) {
  if (!llm) throw missing('No model: pass `llm`, for example `openaiChat()`.');
  return llm(request, call);
}

/** Trying again cannot help: the options stay the same. */
function missing(message) {
  return Object.assign(new Error(message), { kind: 'unavailable', fatal: true });
}

function isEnd({ type }) {
  return type === 'done' || type === 'failed';
}

/** The result, or the error; `cause` is what the last call has thrown. */
function ended({ type, result, error }, cause) {
  if (type === 'failed') throw failure(error, error.code === 'call_failed' ? { cause } : undefined);
  return resultOf(result);
}

function isPromise(value) {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && typeof value.then === 'function';
}

function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(Math.max(0, ms), MOST_MS));
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
