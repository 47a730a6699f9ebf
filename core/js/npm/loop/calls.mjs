// What callbacks are handed: the step, its state when it is looked at, a signal, and where to say
// what it cost.
import { whenRead } from '../input.mjs';
import { addUsage } from './replies.mjs';

/** What a call cost that asked no model. */
const FREE = { total_tokens: 0, cost: 0 };

/** Longer histories are parsed only on access: most callbacks that read the state need no history. */
const MOST_READ = 20;

/** The states of steps. Entries that the last history already had are not copied out of the wasm again. */
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

/** Members that a call takes from its step: the name on the call, and the name on the step. */
const MEMBERS = {
  iteration: 'iteration',
  candidate: 'candidate',
  tries: 'try',
  params: 'params',
  prompt: 'prompt',
  output: 'output',
  evaluator: 'evaluator',
  errors: 'errors',
  suggestions: 'suggestions',
  isLast: 'is_last',
  budgetLeft: 'budget_left',
  from: 'from',
};

export class Call {
  #step;
  #states;
  #state;
  #controller;
  #usage;
  #isReported = false;

  constructor(step, states) {
    this.#step = step;
    this.#states = states;
    this.usage = this.#addUsage.bind(this);
  }

  static {
    for (const [name, member] of Object.entries(MEMBERS)) {
      Object.defineProperty(this.prototype, name, { get() { return this.#step[member]; }, configurable: true });
    }
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
    this.#isReported = true;
    this.#usage = addUsage(this.#usage, given);
  }

  /** Gives the call up: its signal is aborted, also for code that asks for the signal only later. */
  static cancel(call, reason) {
    call.#controller ??= new AbortController();
    call.#controller.abort(reason);
  }

  /** What it cost, as it says; nothing if it asked no model, and says nothing. */
  static usageOf(call, hasModel) {
    return call.#usage ?? (hasModel || call.#isReported ? undefined : FREE);
  }
}
