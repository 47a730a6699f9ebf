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
/** What is appended to the name of one that cannot be stored as it is. */
const REFUSED = '.refused';
/** What to do about it. */
const HINT = 'This iteration of a hook is not stored. Correct `loop` or `iteration` in this file, then run `hindscope doctor --mend`, which stores it. Delete this file if you do not need it.';
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

  /** Files of those that cannot be stored as they are, each with why and with what to do about it. */
  get refused() {
    return this.#refused.map((path) => {
      const { refused: why, hint } = orNothing(() => readWaiting(path)) ?? {};
      return { path, why: typeof why === 'string' ? why : 'It cannot be read as an iteration.', hint: typeof hint === 'string' ? hint : 'Look at it. `hindscope doctor --mend` tries to store it again.' };
    });
  }

  get #refused() {
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
    this.#write(path, text);
    return path;
  }

  /** Writes all of a file or nothing. */
  #write(path, text) {
    const beside = `${path}.${randomBytes(4).toString('hex')}.tmp`;
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

  /** Stores all that wait, and those that were refused, where somebody has corrected them since. */
  async mend(reflect) {
    await this.store(reflect);
    for (const path of this.#refused) {
      try {
        const { loop, iteration, now } = readWaiting(path) ?? {};
        await reflect(loop, iteration, now);
        rmSync(path, { force: true });
      } catch (cause) {
        if (isFinal(cause)) orNothing(() => this.#explain(path, path, cause));
        // The next time may be better.
        else orNothing(() => logHookError(this.#memory, { code: cause.code ?? 'bug', message: `${path}: ${cause.message}` }));
      }
    }
    this.#leave();
  }

  /** Logs an error. A file that cannot be stored as it is gets another name, and says why. */
  #keepAside(path, cause) {
    // Another process has done it, or nothing can be written here: the iteration of the caller is worth more.
    orNothing(() => {
      logHookError(this.#memory, { code: cause.code ?? 'bug', message: `${path}: ${cause.message}` });
      if (isFinal(cause)) this.#explain(path, `${path}${REFUSED}`, cause);
    });
  }

  /** Writes an iteration to a file of its own, with why it is not stored. A file that holds something else keeps its text. */
  #explain(from, to, { code, message }) {
    const waits = orNothing(() => readWaiting(from));
    // No regular file: it has nothing to add to.
    if (waits === undefined) return renameSync(from, to);
    const { refused: _, hint: __, ...own } = waits;
    this.#write(to, `${JSON.stringify({ refused: `${message} [${code}]`, hint: HINT, ...own }, null, 2)}\n`);
    if (from !== to) rmSync(from, { force: true });
    return undefined;
  }

  /** Removes the folder if nothing waits in it. */
  #leave() {
    // Otherwise somebody has use for it.
    orNothing(() => rmdirSync(this.#folder));
  }
}

/** What a file says; undefined if it is gone. Anything but an object comes back as its `text` alone, which the memory refuses. */
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
  const value = orNothing(() => JSON.parse(text));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { text };
  return value;
}

/** What a function gives; undefined if it throws. */
function orNothing(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
