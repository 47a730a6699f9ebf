// The lock of a folder: a file that names its owner. It is advisory, so only those who ask respect it.
// The owner may die without removing it, so stale locks are detected.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { HindscopeError } from '../error.mjs';
import { Turns, locked, refused } from './store.mjs';

/** For how long a process may take the lock again and again while others wait. Then it hands the lock over. */
const REIGN_MS = 50;
/** After a pause of this length between two calls another reign begins. */
const IDLE_MS = 5;
/** How often the next in line looks after the lock, where its owner is quick; all others less often, before a reign ends. */
const PAUSE_MS = 4;
const MOST_PAUSE_MS = 40;
/** How often a waiting process touches its turn, and after how long without that the lock is not handed to it. */
const TOUCH_MS = 100;
const FRESH_MS = 1000;
/** A lock without an owner is just being written, or its process died while writing: then it is taken over. */
const NAMELESS_MS = 1000;
/** Errors of systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EINVAL'];
/** The file of a waiting process: since when it waits, its id, and a random number. */
const TURN = /^turn-\d+-\d+-[0-9a-f]{16}\.tmp$/;
/** Follow no links, wait for no pipes. Windows has neither flag: there only the `lstat` before protects. */
export const CAREFUL = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
/** The least number of attempts where other processes remove the folder of the lock. */
const TRIES = 5;

export class Lease {
  #folder;
  #path;
  #staleMs;
  #where;
  #turns = new Turns();
  #own;
  #isSwept = false;
  /** When this process got the lock from another, and when it last gave it back. */
  #since = 0;
  #until = 0;

  /** `folder` is for the lock, `where` is what messages call the memory. */
  constructor(folder, staleMs, where) {
    this.#folder = folder;
    this.#path = join(folder, 'lock');
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
      try {
        // One that was taken over meanwhile is somebody else's.
        if (own !== undefined && this.#read() === own) this.#giveBack();
      } finally {
        leave();
        done();
      }
    };
  }

