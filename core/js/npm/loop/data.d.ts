/**
 * What a loop says of its limits, its configuration and converted values.
 *
 * @module
 */

/** What may still be spent. What has no limit is null in JSON. */
export interface BudgetLeft {
  /** Rounds, this one included. */
  iterations: number;
  /** Calls of the host. */
  calls: number | null;
  /** Tokens of models. */
  tokens: number | null;
  /** Cost, in the host's unit. */
  cost: number | null;
  /** Milliseconds. */
  ms: number | null;
}

/** One value that was converted. */
export interface Coercion {
  /** JSON Pointer of the value. */
  pointer: string;
  /** As it was. */
  from: unknown;
  /** As it is now. */
  to: unknown;
}

/**
 * One thing that is wrong with a configuration.
 *
 * It is found before anything is called, except for what resolves schemas: its answer can show that a schema is wrong,
 * or that a document is missing.
 */
export interface ConfigProblem {
  /** A code that begins with `config_`. */
  code: LoopErrorCode;
  /** JSON Pointer of the place in what was handed in; empty at its root. */
  field: string;
  /** What is wrong, as a sentence. Nothing compares it. */
  message: string;
}

/**
 * What is wrong, by a code that is never renamed.
 *
 * - `config_value`: A value has the wrong type or range, is nested too deeply, or is a text that cannot be read.
 * - `config_generator`: The generator is missing or calls nothing.
 * - `config_evaluator`: The evaluator is missing or calls nothing.
 * - `config_evaluator_type`: The type of an evaluator is unknown.
 * - `config_corrector`: The corrector calls nothing.
 * - `config_schema_missing`: An evaluator by a schema has none.
 * - `config_schema_invalid`: A schema is refused by its meta-schema, or refers to a place that it does not have.
 * - `config_schema_too_complex`: A schema would take too long to compile.
 * - `config_schema_unresolved`: A document that a schema refers to was not found.
 * - `config_max_iterations`: The number of rounds is not one from 1 to 1000.
 * - `config_on_failure`: What to do without an accepted output is none of the known words.
 * - `config_clock_missing`: A limit of time needs a clock, which the host has not declared.
 * - `config_loop_id`: The id of the loop's records is none that their schema allows.
 * - `config_unknown_key`: An option is unknown.
 * - `config_unknown_action`: An action, or a model, that the host has not declared.
 * - `config_unknown_language`: A language of inline code that the host has not declared.
 * - `config_template`: A template has a wrong syntax.
 * - `reflection_failed`: No output was accepted, and `on_failure` is `raise`.
 * - `call_failed`: A call failed, and another try would fail as well.
 * - `template_failed`: A template could not be rendered when its step was made.
 * - `unknown_step`: No step with this id is pending.
 * - `loop_finished`: The loop has ended.
 * - `reply_invalid`: A reply is none.
 * - `snapshot_invalid`: The bytes are no snapshot, or damaged.
 * - `snapshot_mismatch`: The snapshot is of another configuration.
 */
export type LoopErrorCode =
  | 'config_value'
  | 'config_generator'
  | 'config_evaluator'
  | 'config_evaluator_type'
  | 'config_corrector'
  | 'config_schema_missing'
  | 'config_schema_invalid'
  | 'config_schema_too_complex'
  | 'config_schema_unresolved'
  | 'config_max_iterations'
  | 'config_on_failure'
  | 'config_clock_missing'
  | 'config_loop_id'
  | 'config_unknown_key'
  | 'config_unknown_action'
  | 'config_unknown_language'
  | 'config_template'
  | 'reflection_failed'
  | 'call_failed'
  | 'template_failed'
  | 'unknown_step'
  | 'loop_finished'
  | 'reply_invalid'
  | 'snapshot_invalid'
  | 'snapshot_mismatch';
