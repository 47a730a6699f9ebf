// Arguments, made plain in one place: what comes out of here holds no getters, no proxies and
// nothing of another realm, so no code of the caller ever runs inside the wasm. Null and undefined
// both mean: not given.
import { HindscopeError, isOurs, messageOf } from './error.mjs';

const encoder = new TextEncoder();

/** What the wasm can be handed at once. */
const MOST_BYTES = 2 ** 31 - 1;

/** The bytes of a string, an ArrayBuffer or a view of one; undefined for anything else. */
export function bytesIfAny(value) {
  if (typeof value === 'string') return encoder.encode(value);
  if (ArrayBuffer.isView(value)) return fitting(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return isBuffer(value) ? fitting(new Uint8Array(value)) : undefined;
}

/** Whether it is text, as a string or bytes. A value that throws when it is looked at is not. */
export function isText(value) {
  try {
    return typeof value === 'string' || ArrayBuffer.isView(value) || isBuffer(value);
  } catch {
    return false;
  }
}

/** By its tag: buffers of another realm and shared ones are no instances of ours. */
function isBuffer(value) {
  return ['ArrayBuffer', 'SharedArrayBuffer'].includes(tag(value));
}

function fitting(bytes) {
  if (bytes.length <= MOST_BYTES) return bytes;
  throw new RangeError(`${bytes.length} bytes are too many; the limit is ${MOST_BYTES}`);
}

/** What an object of any realm says it is; '' for anything else. */
export function tag(value) {
  return typeof value === 'object' && value !== null ? Object.prototype.toString.call(value).slice(8, -1) : '';
}

/** The bytes of a slice or of a file's contents. */
export function bytesOf(value, what, details = {}) {
  let bytes;
  try {
    bytes = bytesIfAny(value);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `Cannot read ${what}: ${messageOf(cause)}`, details, { cause });
  }
  if (bytes) return bytes;
  throw new HindscopeError('unreadable-input', `Expected ${what} as a string or bytes, not ${kind(value)}.`, details);
}

/** A property like any other, whose value is made when it is first read. */
export function whenRead(make) {
  let value;
  let isMade = false;
  return {
    configurable: true,
    enumerable: true,
    get() {
      if (!isMade) value = make();
      isMade = true;
      return value;
    },
    set(given) {
      value = given;
      isMade = true;
    },
  };
}

/** A record as JSON text: bytes and strings as they are, anything else as JSON.stringify has it. */
export function recordBytes(record, details = {}) {
  try {
    const bytes = bytesIfAny(record);
    if (bytes) return bytes;
    const text = JSON.stringify(record);
    if (text !== undefined) return encoder.encode(text);
  } catch (cause) {
    throw new HindscopeError('invalid-record', `Cannot convert the record to JSON: ${messageOf(cause)}`, details, { cause });
  }
  throw new HindscopeError('invalid-record', `A record must be an object, JSON text or bytes, not ${kind(record)}.`, details);
}

/** Halves of surrogate pairs in JSON. An escaped backslash is matched first, so that it does not begin an escape. */
const HALVES = /(\\\\)|\\ud[89a-f][\da-f]{2}/g;

/** JSON text for the core, which refuses halves of surrogate pairs: each becomes U+FFFD. */
export function wellFormed(text) {
  return text.includes('\\ud') ? text.replaceAll(HALVES, (_, backslash) => backslash ?? '\ufffd') : text;
}

/** Records one after the other, with where each ends. */
export function recordsBytes(records) {
  let texts;
  try {
    texts = mappedIfAny(records, (record, position) => recordBytes(record, { position }));
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('invalid-record', `Cannot read the records: ${messageOf(cause)}`, {}, { cause });
  }
  if (!texts) throw new HindscopeError('invalid-record', `Records must be an array, not ${kind(records)}.`);
  let end = 0;
  const ends = texts.map(({ length }) => (end += length));
  if (end > MOST_BYTES) {
    throw new HindscopeError('invalid-record', `The records have ${end} bytes; the limit is ${MOST_BYTES}.`);
  }
  const bytes = new Uint8Array(end);
  for (const [position, text] of texts.entries()) bytes.set(text, ends[position] - text.length);
  return { bytes, ends: Uint32Array.from(ends) };
}

/** A schema as JSON text. */
export function schemaText(schema) {
  if (typeof schema === 'string') return schema;
  let text;
  try {
    text = JSON.stringify(schema);
  } catch (cause) {
    throw new HindscopeError('invalid-schema', `Cannot convert the schema to JSON: ${messageOf(cause)}`, {}, { cause });
  }
  if (text !== undefined) return text;
  throw new HindscopeError('invalid-schema', `A schema must be an object or JSON text, not ${kind(schema)}.`);
}

/** Entries as the wasm takes them, of a list of anything that looks like them. */
export function plainEntries(entries) {
  let plain;
  try {
    plain = mappedIfAny(entries, (entry) => JSON.parse(JSON.stringify(entry, (_, member) => member ?? undefined) ?? null));
  } catch (cause) {
    throw new HindscopeError('invalid-option', `Cannot read the entries: ${messageOf(cause)}`, {}, { cause });
  }
  if (!plain) throw new HindscopeError('invalid-option', `Entries must be an array, not ${kind(entries)}.`);
  if (plain.every((entry) => Number.isInteger(entry?.number))) return plain;
  throw new HindscopeError('invalid-option', 'Each entry must have the `number` of its iteration, an integer.');
}

/** The items of a list, one by one: it may be a proxy, or have 2³² holes. Undefined for no list. */
export function mappedIfAny(list, map) {
  if (!Array.isArray(list)) return undefined;
  const mapped = [];
  for (let position = 0; position < list.length; position += 1) mapped.push(map(list[position], position));
  return mapped;
}

