// Records against the schemas of this package.
import { isOurs } from '../error.mjs';
import { instant, isText, pick, recordBytes, text, textOption } from '../input.mjs';
import { carrying } from '../verdict.mjs';
import { ask } from './core.mjs';

export function validate(record, options) {
  const plain = pick(options, { schema: text, profile: text, now: instant });
  const bytes = recordBytes(record);
  return carrying(ask, record, bytes, ask((core) => core.validate(bytes, plain)));
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

export function jsonSchema(schema) {
  const name = textOption(schema, 'schema');
  return JSON.parse(ask((core) => core.jsonSchema(name)));
}
