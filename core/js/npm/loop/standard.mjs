// Schemas of other libraries (zod, valibot, arktype, …), by the interface that they share:
// https://standardschema.dev
import { HindscopeError, messageOf } from '../error.mjs';

/** The interface of a schema, if it has it. Schemas of arktype are functions. */
export function standardOf(schema) {
  try {
    const standard = schema?.['~standard'];
    return typeof standard?.validate === 'function' && !isJsonSchema(schema) ? standard : undefined;
  } catch {
    // A getter that throws makes no schema.
    return undefined;
  }
}

/** Whether it is a JSON Schema that zod wrote: a plain object in which the interface of its origin is hidden. */
function isJsonSchema(schema) {
  return Object.getPrototypeOf(schema) === Object.prototype && Object.getOwnPropertyDescriptor(schema, '~standard')?.enumerable === false;
}

/** What the schema finds wrong with a value, as errors of a loop; a promise of them if it answers later. */
export function errorsOf(standard, value) {
  const answer = standard.validate(value);
  return typeof answer?.then === 'function' ? answer.then(itemsOf) : itemsOf(answer);
}

function itemsOf({ issues }) {
  if (!issues) return [];
  // An empty list of issues is a refusal, too.
  const some = issues.length > 0 ? issues : [{ message: 'The schema does not accept the value, and gives no reason.' }];
  return some.map(({ message, path }) => {
    // A path of arktype is a subclass of Array whose `map` makes one key of an empty path.
    const keys = Array.from(path ?? [], (part) => String(typeof part === 'object' ? part.key : part));
    const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    return { message, code: 'schema', path: keys.join('.'), pointer };
  });
}

/** The same as findings. */
export function findingsOf(standard, value) {
  let errors;
  try {
    errors = errorsOf(standard, value);
  } catch (cause) {
    throw new HindscopeError('invalid-schema', `The schema threw an error: ${messageOf(cause)}`, {}, { cause });
  }
  if (Array.isArray(errors)) return errors.map(({ message, pointer }) => ({ rule: 'strict/standard-schema', severity: 'error', pointer, message }));
  // It may still be rejected, which must not end the process.
  errors.then(undefined, () => {});
  throw new HindscopeError('invalid-schema', 'This schema answers asynchronously, and a Validator does not wait. Use `await reflectionEvaluate({ data, schema })`.');
}
