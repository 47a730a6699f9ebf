/// <reference lib="esnext.disposable" />

/**
 * Records against schemas.
 *
 * @module
 */
import type { RecordTypes, ReflectionRecord } from './records.js';
import type { Finding, Profile, Schema, StandardSchema, Verdict } from './types.js';

/** What every answer of {@link validate} has. */
export interface Judged {
  /** Strict: valid by the schema. Lenient: usable. */
  valid: boolean;
  /** The finer word. */
  verdict: Verdict;
  /** All problems found in it, in the order of the document. */
  findings: Finding[];
}

/** A record that its schema accepts. */
export interface ConformingRecord<Valid> extends Judged {
  valid: true;
  verdict: 'conforms';
  /** The record: the object that was handed in, or what the text says. */
  record: Valid;
}

/** A record that deviates from its schema and can be used, which only `lenient` says. */
export interface UsableRecord extends Judged {
  valid: true;
  verdict: 'usable';
  /** The record: the object that was handed in, or the text as parsed, repaired where it is not JSON. */
  record: Record<string, unknown>;
}

/** A record that cannot be used, or with `strict` one that its schema refuses. */
export interface UnusableRecord extends Judged {
  valid: false;
  verdict: 'unusable';
  record?: undefined;
}

/** The answer of {@link validate}, with the record where it can be used. `Valid` is what a record is that conforms. */
export type Validation<Valid = unknown> = ConformingRecord<Valid> | UsableRecord | UnusableRecord;

/** Options of {@link validate}. */
export interface ValidateOptions<Kind extends Schema = Schema> {
  /** What the record should be. Default `reflection-memory`. */
  schema?: Kind | null;
  /** Default `lenient`. */
  profile?: Profile | null;
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
 * if (answer.verdict === 'conforms') console.log(answer.record.self_reflection.reflection_text);
 * else if (answer.valid) console.log(answer.verdict, answer.record.iteration); // → usable 3
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
export function validate<Kind extends Schema = 'reflection-memory'>(
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
export function jsonSchema(schema?: Schema | null): Record<string, unknown>;

/**
 * A JSON Schema of your own, compiled once and asked as often as you like. Draft 2020-12 unless
 * `$schema` names another (4, 6, 7 and 2019-09 are known); formats are asserted; nothing is ever
 * fetched. `warnings` lists what is not checked, such as a misspelt keyword. A `pattern` is a regular expression of
 * JavaScript. Anything that would take for ever or overflow the stack is refused: in a schema when it is compiled,
 * in a value by a finding.
 *
 * It holds memory of the wasm until `free()`, or until it is disposed of or collected.
 *
 * @example One finding for each place and keyword
 * ```js
 * import { Validator } from 'hindscope';
 *
 * const plan = new Validator({ required: ['steps'], properties: { steps: { type: 'array', maxItems: 3 } } });
 * const { valid, findings } = plan.validate({ steps: [1, 2, 3, 4] });
 * console.log(valid, findings[0].rule, findings[0].pointer, findings[0].expected);
 * // → false strict/maxItems /steps at most 3 items
 * plan.free();
 * ```
 */
export class Validator implements Disposable {
  /**
   * Compiles a schema: an object, a boolean, or JSON text. A schema of zod, valibot, arktype or any other
   * library of {@link StandardSchema} judges by itself; its issues become findings
   * (`strict/standard-schema`).
   *
   * @throws {@link HindscopeError} `invalid-schema`; the message says where.
   *
   * @example The message says where
   * ```js
   * import { Validator } from 'hindscope';
   *
   * try {
   *   new Validator({ properties: { a: { maxLength: -1 } } });
   * } catch ({ code, message }) {
   *   console.log(code, message);
   *   // → invalid-schema The schema is not valid at /properties/a/maxLength: expected at least 0, found -1.
   * }
   * ```
   */
  constructor(schema: StandardSchema | object | boolean | string);
  /**
   * What of the schema is not checked: keywords that its draft does not have (`schema/keyword`), and
   * unknown formats (`schema/format`). One finding for each name, with the first place in the schema.
   *
   * @example A misspelt keyword
   * ```js
   * import { Validator } from 'hindscope';
   *
   * const plan = new Validator({ requird: ['steps'] });
   * console.log(plan.warnings[0].message);
   * // → Unknown keyword `requird` at /requird: it is not checked. Did you mean `required`?
   * plan.free();
   * ```
   */
  readonly warnings: Finding[];
  /**
   * Validates a value: anything that `JSON.stringify` knows, JSON text, or the bytes of one. The
   * verdict is `conforms` or `unusable`.
   *
   * @throws {@link HindscopeError} `invalid-record`, `freed`, `crashed`; `invalid-schema` for a schema of
   * another library that throws or answers asynchronously (`reflectionEvaluate` waits for it).
   *
   * @example Text keeps its lines
   * ```js
   * import { Validator } from 'hindscope';
   *
   * const port = new Validator('{"properties": {"port": {"type": "integer"}}}');
   * console.log(port.validate('{\n  "port": "80"\n}').findings[0].line); // → 2
   * port.free();
   * ```
   */
  validate(record: unknown): Validation;
  /**
   * Gives its memory back. Every later call throws `freed`; a second `free` does nothing.
   *
   * @example With `using`, where the runtime has it, nobody has to remember
   * ```js
   * import { Validator } from 'hindscope';
   *
   * const schema = new Validator(true);
   * schema.free();
   * try {
   *   schema.validate(1);
   * } catch ({ code }) {
   *   console.log(code); // → freed
   * }
   * ```
   */
  free(): void;
  /** The same as {@link Validator.free}, for `using`. */
  [Symbol.dispose](): void;
}
