/**
 * Searching through everything that is open.
 *
 * @module
 */

/**
 * A part of what records say. `task`: key and task of the run. `text`: files without a history in
 * them. The others are parts of iterations; `output` and `raw` are large.
 */
export type SearchPart = 'task' | 'reflection' | 'lessons' | 'actions' | 'errors' | 'output' | 'raw' | 'text';

/** Options of {@link History.search}. */
export interface SearchOptions {
  /** What is searched; everything but `output` and `raw` if left out. */
  parts?: readonly SearchPart[] | null;
  /** Id of a run: nothing else is searched. */
  run?: number | null;
}

/** A stretch of an excerpt that matches, in UTF-16 code units. */
export interface SearchMark {
  /** First unit, from 0. */
  start: number;
  /** The unit after the last one. */
  end: number;
}

/** A text in which something was found. */
export interface SearchHit {
  /** Id of the run; absent for files and records without one. */
  run?: number;
  /** Id of the source. */
  source: number;
  /** Id of the record that holds the text. */
  record?: number;
  /** Position of the iteration in its run, from 0. */
  ordinal?: number;
  /** Number of the iteration as written. */
  number?: number;
  /** What was searched; absent if the query has no words: then the iteration as such is meant. */
  part?: SearchPart;
  /** The member that holds the text, in words: `root cause`, `message`, `stdout`. */
  name: string;
  /** Position in its list, from 0. */
  index?: number;
  /** Line in a file without a history, from 1. */
  line?: number;
  /** Places in the text that match. */
  count: number;
  /** The text around the first of them. */
  excerpt: string;
  /** What of the excerpt matches, in order. */
  marks: SearchMark[];
  /** There is text before the excerpt. */
  hasBefore: boolean;
  /** There is text behind it. */
  hasAfter: boolean;
}

/** How far a search has come. */
export interface SearchProgress {
  /** Bytes searched, or ruled out by columns. */
  bytes: number;
  /** Bytes of everything that is searched. */
  total: number;
  /** Texts in which something was found. */
  hits: number;
  /** Runs in which something was found. */
  runs: number;
  /** Records and files that could not be read again. */
  unread: number;
  /** There is nothing more to search. */
  isDone: boolean;
}

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

/** What is wrong with a query. */
export interface QueryError {
  /** Which mistake. */
  code:
    | 'unknown-field'
    | 'unclosed-quote'
    | 'missing-value'
    | 'bad-number'
    | 'empty-range'
    | 'not-a-number'
    | 'unknown-value'
    | 'not-here';
  /** What is wrong and what would be right. */
  message: string;
  /** First UTF-16 code unit of the wrong part, from 0. */
  start: number;
  /** The unit after its last one. */
  end: number;
  /** First byte of it in UTF-8, from 0. */
  startByte: number;
  /** The byte after its last one. */
  endByte: number;
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