  /** Fails if the lock was taken over, because this process seemed dead. */
  check(path) {
    if (this.#own === undefined || this.#read() === this.#own) return;
    const message = `${path} was not written: this process no longer has the lock of ${this.#where}. It was probably stopped for so long that another process took over the lock.`;
    throw new HindscopeError('memory-conflict', message, { path });
  }

  async #claim(text, end, waitMs) {
    // This file is the place in the queue, and becomes the lock under another name: a lock always names its owner.
    const turn = join(this.#folder, `turn-${String(Date.now()).padStart(15, '0')}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
    try {
      fs.writeFileSync(turn, text, { flag: 'wx' });
      if (this.#isMade(turn, text)) {
        if (performance.now() - this.#until > IDLE_MS) this.#since = performance.now();
        return;
      }
      await this.#await(turn, text, end, waitMs);
      this.#since = performance.now();
    } finally {
      fs.rmSync(turn, { force: true });
    }
  }

  async #await(turn, text, end, waitMs) {
    // What is seen, and since when: the clock of another machine may say anything.
    let [seen, since, touched] = [undefined, 0, performance.now()];
    for (;;) {
      const owner = this.#read();
      if (owner === text || (owner === undefined && this.#isMade(turn, text))) return;
      const now = performance.now();
      const sight = `${owner} ${fs.statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs}`;
      if (sight !== seen) [seen, since] = [sight, now];
      const patience = holderOf(owner) ? this.#staleMs : Math.min(NAMELESS_MS, this.#staleMs);
      if (owner !== undefined && (isDead(owner) || now - since > patience)) {
        this.#takeAway(owner);
        continue;
      }
      if (now > end) {
        // It may have been handed over just now.
        fs.rmSync(turn, { force: true });
        if (this.#read() === text) return;
        throw locked(this.#where, waitMs, holder(owner));
      }
      if (now - touched > TOUCH_MS) {
        touched = now;
        touch(turn);
      }
      // Looking costs the owner time: not too often where it takes long.
      const isNext = this.#queue().indexOf(basename(turn)) <= 0;
      const pause = isNext ? Math.min(Math.max(PAUSE_MS, (now - since) / 10), MOST_PAUSE_MS) : MOST_PAUSE_MS;
      await new Promise((go) => setTimeout(go, pause));
    }
  }

  /** The turns of waiting processes, the oldest first. */
  #queue() {
    return (tried(() => fs.readdirSync(this.#folder)) ?? []).filter((name) => TURN.test(name)).sort();
  }

  /** Ends the lock, or hands it to the process that has waited longest, without a moment in which none has it. */
  #giveBack() {
    this.#until = performance.now();
    const isLong = this.#until - this.#since > REIGN_MS;
    for (const name of isLong ? this.#queue() : []) {
      const turn = join(this.#folder, name);
      if (isDead(tried(() => this.#read(turn)))) tried(() => fs.rmSync(turn, { force: true }));
      // A process that is busy with something else would keep the others waiting.
      else if (Math.abs(Date.now() - (fs.statSync(turn, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity)) < FRESH_MS) {
        const isDone = tried(() => {
          fs.renameSync(turn, this.#path);
          return true;
        });
        if (isDone) return;
      }
    }
    fs.rmSync(this.#path, { force: true });
  }

  /** Whether the lock is ours now: the file of the turn gets its name, if nothing has that name. */
  #isMade(turn, text) {
    try {
      fs.linkSync(turn, this.#path);
      return true;
    } catch (cause) {
      if (cause.code === 'EEXIST') return false;
      // Handed over meanwhile, or the folder is gone.
      if (cause.code === 'ENOENT' && this.#read() === text) return true;
      if (!NO_LINKS.includes(cause.code)) throw cause;
    }
    return this.#isWritten(text);
  }

  /** The same on systems where a file cannot have a second name. */
  #isWritten(text) {
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
    let file;
    try {
      file = fs.openSync(path, fs.constants.O_RDONLY | CAREFUL);
      if (!fs.fstatSync(file).isFile()) throw refused(path, 'it is not a regular file');
      return fs.readFileSync(file, 'utf8');
    } catch (cause) {
      if (cause.code === 'ENOENT') return undefined;
      throw cause;
    } finally {
      if (file !== undefined) fs.closeSync(file);
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
    // What is wrong is found out before the next write.
    if (tried(() => this.#read()) === this.#own) touch(this.#path);
  }

  /** Removes files that were never finished, of processes that are gone. What cannot be removed stays: nobody reads it. */
  #sweep() {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of tried(() => fs.readdirSync(this.#folder)) ?? []) {
      const path = join(this.#folder, name);
      const pid = Number(/^(\d+)-[0-9a-f]{16}\.tmp$/.exec(name)?.[1]);
      // Only the owner of the lock writes. Processes of other machines may wait, though: a turn names its host.
      const isOld = () => Date.now() - (tried(() => fs.statSync(path).mtimeMs) ?? 0) > this.#staleMs;
      const isLeft = TURN.test(name) ? isDead(tried(() => this.#read(path))) || isOld() : pid > 0 && !isAlive(pid);
      if (isLeft) tried(() => fs.rmSync(path, { force: true }));
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

/** Says that a file is of a process that lives. */
function touch(path) {
  const now = new Date();
  tried(() => fs.utimesSync(path, now, now));
}

/** The process that a lock names; undefined if it names none. */
function holderOf(owner) {
  const named = tried(() => JSON.parse(owner));
  return Number.isInteger(named?.pid) && named.pid > 0 ? named : undefined;
}

/** Whether the owner is known to be gone: a process of this machine that is not there. */
function isDead(owner) {
  const { pid, host, space: where } = holderOf(owner) ?? {};
  return pid !== undefined && host !== '' && host === machine() && where === space() && !isAlive(pid);
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
  const named = holderOf(owner);
  return named ? `process ${named.pid} on ${named.host}` : 'another process';
}
