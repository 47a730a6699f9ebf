/// <reference lib="esnext.disposable" />

/**
 * The window of a running loop, and windows as text.
 *
 * @module
 */
import type { LoopPace, MemoryMetadata, OmegaAdvice, RenderOptions, WindowEntry, WindowRule } from './data.js';
import type { Finding, WindowLayout, WindowPolicy } from '../types.js';

/**
 * Lays out reflections of your own, oldest first. Default `plain`. No entries make an empty text; any
 * other ends with a line break.
 *
 * @throws {@link HindscopeError} `invalid-option`, `omega-out-of-range`.
 *
 * @example Reflections from a store of your own
 * ```js
 * import { render } from 'hindscope';
 *
 * const entries = [{ number: 7, outcome: 'failure', text: 'Look in the drawer first.' }];
 * console.log(render(entries, 'reflexion-alfworld', { task: 'Find a pen.' }).trim());
 * // → Your memory for the task below:
 * // → Trial 0:
 * // → Look in the drawer first.
 * // → Here is the task:
 * // → Find a pen.
 * ```
 */
export function render(entries: readonly WindowEntry[], layout?: WindowLayout | null, options?: RenderOptions | null): string;

/**
 * Counts the tokens of a reflection. `text` is what it says; `entry` has its insights and lessons too.
 * It is called between two calls into the wasm, so it may do anything but wait. If it throws, or gives
 * anything but an integer ≥ 0, the call that asked for it throws `invalid-option` and the
 * estimate stays.
 */
export type CountTokens = (text: string, entry: WindowEntry) => number;

/** Options of {@link ReflectionWindow}. */
export interface ReflectionWindowOptions extends WindowRule {
  /** What relevance compares with. Default: the task and the latest errors of the records. */
  query?: string | null;
}

/**
 * Ω reflections of a running loop: push each record, put `render()` into the next prompt, store
 * `metadata()` beside the record.
 *
 * It holds memory of the wasm until `free()`, or until it is disposed of or collected. Where the runtime has
 * no `FinalizationRegistry`, as workerd with an old compatibility date, nothing is collected, and a window
 * that is not freed stays for as long as the worker does: {@link windowOf} keeps nothing.
 *
 * @example The oldest reflection leaves first
 * ```js
 * import { ReflectionWindow } from 'hindscope';
 *
 * const window = new ReflectionWindow({ omega: 2 });
 * for (const [iteration, reflection_text] of ['Clear the cache.', 'Port was wrong.', 'Retry once.'].entries()) {
 *   window.push({ iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } });
 * }
 * console.log(window.held, window.evicted); // → [ 1, 2 ] [ 0 ]
 * console.log(window.render());
 * // → [1] failure: Port was wrong.
 * // →
 * // → [2] failure: Retry once.
 * window.free();
 * ```
 *
 * @example What fits, by a tokenizer of your own
 * ```js
 * import { ReflectionWindow } from 'hindscope';
 *
 * const words = (text) => text.split(' ').length;
 * const window = new ReflectionWindow({ tokenBudget: 5, countTokens: words });
 * for (const [iteration, reflection_text] of ['Clear the cache.', 'Port was wrong.', 'Retry.'].entries()) {
 *   window.push({ iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } });
 * }
 * console.log(window.held, window.dropped, window.tokens); // → [ 1, 2 ] [ 0 ] 4
 * window.free();
 * ```
 */
