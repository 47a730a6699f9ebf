// The window of a running loop, and windows as text.
import { disposable } from '../handle.mjs';
import {
  LAYOUT_OPTIONS,
  WINDOW_RULE,
  callable,
  counted,
  number,
  pick,
  plainEntries,
  recordBytes,
  recordsBytes,
  text,
  textOption,
} from '../input.mjs';
import { Handle, ask } from './core.mjs';

export function render(entries, layout, options) {
  const plain = pick(options, LAYOUT_OPTIONS);
  const name = textOption(layout, 'layout');
  const rows = plainEntries(entries);
  return ask((core) => core.render(rows, name, plain));
}

export class ReflectionWindow {
  #handle;
  #countTokens;
  #isCounting = false;
  #query;
  #findings = [];

  static from(records, options) {
    // A getter of a record may call anything, so first the bytes.
    const { bytes, ends } = recordsBytes(records);
    const window = new ReflectionWindow(options);
    try {
      window.#findings = window.#handle.ask((inner) => inner.pushAll(bytes, ends));
      window.#count();
      return window;
    } catch (cause) {
      window.free();
      throw cause;
    }
  }

  constructor(options) {
    const { countTokens, query, ...rule } = pick(options, { ...WINDOW_RULE, query: text, countTokens: callable });
    this.#handle = new Handle('ReflectionWindow', (core) => new core.ReflectionWindow(rule));
    this.#countTokens = countTokens;
    this.query = query;
  }

  push(record) {
    // First the bytes: a getter of the record may call anything, free() included.
    const bytes = recordBytes(record);
    const findings = this.#handle.ask((inner) => inner.push(bytes));
    this.#count();
    return findings;
  }

  get omega() {
    return this.#handle.ask((inner) => inner.omega());
  }

  set omega(value) {
    const omega = number(value, 'omega');
    this.#handle.ask((inner) => inner.setOmega(omega));
    this.#count();
  }

  get tokenBudget() {
    return this.#handle.ask((inner) => inner.tokenBudget());
  }

  set tokenBudget(value) {
    const budget = value === undefined || value === null ? undefined : number(value, 'tokenBudget');
    this.#handle.ask((inner) => inner.setTokenBudget(budget));
    this.#count();
  }

  get query() {
    return this.#handle.ask(() => this.#query);
  }

  set query(value) {
    const query = textOption(value, 'query');
    this.#handle.ask((inner) => inner.setQuery(query));
    this.#query = query;
    this.#count();
  }

  get entries() {
    return this.#handle.ask((inner) => inner.entries());
  }

  get held() {
    return this.#handle.ask((inner) => inner.held());
  }

  get evicted() {
    return this.#handle.ask((inner) => inner.evicted());
  }

  get dropped() {
    return this.#handle.ask((inner) => inner.dropped());
  }

  get tokens() {
    return this.#handle.ask((inner) => inner.tokens());
  }

  get notes() {
    return this.#handle.ask((inner) => inner.notes());
  }

  get findings() {
    return this.#handle.ask(() => this.#findings);
  }

  render(layout, options) {
    const plain = pick(options, LAYOUT_OPTIONS);
    const name = textOption(layout, 'layout');
    return this.#handle.ask((inner) => inner.render(name, plain));
  }

  metadata() {
    return this.#handle.ask((inner) => inner.metadata());
  }

  toJSON() {
    const { omega, held, evicted, dropped, tokens, entries, notes } = this;
    const metadata = this.metadata();
    const ofBudget = tokens === undefined ? {} : { tokens };
    return { omega, policy: metadata.window_policy, held, evicted, dropped, ...ofBudget, entries, notes, metadata };
  }

  /** What `console.log` shows in Node, Deno and Bun. */
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    let shown;
    try {
      const { notes, metadata, ...known } = this.toJSON();
      shown = known;
    } catch ({ code }) {
      shown = { [code]: true };
    }
    return inspect ? `ReflectionWindow ${inspect(shown, options)}` : shown;
  }

  free() {
    this.#handle.free();
  }

  /**
   * Has the host count what is new in the window. Between two calls into the wasm, so that its
   * counter may do anything. What it cannot count keeps the estimate, and so does what it changes
   * meanwhile, until the next change: counting it at once might never end.
   */
  #count() {
    if (!this.#countTokens || this.#isCounting || this.tokenBudget === undefined) return;
    this.#isCounting = true;
    try {
      for (const entry of this.#handle.ask((inner) => inner.uncounted())) {
        const tokens = counted(this.#countTokens, entry);
        this.#handle.ask((inner) => inner.setTokens(entry.number, tokens));
      }
    } finally {
      this.#isCounting = false;
    }
  }
}

disposable(ReflectionWindow);

export function windowOf(records, options) {
  const window = ReflectionWindow.from(records, options);
  try {
    return { ...window.toJSON(), text: window.render(), findings: window.findings };
  } finally {
    window.free();
  }
}
