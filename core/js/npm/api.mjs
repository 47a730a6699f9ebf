// What both entries export. Each function makes its arguments plain, calls the wasm once and
// hands on what it says.
import { core } from './core.mjs';
import { HindscopeError, said } from './error.mjs';
import { bytesOf, id, iterationNumber, pick, recordBytes, text, textOption } from './input.mjs';

export { HindscopeError } from './error.mjs';

/** Words of the codes in `columns().outcomes`. */
export const OUTCOMES = Object.freeze(['success', 'partial', 'failure', 'running', 'aborted', 'void', 'unknown']);

export function validate(record, options) {
  const { validate } = core();
  const plain = pick(options, ['profile']);
  return validate(recordBytes(record), plain);
}

function live(handle, name) {
  if (handle) return handle;
  throw new HindscopeError('freed', `This ${name} was freed.`);
}

export class ReflectionWindow {
  #inner;

  constructor(options) {
    const { ReflectionWindow: Inner } = core();
    this.#inner = new Inner(pick(options, ['omega', 'policy']));
  }

  push(record) {
    // First the bytes: a getter of the record may call anything, free() included.
    const bytes = recordBytes(record);
    return this.#live.push(bytes);
  }

  render(layout) {
    return this.#live.render(textOption(layout, 'layout'));
  }

  metadata() {
    return this.#live.metadata();
  }

  get entries() {
    return this.#live.entries();
  }

  get held() {
    return this.#live.held();
  }

  get evicted() {
    return this.#live.evicted();
  }

  free() {
    this.#inner?.free();
    this.#inner = undefined;
  }

  get #live() {
    return live(this.#inner, 'ReflectionWindow');
  }
}

export class History {
  #inner;
  #read;

  constructor(options) {
    const { History: Inner } = core();
    const { read, ...plain } = pick(options, ['profile', 'read']);
    if (read !== undefined && typeof read !== 'function') {
      throw new HindscopeError('invalid-option', '`read` is a function of source, start and end.');
    }
    this.#inner = new Inner(plain);
    this.#read = read;
  }

  open(path) {
    const name = text(path, 'path');
    return this.#live.open(name);
  }

  push(source, slice) {
    const bytes = bytesOf(slice, 'A slice');
    return this.#live.push(id(source, 'source'), bytes);
  }

  finish(source) {
    this.#live.finish(id(source, 'source'));
  }

  fail(source, reason) {
    this.#live.fail(id(source, 'source'), text(reason, 'reason'));
  }

  sources() {
    return this.#live.sources();
  }

  groups() {
    return this.#live.groups();
  }

  runs() {
    return this.#live.runs();
  }

  findings() {
    return this.#live.findings();
  }

  get recordCount() {
    return this.#live.recordCount();
  }

  get runCount() {
    return this.#live.runCount();
  }

  get findingCount() {
    return this.#live.findingCount();
  }

  run(idOrKey) {
    const inner = this.#live;
    const run = typeof idOrKey === 'string' ? inner.findRun(idOrKey) : id(idOrKey, 'run');
    if (run === undefined) {
      throw new HindscopeError('no-such-run', `No run has the key ${JSON.stringify(idOrKey)}.`, { key: idOrKey });
    }
    return new Run(this, () => this.#live, inner.run(run));
  }

  locate(record) {
    return this.#live.locate(id(record, 'record'));
  }

  inspect(record, part = 0, bytes = undefined) {
    const own = this.#bytesOf(record, bytes);
    return this.#live.inspect(id(record, 'record'), id(part ?? 0, 'iteration'), own);
  }

  raw(record, bytes = undefined) {
    const own = this.#bytesOf(record, bytes);
    return this.#live.rawText(id(record, 'record'), own);
  }

  free() {
    this.#inner?.free();
    this.#inner = undefined;
    this.#read = undefined;
  }

  get #live() {
    return live(this.#inner, 'History');
  }

  /** The bytes of a record: those given, else those that the reader fetches. */
  #bytesOf(record, bytes) {
    const { source, start, end, path } = this.locate(record);
    if (bytes !== undefined && bytes !== null) return bytesOf(bytes, 'The bytes of a record', { record });
    if (!this.#read) {
      throw new HindscopeError('unreadable-input', 'This history has no reader: pass the bytes of the span.', { record });
    }
    let answer;
    try {
      answer = this.#read(source, start, end);
    } catch (cause) {
      if (cause instanceof HindscopeError) throw cause;
      throw new HindscopeError('unreadable-input', `${path} cannot be read again: ${said(cause)}`, { record, path }, { cause });
    }
    return bytesOf(answer, 'What the reader returned', { record, path });
  }
}

