// Records against schemas of the caller's own.
import { disposable } from '../handle.mjs';
import { recordBytes, schemaText } from '../input.mjs';
import { carrying, parsed } from '../verdict.mjs';
import { Handle, ask } from './core.mjs';
import { findingsOf, standardOf } from './standard.mjs';

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
