/**
 * What all languages have in common.
 *
 * @module
 */
import { HindscopeError, type LanguageErrorCode } from '../types.js';

export type { LanguageErrorCode } from '../types.js';

/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a piece of code is given. */
export interface RunOptions {
  /** Bound to `state` (in Prolog `State`): a copy. `{}` if it is left out. */
  state?: unknown;
  /** Bound to `output` (in Prolog `Output`): a copy. Evaluators have it; without it there is no such name. */
  output?: unknown;
  /** Ends the code when it is aborted. */
  signal?: AbortSignal | undefined;
  /** How long the code may take, in milliseconds; the start of the engine does not count. */
  timeoutMs?: number;
}

/** Settings of a runner. */
export interface RunnerOptions {
  /** How long code may take, if {@link RunOptions} do not say: 5000 milliseconds. */
  timeoutMs?: number;
  /** How much memory code may use beside what its engine has when it starts: 256 MB, and at least 32. */
  memoryMb?: number;
  /**
   * Whether Python and Prolog keep their engine for the next call instead of starting it again, which takes up to seconds. What
   * one call changes in the engine, such as an imported module, is then there for the next. Default: `false`. A loop does so for
   * its own calls. JavaScript and Lua start in milliseconds, and each call has an engine of its own.
   */
  keepEngine?: boolean;
  /** Address of the engine's script, where the bundle of the worker does not hold the engine. */
  engine?: string | URL;
  /** Address of the folder of the engine's other files, with a slash at its end. */
  files?: string | URL;
}

/** Runs pieces of code, one at a time in a worker. Calls beside each other have workers of their own. */
export interface Runner {
  /** Runs one piece of code; rejects with {@link LanguageError} and nothing else. */
  run: (code: string, options?: RunOptions) => Promise<Json>;
  /** Ends the worker that waits for the next code. What runs goes on. */
  close: () => void;
}

/** What `run` rejects with. The message names the language and says what the code did. */
export class LanguageError extends HindscopeError {
  /** The name of the class. */
  readonly name: 'LanguageError';
  /** Why there is no answer. */
  readonly code: LanguageErrorCode;
  /** What a reply to a loop calls it. */
  readonly kind: 'error' | 'timeout' | 'unavailable' | 'cancelled';
  /** Whether a loop ends at once: there is no engine, so that trying again cannot help. */
  readonly fatal: boolean;
}
