/// <reference lib="esnext.disposable" />

/**
 * The machine of a loop by itself, for drivers of your own.
 *
 * @module
 */
import type { BudgetLeft } from './data.js';
import type { LoopErrorItem, LoopEvent, LoopResult } from './loop.js';

/** What a host says that it can do. */
export interface MachineHost {
  /** Whether it answers `evaluate_llm`, and `correct` with a prompt. Default false. */
  llm?: boolean;
  /** Names, or `any`. A host with a model that also runs `llm.call` lists it here. */
  actions?: readonly string[] | 'any';
  /** Languages of inline code that it runs, or `any`. */
  languages?: readonly string[] | 'any';
  /** Replies carry `now`. */
  clock?: boolean;
  /**
   * A text that no other loop has, of letters a to z, digits and hyphens: it ends the `loop_id` of the records.
   * Default `''`: nothing is appended. A snapshot keeps it.
   */
  loopSuffix?: string;
  /** Why the loop must end before round 1. Default null: it need not. */
  aborted?: string | null;
}

/** What the machine asks for. `done` and `failed` are the end and want no reply. */
export interface LoopStep {
  /** What {@link LoopMachine.resume} is told with the reply. */
  readonly id: number;
  /** What is to be done. */
  readonly type: 'resolve_schema' | 'generate' | 'evaluate_llm' | 'evaluate_custom' | 'correct' | 'wait' | 'done' | 'failed';
  /** The round, from 1; 0 before the first. */
  readonly iteration: number;
  /** The number of the candidate within its round, from 1; null if the round has only one by design. */
  readonly candidate: number | null;
  /** 2 for the first retry. */
  readonly tries: number;
  /** How long the call may take, in milliseconds; null if there is no limit. */
  readonly timeoutMs: number | null;
  /** Of `resolve_schema`: the document that is asked for. */
  readonly uri?: string;
  /** Of `resolve_schema`: where the reference to it stands. */
  readonly from?: string;
  /** The action to run. */
  readonly action?: string;
  /** The code to run. */
  readonly run?: string;
  /** The language of that code. */
  readonly language?: string;
  /** The callback to ask, as it stands in the configuration. */
  readonly callback?: unknown;
  /** Of `correct`: the prompt to send to the model. */
  readonly prompt?: string;
  /** The parameters of the call, rendered. */
  readonly params?: Record<string, unknown>;
  /** The name of the evaluator. */
  readonly evaluator?: string;
  /** Of `evaluate_llm`: the model to ask; null if none is named. */
  readonly model?: string | null;
  /** Of `evaluate_llm`: what to send to the model. */
  readonly messages?: { role: string; content: string }[];
  /** The output to judge or to correct. */
  readonly output?: unknown;
  /** The errors for which the output was refused. */
  readonly errors?: LoopErrorItem[];
  /** Suggestions that may help to correct it. */
  readonly suggestions?: unknown[];
  /** The refused attempts that the option `feedback` selects, as text for a prompt. */
  readonly feedback?: string;
  /** Whether no round comes after this one. */
  readonly isLast?: boolean;
  /** What may still be spent. */
  readonly budgetLeft?: BudgetLeft;
  /** Of `wait`: how long, in milliseconds. */
  readonly ms?: number;
  /** Of `done`: what the loop has achieved. */
  readonly result?: LoopResult;
  /** Of `failed`: why the loop has no result. */
  readonly error?: { type: string; code: string; message: string; field: string | null; details: Record<string, unknown> };
  /** The state as it was when the step was made; read when it is looked at, while the step waits. */
  readonly state: Record<string, unknown> | undefined;
}

/**
 * What a host answers. `too_deep` replaces a value that cannot be written as JSON; `fatal` says that trying again cannot help,
 * and ends the loop at once.
 */
export type LoopReply = (
  | { type: 'value'; value: unknown }
  | { type: 'error'; message: string; kind?: 'error' | 'timeout' | 'unavailable' | 'cancelled'; retryable?: boolean; fatal?: boolean; retryAfterMs?: number }
  | { type: 'aborted'; reason?: string }
  | { type: 'too_deep' }
) & {
  /** What the call cost. */
  usage?: { inputTokens?: number; outputTokens?: number; totalTokens?: number; cost?: number };
  /** How long it took, in milliseconds. */
  ms?: number;
  /** The time of the host's clock, in milliseconds; it never goes back. */
  now?: number;
  /** Date and time of RFC 3339, for records. */
  at?: string;
};

