/**
 * What a loop is refused or ends with.
 *
 * @module
 */
import type { ConfigProblem } from './data.js';
import type { LoopAttempt, LoopErrorItem, LoopUsageTotal, LoopWarning, StopReason } from './loop.js';
import { HindscopeError } from '../types.js';
import type { LoopErrorCode } from '../types.js';

/**
 * The configuration cannot be run. Nothing was called, except perhaps `resolveSchema`.
 *
 * @example All that is wrong
 * ```js
 * import { ReflectionConfigError, reflectionLoop } from 'hindscope/loop';
 *
 * const error = await reflectionLoop({ generate: () => 1, evaluate: { type: 'schema' }, maxIterations: 0 }).catch((error) => error);
 * console.log(error instanceof ReflectionConfigError, error.code); // → true config_schema_missing
 * console.log(error.problems.map(({ field }) => field).join()); // → /evaluator/schema,/max_iterations
 * ```
 */
export class ReflectionConfigError extends HindscopeError {
  /** The name of the class. */
  readonly name: 'ReflectionConfigError';
  /** The code of the first problem. */
  readonly code: Extract<LoopErrorCode, `config_${string}`>;
  /** JSON Pointer of its place in the configuration. */
  readonly field: string;
  /** All that is wrong, in the order of checking. */
  readonly problems: ConfigProblem[];
  /** What resolving schemas cost; everything is 0 if none was resolved. */
  readonly usage: LoopUsageTotal;
}

/**
 * No output was accepted, and `onFailure` is `raise`; or, whatever `onFailure` is, a call failed and trying
 * again cannot help. The error has everything that the loop achieved.
 *
 * Its code is `call_failed` if the model's server answered with status 400, 401, 403 or 404, if no server answers
 * at its address, if a function threw a TypeError or a ReferenceError, or if an error that it threw says
 * `fatal: true` (with `fatal: false` or `retryable: true` the loop goes on). An evaluator with `onFail: 'warn'`
 * does not end it either way. `cause` is the error that was thrown, and `errors` has its message.
 *
 * Its code is `crashed` if the wasm has crashed. Then `cause` says how, and `best` may be what the callback
 * returned, before parsing and coercion. Outputs in `attempts` are then omitted unless `events` is `full`;
 * very large ones always are.
 *
 * @example Raised, and nothing is lost
 * ```js
 * import { ReflectionFailedError, reflectionLoop } from 'hindscope/loop';
 *
 * let score = 0;
 * const options = { generate: () => 'text', evaluate: () => (score += 0.1), maxIterations: 2, onFailure: 'raise' };
 * const error = await reflectionLoop(options).catch((error) => error);
 * console.log(error instanceof ReflectionFailedError, error.stopReason, error.score, error.attempts.length); // → true exhausted 0.2 2
 * ```
 *
 * @example A wrong key ends the loop at the first call
 * ```js
 * import { reflectionLoop } from 'hindscope/loop';
 *
 * let calls = 0;
 * const generate = () => {
 *   calls += 1;
 *   throw Object.assign(new Error('wrong key'), { status: 401 });
 * };
 * const error = await reflectionLoop({ generate, evaluate: () => true }).catch((error) => error);
 * console.log(error.code, error.cause.status, calls); // → call_failed 401 1
 * ```
 */
export class ReflectionFailedError<Candidate = unknown> extends HindscopeError {
  /** The name of the class. */
  readonly name: 'ReflectionFailedError';
  /** Whether no output was accepted, a call failed for good, or the wasm crashed. */
  readonly code: 'reflection_failed' | 'call_failed' | 'crashed';
  /** What a call has thrown (`call_failed`), or the crash. */
  readonly cause?: unknown;
  /** Every attempt, in order. */
  readonly attempts: LoopAttempt<Candidate>[];
  /** The output of the best attempt. */
  readonly best: Candidate | null;
  /** Its score. */
  readonly score: number | null;
  /** The errors of the last attempt, or that of the call that failed. */
  readonly errors: LoopErrorItem[];
  /** How many rounds were begun. */
  readonly iterations: number;
  /** What all calls cost together. */
  readonly usage: LoopUsageTotal;
  /** Why the loop has ended. */
  readonly stopReason: Exclude<StopReason, 'valid'> | 'call_failed' | 'crashed';
  /** More about it; null if there is no more to say. */
  readonly stopDetail: string | null;
  /** What was worth knowing and stopped nothing. */
  readonly warnings: LoopWarning[];
  /** Records of reflection memory, where `memory` is configured. */
  readonly records?: Record<string, unknown>[];
}

/**
 * A template cannot be rendered: `config_template` if its syntax is wrong, `template_failed` if rendering
 * fails, as for a name that does not exist. If it ends a loop, the error has what the loop achieved, like
 * {@link ReflectionFailedError}.
 *
 * @example A name that is not there
 * ```js
 * import { ReflectionTemplateError, renderTemplate } from 'hindscope/loop';
 *
 * try {
 *   renderTemplate('Dear {{ name }}', {});
 * } catch (error) {
 *   console.log(error instanceof ReflectionTemplateError, error.code); // → true template_failed
 * }
 * ```
 */
export class ReflectionTemplateError extends HindscopeError {
  /** The name of the class. */
  readonly name: 'ReflectionTemplateError';
  /** Whether the syntax is wrong, or rendering failed. */
  readonly code: 'config_template' | 'template_failed';
  /** Line of the template, from 1. */
  readonly line?: number;
  /** Every attempt, in order. */
  readonly attempts?: LoopAttempt[];
  /** The output of the best attempt. */
  readonly best?: unknown;
  /** Its score. */
  readonly score?: number | null;
  /** The errors of the last attempt, or that of the call that failed. */
  readonly errors?: LoopErrorItem[];
  /** How many rounds were begun. */
  readonly iterations?: number;
  /** What all calls cost together. */
  readonly usage?: LoopUsageTotal;
  /** Why the loop has ended. */
  readonly stopReason?: StopReason;
  /** More about it; null if there is no more to say. */
  readonly stopDetail?: string | null;
  /** What was worth knowing and stopped nothing. */
  readonly warnings?: LoopWarning[];
}

/**
 * The machine was used wrongly. It is as it was before.
 *
 * @example A reply to nothing
 * ```js
 * import { LoopMachine, ReflectionUsageError } from 'hindscope/loop';
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
export class ReflectionUsageError extends HindscopeError {
  /** The name of the class. */
  readonly name: 'ReflectionUsageError';
  /** How it was used wrongly. */
  readonly code: 'unknown_step' | 'loop_finished' | 'reply_invalid' | 'snapshot_invalid' | 'snapshot_mismatch';
}