/** The named options and no others, each as its check gives it. */
export function pick(options, checks) {
  const picked = {};
  if (options === undefined || options === null) return picked;
  let entries;
  try {
    // Lists, maps, dates and the like have no options, and would be taken for none given.
    entries = tag(options) === 'Object' ? Object.entries(options) : undefined;
  } catch (cause) {
    throw new HindscopeError('invalid-option', `Cannot read the options: ${messageOf(cause)}`, {}, { cause });
  }
  if (!entries) throw new HindscopeError('invalid-option', `Options must be a plain object, not ${kind(options)}.`);
  for (const [name, value] of entries) {
    if (!Object.hasOwn(checks, name)) {
      const known = Object.keys(checks).map((known) => `\`${known}\``).join(', ');
      throw new HindscopeError('invalid-option', `Unknown option \`${name}\`. Known options: ${known}.`);
    }
    if (value !== undefined && value !== null) picked[name] = checks[name](value, name);
  }
  return picked;
}

/** A text option; undefined if it is not given. */
export function textOption(value, name) {
  return value === undefined || value === null ? undefined : text(value, name);
}

/** A text that must be there. */
export function text(value, name) {
  return checked(typeof value === 'string', value, name, 'a string');
}

/** A number; whether it is one that makes sense is up to the wasm. */
export function number(value, name) {
  return checked(typeof value === 'number', value, name, 'a number');
}

/** Timers take no more: a longer one would end at once. */
export const MOST_MS = 2 ** 31 - 1;

/** A length of time. */
export function milliseconds(value, name) {
  return checked(Number.isFinite(value) && value >= 0 && value <= MOST_MS, value, name, `a number of milliseconds from 0 to ${MOST_MS} (24 days)`);
}

/** A number of things, from 0. */
export function wholeNumber(value, name) {
  return checked(Number.isSafeInteger(value) && value >= 0, value, name, 'an integer ≥ 0');
}

/** True or false. */
export function flag(value, name) {
  return checked(typeof value === 'boolean', value, name, 'a boolean');
}

/** A function. */
export function callable(value, name) {
  return checked(typeof value === 'function', value, name, 'a function');
}

/** A list of texts. */
export function texts(value, name) {
  let list;
  try {
    list = mappedIfAny(value, (item) => text(item, name));
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('invalid-option', `Cannot read \`${name}\`: ${messageOf(cause)}`, {}, { cause });
  }
  return checked(list !== undefined, list ?? value, name, 'an array of strings');
}

/** A point in time, in milliseconds. */
export function instant(value, name) {
  let ms = value;
  try {
    if (tag(value) === 'Date') ms = Date.prototype.getTime.call(value);
  } catch {
    // Something that only says it is a date.
  }
  return checked(Number.isFinite(ms), ms, name, 'a valid Date or a number of milliseconds');
}

/** What a window is computed by. */
export const WINDOW_RULE = Object.freeze({
  omega: number,
  policy: text,
  failuresOnly: flag,
  tokenBudget: number,
  halfLife: number,
  dynamicOmega: flag,
});

/** What a layout says beside the reflections. */
export const LAYOUT_OPTIONS = Object.freeze({
  verbatim: flag,
  absoluteNumbers: flag,
  attempts: number,
  task: text,
  total: number,
  omega: number,
});

/** What may be decided about the rules of insight. */
export const EXPLAIN_OPTIONS = Object.freeze({
  rules: texts,
  omega: number,
  diminishingRelative: number,
  diminishingPoints: number,
  diminishingSteps: number,
  selection: text,
  selectionThreshold: number,
  requireVerification: flag,
  maxIterations: number,
  objective: text,
  now: instant,
});

/** Tokens of an entry as the host counts them. */
export function counted(countTokens, entry) {
  const details = { number: entry.number };
  let tokens;
  try {
    tokens = countTokens(entry.text, entry);
  } catch (cause) {
    throw new HindscopeError('invalid-option', `\`countTokens\` threw an error: ${messageOf(cause)}`, details, { cause });
  }
  if (Number.isInteger(tokens) && tokens >= 0 && tokens <= 0xffff_ffff) return tokens;
  throw new HindscopeError('invalid-option', `\`countTokens\` must return an integer ≥ 0, not ${shown(tokens)}.`, details);
}

/** An id. What cannot be one names nothing, so it fails like an id that is not taken. */
export function id(value, what) {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value;
  throw new HindscopeError(`no-such-${what}`, `No ${what} has the id ${shown(value)}.`);
}

/** A list of ids. */
export function idList(value, name, what) {
  let list;
  try {
    list = mappedIfAny(value, (one) => id(one, what));
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('invalid-option', `Cannot read \`${name}\`: ${messageOf(cause)}`, {}, { cause });
  }
  if (list) return Uint32Array.from(list);
  throw new HindscopeError('invalid-option', `\`${name}\` must be an array of ${what} ids.`);
}

/** A number of an iteration. */
export function iterationNumber(value) {
  if (typeof value === 'number') return value;
  throw new HindscopeError('no-such-iteration', `Expected the number of an iteration, not ${kind(value)}.`);
}

/** The value of an option that is what it must be. */
export function checked(is, value, name, what) {
  if (is) return value;
  if (value === undefined || value === null) throw new HindscopeError('invalid-option', `\`${name}\` is missing.`);
  throw new HindscopeError('invalid-option', `\`${name}\` must be ${what}, not ${shown(value)}.`);
}

function shown(value) {
  return typeof value === 'number' ? String(value) : kind(value);
}

function kind(value) {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}
