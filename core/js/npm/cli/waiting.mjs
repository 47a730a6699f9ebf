// Iterations that a hook could not store in time, because others were writing: they wait in the folder of the lock, a
// file each, for the next program that can store them.
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logHookError } from './hooklog.mjs';

/** A file that waits: a number that grows, so that names are in the order in which they came. */
const WAITS = /^(\d{15})-[0-9a-f]{8}\.json$/;
/** What is appended to the name of one that can never be stored. */
const REFUSED = '.refused';

/** Errors that the same iteration meets again however often it is tried. */
function isFinal({ code, details }) {
  return ['invalid-request', 'path-refused'].includes(code) || (code === 'memory-conflict' && details?.written === undefined);
}

/** Whether an iteration that met this error should wait: it is not stored, and may be later. */
export function mayWait(cause) {
  const { code, details } = cause;
  return typeof code === 'string' && !isFinal(cause) && !(details?.written > 0);
}

/** The iterations that wait in a memory. */
export class Waiting {
  #memory;
  #folder;

  constructor(memory) {
    this.#memory = memory;
    this.#folder = join(memory, '.hindscope', 'waiting');
  }

  /** Their files, the oldest first. */
  get files() {
    return this.#names.filter((name) => WAITS.test(name)).sort().map((name) => join(this.#folder, name));
  }

  /** Those that can never be stored; `doctor` shows why. */
  get refused() {
    return this.#names.filter((name) => name.endsWith(REFUSED)).sort().map((name) => join(this.#folder, name));
  }

  get #names() {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  /** Puts an iteration behind those that wait: all of its file or nothing, and without the lock. */
  put(loop, iteration, now) {
    mkdirSync(this.#folder, { recursive: true });
    const last = Number(WAITS.exec(this.#names.filter((name) => WAITS.test(name)).sort().at(-1) ?? '')?.[1] ?? 0);
    const name = `${String(Math.max(Date.now(), last + 1)).padStart(15, '0')}-${randomBytes(4).toString('hex')}.json`;
    const beside = join(this.#folder, `${name}.tmp`);
    try {
      const file = openSync(beside, 'wx');
      try {
        writeFileSync(file, JSON.stringify({ loop, iteration: { ...iteration, eventId: randomUUID() }, now }));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, join(this.#folder, name));
    } catch (cause) {
      rmSync(beside, { force: true });
      throw cause;
    }
    return join(this.#folder, name);
  }

  /**
   * Stores those that wait, in their order, with `reflect(loop, iteration, now)`. Each has the id of an event: one that
   * was stored by a process that died before it could remove the file is not stored again. After an error that may pass,
   * the loop's others stay, so that their order does; `isOver` says when to stop. Gives a function that says whether an
   * iteration of a loop has to wait behind others.
   */
  async store(reflect, isOver = () => false) {
    const blocked = new Set();
    const files = this.files;
    for (const [at, path] of files.entries()) {
      if (isOver()) return () => true;
      const waits = readWaiting(path);
      // Another process has stored it meanwhile.
      if (waits === undefined) continue;
      if (blocked.has(waits.loop)) continue;
      try {
        await reflect(waits.loop, waits.iteration, waits.now);
        rmSync(path, { force: true });
      } catch (cause) {
        if (cause.code === 'store-locked') return () => true;
        logHookError(this.#memory, { code: cause.code ?? 'bug', message: `${path}: ${cause.message}` });
        if (isFinal(cause)) renameSync(path, `${path}${REFUSED}`);
        else blocked.add(waits.loop);
      }
      if (at === files.length - 1) this.#leave();
    }
    return (loop) => blocked.has(loop);
  }

  /** Removes the folder if nothing waits in it. */
  #leave() {
    try {
      rmdirSync(this.#folder);
    } catch {
      // Somebody has use for it.
    }
  }
}

/** What a file says; undefined if it is gone. What is no iteration is refused by the memory. */
function readWaiting(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  }
  try {
    const { loop, iteration, now } = JSON.parse(text);
    return { loop, iteration, now };
  } catch {
    return {};
  }
}
