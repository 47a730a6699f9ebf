/**
 * What runs teach: rows of findings, lessons, errors and changes.
 *
 * Iterations are named by their numbers as written, rewards are 0..1, shares are 0..1. Members that
 * are not known are absent.
 *
 * @module
 */
import type { InsightOptions, InsightRule, RunExplanation } from './data.js';

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
