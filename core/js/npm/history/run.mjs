// One run of a history. Its columns are in the wasm; what only its records say is read when it is
// asked for, and only as far as it is needed.
import {
  EXPLAIN_OPTIONS,
  LAYOUT_OPTIONS,
  WINDOW_RULE,
  callable,
  counted,
  iterationNumber,
  pick,
  textOption,
} from '../input.mjs';
import { Handle, ask } from './core.mjs';

export class Run {
  #history;
  #read;

  /** `history` is its handle, `read` gives the bytes of a record. */
  constructor(history, read, view) {
    this.#history = history;
    this.#read = read;
    this.view = view;
  }

  iterations() {
    return this.#history.ask((inner) => inner.iterations(this.view.id));
  }

  columns() {
    return this.#history.ask((inner) => inner.columns(this.view.id));
  }

  reflections() {
    return this.#history.ask((inner) => inner.reflections(this.view.id));
  }

  records() {
    return Array.from(this.#history.ask((inner) => inner.records(this.view.id)));
  }

  about() {
    return this.#loaded((run, load) => {
      load(run.ask((inner) => inner.needsAbout()));
      return run.ask((inner) => inner.about());
    });
  }

  window(at, rule) {
    const { countTokens, ...plain } = pick(rule, { ...WINDOW_RULE, countTokens: callable });
    const number = this.#number(at);
    if (!needsTexts(plain)) {
      const view = this.#history.ask((inner) => inner.window(this.view.id, number, plain));
      const held = this.#whole(view.held);
      return new RunWindow(this.#history, view, () => this.#texts(number, plain, held));
    }
    const { view, ...texts } = this.#texts(number, plain, this.#recordsBefore(number, plain), countTokens);
    return new RunWindow(this.#history, view, () => texts);
  }

  injected(at) {
    const number = this.#number(at);
    const last = this.iterations().filter((iteration) => iteration.number <= number).slice(-2);
    return this.#loaded((run, load) => {
      // A recorded policy that looks into texts needs all of them.
      const details = last.map((iteration) => attempt(run, load, iteration.number));
      const rule = details.map(({ window }) => ({ policy: window?.policy })).find(needsTexts);
      if (rule) load(this.#recordsBefore(number, rule));
      return run.ask((inner) => inner.injected(number));
    });
  }

  attempt(at) {
    const number = this.#number(at);
    return this.#loaded((run, load) => attempt(run, load, number));
  }

  attemptHeadline(at) {
    const number = this.#number(at);
    const numbers = Array.from(this.columns().numbers);
    const before = numbers[numbers.indexOf(number) - 1];
    return this.#loaded((run, load) => {
      for (const one of before === undefined ? [number] : [before, number]) load(run.ask((inner) => inner.needsOf(one)));
      return run.ask((inner) => inner.attemptHeadline(number));
    });
  }

  /** Attempts of a run, all from one loaded run: one of its own for each would look at all of them each time. */
  static attempts(run, numbers) {
    return run.#loaded((loaded, load) => numbers.map((number) => attempt(loaded, load, number)));
  }

  explain(options) {
    const plain = pick(options, EXPLAIN_OPTIONS);
    return this.#loaded((run, load) => {
      load(run.ask((inner) => inner.needs(plain)));
      return run.ask((inner) => inner.explain(plain));
    });
  }

  verdict() {
    return this.#loaded((run, load) => {
      load(run.ask((inner) => inner.needsSketches()));
      return run.ask((inner) => this.#history.ask((history) => {
        history.keepSketches(inner);
        return history.verdict(inner);
      }));
    });
  }

  /** The attempt that is asked about: the one that has not been made yet, if nobody says. */
  #number(at) {
    if (at !== undefined && at !== null) return iterationNumber(at);
    const last = this.columns().numbers.at(-1);
    return last === undefined ? this.view.base : last + 1;
  }

  /** Records that a rule looks into when attempt `at` begins. */
  #recordsBefore(at, { policy }) {
    const isBefore = ({ number }) => number < at;
    // Relevance compares with the task and the latest errors, which attempts have.
    const attempts = policy === 'relevance_weighted' ? this.iterations() : [];
    return this.#whole([...this.reflections(), ...attempts].filter(isBefore));
  }

  /** Records of some reflections and attempts: an attempt may stand in several. */
  #whole(places) {
    const merged = new Map(this.iterations().map((iteration) => [iteration.number, iteration.merged]));
    return places.flatMap(({ number, record }) => [record, ...(merged.get(number) ?? [])]);
  }

  /** A window with its entries and what layouts say beside them, of the given records. */
  #texts(at, rule, records, countTokens) {
    return this.#loaded((run, load) => {
      load(records);
      if (countTokens && rule.tokenBudget !== undefined) {
        const entries = run.ask((inner) => inner.uncounted(at, rule));
        const tokens = Uint32Array.from(entries, (entry) => counted(countTokens, entry));
        run.ask((inner) => inner.setTokens(at, rule, tokens));
      }
      return run.ask((inner) => inner.window(at, rule));
    });
  }

  /** Calls `ask` with a loaded run, which is freed whatever happens. `load` reads each record once. */
  #loaded(ask) {
    const run = new Handle('Run', () => this.#history.ask((inner) => inner.loadedRun(this.view.id)));
    const seen = new Set();
    const load = (records, read = this.#read) => {
      for (const record of records) {
        if (seen.has(record)) continue;
        seen.add(record);
        const bytes = read(record);
        run.ask((inner) => this.#history.ask((history) => history.load(inner, record, bytes)));
      }
    };
    try {
      return ask(run, load);
    } finally {
      run.free();
    }
  }
}

/** One attempt, from all of its records. */
function attempt(run, load, number) {
  load(run.ask((inner) => inner.needsOf(number)));
  return run.ask((inner) => inner.attempt(number));
}

/** Whether the columns of a run are not enough for a rule. */
function needsTexts({ policy, tokenBudget, dynamicOmega }) {
  return policy === 'relevance_weighted' || tokenBudget !== undefined || dynamicOmega === true;
}

class RunWindow {
  #history;
  #read;
  #texts;

  /** `read` gives entries and options of layouts, when they are first asked for. */
  constructor(history, view, read) {
    this.#history = history;
    this.#read = read;
    Object.assign(this, view);
  }

  get entries() {
    return structuredClone(this.#loaded.entries);
  }

  get text() {
    return this.render();
  }

  render(layout, options) {
    const plain = pick(options, LAYOUT_OPTIONS);
    const name = textOption(layout, 'layout');
    const texts = this.#loaded;
    return ask((core) => core.render(texts.entries, name, { ...texts.options, ...plain }));
  }

  /** Read once, and not after the history was freed. */
  get #loaded() {
    return this.#history.ask(() => this.#texts) ?? (this.#texts = this.#read());
  }
}
