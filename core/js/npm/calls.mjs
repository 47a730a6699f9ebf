// What callbacks are handed: the step, its state when it is looked at, a signal, and where to say
// what it cost.
import { addUsage } from './replies.mjs';

/** Histories that are longer are read when they are looked at: most who want a state want no history. */
const MOST_READ = 20;

/** States of steps. What a history had before does not come again. */
export class States {
  #machine;
  /** Entries of the last history that was looked at, as JSON texts. */
  #entries = [];

  constructor(machine) {
    this.#machine = machine;
  }

  of(id) {
    const answer = this.#machine.ask((inner) => inner.stateSince(id));
    if (answer === undefined) return undefined;
    const [text, kept, ...entries] = answer.split('\n');
    const state = JSON.parse(text);
    if (kept === '') return state;
    const all = this.#entries.slice(0, Number(kept)).concat(entries);
    this.#entries = all;
    const read = () => JSON.parse(`[${all.join(',')}]`);
    if (all.length <= MOST_READ) state.reflection_history = read();
    else Object.defineProperty(state, 'reflection_history', whenRead(read));
    return state;
  }
}

/** A property like any other, that is made when somebody looks at it. */
function whenRead(make) {
  let value;
  let isMade = false;
  return {
    configurable: true,
    enumerable: true,
    get() {
      if (!isMade) value = make();
      isMade = true;
      return value;
    },
    set(given) {
      value = given;
      isMade = true;
    },
  };
}

export class Call {
  #step;
  #states;
  #state;
  #controller;
  #usage;

  constructor(step, states) {
    this.#step = step;
    this.#states = states;
    this.usage = this.#addUsage.bind(this);
  }

  get iteration() {
    return this.#step.iteration;
  }

  get candidate() {
    return this.#step.candidate;
  }

  get attempt() {
    return this.#step.try;
  }

  get params() {
    return this.#step.params;
  }

  get prompt() {
    return this.#step.prompt;
  }

  get output() {
    return this.#step.output;
  }

  get evaluator() {
    return this.#step.evaluator;
  }

  get errors() {
    return this.#step.errors;
  }

  get suggestions() {
    return this.#step.suggestions;
  }

  get isLast() {
    return this.#step.is_last;
  }

  get budgetLeft() {
    return this.#step.budget_left;
  }

  get from() {
    return this.#step.from;
  }

  get timeoutMs() {
    return this.#step.timeout_ms ?? undefined;
  }

  get feedback() {
    return this.#step.feedback ?? this.state?.reflection_feedback;
  }

  /** Only those who look at it pay for it. */
  get state() {
    if (this.#state === undefined) this.#state = this.#states.of(this.#step.id) ?? null;
    return this.#state ?? undefined;
  }

  get signal() {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  #addUsage(given) {
    this.#usage = addUsage(this.#usage, given);
  }

  /** Nobody waits for this call any more. Whoever looks at its signal later finds it aborted, too. */
  static cancel(call, reason) {
    call.#controller ??= new AbortController();
    call.#controller.abort(reason);
  }

  static usageOf(call) {
    return call.#usage;
  }
}
