// Small files, handed to the wasm many at a time: a call for each would cost more than what it holds.
import { memory } from './core.mjs';
import { INNER } from './history.mjs';

/** A file of more bytes is opened by itself. */
export const SMALL = 1 << 18;
/** Bytes of one call, and files. */
const CALL = 1 << 20;
const FILES = 4096;
/** Bytes that a UTF-16 unit of a path takes at most. */
const WIDEST = 3;

const encoder = new TextEncoder();

export class SmallFiles {
  #history;
  #cache;
  #openOne;
  /** Those that wait, and where the path and the bytes of each end. */
  #items = [];
  #ends = new Uint32Array(2 * FILES);
  #room;
  #at = 0;

  /** `openOne` opens an item that is an archive after all. */
  constructor(history, cache, openOne) {
    this.#history = history;
    this.#cache = cache;
    this.#openOne = openOne;
  }

  /** Takes an item whose bytes can be put in place. False: it is to be opened by itself, after `flush`. */
  take(item) {
    // The size of a file on disk is 0 until it is opened; `put` looks at it then.
    if (!item.put || item.size > SMALL || item.name.length > SMALL) return false;
    const isTaken = this.#put(item);
    if (isTaken !== undefined) return isTaken;
    // A path and a small file are shorter than a call, so they fit into an empty one.
    this.flush();
    return this.#put(item) ?? false;
  }

  /** Undefined: it does not fit behind those that wait. */
  #put(item) {
    const room = this.#view();
    const free = CALL - this.#at - WIDEST * item.name.length;
    if (free < 0) return undefined;
    const from = this.#at + writeText(item.name, room, this.#at);
    let length;
    try {
      length = item.put(room, from, Math.min(free, SMALL));
    } catch {
      // Opened by itself, it says why.
      return false;
    }
    if (length > SMALL) return false;
    return length > free ? undefined : this.#add(item, from, from + length);
  }

  #add(item, from, to) {
    const at = 2 * this.#items.length;
    this.#ends[at] = from;
    this.#ends[at + 1] = to;
    this.#at = to;
    this.#items.push(item);
    if (this.#items.length === FILES) this.flush();
    return true;
  }

  /** The memory moves when it grows, which another call may have made it do. */
  #view() {
    if (!this.#room?.length) {
      const address = this.#history[INNER]((inner) => inner.room(CALL));
      this.#room = new Uint8Array(memory(), address, CALL);
    }
    return this.#room;
  }

  /** Opens those that wait. */
  flush() {
    let [first, from] = [0, 0];
    while (first < this.#items.length) {
      const ends = this.#ends.subarray(2 * first, 2 * this.#items.length);
      const sources = this.#history[INNER]((inner) => inner.openFiles(from, ends));
      for (let at = 0; at < sources.length; at += 1) {
        const item = this.#items[first + at];
        this.#cache.put(sources[at], item.lasting ?? item);
      }
      first += sources.length;
      if (first === this.#items.length) break;
      this.#openOne(this.#items[first]);
      from = this.#ends[2 * first + 1];
      first += 1;
    }
    this.#items = [];
    this.#at = 0;
  }

  /** The same, and gives the room back. */
  end() {
    this.flush();
    if (this.#room) this.#history[INNER]((inner) => inner.leaveRoom());
    this.#room = undefined;
  }
}

/** Writes a text as UTF-8; gives its length. Paths are short, and nearly all of them ASCII. */
function writeText(text, bytes, at) {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return encoder.encodeInto(text, bytes.subarray(at)).written;
    bytes[at + i] = unit;
  }
  return text.length;
}