export class ReflectionWindow implements Disposable {
  /**
   * An empty window.
   *
   * @throws {@link HindscopeError} `omega-out-of-range`, `invalid-option`.
   *
   * @example What helps with the task at hand stays
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow({ omega: 1, policy: 'relevance_weighted', query: 'Fix token expiry' });
   * for (const [iteration, reflection_text] of ['Token expiry was ignored.', 'Imports were unused.'].entries()) {
   *   window.push({ iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text } });
   * }
   * console.log(window.held); // → [ 0 ]
   * window.free();
   * ```
   */
  constructor(options?: ReflectionWindowOptions | null);
  /**
   * A window of existing records, such as those that a loop stored before it was interrupted. Their
   * numbers decide, not their order. It chooses once, after the last record.
   *
   * @throws {@link HindscopeError} `omega-out-of-range`, `invalid-option`, `invalid-record` with its `position`.
   *
   * @example A loop goes on where it was
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const stored = ['Clear the cache.', 'Port was wrong.'].map((reflection_text, iteration) => ({
   *   iteration,
   *   evaluator_output: { passed: false },
   *   self_reflection: { reflection_text },
   * }));
   * const window = ReflectionWindow.from(stored, { omega: 2 });
   * window.push({ iteration: 2, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Retry once.' } });
   * console.log(window.held); // → [ 1, 2 ]
   * window.free();
   * ```
   */
  static from(records: readonly unknown[], options?: ReflectionWindowOptions | null): ReflectionWindow;
  /**
   * Adds the reflection of a record: an object, JSON text, or the bytes of one. A record that
   * cannot be used is not kept, and its findings say so. If `countTokens` fails, the record is in the
   * window all the same.
   *
   * @throws {@link HindscopeError} `invalid-record`, `invalid-option` of `countTokens`, `freed`,
   * `crashed`.
   *
   * @example What cannot be used is said, not thrown
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow();
   * const findings = window.push({ notes: 'no number' });
   * console.log(findings.some(({ rule }) => rule === 'lenient/unusable'), window.held); // → true []
   * window.free();
   * ```
   */
  push(record: unknown): Finding[];
  /** Ω in force: as set, or by the failures so far with `dynamicOmega`. Set it to 0..10. */
  omega: number;
  /** Most tokens; undefined: no limit. */
  get tokenBudget(): number | undefined;
  set tokenBudget(budget: number | null | undefined);
  /** What relevance compares with; undefined: the task and the latest errors of the records. */
  get query(): string | undefined;
  set query(query: string | null | undefined);
  /** The reflections held, oldest first. */
  readonly entries: WindowEntry[];
  /** Numbers of the reflections held, oldest first. */
  readonly held: number[];
  /** Numbers of all that are beyond Ω, oldest first. */
  readonly evicted: number[];
  /** Numbers of those that Ω holds and the token budget does not, oldest first. */
  readonly dropped: number[];
  /** Tokens of what is held, if there is a budget. */
  readonly tokens: number | undefined;
  /** What there is to say about the choice: `window/no-relevance`. */
  readonly notes: Finding[];
  /** Why some records of {@link ReflectionWindow.from} are not kept; `source` is the position of each. */
  readonly findings: Finding[];
  /**
   * The text to put into the next prompt; empty while nothing is held. Default `plain`. What
   * `options` do not say is as the records say it.
   *
   * @throws {@link HindscopeError} `invalid-option`, `omega-out-of-range`, `freed`, `crashed`.
   *
   * @example As the guide of aiwg has it
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow();
   * window.push({ iteration: 4, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Units differ.' } });
   * console.log(window.render('aiwg-guide').split('\n')[0]); // → ## Previous Reflections
   * window.free();
   * ```
   */
  render(layout?: WindowLayout | null, options?: RenderOptions | null): string;
  /**
   * What to store beside the record that was pushed last.
   *
   * @throws {@link HindscopeError} `freed`, `crashed`.
   *
   * @example A record says what was in context
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow({ omega: 2 });
   * const record = { iteration: 1, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Slower.' } };
   * window.push(record);
   * record.memory_metadata = window.metadata();
   * console.log(record.memory_metadata.omega_capacity, record.memory_metadata.reflections_in_context); // → 2 [ 1 ]
   * window.free();
   * ```
   */
  metadata(): MemoryMetadata;
  /**
   * Its state at the moment, for `JSON.stringify` and logs; `console.log` shows the same. A window cannot be
   * restored from it: store the records, and call {@link ReflectionWindow.from}.
   *
   * @throws {@link HindscopeError} `freed`, `crashed`.
   *
   * @example In a log
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow({ omega: 1 });
   * window.push({ iteration: 4, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Units differ.' } });
   * const { omega, policy, held } = JSON.parse(JSON.stringify(window));
   * console.log(omega, policy, held); // → 1 fifo [ 4 ]
   * window.free();
   * ```
   */
  toJSON(): WindowState;
  /**
   * Gives its memory back. Every later call throws `freed`; a second `free` does nothing.
   *
   * @example The same with `using`, where the runtime has it
   * ```js
   * import { ReflectionWindow } from 'hindscope';
   *
   * const window = new ReflectionWindow();
   * window.free();
   * window.free();
   * console.log('given back'); // → given back
   * ```
   */
  free(): void;
  /** The same as {@link ReflectionWindow.free}, for `using`. */
  [Symbol.dispose](): void;
}