class Run {
  #history;
  #live;

  constructor(history, live, view) {
    this.#history = history;
    this.#live = live;
    this.view = view;
  }

  iterations() {
    return this.#live().iterations(this.view.id);
  }

  columns() {
    return this.#live().columns(this.view.id);
  }

  reflections() {
    return this.#live().reflections(this.view.id);
  }

  window(at, rule) {
    const plain = pick(rule, ['omega', 'policy']);
    const number = at === undefined || at === null ? this.#next() : iterationNumber(at);
    const view = this.#live().window(this.view.id, number, plain);
    return new Window(view, () => this.#entries(view.held));
  }

  /** The number of the attempt that has not been made yet. */
  #next() {
    const last = this.columns().numbers.at(-1);
    return last === undefined ? this.view.base : last + 1;
  }

  /** Reflections with their texts, which are read now. */
  #entries(held) {
    if (held.length === 0) return [];
    const outcomes = new Map(this.iterations().map(({ number, outcome }) => [number, outcome]));
    return held.map(({ number, record, part }) => {
      const { reflections = [] } = this.#history.inspect(record, part);
      const found = reflections.find((reflection) => reflection.part === part);
      // A single file of a series remembers trials that are not open.
      return { number, outcome: outcomes.get(number) ?? 'unknown', text: found?.text ?? '' };
    });
  }
}

class Window {
  #entries;

  constructor(view, entries) {
    Object.assign(this, view);
    this.#entries = entries;
  }

  get text() {
    return this.render();
  }

  render(layout) {
    const name = textOption(layout, 'layout');
    return core().render(this.#entries(), name);
  }
}

// Older runtimes have no Symbol.dispose, and then nobody can ask for it.
if (Symbol.dispose) {
  for (const Handle of [ReflectionWindow, History]) {
    Object.defineProperty(Handle.prototype, Symbol.dispose, { value: Handle.prototype.free });
  }
}

/** What a file that cannot be read throws while it is fed. The history lists it with the reason. */
export class Unreadable extends Error {}

/**
 * Opens items of the form `{name, feed(push), read(start, end)}`, one source each. `push` answers
 * whether more slices may come.
 */
export function openItems(items, options) {
  const plain = pick(options, ['profile']);
  const opened = new Map();
  const read = (source, start, end) => opened.get(source).read(start, end);
  const history = new History({ ...plain, read });
  try {
    for (const item of items) {
      const source = history.open(item.name);
      opened.set(source, item);
      try {
        item.feed((slice) => history.push(source, slice));
        history.finish(source);
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause;
        history.fail(source, cause.message);
      }
    }
    return history;
  } catch (cause) {
    history.free();
    throw cause;
  }
}

/**
 * Bytes handed over at a time. Each slice is copied into the wasm: one that stays in the
 * processor's cache is copied and read twice as fast, and the wasm never holds the whole input.
 */
const SLICE = 1 << 18;

/** `{name, data}` as an item; undefined for anything else. */
export function memoryItem(input) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  let data;
  let name;
  try {
    ({ data, name } = input);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `A source cannot be read: ${said(cause)}`, {}, { cause });
  }
  const path = text(name, 'name');
  const bytes = bytesOf(data, `The data of ${path}`, { path });
  return {
    name: path,
    feed(push) {
      for (let at = 0; at < bytes.length; at += SLICE) {
        if (!push(bytes.subarray(at, at + SLICE))) break;
      }
    },
    read: (start, end) => bytes.subarray(start, end),
  };
}

/** Says what `openHistory` takes. */
export function notAnInput(allowed) {
  return new HindscopeError('unreadable-input', `A history is opened from ${allowed}.`);
}
