// Searching through everything that is open, hit by hit.
import { id, pick, text, texts } from '../input.mjs';
import { ask } from './core.mjs';

export class Search {
  #history;
  #read;
  #begin;
  #progress;

  /** `history` is its handle, `read` gives the bytes of a stretch. */
  constructor(history, read, begin) {
    this.#history = history;
    this.#read = read;
    this.#begin = begin;
    // A mistake is thrown at once, and not at the first hit.
    const first = begin();
    this.#progress = first.progress();
    first.free();
  }

  get progress() {
    return this.#progress;
  }

  *[Symbol.iterator]() {
    const open = this.#begin();
    try {
      for (;;) {
        for (const { source, path, start, end } of this.#history.ask((inner) => inner.needsOfSearch(open))) {
          let bytes;
          try {
            bytes = this.#read(source, path, start, end);
          } catch {
            open.passOver(source, start);
            continue;
          }
          this.#history.ask((inner) => inner.supplySearch(open, source, start, bytes));
        }
        const hits = this.#history.ask((inner) => inner.hits(open));
        this.#progress = open.progress();
        if (hits === undefined) return;
        yield* hits;
      }
    } finally {
      open.free();
    }
  }

  async *[Symbol.asyncIterator]() {
    let pause = 0;
    for (const hit of this) {
      yield hit;
      // Others get a turn now and then.
      if (++pause % 256 === 0) await new Promise((go) => setTimeout(go));
    }
  }
}

/** The options of a search, made plain. */
export function searchOptions(options) {
  return pick(options, { parts: texts, run: (run) => id(run, 'run') });
}

export function queryError(query, list = 'search') {
  const plain = text(query, 'query');
  const of = text(list, 'list');
  return ask((core) => core.queryError(plain, of));
}
