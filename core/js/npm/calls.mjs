// What callbacks are handed: the step, its state when it is looked at, a signal, and where to say
// what it cost.
import { addUsage } from './replies.mjs';

export class Call {
  #step;
  #machine;
  #state;
  #controller;
  #usage;

  constructor(step, machine) {
    this.#step = step;
    this.#machine = machine;
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
    if (this.#state === undefined) {
      const text = this.#machine.ask((inner) => inner.state(this.#step.id));
      this.#state = text === undefined ? null : JSON.parse(text);
    }
    return this.#state ?? undefined;
  }

  get signal() {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  #addUsage(given) {
    this.#usage = addUsage(this.#usage, given);
  }

  /** Nobody waits for this call any more. Whoever looks at its signal later is told, too. */
  static cancel(call, reason) {
    call.#controller ??= new AbortController();
    call.#controller.abort(reason);
  }

  static usageOf(call) {
    return call.#usage;
  }
}
