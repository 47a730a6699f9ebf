// Iterations that a hook could not store in time, because others were writing: they wait in the folder of the lock, a
// file each, for the next program that can store them.
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HindscopeError } from '../error.mjs';
import { CAREFUL } from '../memory/lease.mjs';
import { logHookError } from './hooklog.mjs';

/** A file that waits: a number that grows, so that names are in the order in which they came. */
const WAITS = /^(\d{15})-[0-9a-f]{8}\.json$/;
/** What is appended to the name of one that can never be stored. */
const REFUSED = '.refused';
/** How often a file is written where other processes remove its folder. */
const MOST_TRIES = 5;

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
      this.#check();
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  /** Refuses a folder that is a link to elsewhere: nothing outside of the memory is read or written. */
  #check() {
    for (const path of [dirname(this.#folder), this.#folder]) {
      if (lstatSync(path).isSymbolicLink()) throw new HindscopeError('path-refused', `${path} is a symbolic link, which is not followed.`, { path });
    }
  }

  /** Puts an iteration behind those that wait: all of its file or nothing, and without the lock. */
  put(loop, iteration, now) {
    for (let tries = 1; ; tries += 1) {
      try {
        return this.#written(JSON.stringify({ loop, iteration, now }));
      } catch (cause) {
        // Another process has just removed the folder, because nothing waited in it.
        if (cause.code !== 'ENOENT' || tries === MOST_TRIES) throw cause;
      }
    }
  }

  #written(text) {
    mkdirSync(this.#folder, { recursive: true });
    this.#check();
    const last = Number(WAITS.exec(this.#names.filter((name) => WAITS.test(name)).sort().at(-1) ?? '')?.[1] ?? 0);
    const path = join(this.#folder, `${String(Math.max(Date.now(), last + 1)).padStart(15, '0')}-${randomBytes(4).toString('hex')}.json`);
    const beside = `${path}.tmp`;
    try {
      const file = openSync(beside, 'wx');
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, path);
    } catch (cause) {
      rmSync(beside, { force: true });
      throw cause;
    }
    return path;
  }

  /**
   * Stores those that wait, in their order, with `reflect(loop, iteration, now)`, and no more than `most`. Each has the
   * id of an event: one that was stored by a process that died before it could remove the file is not stored again.
   * After an error that may pass, the loop's others stay, so that their order does. Gives a function that says whether
   * an iteration of a loop has to wait behind others. What is wrong with a file is logged, and throws nothing.
   */
  async store(reflect, most = Infinity) {
    const blocked = new Set();
    let stored = 0;
    for (const path of this.files) {
      if (stored === most) return () => true;
      let waits;
      try {
        waits = readWaiting(path);
        // Another process has stored it meanwhile.
        if (waits === undefined || blocked.has(waits.loop)) continue;
        await reflect(waits.loop, waits.iteration, waits.now);
        rmSync(path, { force: true });
        stored += 1;
      } catch (cause) {
        if (cause.code === 'store-locked') return () => true;
        this.#keepAside(path, cause);
        if (!isFinal(cause)) blocked.add(waits?.loop);
      }
    }
    this.#leave();
    return (loop) => blocked.has(loop);
  }

  /** Logs an error, and gives a file that can never be stored another name. */
  #keepAside(path, cause) {
    try {
      logHookError(this.#memory, { code: cause.code ?? 'bug', message: `${path}: ${cause.message}` });
      if (isFinal(cause)) renameSync(path, `${path}${REFUSED}`);
    } catch {
      // Another process has done it, or nothing can be written here: the iteration of the caller is worth more.
    }
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
    const file = openSync(path, constants.O_RDONLY | CAREFUL);
    try {
      if (!fstatSync(file).isFile()) throw new HindscopeError('path-refused', 'It is not a regular file.', { path });
      text = readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause.code === 'ENOENT') return undefined;
    if (cause.code === 'ELOOP') throw new HindscopeError('path-refused', 'It is a symbolic link, which is not followed.', { path }, { cause });
    throw cause;
  }
  try {
    const { loop, iteration, now } = JSON.parse(text);
    return { loop, iteration, now };
  } catch {
    return {};
  }
}
