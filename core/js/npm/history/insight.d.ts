/**
 * What runs teach: rows of findings, lessons, errors and changes.
 *
 * Iterations are named by their numbers as written, rewards are 0..1, shares are 0..1. Members that
 * are not known are absent.
 *
 * @module
 */
import type { InsightRule, ResultSelection, RunExplanation } from './data.js';

/** What may be decided about the rules of {@link explain} and {@link LoadedRun.explain}. */
export interface InsightOptions {
  /**
   * Rules to judge, by id, or by area as `stuck/*`. Default: every rule that is on by default. Any other
   * name is `invalid-option`; the error says which known name is nearest. {@link insightRules} lists them.
   */
  rules?: readonly string[] | null;
  /** Ω for what an attempt could see, 0..10. Default: as recorded or assumed. */
  omega?: number | null;
  /** Change of reward against the reward before that counts as low, 0..1. Default 0.05. */
  diminishingRelative?: number | null;
  /** Change of reward in points that counts as low. Default 5. */
  diminishingPoints?: number | null;
  /** Low steps in a row that make a run diminishing, from 1. Default 2. */
  diminishingSteps?: number | null;
  /** Which iteration is taken as the result. Default `highest_quality_verified`. */
  selection?: ResultSelection | null;
  /** Reward that a selected iteration needs, 0..1. Default 0.7. */
  selectionThreshold?: number | null;
  /** Whether the most recent one above the threshold must be a success, too. Default false. */
  requireVerification?: boolean | null;
  /** Attempts that the loop may make; `budget/*` is judged only with it. */
  maxIterations?: number | null;
  /** What the run is meant to reach, for `drift/objective`. Default: its task. */
  objective?: string | null;
  /** The clock, as a Date or in milliseconds. Without it no lesson is called unused for long. */
  now?: Date | number | null;
}

/**
 * What the records of a running loop teach: objects, JSON texts or bytes, in any order. Records of
 * several loops may be among them; the loop with the latest one is explained, latest by position. Of a
 * record that cannot be read the findings stand first, their `source` being its position.
 *
 * @throws {@link HindscopeError} `invalid-record` with its `position`, `invalid-option`,
 * `omega-out-of-range`.
 *
 * @example A loop asks whether it is stuck
 * ```js
 * import { explain } from 'hindscope/history';
 *
 * const records = ['Retry.', 'retry', 'Retry!'].map((reflection_text, iteration) => ({
 *   iteration,
 *   evaluator_output: { passed: false },
 *   self_reflection: { reflection_text },
 * }));
 * const [finding] = explain(records, { rules: ['stuck/*'] }).findings;
 * console.log(finding.rule, finding.evidence.map(({ number }) => number));
 * // → stuck/repeated-reflection [ 0, 1, 2 ]
 * ```
 */
export function explain(records: readonly unknown[], options?: InsightOptions | null): RunExplanation;

/**
 * Every rule that insight knows, with what it needs read.
 *
 * @example Rules that are judged only when they are asked for
 * ```js
 * import { insightRules } from 'hindscope/history';
 *
 * const asked = insightRules().filter(({ isDefault }) => !isDefault);
 * console.log(asked.map(({ id }) => id).join()); // → diminishing/relative-v1,diminishing/absolute,drift/objective
 * ```
 */
export function insightRules(): InsightRule[];
