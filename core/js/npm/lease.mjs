// The lock of a folder: a file that names its owner. It is advisory, so only those who ask respect it.
// The owner may die without removing it, so stale locks are detected.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { HindscopeError } from './error.mjs';
import { Turns, locked } from './store.mjs';

/** Who has waited for so long asks to go first, by the file `wanted`. Others who come then hold back. */
const PATIENCE_MS = 50;
/** How long they hold back: longer than the pause between two attempts of the one that waits. */
const COURTESY_MS = 100;
/** The least number of attempts where other processes remove the folder of the lock. */
const TRIES = 5;

export class Lease {
  #folder;
  #path;
  #wanted;
  #staleMs;
  #where;
  #turns = new Turns();
  #own;
  #isSwept = false;

  /** `folder` is for the lock, `where` is what messages call the memory. */
  constructor(folder, staleMs, where) {
    this.#folder = folder;
    this.#path = join(folder, 'lock');
    this.#wanted = join(folder, 'wanted');
    this.#staleMs = staleMs;
    this.#where = where;
  }

  /** Waits for the lock; gives what releases it. `prepare` makes the folder, `leave` may take it away. */
  async take(waitMs, { prepare, leave }) {
    const end = performance.now() + waitMs;
    const done = await this.#turns.take(waitMs, this.#where);
    try {
      const text = JSON.stringify({ pid: process.pid, host: machine(), space: space(), token: randomBytes(8).toString('hex') });
      for (let [tries, unmade] = [1, 0]; this.#own === undefined; tries += 1) {
        try {
          unmade += 1;
          prepare();
          unmade = 0;
          await this.#claim(text, end, waitMs);
          this.#own = text;
        } catch (cause) {
          // Another process took away the folder that it had made for nothing; many of them do so again
          // and again. A folder that cannot be made at all is another matter.
          const isOver = unmade === TRIES || (tries >= TRIES && performance.now() > end);
          if (cause.code !== 'ENOENT' || isOver) throw cause;
          await new Promise((go) => setTimeout(go, Math.random() * 2));
        }
      }
    } catch (cause) {
      leave();
      done();
      throw cause;
    }
    const beat = setInterval(() => this.#beat(), Math.max(1, this.#staleMs / 5));
    beat.unref();
    this.#sweep();
    return () => {
      clearInterval(beat);
      const own = this.#own;
      this.#own = undefined;
      // One that was taken over meanwhile is somebody else's.
      if (own !== undefined && this.#read() === own) fs.rmSync(this.#path, { force: true });
      leave();
      done();
    };
  }

  /** Fails if the lock was taken over, because this process seemed dead. */
  check(path) {
    if (this.#own === undefined || this.#read() === this.#own) return;
    const message = `${path} was not written: this process no longer has the lock of ${this.#where}. It was probably stopped for so long that another process took over the lock.`;
    throw new HindscopeError('memory-conflict', message, { path });
  }

  async #claim(text, end, waitMs) {
    // What is seen, and since when: the clock of another machine may say anything.
    let [seen, since] = [undefined, 0];
    const begin = performance.now();
    let isWanting = false;
    if (this.#isWanted()) await new Promise((go) => setTimeout(go, COURTESY_MS));
    try {
      for (let pause = 1; ; pause = Math.min(pause * 2, 40)) {
        if (this.#isMade(text)) return;
        const owner = this.#read();
        const sight = `${owner} ${fs.statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs}`;
        if (sight !== seen) [seen, since] = [sight, performance.now()];
        const isStale = isDead(owner) || performance.now() - since > this.#staleMs;
        if (owner !== undefined && isStale) {
          this.#takeAway(owner);
          continue;
        }
        if (performance.now() - begin > PATIENCE_MS) isWanting = this.#want(text) || isWanting;
        if (performance.now() > end) throw locked(this.#where, waitMs, holder(owner));
        await new Promise((go) => setTimeout(go, pause + Math.random() * pause));
      }
    } finally {
      if (isWanting && this.#read(this.#wanted) === text) fs.rmSync(this.#wanted, { force: true });
    }
  }

  /** Whether somebody has waited for long. One that gave up, or died, is soon forgotten. */
  #isWanted() {
    const status = fs.statSync(this.#wanted, { throwIfNoEntry: false });
    if (!status) return false;
    if (Math.abs(Date.now() - status.mtimeMs) < 20 * COURTESY_MS && !isDead(this.#read(this.#wanted))) return true;
    fs.rmSync(this.#wanted, { force: true });
    return false;
  }

  /** Says that it waits, where nobody else does; gives whether it said so. */
  #want(text) {
    try {
      if (this.#read(this.#wanted) === text) {
        const now = new Date();
        fs.utimesSync(this.#wanted, now, now);
      } else fs.writeFileSync(this.#wanted, text, { flag: 'wx' });
      return true;
    } catch {
      // Somebody else asks already, or the file cannot be written: waiting works without it.
      return false;
    }
  }

  #isMade(text) {
    let file;
    try {
      file = fs.openSync(this.#path, 'wx');
    } catch (cause) {
      if (cause.code === 'EEXIST') return false;
      throw cause;
    }
    try {
      fs.writeSync(file, text);
      return true;
    } catch (cause) {
      fs.rmSync(this.#path, { force: true });
      throw cause;
    } finally {
      fs.closeSync(file);
    }
  }

  #read(path = this.#path) {
    try {
      return fs.readFileSync(path, 'utf8');
    } catch (cause) {
      if (cause.code === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** Removes a lock that was left behind, and no other: two may find it at the same time. */
  #takeAway(owner) {
    const aside = join(this.#folder, `left-${randomBytes(8).toString('hex')}`);
    try {
      fs.renameSync(this.#path, aside);
    } catch (cause) {
      if (cause.code === 'ENOENT') return;
      throw cause;
    }
    // Another process was faster, and this is already its new lock: put it back. If a third process has
    // the lock by now, the owner of this one finds that out before it writes.
    if (fs.readFileSync(aside, 'utf8') !== owner) {
      try {
        fs.linkSync(aside, this.#path);
      } catch {
        // There is a third.
      }
    }
    fs.rmSync(aside, { force: true });
    this.#isSwept = false;
  }

  #beat() {
    try {
      const now = new Date();
      if (this.#read() === this.#own) fs.utimesSync(this.#path, now, now);
    } catch {
      // It is found out before the next write.
    }
  }

  /** Removes files that were never finished, of processes that are gone. What cannot be removed stays: nobody reads it. */
  #sweep() {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of tried(() => fs.readdirSync(this.#folder)) ?? []) {
      const pid = Number(/^(\d+)-[0-9a-f]{16}\.tmp$/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) tried(() => fs.rmSync(join(this.#folder, name), { force: true }));
    }
  }
}

function tried(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Whether the owner is known to be gone: a process of this machine that is not there. */
function isDead(owner) {
  try {
    const { pid, host, space: where } = JSON.parse(owner);
    return host !== '' && host === machine() && where === space() && Number.isInteger(pid) && pid > 0 && !isAlive(pid);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code !== 'ESRCH';
  }
}

/** The name of this machine, where one may ask. */
function machine() {
  try {
    return hostname();
  } catch {
    return '';
  }
}

/** The namespace of process ids: containers with the same host name have their own. */
function space() {
  try {
    return fs.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function holder(owner) {
  try {
    const { pid, host } = JSON.parse(owner);
    return `process ${pid} on ${host}`;
  } catch {
    return 'another process';
  }
}
