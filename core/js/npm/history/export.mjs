// What is open, written down piece by piece, so that no export stands in memory as a whole unless
// someone asks for that.
import { HindscopeError, messageOf } from '../error.mjs';
import { flag, idList, instant, pick, tag, text } from '../input.mjs';

const encoder = new TextEncoder();

export class Export {
  #history;
  #read;
  #runs;
  #options;

  /** `history` is its handle, `read` gives the bytes of a record. */
  constructor(history, read, runs, options) {
    this.#history = history;
    this.#read = read;
    this.#runs = runs;
    this.#options = options;
    const first = this.#begin();
    try {
      this.name = history.ask((inner) => inner.exportName(first));
    } finally {
      first.free();
    }
  }

  *[Symbol.iterator]() {
    const open = this.#begin();
    try {
      for (;;) {
        for (const record of open.needs()) {
          const bytes = this.#read(record);
          this.#history.ask((inner) => inner.supply(open, record, bytes));
        }
        const piece = this.#history.ask((inner) => inner.write(open));
        if (piece === undefined) return;
        if (piece !== '') yield piece;
      }
    } finally {
      open.free();
    }
  }

  async *[Symbol.asyncIterator]() {
    for (const piece of this) yield encoder.encode(piece);
  }

  text() {
    return Array.from(this).join('');
  }

  bytes() {
    return encoder.encode(this.text());
  }

  #begin() {
    return this.#history.ask((inner) => inner.export(this.#runs, this.#options));
  }
}

/** The options of an export, made plain. */
export function exportOptions(options) {
  return pick(options, {
    kind: text,
    runs: (value, name) => idList(value, name, 'run'),
    created: time,
    originals: flag,
    outputs: flag,
    prompts: flag,
    paths: flag,
    profile: text,
    query: text,
    layout: text,
    supply: jsonText,
    first: iteration,
    last: iteration,
    points: flag,
    reflections: flag,
  });
}

/** The number of an iteration, as a BigInt: beyond 2⁵³ serde takes no other value for an integer. */
function iteration(value, name) {
  if (Number.isInteger(value)) return BigInt(Math.max(-(2 ** 63), Math.min(value, 2 ** 63 - 1024)));
  throw new HindscopeError('invalid-option', `\`${name}\` must be the number of an iteration.`);
}

/** A text as it is, a date in UTC. */
function time(value, name) {
  return tag(value) === 'Date' ? new Date(instant(value, name)).toISOString() : text(value, name);
}

function jsonText(value, name) {
  if (typeof value === 'string') return value;
  try {
    const json = JSON.stringify(value);
    if (json !== undefined) return json;
  } catch (cause) {
    throw new HindscopeError('invalid-option', `Cannot convert \`${name}\` to JSON: ${messageOf(cause)}`, {}, { cause });
  }
  throw new HindscopeError('invalid-option', `\`${name}\` must be an object or JSON text.`);
}
