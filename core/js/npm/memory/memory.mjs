// An episodic memory over a store. The core says what to read and what to write; here it is read,
// written in that order, and nobody else writes meanwhile.
import { HindscopeError, guarded, isOurs, messageOf } from '../error.mjs';
import { Handle, ask } from '../history/core.mjs';
import { callable, instant, milliseconds, pick, tag, wellFormed } from '../input.mjs';
import { LEND, bytesGiven, failed, misgiven, namesGiven } from './store.mjs';
import { TaskIndex } from './taskindex.mjs';

const encoder = new TextEncoder();

/** Tasks that the doctor looks at in one go: all of one task is in memory meanwhile. */
const BATCH = 64;

/** How often a change is attempted when others write at the same time. */
const TRIES = 5;

/** Files are UTF-8. */
const HALVED = { rule: 'json/lone-surrogate', severity: 'warning', message: 'The request contains half of a surrogate pair; it is stored as U+FFFD.' };

/** What is said if a later write fails: the first write of a call holds all that is new. */
const PARTLY = {
  reflect: 'The iteration is stored, but its patterns are not. The next iteration that finds patterns writes them.',
  doctor: 'A part of the repair was written before. Run the doctor again.',
};
const MOSTLY = 'The change is stored, but some files that are derived from it are not up to date. `doctor({ mend: true })` or `hindscope doctor --mend` updates them.';

/** What every store has. */
const METHODS = ['read', 'list', 'write', 'lock'];

function noStore(why) {
  return new HindscopeError('invalid-option', `A store must have the methods \`${METHODS.join('`, `')}\`; ${why}.`);
}

/** What the `hook:` block of a workflow says. */
export function hookSettings(workflow) {
  if (typeof workflow !== 'string') throw new HindscopeError('invalid-option', '`workflow` must be the text of a workflow.');
  return JSON.parse(ask((core) => core.hookSettings(wellFormed(workflow))));
}

export class EpisodicMemory {
  #store;
  #now;
  #waitMs;
  #index;

  static async open(store, options) {
    const memory = new this(store, options);
    try {
      await store.open?.();
    } catch (cause) {
      throw failed('the memory', cause, 'open');
    }
    return memory;
  }

  constructor(store, options) {
    const lacking = guarded(() => METHODS.find((method) => typeof store?.[method] !== 'function'), () => noStore('one of them cannot be read'));
    if (lacking) throw noStore(`\`${lacking}\` is missing`);
    const { now, waitMs } = pick(options, { now: callable, waitMs: milliseconds });
    this.#store = store;
    this.#now = now ?? Date.now;
    this.#waitMs = waitMs ?? 30_000;
    this.#index = new TaskIndex(store);
  }

  get store() {
    return this.#store;
  }

  async initTask(task) {
    return this.#change('init-task', given(task));
  }

  async startAttempt(task, options) {
    const { similar, ...rest } = given(options);
    return this.#change('start-attempt', { ...rest, task, similar: await this.#lessons(task, similar) });
  }

  async logAction(task, action, options) {
    return this.#change('log-action', { ...given(options), task, action });
  }

  async addResult(task, result) {
    return this.#change('add-result', { ...given(result), task });
  }

  async completeAttempt(task, ending) {
    const values = given(ending);
    const { attempt } = values;
    const attemptOf = async () => (await this.queryHistory(task, { attempt })).attempts.at(-1);
    const reflection = typeof values.reflection === 'function' ? await values.reflection(await attemptOf()) : values.reflection;
    const historyOf = () => this.queryHistory(task);
    const whole = values.taskReflection;
    const taskReflection = typeof whole === 'function' ? await whole(await historyOf()) : whole;
    return this.#change('complete-attempt', { ...values, task, reflection, taskReflection });
  }

  async addReflection(task, reflection, options) {
    return this.#change('add-reflection', { ...given(options), task, reflection });
  }

  async setStatus(task, status) {
    return this.#change('set-status', { task, status });
  }

