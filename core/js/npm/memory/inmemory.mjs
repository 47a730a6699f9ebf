// A memory that lives as long as its process: for tests, and for agents that keep nothing.
import { milliseconds } from '../input.mjs';
import { Turns, conflict, names, refused, written } from './store.mjs';

export class InMemoryStore {
  #files = new Map();
  /** Files of each folder on the way, so that listing one does not look at all of them. */
  #folders = new Map();
  #turns = new Turns();
  #writes = 0;

  read(path, last) {
    names(path);
    const bytes = this.#files.get(path)?.bytes;
    if (!bytes) {
      if (this.#folders.has(path)) throw refused(path, 'it is a folder');
      return undefined;
    }
    const from = last === undefined ? 0 : Math.max(0, bytes.length - last);
    return { bytes: bytes.slice(from), lenBytes: bytes.length };
  }

  list(path) {
    names(path);
    if (this.#files.has(path)) throw refused(path, 'it is not a folder');
    const folder = this.#folders.get(path);
    if (!folder) return undefined;
    const isFile = (name) => this.#files.has(`${path}/${name}`);
    const all = [...folder].sort();
    return { files: all.filter(isFile), folders: all.filter((name) => !isFile(name)) };
  }

  stamp(path) {
    return this.#files.get(path)?.stamp;
  }

  write(path, bytes, how) {
    const parts = names(path);
    const { kind, was } = written(bytes, how);
    const now = this.#files.get(path)?.bytes;
    if (now?.length !== was || (kind === 'create' && now)) throw conflict(path, was, now?.length);
    if (this.#folders.has(path)) throw refused(path, 'it is a folder');
    parts.slice(0, -1).forEach((_, at) => {
      const above = parts.slice(0, at + 1).join('/');
      if (this.#files.has(above)) throw refused(path, `${above} is not a folder`);
    });
    parts.forEach((name, at) => {
      if (at === 0) return;
      const above = parts.slice(0, at).join('/');
      if (!this.#folders.has(above)) this.#folders.set(above, new Set());
      this.#folders.get(above).add(name);
    });
    const after = kind === 'append' && now ? grown(now, bytes.length) : new Uint8Array(bytes.length);
    after.set(bytes, after.length - bytes.length);
    this.#files.set(path, { bytes: after, stamp: String((this.#writes += 1)) });
  }

  lock(waitMs) {
    return this.#turns.take(milliseconds(waitMs, 'waitMs'), 'this process');
  }

  /** Every file, by its path. */
  *entries() {
    for (const path of [...this.#files.keys()].sort()) yield [path, this.#files.get(path).bytes.slice()];
  }
}

/** Bytes with room for more behind them. A log grows line by line: not all of it is copied each time. */
function grown(bytes, by) {
  const length = bytes.length + by;
  if (length <= bytes.buffer.byteLength) return new Uint8Array(bytes.buffer, 0, length);
  const after = new Uint8Array(2 * length).subarray(0, length);
  after.set(bytes);
  return after;
}
