/**
 * What a loop says of its limits, its configuration and converted values.
 *
 * @module
 */
import type { LoopErrorCode } from '../data.js';

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
