/**
 * What can be opened.
 *
 * @module
 */

/** What people should know of a format. */
export interface FormatInfo {
  /** Its id, the same everywhere. */
  id: string;
  /** Its name for people. */
  title: string;
  /** What a history gets from it. */
  gives: string;
  /** What its content is known by; names decide only where this says so. */
  knownBy: string;
  /** Where its writers put it. */
  foundAt: string;
}

/**
 * The formats that can be opened, in the order in which they are tested.
 *
 * @throws {@link HindscopeError} `not-ready`.
 *
 * @example Where Reflexion keeps its trials
 * ```js
 * import { formats } from 'hindscope/history';
 *
 * const { title, foundAt } = formats().find(({ id }) => id === 'env-results');
 * console.log(`${title}: ${foundAt}`); // → Reflexion environment results, one file for each trial: env_results_trial_N.json
 * ```
 */
export function formats(): FormatInfo[];
