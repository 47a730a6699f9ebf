// Keys of a terminal, one at a time.
import { emitKeypressEvents } from 'node:readline';

/** What keys mean; any other goes on. */
const MEANS = { left: 'back', up: 'back', backspace: 'back', b: 'back', k: 'back', q: 'q', escape: 'q', e: 'e', end: 'e' };

export class Keys {
  #input;
  #waiting;
  #early = [];
  #listen = (_, key) => this.#take(key ?? {});
  #ended = () => this.#give('q');

  constructor(input) {
    this.#input = input;
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.on('keypress', this.#listen);
    input.on('end', this.#ended);
    input.resume();
  }

  /** `back`, `q`, `e`, `interrupt`, or `next` for all others. */
  next() {
    if (this.#early.length > 0) return Promise.resolve(this.#early.shift());
    return new Promise((give) => {
      this.#waiting = give;
    });
  }

  end() {
    this.#input.off('keypress', this.#listen);
    this.#input.off('end', this.#ended);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  #take({ name, ctrl }) {
    if (ctrl && (name === 'c' || name === 'd')) this.#give(name === 'c' ? 'interrupt' : 'q');
    else this.#give(MEANS[name] ?? 'next');
  }

  #give(key) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(key);
    else this.#early.push(key);
  }
}