/** The state of a window at one moment. */
export interface WindowState {
  /** Ω in force. */
  omega: number;
  /** The policy. */
  policy: WindowPolicy;
  /** Numbers of the reflections held, oldest first. */
  held: number[];
  /** Numbers of all that are beyond Ω, oldest first. */
  evicted: number[];
  /** Numbers of those that Ω holds and the token budget does not, oldest first. */
  dropped: number[];
  /** Tokens of what is held, if there is a budget. */
  tokens?: number;
  /** The reflections held, oldest first, for {@link render} in another layout. */
  entries: WindowEntry[];
  /** What there is to say about the choice: `window/no-relevance`. */
  notes: Finding[];
  /** What to store in the latest record. */
  metadata: MemoryMetadata;
}

/** The answer of {@link windowOf}. */
export interface WindowOf extends WindowState {
  /** The text to put into the next prompt, in the layout `plain`; empty if nothing is held. */
  text: string;
  /** Why records are not kept; `source` is the position of each. */
  findings: Finding[];
}

/**
 * The window of some records, with nothing to keep or to free: for a loop whose state is kept elsewhere, as in a
 * database, a graph or a Durable Object, and for runtimes that do not collect memory of the wasm.
 *
 * @throws {@link HindscopeError} `omega-out-of-range`, `invalid-option`, `invalid-record` with its `position`.
 *
 * @example The next prompt and the next record
 * ```js
 * import { windowOf } from 'hindscope';
 *
 * const records = ['Clear the cache.', 'Port was wrong.', 'Retry once.'].map((reflection_text, iteration) => ({
 *   iteration,
 *   evaluator_output: { passed: false },
 *   self_reflection: { reflection_text },
 * }));
 * const { held, evicted, text, metadata } = windowOf(records, { omega: 2, policy: 'fifo' });
 * console.log(held, evicted, metadata.total_reflections_generated); // → [ 1, 2 ] [ 0 ] 3
 * console.log(text.split('\n')[0]); // → [1] failure: Port was wrong.
 * ```
 */
export function windowOf(records: readonly unknown[], options?: ReflectionWindowOptions | null): WindowOf;

/**
 * Ω after one evaluation: one step at most, within 1..10. Nothing applies it but you.
 *
 * @throws {@link HindscopeError} `omega-out-of-range`, `invalid-option`.
 *
 * @example Three failures in a row
 * ```js
 * import { autoScale } from 'hindscope';
 *
 * console.log(autoScale(3, { consecutiveFailures: 3 })); // → 4
 * ```
 */
export function autoScale(omega: number, pace?: LoopPace | null): number;

/**
 * Advice to show beside a setting of Ω; nothing applies it.
 *
 * @example Choices with their reasons
 * ```js
 * import { omegaAdvice } from 'hindscope';
 *
 * console.log(omegaAdvice()[0]); // → { situation: 'Fixes in a single function', omega: 1 }
 * ```
 */
export function omegaAdvice(): OmegaAdvice[];
