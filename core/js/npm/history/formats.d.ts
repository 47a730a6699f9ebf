/**
 * What can be opened.
 *
 * @module
 */
import type { FormatInfo } from './data.js';

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
