// One run of a history. Its columns are in the wasm; what only its records say is read when it is
// asked for, and only as far as it is needed.
import { ask } from './core.mjs';
import { Handle } from './handle.mjs';
import {
  EXPLAIN_OPTIONS,
  LAYOUT_OPTIONS,
  WINDOW_RULE,
  callable,
  counted,
  iterationNumber,
  pick,
  textOption,
  wideEntries,
} from './input.mjs';

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
    return this.#story((story, tell) => {
      tell(story.ask((inner) => inner.needsAbout()));
      return story.ask((inner) => inner.about());
    });
  }

  window(at, rule) {
    const { countTokens, ...plain } = pick(rule, { ...WINDOW_RULE, countTokens: callable });
    const number = this.#number(at);
    if (!needsTexts(plain)) {
      const view = this.#history.ask((inner) => inner.window(this.view.id, number, plain));
      const held = this.#whole(view.held);
      return new RunWindow(this.#history, view, () => this.#told(number, plain, held));
    }
    const { view, ...texts } = this.#told(number, plain, this.#recordsBefore(number, plain), countTokens);
    return new RunWindow(this.#history, view, () => texts);
  }

  injected(at) {
    const number = this.#number(at);
    const last = this.iterations().filter((iteration) => iteration.number <= number).slice(-2);
    return this.#story((story, tell) => {
      // A recorded policy that looks into texts needs all of them.
      const details = last.map((iteration) => attempt(story, tell, iteration.number));
      const rule = details.map(({ window }) => ({ policy: window?.policy })).find(needsTexts);
      if (rule) tell(this.#recordsBefore(number, rule));
      return story.ask((inner) => inner.injected(number));
    });
  }

  attempt(at) {
    const number = this.#number(at);
    return this.#story((story, tell) => attempt(story, tell, number));
  }

  /** Attempts of a run, all of one story: a story of its own for each looks at all of them each time. */
  static attempts(run, numbers) {
    return run.#story((story, tell) => numbers.map((number) => attempt(story, tell, number)));
  }

  explain(options) {
    const plain = pick(options, EXPLAIN_OPTIONS);
    return this.#story((story, tell) => {
      tell(story.ask((inner) => inner.needs(plain)));
      return story.ask((inner) => inner.explain(plain));
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

  /** Records of some reflections and attempts: an attempt may be told by several. */
  #whole(places) {
    const merged = new Map(this.iterations().map((iteration) => [iteration.number, iteration.merged]));
    return places.flatMap(({ number, record }) => [record, ...(merged.get(number) ?? [])]);
  }

  /** A window with its entries and what layouts say beside them, of the given records. */
  #told(at, rule, records, countTokens) {
    return this.#story((story, tell) => {
      tell(records);
      if (countTokens && rule.tokenBudget !== undefined) {
        const entries = story.ask((inner) => inner.uncounted(at, rule));
        const tokens = Uint32Array.from(entries, (entry) => counted(countTokens, entry));
        story.ask((inner) => inner.setTokens(at, rule, tokens));
      }
      return story.ask((inner) => inner.window(at, rule));
    });
  }

  /** Asks a story, which is given back whatever happens. `tell` reads each record once. */
  #story(tale) {
    const story = new Handle('Run', () => this.#history.ask((inner) => inner.story(this.view.id)));
    const seen = new Set();
    const tell = (records, read = this.#read) => {
      for (const record of records) {
        if (seen.has(record)) continue;
        seen.add(record);
        const bytes = read(record);
        story.ask((inner) => this.#history.ask((history) => history.tell(inner, record, bytes)));
      }
    };
    try {
      return tale(story, tell);
    } finally {
      story.free();
    }
  }
}

/** One attempt, of all records that tell of it. */
function attempt(story, tell, number) {
  tell(story.ask((inner) => inner.needsOf(number)));
  return story.ask((inner) => inner.attempt(number));
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
    return structuredClone(this.#told.entries);
  }

  get text() {
    return this.render();
  }

  render(layout, options) {
    const plain = pick(options, LAYOUT_OPTIONS);
    const name = textOption(layout, 'layout');
    const told = this.#told;
    const entries = wideEntries(told.entries);
    return ask((core) => core.render(entries, name, { ...told.options, ...plain }));
  }

  /** Read once, and not after the history was freed. */
  get #told() {
    return this.#history.ask(() => this.#texts) ?? (this.#texts = this.#read());
  }
}
