/**
 * Records against schemas.
 *
 * @module
 */
import type { JudgedRecord } from './data.js';
import type { RecordTypes, ReflectionRecord } from './records.js';
import type { RecordSchema, ValidationProfile } from '../types.js';

/** A record that its schema accepts. */
export interface ValidRecord<Valid> extends JudgedRecord {
  valid: true;
  usable: true;
  /** The record: the object that was handed in, or what the text says. */
  record: Valid;
}

/** A record that deviates from its schema and can be used. */
export interface UsableRecord extends JudgedRecord {
  valid: false;
  usable: true;
  /** The record: the object that was handed in, or the text as parsed, repaired where it is not JSON. */
  record: Record<string, unknown>;
}

/** A record that cannot be used. */
export interface UnusableRecord extends JudgedRecord {
  valid: false;
  usable: false;
  /** There is no record to use. */
  record?: undefined;
}

/** The answer of {@link validate}, with the record where it can be used. `Valid` is the type of a valid one. */
export type Validation<Valid = unknown> = ValidRecord<Valid> | UsableRecord | UnusableRecord;

/** Options of {@link validate}. */
export interface ValidateOptions<Kind extends RecordSchema = RecordSchema> {
  /** What the record should be. Default `reflection-memory`. */
  schema?: Kind | null;
  /** Default `lenient`. */
  profile?: ValidationProfile | null;
  /** The clock, as a Date or in milliseconds. Without it no record is said to come from the future. */
  now?: Date | number | null;
}

/**
 * Validates one record: an object, JSON text, or the bytes of one. An object is judged as
 * `JSON.stringify` would store it.
 *
 * @throws {@link HindscopeError} `invalid-record` if it cannot be written as JSON at all, and
 * `invalid-option`.
 *
 * @example Findings say what is wrong, and where
 * ```js
 * import { validate } from 'hindscope';
 *
 * const { valid, findings } = validate('{"loop_id": "ralph-demo"}', { profile: 'strict' });
 * console.log(valid, findings[0].rule, findings[0].line, findings[0].column);
 * // → false strict/required 1 1
 * ```
 *
 * @example What can be used is carried along, with its type
 * ```js
 * import { validate } from 'hindscope';
 *
 * const answer = validate('{"iteration": 3, "self_reflection": {"reflection_text": "Clear the cache."}}');
 * if (answer.valid) console.log(answer.record.self_reflection.reflection_text);
 * else if (answer.usable) console.log(answer.record.iteration); // → 3
 * ```
 *
 * @example A line of an episodic memory
 * ```js
 * import { validate } from 'hindscope';
 *
 * const { findings } = validate({ attempt_id: '2', learning: 'Lock first.' }, { schema: 'reflection' });
 * console.log(findings[0].pointer, findings[0].expected, findings[0].found); // → /attempt_id an integer "2"
 * ```
 */
export function validate<Kind extends RecordSchema = 'reflection-memory'>(
  record: unknown,
  options?: ValidateOptions<Kind> | null,
): Validation<RecordTypes[Kind]>;

/**
 * Whether a value is a record of reflection memory that the schema accepts, judged as `JSON.stringify` would
 * store it. For the text of a record, and for a value that cannot be written as JSON, the answer is false.
 *
 * @example A guard for what came from elsewhere
 * ```js
 * import { isReflectionRecord } from 'hindscope';
 *
 * const stored = { iteration: 0, self_reflection: { reflection_text: 'Clear the cache.' } };
 * console.log(isReflectionRecord(stored)); // → false
 * ```
 */
export function isReflectionRecord(value: unknown): value is ReflectionRecord;

/**
 * The JSON Schema (draft 2020-12) of a kind of record, for editors and for models that are asked for
 * structured output, with its `$id`, defaults and what it says of each member. Default `reflection-memory`.
 * Each call gives an object of its own.
 *
 * @throws {@link HindscopeError} `invalid-option`.
 *
 * @example What a record must have
 * ```js
 * import { jsonSchema } from 'hindscope';
 *
 * console.log(jsonSchema().required.includes('self_reflection')); // → true
 * ```
 */
export function jsonSchema(schema?: RecordSchema | null): Record<string, unknown>;