  async queryHistory(task, filter) {
    return answer(await this.#read({ ...given(filter), call: 'query-history', task }));
  }

  async search(query, options) {
    const request = { ...given(options), query };
    if (this.#index.isUsable) return this.#index.search(wellFormed(written(request)));
    return answer(await this.#read({ ...request, call: 'search-tasks' }));
  }

  async similarTasks(task, options) {
    const request = { ...given(options), task };
    if (this.#index.isUsable) return this.#index.similar(wellFormed(written(request)));
    return answer(await this.#read({ ...request, call: 'similar-tasks' }));
  }

  async improvement(options) {
    return answer(await this.#read({ ...given(options), call: 'track-improvement' }));
  }

  async reflect(loop, iteration) {
    const { reflection, ...facts } = given(iteration);
    if ('loop' in facts) throw new HindscopeError('invalid-request', 'Unexpected property `loop`: the loop is the first argument.');
    const text = typeof reflection === 'function' ? await reflection({ loop, ...facts }) : reflection;
    return this.#change('reflect', { ...facts, loop, reflection: text });
  }

  async doctor(options) {
    const { mend = false, tasks, onProgress } = given(options);
    const look = (request) => this.#health(mend, { ...request, call: 'doctor' });
    if (tasks?.length > 0) return look({ tasks });
    const all = await this.#index.tasks();
    if (all.length <= BATCH) return look({});
    const parts = [];
    for (let at = 0; at < all.length; at += BATCH) {
      parts.push(await look({ tasks: all.slice(at, at + BATCH) }));
      onProgress?.(Math.min(at + BATCH, all.length), all.length);
    }
    const indexes = await look({ indexOnly: true });
    const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
    const joined = (name) => [...parts, indexes].flatMap((part) => part[name]);
    return {
      kind: 'health',
      isSound: [...parts, indexes].every((part) => part.isSound),
      tasks: sum('tasks'),
      attempts: sum('attempts'),
      actions: sum('actions'),
      reflections: sum('reflections'),
      keptAside: joined('keptAside'),
      writes: joined('writes'),
      findings: joined('findings'),
    };
  }

  async #health(mend, request) {
    const done = mend ? await this.#written(request) : await this.#looked(request);
    return { ...answer(done), writes: done.writes.map(({ path }) => path) };
  }

  /**
   * Between two writes of somebody else, files may contradict each other: what looks wrong is checked again
   * under the lock.
   */
  async #looked(request) {
    const look = () => this.#read({ ...request, now: this.#time() });
    const first = await look();
    if (first.findings.length === 0 && first.writes.length === 0) return first;
    let release;
    try {
      release = await this.#lock();
    } catch {
      // No lock, as where nothing may be written: the second look does without.
      return look();
    }
    try {
      return await look();
    } finally {
      await release();
    }
  }

  async #lessons(task, similar) {
    if (typeof similar !== 'number') return similar;
    const { tasks } = await this.similarTasks(task, { limit: similar });
    return tasks.flatMap(({ lessons }) => lessons.slice(0, 1));
  }

  async #change(call, request) {
    return answer(await this.#written({ ...request, call }));
  }

  /** Asks and writes, while nobody else does. */
  async #written(request) {
    // Made plain at once: the caller may go on with its objects.
    const text = written(request);
    const whole = wellFormed(text);
    const plain = JSON.parse(whole);
    for (let tries = 1; ; tries += 1) {
      const release = await this.#lock();
      try {
        const done = await this.#read({ ...plain, now: this.#time() });
        await this.#commit(done.writes, plain.call);
        const [{ path = '' } = {}] = done.writes;
        if (whole !== text) done.findings.unshift({ path, ...HALVED });
        return done;
      } catch (error) {
        // A writer without a lock was faster, and nothing of this was written.
        const isEarly = error?.code === 'memory-conflict' && error.details?.written === 0;
        if (!isEarly || tries === TRIES) throw error;
      } finally {
        await release();
      }
    }
  }

  async #lock() {
    let release;
    try {
      release = await this.#store.lock(this.#waitMs);
    } catch (cause) {
      throw failed('the lock', cause);
    }
    // Before the first write: afterwards a memory would have changed without a lock.
    if (typeof release !== 'function') throw misgiven('lock', '', 'the function that releases the lock');
    return async () => {
      try {
        await release();
      } catch (cause) {
        throw failed('the lock', cause, 'release');
      }
    };
  }

  /** Asks until the core knows enough. */
  async #read(request) {
    const text = wellFormed(written(request));
    const call = new Handle('call', (core) => new core.MemoryCall(text));
    let failure;
    try {
      for (;;) {
        const needs = JSON.parse(call.ask((inner) => inner.needs()));
        if (needs.length === 0) break;
        const lend = this.#store[LEND];
        // All of them at once, for stores that take their time; handed over in order.
        const found = lend ? undefined : await Promise.all(needs.map((need) => this.#found(need)));
        for (const [at, need] of needs.entries()) {
          const one = found ? found[at] : this.#lent(need, lend);
          failure ??= one.cause;
          call.ask((inner) => give(inner, need, one));
        }
      }
    } catch (error) {
      call.free();
      if (failure && error.code === 'memory-unreadable') error.cause = failure;
      throw error;
    }
    const [line, ...actions] = call.ask((inner) => inner.finish());
    const done = JSON.parse(line);
    for (const [at, list] of actions.entries()) actLater(done.answer.attempts[at], list);
    return done;
  }

  #lent({ kind, path, lenBytes }, lend) {
    try {
      return { data: kind === 'folder' ? this.#store.list(path) : lend(path, lenBytes) };
    } catch (cause) {
      return { cause };
    }
  }

  async #found({ kind, path, lenBytes }) {
    const isFolder = kind === 'folder';
    let data;
    try {
      data = await (isFolder ? this.#store.list(path) : this.#store.read(path, lenBytes));
    } catch (cause) {
      return { cause };
    }
    return { data: isFolder ? namesGiven(path, data) : bytesGiven(path, data) };
  }

  async #commit(writes, call) {
    for (const [at, { kind, path, was, text, base64 }] of writes.entries()) {
      const bytes = text === undefined ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : encoder.encode(text);
      try {
        await this.#store.write(path, bytes, { kind, was });
      } catch (cause) {
        const { code, message, details } = failed(path, cause);
        // A repair works in batches: earlier ones were written.
        const none = call === 'doctor' ? 'Nothing more was written.' : 'Nothing was written.';
        const kept = at === 0 ? none : (PARTLY[call] ?? MOSTLY);
        throw new HindscopeError(code, `${message} ${kept}`, { ...details, path, written: at }, { cause });
      }
    }
  }

  #time() {
    let ms;
    try {
      ms = instant(this.#now(), 'now');
      return new Date(ms).toISOString();
    } catch (cause) {
      if (isOurs(cause)) throw cause;
      throw new HindscopeError('invalid-option', `\`now\` must return a time: ${messageOf(cause)}`, {}, { cause });
    }
  }
}

function give(call, { kind, path }, { data, cause }) {
  if (cause !== undefined) call.fail(path, messageOf(cause));
  else if (data === undefined) call.giveNothing(path);
  else if (kind === 'folder') call.giveFolder(path, JSON.stringify(data));
  else if (kind === 'tail') call.giveTail(path, data.bytes, data.lenBytes);
  else call.giveFile(path, data.bytes);
}

/** Where an attempt has the JSON of its actions, or the actions. */
const LATER = Symbol('later');

/** One for all attempts: accessors of their own would be kept until all memory is looked through. */
const ACTIONS = {
  get() {
    const later = this[LATER];
    if (later.json !== undefined) {
      later.value = JSON.parse(later.json);
      later.json = undefined;
    }
    return later.value;
  },
  set(value) {
    this[LATER].value = value;
    this[LATER].json = undefined;
  },
  enumerable: true,
  configurable: true,
};

/** Gives an attempt its actions, which are parsed when somebody looks at them. */
function actLater(attempt, json) {
  Object.defineProperty(attempt, LATER, { value: { json, value: undefined } });
  Object.defineProperty(attempt, 'actions', ACTIONS);
}

function answer({ answer, findings }) {
  return { ...answer, findings };
}

/** Options as they are handed in; what they are called, the core knows. */
function given(options) {
  if (options === undefined || options === null) return {};
  try {
    if (tag(options) === 'Object') {
      const plain = { ...options };
      const own = ['call', 'now'].find((name) => name in plain);
      if (!own) return plain;
      throw new HindscopeError('invalid-request', `Unexpected option \`${own}\`.${own === 'now' ? ' Set the clock with `EpisodicMemory.open(store, { now })`.' : ''}`);
    }
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('invalid-option', `Cannot read the options: ${messageOf(cause)}`, {}, { cause });
  }
  throw new HindscopeError('invalid-option', 'Options must be a plain object.');
}

/** A request as JSON. What is not given is left out; inside of an action, null is a value. */
function written(request) {
  try {
    const entries = Object.entries(request).filter(([, value]) => value !== undefined && value !== null);
    return JSON.stringify(Object.fromEntries(entries));
  } catch (cause) {
    throw new HindscopeError('invalid-request', `Cannot convert the request to JSON: ${messageOf(cause)}`, {}, { cause });
  }
}
