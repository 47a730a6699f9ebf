/**
 * What a loop is refused or ends with.
 *
 * @module
 */
import type { LoopEntry, LoopErrorItem, LoopUsageTotal, LoopWarning, StopReason } from './loop.js';

/** One thing that is wrong with a configuration. */
export interface ConfigProblem {
  code: string;
  /** JSON Pointer of the place. */
  field: string;
  message: string;
}

/**
 * The configuration cannot be run. Nothing was called.
 *
 * @example All that is wrong
 * ```js
 * import { ReflectionConfigError, reflectionLoop } from 'hindscope';
 *
 * const error = await reflectionLoop({ generate: () => 1, evaluate: { type: 'schema' }, maxIterations: 0 }).catch((error) => error);
 * console.log(error instanceof ReflectionConfigError, error.code); // → true config_schema_missing
 * console.log(error.problems.map(({ field }) => field).join()); // → /evaluator/schema,/max_iterations
 * ```
 */
export class ReflectionConfigError extends Error {
  readonly name: 'ReflectionConfigError';
  /** `config_…` */
  readonly code: string;
  readonly field: string;
  readonly problems: ConfigProblem[];
  /** Of resolving schemas, if there was any. */
  readonly usage: LoopUsageTotal;
}

/**
 * Nothing was accepted, and `onFailure` is `raise`. What was achieved is all here. Its code is `crashed`
 * where the wasm has crashed: then `cause` says how, outputs of the history are omitted unless
 * `events` is `full`, and `best` is as the callback gave it.
 *
 * @example Raised, and nothing is lost
 * ```js
 * import { ReflectionFailedError, reflectionLoop } from 'hindscope';
 *
 * let score = 0;
 * const options = { generate: () => 'text', evaluate: () => (score += 0.1), maxIterations: 2, onFailure: 'raise' };
 * const error = await reflectionLoop(options).catch((error) => error);
 * console.log(error instanceof ReflectionFailedError, error.stopReason, error.bestScore, error.history.length); // → true exhausted 0.2 2
 * ```
 */
export class ReflectionFailedError<Candidate = unknown> extends Error {
  readonly name: 'ReflectionFailedError';
  readonly code: 'reflection_failed' | 'crashed';
  readonly history: LoopEntry<Candidate>[];
  readonly best: Candidate | null;
  readonly bestScore: number | null;
  readonly errors: LoopErrorItem[];
  readonly iterations: number;
  readonly usage: LoopUsageTotal;
  readonly stopReason: Exclude<StopReason, 'valid'> | 'crashed';
  readonly stopDetail: string | null;
  readonly warnings: LoopWarning[];
  readonly records?: Record<string, unknown>[];
}

/**
 * A template cannot be rendered: `config_template` for its syntax, `template_failed` for a name that
 * is not there. If a loop ends with it, it has what the loop achieved, as {@link ReflectionFailedError}.
 *
 * @example A name that is not there
 * ```js
 * import { ReflectionTemplateError, renderTemplate } from 'hindscope';
 *
 * try {
 *   renderTemplate('Dear {{ name }}', {});
 * } catch (error) {
 *   console.log(error instanceof ReflectionTemplateError, error.code); // → true template_failed
 * }
 * ```
 */
export class ReflectionTemplateError extends Error {
  readonly name: 'ReflectionTemplateError';
  readonly code: 'config_template' | 'template_failed';
  /** Line of the template, from 1. */
  readonly line?: number;
  readonly history?: LoopEntry[];
  readonly best?: unknown;
  readonly bestScore?: number | null;
  readonly errors?: LoopErrorItem[];
  readonly iterations?: number;
  readonly usage?: LoopUsageTotal;
  readonly stopReason?: StopReason;
  readonly stopDetail?: string | null;
  readonly warnings?: LoopWarning[];
}

/**
 * The machine was used wrongly. It is as it was before.
 *
 * @example A reply to nothing
 * ```js
 * import { LoopMachine, ReflectionUsageError } from 'hindscope';
 *
 * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
 * try {
 *   machine.resume(99, { type: 'value', value: 1 });
 * } catch (error) {
 *   console.log(error instanceof ReflectionUsageError, error.code); // → true unknown_step
 * }
 * machine.free();
 * ```
 */
export class ReflectionUsageError extends Error {
  readonly name: 'ReflectionUsageError';
  readonly code: 'unknown_step' | 'loop_finished' | 'reply_invalid' | 'snapshot_invalid' | 'snapshot_mismatch';
}
