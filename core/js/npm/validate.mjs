// Records against schemas.
import { ask } from './core.mjs';
import { Handle, disposable } from './handle.mjs';
import { instant, pick, recordBytes, schemaText, text, textOption } from './input.mjs';

export function validate(record, options) {
  const plain = pick(options, { schema: text, profile: text, now: instant });
  const bytes = recordBytes(record);
  return ask((core) => core.validate(bytes, plain));
}

export function jsonSchema(schema) {
  const name = textOption(schema, 'schema');
  return JSON.parse(ask((core) => core.jsonSchema(name)));
}

export class Validator {
  #handle;

  constructor(schema) {
    const written = schemaText(schema);
    this.#handle = new Handle('Validator', (core) => new core.Validator(written));
  }

  validate(record) {
    const bytes = recordBytes(record);
    return this.#handle.ask((inner) => inner.validate(bytes));
  }

  free() {
    this.#handle.free();
  }
}

disposable(Validator);
