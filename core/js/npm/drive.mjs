// Drives a machine: makes the calls that it asks for, several at a time where it asks for several,
// and hands it what came of them.
import { Call } from './calls.mjs';
import { answered, failure } from './failure.mjs';
import { errorReply, valueReply } from './replies.mjs';
import { reasonOf } from './settings.mjs';

/** Timers take no more. */
const MOST_MS = 2 ** 31 - 1;

const clock = () => performance.now();
const date = () => new Date().toISOString();

export function clockOf({ now = clock }) {
  return () => {
    const moment = now();
    return typeof moment === 'number' && Number.isFinite(moment) ? moment : 0;
  };
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
  #settings;
  #now;
  #at;
  /** Calls that somebody waits for, by the id of their step. */
  #running = new Map();
  /** What came of calls, until the machine is told. */
  #inbox = [];
  #wake;
  #isOver = false;

  constructor(machine, settings, now) {
    this.#machine = machine;
    this.#settings = settings;
    this.#now = now;
    this.#at = settings.hasMemory ? settings.at ?? date : undefined;
  }

  async toEnd() {
    const { signal } = this.#settings;
    const abort = () => this.#wake?.();
    signal?.addEventListener('abort', abort);
    try {
      let steps = this.#ask((inner) => inner.steps());
      for (;;) {
        if (signal?.aborted && !steps.some(isEnd)) steps = this.#ask((inner) => inner.abort(reasonOf(signal)));
        const end = steps.find(isEnd);
        if (end) return ended(end);
        steps = steps.flatMap((step) => this.#begin(step));
        if (steps.length > 0) continue;
        if (this.#inbox.length === 0 && !signal?.aborted) {
          await new Promise((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
        steps = this.#inbox.splice(0).flatMap(([id, reply]) => this.#resume(id, reply));
      }
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Whoever is still at work is told that nobody waits. */
  close() {
    this.#isOver = true;
    if (this.#running.size > 0) this.#cancel();
    this.#machine.free();
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
    this.#tell();
    return steps;
  }

  #tell() {
    const { onEvent } = this.#settings;
    if (!onEvent) return;
    for (const event of JSON.parse(this.#machine.ask((inner) => inner.events()))) {
      try {
        // A listener is no part of the loop: what it throws ends nothing.
        const told = onEvent(event);
        if (isPromise(told)) told.then(undefined, () => {});
      } catch {
        // The same.
      }
    }
  }

  #resume(id, reply) {
    return this.#ask((inner) => inner.resume(id, reply));
  }

  /** Makes the call of a step. Gives the next steps if the answer is there at once. */
  #begin(step) {
    const begun = this.#now();
    const call = new Call(step, this.#machine);
    const isVerdict = step.type === 'evaluate_custom' || step.type === 'evaluate_llm';
    const more = () => {
      const now = this.#now();
      return { usage: Call.usageOf(call), ms: Math.max(0, now - begun), now, at: this.#stamp() };
    };
    let value;
    try {
      value = this.#made(step, call);
      if (!isPromise(value)) return this.#resume(step.id, valueReply(value, isVerdict, more()));
    } catch (cause) {
      return this.#resume(step.id, errorReply(cause, more()));
    }
    const waiting = { call, timer: undefined };
    this.#running.set(step.id, waiting);
    const deliver = (make) => {
      // Late answers, to steps that were ended by their time, tell nobody anything.
      if (this.#isOver || !this.#running.delete(step.id)) return;
      clearTimeout(waiting.timer);
      this.#inbox.push([step.id, make()]);
      this.#wake?.();
    };
    const { timeout_ms: timeout } = step;
    if (timeout !== null && timeout !== undefined && step.type !== 'wait') {
      waiting.timer = setTimeout(() => {
        const late = new DOMException(`The call took longer than ${Math.round(timeout)} ms.`, 'TimeoutError');
        deliver(() => errorReply(late, more()));
        Call.cancel(call, late);
      }, Math.min(Math.max(0, timeout), MOST_MS));
    }
    try {
      value.then(
        (given) => deliver(() => valueReply(given, isVerdict, more())),
        (cause) => deliver(() => errorReply(cause, more())),
      );
    } catch (cause) {
      deliver(() => errorReply(cause, more()));
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

  /** What is called, and by what. May throw, and may give a promise. */
  #made(step, call) {
    const { callbacks, actions, languages, llm, resolveSchema } = this.#settings;
    if (step.type === 'wait') return pause(step.ms, call.signal);
    if (step.type === 'resolve_schema') {
      if (!resolveSchema) throw missing('There is no `resolveSchema` to ask.');
      return resolveSchema(step.uri, call);
    }
    if (step.type === 'evaluate_llm') {
      return asked(llm, { ...(step.model === null ? {} : { model: step.model }), messages: step.messages }, call);
    }
    if (step.callback !== undefined) {
      const callback = callbacks.get(step.callback);
      if (!callback) throw missing(`There is no function ${JSON.stringify(step.callback)}.`);
      return callback(call);
    }
    if (step.run !== undefined) {
      const language = languages?.[step.language];
      const run = typeof language === 'function' ? language : language?.run;
      if (typeof run !== 'function') throw missing(`There is no language ${step.language}.`);
      const { state, signal, timeoutMs } = call;
      const output = step.type === 'generate' ? {} : { output: step.output };
      return run(step.run, { state, ...output, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    }
    if (step.prompt !== undefined) return asked(llm, { ...step.params, prompt: step.prompt }, call);
    const action = Object.hasOwn(actions ?? {}, step.action) ? actions[step.action] : undefined;
    if (typeof action === 'function') return action(step.params, call);
    if (step.action === 'llm.call') return asked(llm, step.params, call);
    throw missing(`There is no action ${step.action}.`);
  }
}

function asked(llm, request, call) {
  if (!llm) throw missing('There is no model: `llm` is not given.');
  return llm(request, call);
}

function missing(message) {
  return Object.assign(new Error(message), { kind: 'unavailable' });
}

function isEnd({ type }) {
  return type === 'done' || type === 'failed';
}

function ended({ type, result, error }) {
  if (type === 'failed') throw failure(error);
  return result;
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
