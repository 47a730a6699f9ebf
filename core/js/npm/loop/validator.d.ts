/// <reference lib="esnext.disposable" />

/**
 * Validation by schemas of your own.
 *
 * @module
 */
import type { UnusableRecord, ValidRecord } from '../contract/validate.js';
import type { Finding, StandardSchema } from '../types.js';

/** What a schema is compiled with beside itself. */
export interface ValidatorOptions {
  /**
   * What `format` in the schema means. With `assertion`, the default, a text that is not of its format is a
   * finding; with `annotation` it only says what a text is for, as draft 2020-12 has it.
   */
  readonly format?: 'assertion' | 'annotation' | undefined;
  /**
   * The schemas that the schema refers to with `$ref`, by their address, such as `https://example.com/step.json`
   * or `step.json`: each an object, a boolean, or JSON text. One that names no draft has the draft of the schema. With
   * `$id` it has a second address, where relative references in it begin.
   */
  readonly documents?: { readonly [address: string]: object | boolean | string } | undefined;
}

/**
 * A JSON Schema of your own, compiled once and asked as often as you like. Draft 2020-12 unless
 * `$schema` names another (4, 6, 7 and 2019-09 are known); formats are asserted unless you say otherwise
 * ({@link ValidatorOptions}); nothing is ever fetched. `warnings` lists what is not checked, such as a misspelt keyword. A `pattern` is a regular expression of
 * JavaScript. Anything that would take for ever or overflow the stack is refused: in a schema when it is compiled,
 * in a value by a finding.
 *
 * It holds memory of the wasm until `free()`, or until it is disposed of or collected.
 *
 * @example One finding for each place and keyword
 * ```js
 * import { Validator } from 'hindscope/loop';
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
   * @throws {@link HindscopeError} `invalid-schema`; the message says where. `invalid-option` for an option
   * that does not exist, and for any option beside a schema of another library.
   *
   * @example A schema that refers to another one
   * ```js
   * import { Validator } from 'hindscope/loop';
   *
   * const documents = { 'step.json': { type: 'string', maxLength: 3 } };
   * const plan = new Validator({ items: { $ref: 'step.json' } }, { documents });
   * console.log(plan.validate(['look']).findings[0].rule); // → strict/maxLength
   * plan.free();
   * ```
   *
   * @example The message says where
   * ```js
   * import { Validator } from 'hindscope/loop';
   *
   * try {
   *   new Validator({ properties: { a: { maxLength: -1 } } });
   * } catch ({ code, message }) {
   *   console.log(code, message);
   *   // → invalid-schema The schema is not valid at /properties/a/maxLength: expected at least 0, found -1.
   * }
   * ```
   */
  constructor(schema: StandardSchema | object | boolean | string, options?: ValidatorOptions);
  /**
   * What of the schema is not checked: keywords that its draft does not have (`schema/keyword`), and
   * unknown formats (`schema/format`). One finding for each name, with the first place in the schema.
   *
   * @example A misspelt keyword
   * ```js
   * import { Validator } from 'hindscope/loop';
   *
   * const plan = new Validator({ requird: ['steps'] });
   * console.log(plan.warnings[0].message);
   * // → Unknown keyword `requird` at /requird: it is not checked. Did you mean `required`?
   * plan.free();
   * ```
   */
  readonly warnings: Finding[];
  /**
   * Validates a value: anything that `JSON.stringify` knows, JSON text, or the bytes of one. `usable` is
   * the same as `valid`.
   *
   * @throws {@link HindscopeError} `invalid-record`, `freed`, `crashed`; `invalid-schema` for a schema of
   * another library that throws or answers asynchronously (`reflectionEvaluate` waits for it).
   *
   * @example Text keeps its lines
   * ```js
   * import { Validator } from 'hindscope/loop';
   *
   * const port = new Validator('{"properties": {"port": {"type": "integer"}}}');
   * console.log(port.validate('{\n  "port": "80"\n}').findings[0].line); // → 2
   * port.free();
   * ```
   */
  validate(record: unknown): ValidRecord<unknown> | UnusableRecord;
  /**
   * Gives its memory back. Every later call throws `freed`; a second `free` does nothing.
   *
   * @example `using` does it by itself, where the runtime has it
   * ```js
   * import { Validator } from 'hindscope/loop';
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
