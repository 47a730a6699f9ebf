// Records against schemas.
import { ask } from './core.mjs';
import { isOurs } from './error.mjs';
import { Handle, disposable } from './handle.mjs';
import { isText, instant, pick, recordBytes, schemaText, text, textOption, whenRead } from './input.mjs';
import { findingsOf, standardOf } from './standard.mjs';

export function validate(record, options) {
  const plain = pick(options, { schema: text, profile: text, now: instant });
  const bytes = recordBytes(record);
  return carrying(record, bytes, ask((core) => core.validate(bytes, plain)));
}

export function isReflectionRecord(value) {
  try {
    // The text of a record is not a record.
    return typeof value === 'object' && value !== null && !isText(value) && validate(value, { profile: 'strict' }).valid;
  } catch (cause) {
    if (isOurs(cause) && cause.code === 'invalid-record') return false;
    throw cause;
  }
}

/** A verdict with the record that it is about, where that is of use. */
function carrying(record, bytes, answer) {
  if (!answer.valid) return answer;
  if (!isText(record)) return Object.assign(answer, { record });
  // The caller may write into its bytes before it looks.
  const kept = bytes.slice();
  return Object.defineProperty(answer, 'record', whenRead(() => parsed(kept)));
}

const decoder = new TextDecoder();

/** What a text says: that which is not plain JSON, as the core has repaired it. */
function parsed(bytes) {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return JSON.parse(ask((core) => core.plainJson(bytes)));
  }
}

export function jsonSchema(schema) {
  const name = textOption(schema, 'schema');
  return JSON.parse(ask((core) => core.jsonSchema(name)));
}

export class Validator {
  #handle;
  #standard;

  constructor(schema) {
    this.#standard = standardOf(schema);
    const written = this.#standard ? 'true' : schemaText(schema);
    this.#handle = new Handle('Validator', (core) => new core.Validator(written));
  }

  validate(record) {
    const bytes = recordBytes(record);
    const answer = this.#handle.ask((inner) => inner.validate(bytes));
    const wrong = this.#standard && answer.valid ? findingsOf(this.#standard, parsed(bytes)) : [];
    if (wrong.length > 0) return { valid: false, verdict: 'unusable', findings: [...answer.findings, ...wrong] };
    return carrying(record, bytes, answer);
  }

  get warnings() {
    return this.#handle.ask((inner) => inner.warnings());
  }

  free() {
    this.#handle.free();
  }
}

disposable(Validator);
