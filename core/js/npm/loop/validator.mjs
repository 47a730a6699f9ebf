// Records against schemas of the caller's own.
import { disposable } from '../handle.mjs';
import { HindscopeError } from '../error.mjs';
import { checked, pick, recordBytes, schemaText, text } from '../input.mjs';
import { carrying, parsed } from '../verdict.mjs';
import { Handle, ask } from './core.mjs';
import { findingsOf, standardOf } from './standard.mjs';

const OPTIONS = Object.freeze({ format: text, documents: schemasByAddress });

/** Each schema as JSON text, with its address before it. */
function schemasByAddress(value, name) {
  checked(typeof value === 'object' && !Array.isArray(value), value, name, 'an object with a schema for each address');
  return Object.entries(value).map(([address, schema]) => [address, schemaText(schema)]);
}

export class Validator {
  #handle;
  #standard;

  constructor(schema, options) {
    this.#standard = standardOf(schema);
    const { format = 'assertion', documents = [] } = pick(options, OPTIONS);
    const [ignored] = this.#standard ? Object.keys(options ?? {}) : [];
    if (ignored) throw new HindscopeError('invalid-option', `\`${ignored}\` is for a JSON Schema, and this schema of another library judges by itself.`);
    const written = this.#standard ? 'true' : schemaText(schema);
    const addresses = documents.map(([address]) => address);
    const texts = documents.map(([, document]) => document);
    this.#handle = new Handle('Validator', (core) => new core.Validator(written, format, addresses, texts));
  }

  validate(record) {
    const bytes = recordBytes(record);
    const answer = this.#handle.ask((inner) => inner.validate(bytes));
    const wrong = this.#standard && answer.valid ? findingsOf(this.#standard, parsed(ask, bytes)) : [];
    if (wrong.length > 0) return { valid: false, usable: false, findings: [...answer.findings, ...wrong] };
    return carrying(ask, record, bytes, answer);
  }

  get warnings() {
    return this.#handle.ask((inner) => inner.warnings());
  }

  free() {
    this.#handle.free();
  }
}

disposable(Validator);
