/**
 * Searching through everything that is open.
 *
 * @module
 */
import type { QueryError, SearchHit, SearchProgress } from './data.js';

/** A search: hits come while it is read, run by run; reading it again searches again. */
export interface HistorySearch extends Iterable<SearchHit>, AsyncIterable<SearchHit> {
  /**
   * How far it has come.
   *
   * @example After the last hit
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const search = history.search('the');
   * const hits = [...search];
   * console.log(search.progress.isDone, search.progress.hits === hits.length); // → true true
   * history.free();
   * ```
   */
  readonly progress: SearchProgress;
}

/**
 * What is wrong with a query, to be underlined; nothing if it can be asked. `list` is what it is
 * asked of: the lists of runs and findings do not know every field.
 *
 * @throws {@link HindscopeError} `invalid-option`, `not-ready`.
 *
 * @example A name that no field has
 * ```js
 * import { queryError } from 'hindscope/history';
 *
 * const { code, start, end } = queryError('timeout rewrd<0.5');
 * console.log(code, start, end); // → unknown-field 8 13
 * ```
 */
export function queryError(query: string, list?: 'search' | 'runs' | 'findings'): QueryError | undefined;
