/// <reference lib="esnext.disposable" />

/**
 * Records against schemas.
 *
 * @module
 */
import type { Finding, Profile, Schema, Verdict } from './types.js';

/** The answer of {@link validate}. */
export interface Validation {
  /** Strict: valid by the schema. Lenient: usable. */
  valid: boolean;
  /** The finer word. */
  verdict: Verdict;
  /** All problems found in it, in the order of the document. */
  findings: Finding[];
}

/** Options of {@link validate}. */
export interface ValidateOptions {
  /** What the record should be. Default `reflection-memory`. */
  schema?: Schema | null;
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
 * @example A line of an episodic memory
 * ```js
 * import { validate } from 'hindscope';
 *
 * const { findings } = validate({ attempt_id: '2', learning: 'Lock first.' }, { schema: 'reflection' });
 * console.log(findings[0].pointer, findings[0].expected, findings[0].found); // → /attempt_id an integer "2"
 * ```
 */
export function validate(record: unknown, options?: ValidateOptions | null): Validation;

/**
 * The JSON Schema (draft 2020-12) of a kind of record, for editors and for models that are asked for
 * structured output. Default `reflection-memory`. Each call gives an object of its own.
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
 * fetched. A `pattern` is a regular expression of JavaScript. Anything that would take for ever or overflow
 * the stack is refused: in a schema when it is compiled, in a value by a finding.
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
   * Compiles a schema: an object, a boolean, or JSON text.
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
  constructor(schema: object | boolean | string);
  /**
   * Validates a value: anything that `JSON.stringify` knows, JSON text, or the bytes of one. The
   * verdict is `conforms` or `unusable`.
   *
   * @throws {@link HindscopeError} `invalid-record`, `freed`, `crashed`.
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
