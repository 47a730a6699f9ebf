// Where the bytes of sources are found again when a record is looked at.
import { Again, joined } from './unpack.mjs';

/** Unpacked bytes that a history keeps; those of further entries are unpacked again when needed. */
const MOST_KEPT = 256 * 2 ** 20;

/** The sources of one history, by their ids. */
export class SourceCache {
  #readers = [];
  #freeBytes = MOST_KEPT;

  read(source, start, end) {
    return this.#readers[source].read(start, end);
  }

  /** A source that can be read where it lies: `{read(start, end)}`. */
  put(source, reader) {
    this.#readers[source] = reader;
  }

  /** Collects the bytes of a source as they arrive: all of them if `isAll`, else while there are free bytes. */
  keeping(isAll) {
    return new Keeping(isAll ? Infinity : this.#freeBytes);
  }

  /** Keeps the collected bytes if they are all there; otherwise `again` reads them when needed. */
  keep(source, keeping, again) {
    const bytes = keeping.whole();
    if (!bytes) return this.put(source, again);
    this.#freeBytes -= bytes.length;
    return this.put(source, { read: (start, end) => bytes.subarray(start, end) });
  }
}

/** The bytes of one source, or nothing once they are more than there are free bytes. */
class Keeping {
  #freeBytes;
  #pieces = [];

  constructor(freeBytes) {
    this.#freeBytes = freeBytes;
  }

  take(piece) {
    this.#freeBytes -= piece.length;
    if (this.#freeBytes < 0) this.#pieces = undefined;
    this.#pieces?.push(piece);
  }

  whole() {
    return this.#pieces && joined(this.#pieces);
  }
}

/** Takes the parts of one archive into a history, a source for each entry. */
export class Unpacking {
  #history;
  #cache;
  #item;
  #again;
  #entry;
  #source;
  #keeping;
  #records;
  #isEnough;

  constructor(history, cache, item, options) {
    this.#history = history;
    this.#cache = cache;
    this.#item = item;
    this.#again = item.read && new Again(item, options);
  }

  take(part) {
    const history = this.#history;
    if (part.kind === 'entry') {
      this.#entry = part;
      this.#source = history.open(part.path);
      this.#records = history.recordCount;
      this.#isEnough = false;
      this.#keeping = part.storedAt === undefined || !this.#again ? this.#cache.keeping(!this.#again) : undefined;
    } else if (part.kind === 'data') {
      this.#keeping?.take(part.bytes);
      if (!this.#isEnough) this.#isEnough = !history.push(this.#source, part.bytes);
    } else {
      if (part.kind === 'end') history.finish(this.#source);
      else history.refuse(this.#source, part.rule, part.reason);
      this.#put();
    }
  }

  /** Only a source with records needs a reader: nothing else is read again. */
  #put() {
    const { number, storedAt } = this.#entry;
    const [item, again] = [this.#item, this.#again];
    if (this.#history.recordCount === this.#records) return;
    if (this.#keeping) this.#cache.keep(this.#source, this.#keeping, { read: (start, end) => again.read(number, start, end) });
    else this.#cache.put(this.#source, { read: (start, end) => item.read(storedAt + start, storedAt + end) });
  }
}
