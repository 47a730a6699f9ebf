// A loop as its events. An iterator of its own and no generator: the `return` of a generator waits
// until the event that somebody asked for is there.
import { followed } from '../error.mjs';
import { deafSignal } from './settings.mjs';

export class LoopEvents {
  #settings;
  #loop;
  #controller = new AbortController();
  /** Events that nobody has asked for yet, and those who ask for events that are not there yet. */
  #items = [];
  #waiting = [];
  #running;
  #isOver = false;

  /** `settings` checks the options, once somebody asks; `loop` runs them. */
  constructor(settings, loop) {
    this.#settings = settings;
    this.#loop = loop;
  }

  next() {
    if (!this.#isOver) this.#running ??= this.#run();
    const item = this.#items.shift();
    if (item) return item.settle();
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Whoever stops listening wants no more of the loop. */
  async return(value) {
    this.#items = [];
    this.#close();
    this.#controller.abort();
    await this.#running;
    return { value: await value, done: true };
  }

  async throw(error) {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async #run() {
    let release;
    try {
      const settings = this.#settings();
      const { signal: theirs, onEvent } = settings;
      release = followed(theirs, () => this.#controller.abort(theirs.reason), deafSignal);
      const result = await this.#loop({
        ...settings,
        signal: this.#controller.signal,
        onEvent: (event) => {
          this.#give(() => Promise.resolve({ value: event, done: false }));
          return onEvent?.(event);
        },
      });
      this.#give(() => Promise.resolve({ value: { type: 'result', result }, done: false }));
    } catch (error) {
      this.#give(() => Promise.reject(error));
    } finally {
      this.#close();
      release?.();
    }
  }

  #give(settle) {
    if (this.#isOver) return;
    const resolve = this.#waiting.shift();
    if (resolve) resolve(settle());
    else this.#items.push({ settle });
  }

  #close() {
    this.#isOver = true;
    for (const resolve of this.#waiting.splice(0)) resolve({ value: undefined, done: true });
  }
}

if (Symbol.asyncDispose) {
  Object.defineProperty(LoopEvents.prototype, Symbol.asyncDispose, {
    async value() {
      await this.return();
    },
  });
}