/**
 * A loop on its way: it says what it needs, gets the answer, and ends. It makes no calls of
 * its own and reads no clock. The configuration is that of `reflectionLoop` without functions: a callback is
 * `{ callback: true }`.
 *
 * @throws {@link ReflectionConfigError} when it is made, {@link ReflectionUsageError} by its methods.
 *
 * @example Step by step
 * ```js
 * import { LoopMachine } from 'hindscope/loop';
 *
 * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: { type: 'integer' } } });
 * let [step] = machine.steps();
 * for (const value of ['x', 7]) {
 *   console.log(step.type, step.iteration, step.state.reflection_errors.length);
 *   [step] = machine.resume(step.id, { type: 'value', value });
 * }
 * // → generate 1 0
 * // → generate 2 1
 * console.log(step.type, step.result.output); // → done 7
 * machine.free();
 * ```
 */
export class LoopMachine {
  constructor(config: Record<string, unknown>, host?: MachineHost, now?: number);

  /**
   * The machine of one evaluation, as `reflectionEvaluate`.
   *
   * @example Without a call
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = LoopMachine.evaluate({ data: '7', schema: { type: 'integer' } });
   * console.log(machine.steps()[0].result.output); // → 7
   * machine.free();
   * ```
   */
  static evaluate(params: Record<string, unknown>, state?: Record<string, unknown> | null, host?: MachineHost, now?: number): LoopMachine;

  /**
   * The machine of one correction, as `reflectionCorrect`.
   *
   * @example By a callback
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = LoopMachine.correct({ data: 'x', callback: true });
   * const [{ result }] = machine.resume(1, { type: 'value', value: { candidate: 'y' } });
   * console.log(result.output); // → y
   * machine.free();
   * ```
   */
  static correct(params: Record<string, unknown>, state?: Record<string, unknown> | null, host?: MachineHost, now?: number): LoopMachine;

  /**
   * A loop as it was when its snapshot was taken; the configuration must be the same, and for the single
   * forms it is `{ op, params, state }` with `evaluate` or `correct`.
   *
   * @throws {@link ReflectionUsageError} `snapshot_invalid`, `snapshot_mismatch`.
   *
   * @example Go on elsewhere
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const config = { generator: { callback: true }, evaluator: { schema: { type: 'integer' } } };
   * const first = new LoopMachine(config);
   * const bytes = first.snapshot();
   * first.free();
   *
   * const second = LoopMachine.restore(config, {}, bytes);
   * const [{ id }] = second.steps();
   * console.log(second.resume(id, { type: 'value', value: 7 })[0].type); // → done
   * second.free();
   * ```
   */
  static restore(config: Record<string, unknown>, host: MachineHost, snapshot: Uint8Array): LoopMachine;

  /**
   * The steps that want a reply, oldest first; after the end the one that says how it ended.
   *
   * @example Several candidates
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true }, candidates: 3 });
   * console.log(machine.steps().map(({ type, candidate }) => `${type} ${candidate}`).join()); // → generate 1,generate 2,generate 3
   * machine.free();
   * ```
   */
  steps(): LoopStep[];

  /**
   * Takes the reply to a step, and gives the steps that are new.
   *
   * @throws {@link ReflectionUsageError} `unknown_step`, `loop_finished`, `reply_invalid`.
   *
   * @example A failed call
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true }, maxIterations: 1 });
   * const [{ result }] = machine.resume(1, { type: 'error', message: 'out of paper' });
   * console.log(result.stopReason, result.attempts[0].errors[0].code); // → exhausted generator_failed
   * machine.free();
   * ```
   */
  resume(id: number, reply: LoopReply): LoopStep[];

  /**
   * What happened since this was last asked.
   *
   * @example The first event
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
   * console.log(machine.events()[0].type); // → started
   * machine.free();
   * ```
   */
  events(): LoopEvent[];

  /**
   * Ends the loop with what it has, and gives the last step.
   *
   * @example Enough
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
   * const [{ result }] = machine.abort('enough');
   * console.log(result.stopReason, result.stopDetail); // → aborted enough
   * machine.free();
   * ```
   */
  abort(reason?: string): LoopStep[];

  /**
   * Everything that is needed to go on elsewhere, outputs and prompts included.
   *
   * @example Bytes of JSON
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
   * console.log(machine.snapshot() instanceof Uint8Array); // → true
   * machine.free();
   * ```
   */
  snapshot(): Uint8Array;

  /**
   * Gives the memory back; `using` does the same.
   *
   * @example After the last step
   * ```js
   * import { LoopMachine } from 'hindscope/loop';
   *
   * const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
   * machine.free();
   * try {
   *   machine.steps();
   * } catch (error) {
   *   console.log(error.code); // → freed
   * }
   * ```
   */
  free(): void;
  /** The same as {@link LoopMachine.free}, for `using`. */
  [Symbol.dispose](): void;
}
