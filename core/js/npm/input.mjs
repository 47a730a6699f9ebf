// Arguments, made plain in one place: what comes out of here holds no getters, no proxies and
// nothing of another realm, so no code of the caller ever runs inside the wasm.
import { HindscopeError, said } from './error.mjs';

const encoder = new TextEncoder();

/** The bytes of a string, an ArrayBuffer or a view of one; undefined for anything else. */
export function bytesIfAny(value) {
  if (typeof value === 'string') return encoder.encode(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  // By its tag: buffers of another realm and shared ones are no instances of ours.
  return ['ArrayBuffer', 'SharedArrayBuffer'].includes(tag(value)) ? new Uint8Array(value) : undefined;
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
    throw new HindscopeError('unreadable-input', `${what} cannot be read: ${said(cause)}`, details, { cause });
  }
  if (bytes) return bytes;
  throw new HindscopeError('unreadable-input', `${what} must be a string or bytes, not ${kind(value)}.`, details);
}

/** A record as JSON text: bytes and strings as they are, anything else as JSON.stringify has it. */
export function recordBytes(record) {
  try {
    const bytes = bytesIfAny(record);
    if (bytes) return bytes;
    const text = JSON.stringify(record);
    if (text !== undefined) return encoder.encode(text);
  } catch (cause) {
    throw new HindscopeError('invalid-record', `This record cannot be written as JSON: ${said(cause)}`, {}, { cause });
  }
  throw new HindscopeError('invalid-record', `A record is an object, JSON text or bytes, not ${kind(record)}.`);
}

/** The named options and no others. Null and undefined both mean: not given. */
export function pick(options, names) {
  const picked = {};
  if (options === undefined || options === null) return picked;
  if (typeof options !== 'object') {
    throw new HindscopeError('invalid-option', `Options are an object, not ${kind(options)}.`);
  }
  let entries;
  try {
    entries = Object.entries(options);
  } catch (cause) {
    throw new HindscopeError('invalid-option', `These options cannot be read: ${said(cause)}`, {}, { cause });
  }
  for (const [name, value] of entries) {
    if (!names.includes(name)) {
      const known = names.map((known) => `\`${known}\``).join(', ');
      throw new HindscopeError('invalid-option', `There is no option \`${name}\` here; there is ${known}.`);
    }
    picked[name] = value ?? undefined;
  }
  return picked;
}

/** A text option; undefined if it is not given. */
export function textOption(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new HindscopeError('invalid-option', `\`${name}\` is a text, not ${kind(value)}.`);
}

/** A text that must be there. */
export function text(value, name) {
  const given = textOption(value, name);
  if (given === undefined) throw new HindscopeError('invalid-option', `\`${name}\` is missing.`);
  return given;
}

/** An id. What cannot be one names nothing, so it fails like an id that is not taken. */
export function id(value, what) {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value;
  throw new HindscopeError(`no-such-${what}`, `No ${what} has the id ${shown(value)}.`);
}

/** A number of an iteration. */
export function iterationNumber(value) {
  if (typeof value === 'number') return value;
  throw new HindscopeError('no-such-iteration', `Iterations have numbers, not ${kind(value)}.`);
}

function shown(value) {
  return typeof value === 'number' ? String(value) : `"${kind(value)}"`;
}

function kind(value) {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}
