/// <reference lib="esnext.disposable" />

/**
 * Everything that was opened.
 *
 * @module
 */
import type { AttemptDetails, EvaluatorTrust, ExperimentComparison, ExportOptions, GroupAggregate, GroupView, Headline, RecordSpan, RetryImprovement, RunVerdict, RunView, SearchOptions, SourceTotals, SourceView } from './data.js';
import type { HistoryExport } from './export.js';
import type { LoadedRun } from './run.js';
import type { HistorySearch } from './search.js';
import type { OpenHistoryOptions, UnpackRefusalRule } from './unpack.js';
import type { Finding, FindingGroup, TextOrBytes, ValidationProfile } from '../types.js';

/** Options of {@link openHistory}. */
export interface OpenOptions {
  /** Default `lenient`. */
  profile?: ValidationProfile | null;
  /**
   * The memory that the history may take for what it keeps, in MB of 2²⁰ bytes. Default 2048, at most
   * 3072: WebAssembly has 4096, and answers need some. A file that does not fit completely has the finding
   * `size/memory`; everything that was kept can still be asked.
   */
  memory?: number | null;
}

/** Options of {@link History}. */
export interface HistoryOptions extends OpenOptions {
  /**
   * Reads bytes `start` up to, not including, `end` of a source again. With it `inspect`, `raw`
   * and everything else that looks into records needs no bytes handed in.
   */
  read?: ((source: number, start: number, end: number) => TextOrBytes) | null;
}

/**
 * Everything that was opened, as rows. Usually made by {@link openHistory}; made by hand it takes
 * slices from wherever they come: `open`, `push` any number of times, `finish`.
 *
 * Records stay bytes: the history knows where each one stands, and one is read in full only when
 * it is looked at. It holds memory of the wasm until `free()`, or until it is disposed of or
 * collected.
 *
 * @example Slices from anywhere
 * ```js
 * import { History } from 'hindscope/history';
 *
 * const log = '{"iteration":0,"evaluator_output":{"passed":false},"self_reflection":{"reflection_text":"Too slow."}}\n';
 * const history = new History({ read: (source, start, end) => log.slice(start, end) });
 * const source = history.open('demo/loop.jsonl');
 * history.push(source, log.slice(0, 40));
 * history.push(source, log.slice(40));
 * history.finish(source);
 * console.log(history.sources()[0].format, history.inspect(0).reflections[0].text);
 * // → reflection-memory Too slow.
 * history.free();
 * ```
 */
export class History implements Disposable {
  /**
   * An empty history.
   *
   * @throws {@link HindscopeError} `invalid-option`.
   *
   * @example Judged by the schema
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History({ profile: 'strict' });
   * console.log(history.runCount); // → 0
   * history.free();
   * ```
   */
  constructor(options?: HistoryOptions | null);
  /**
   * Announces a source by its path, folders included and `/` between them; gives its id.
   *
   * @throws {@link HindscopeError} `invalid-option`, `freed`, `crashed`.
   *
   * @example Folders group runs, numbers order files
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History();
   * console.log(history.open('demo/iteration-1.json')); // → 0
   * history.free();
   * ```
   */
  open(path: string): number;
  /**
   * Hands over the next slice, of any length up to 2 GiB. False: reading further would change nothing.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`, `unreadable-input`, `freed`, `crashed`.
   *
   * @example A response as it arrives
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History();
   * const source = history.open('log.jsonl');
   * for await (const slice of new Response('{"iteration":0,"self_reflection":{"reflection_text":"Slower."}}').body) {
   *   if (!history.push(source, slice)) break;
   * }
   * history.finish(source);
   * console.log(history.recordCount); // → 1
   * history.free();
   * ```
   */
  push(source: number, slice: TextOrBytes): boolean;
  /**
   * Says that a source has no more slices.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`, `freed`, `crashed`.
   *
   * @example Then it is read
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History();
   * const source = history.open('empty.jsonl');
   * history.finish(source);
   * console.log(history.sources()[0].state); // → read
   * history.free();
   * ```
   */
  finish(source: number): void;
  /**
   * Says that a source could not be read, and why. It stays in the list, with a finding.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`, `invalid-option`, `freed`, `crashed`.
   *
   * @example What could not be read is not forgotten
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History();
   * history.fail(history.open('locked.json'), 'permission denied');
   * console.log(history.findings()[0].rule); // → source/unreadable
   * history.free();
   * ```
   */
  fail(source: number, reason: string): void;
  /**
   * Says that a source, or the rest of it, was refused: `rule` and `reason` are those of the `refusal` that
   * `unpack` gives with an entry. What came before is kept, and a finding of that rule says why.
   *
   * @throws {@link HindscopeError} `no-such-source`, `source-finished`, `invalid-option`, `freed`, `crashed`.
   *
   * @example An entry that cannot be read
   * ```js
   * import { History } from 'hindscope/history';
   *
   * const history = new History();
   * history.refuse(history.open('runs.zip/secret.json'), 'source/refused', 'it is encrypted');
   * console.log(history.sources()[0].state, history.sources()[0].reason); // → refused it is encrypted
   * history.free();
   * ```
   */
  refuse(source: number, rule: UnpackRefusalRule, reason: string): void;
  /**
   * All sources, in the order in which they were opened.
   *
   * @example Formats are recognised
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.sources()[0].format); // → env-results
   * history.free();
   * ```
   *
   * @example The same bytes count once
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const data = '{"trial_number":1,"outcome":"success","reflection":"Slower works."}';
   * const history = openHistory([{ name: 'log.json', data }, { name: 'log (1).json', data }]);
   * const [log, copy] = history.sources();
   * console.log(copy.digest === log.digest, history.runs().length); // → true 1
   * history.free();
   * ```
   */
  sources(): SourceView[];
  /**
   * All groups of runs.
   *
   * @example Solved after each trial
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.groups()[0].solvedAfter); // → [ 1, 2, 4, 5 ]
   * history.free();
   * ```
   */
  groups(): GroupView[];
  /**
   * All runs, group by group, in the natural order of their keys.
   *
   * @example Each attempt a letter
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.runs().map(({ trend }) => trend).join(' ')); // → FFP FP FFP FFFP P
   * history.free();
   * ```
   */
  runs(): RunView[];
  /**
   * All findings, in groups by rule and member. The gravest groups come first, and within one severity the
   * largest. It is fast even for a million findings. With `source`, only findings about that source.
   *
   * @throws {@link HindscopeError} `invalid-option`, `no-such-source`, `freed`, `crashed`.
   *
   * @example Nothing is
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.findings()); // → []
   * history.free();
   * ```
   */
  findings(options?: { source?: number }): FindingGroup[];
  /**
   * Every single finding, sorted by source, record, place and rule; or `count` of them behind the first
   * `from`. {@link History.findingCount} says how many there are.
   *
   * @throws {@link HindscopeError} `invalid-option`, `freed`, `crashed`.
   *
   * @example The first one
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.eachFinding({ from: 0, count: 1 })); // → []
   * history.free();
   * ```
   */
  eachFinding(options?: { from?: number; count?: number }): Finding[];
  /** What all sources together gave. */
  readonly added: SourceTotals;
  /** Number of records in all sources; their ids are 0 and up. */
  readonly recordCount: number;
  /** Number of runs. */
  readonly runCount: number;
  /** Number of findings. */
  readonly findingCount: number;
  /**
   * One run, by its id or by its key. Of several with one key, the one that was opened first.
   *
   * @throws {@link HindscopeError} `no-such-run`, `freed`, `crashed`.
   *
   * @example By its key
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.run('env_3').view.trend); // → FFFP
   * history.free();
   * ```
   */
  run(idOrKey: number | string): LoadedRun;
  /**
   * How well the internal tests of a programming log predict the result of the hidden ones. Undefined for
   * other groups, and if the log does not show it.
   *
   * @throws {@link HindscopeError} `no-such-group`, `freed`, `crashed`.
   *
   * @example What a passed test of its own was worth
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/humaneval-py._reflexion_3_gpt-4_pass_at_k_1_py.jsonl');
   * const { passed, passedSolved } = history.trust(0);
   * console.log(`${passedSolved} of ${passed}`); // → 2 of 3
   * history.free();
   * ```
   */
  trust(group: number): EvaluatorTrust | undefined;
  /**
   * Retries of a group with and without reflections in their windows. Stored memory does not prove that
   * it was injected.
   *
   * @throws {@link HindscopeError} `no-such-group`, `freed`, `crashed`.
   *
   * @example Successes of retries with memory
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const { with: all, withSuccesses } = history.retries(0);
   * console.log(withSuccesses, 'of', all); // → 4 of 8
   * history.free();
   * ```
   */
  retries(group: number): RetryImprovement;
  /**
   * Compares experiments over the same tasks with the first of them. Only tasks count that all of them have
   * and that say how they ended. So many `attempts` of each task count, at most as many as the experiment
   * with the fewest made.
   *
   * @throws {@link HindscopeError} `no-such-group`, `invalid-option` for fewer than two groups, for 0 attempts
   * and if they have no task in common, `freed`, `crashed`.
   *
   * @example Two logs of the same tasks
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const folder = 'runs/humaneval-py.';
   * const history = openHistory([`${folder}_reflexion_3_gpt-4_pass_at_k_1_py.jsonl`, `${folder}_simple_1_gpt-4_pass_at_k_1_py.jsonl`]);
   * const { tasks, experiments } = history.compare([1, 0]);
   * console.log(tasks, experiments.map(({ solved }) => solved)); // → 5 [ 3, 1 ]
   * history.free();
   * ```
   */
  compare(groups: readonly number[], options?: { attempts?: number | null } | null): ExperimentComparison;
  /**
   * What is said of a group first: how many of its runs were solved, who got stuck, what retries brought;
   * of a group with one run, its verdict. Reflections that have not been compared yet are read; of runs that
   * cannot be read any more, it says how many were checked.
   *
   * @throws {@link HindscopeError} `no-such-group`, `freed`, `crashed`.
   *
   * @example The answer in a sentence
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.headline(0).parts[0].text); // → All 5 tasks were solved
   * history.free();
   * ```
   */
  headline(group: number): Headline;
  /**
   * The verdicts of some runs, or of all: where each was stuck, and how it ended. Reflections that have not
   * been compared yet are read; a run that cannot be read any more has a verdict that says so.
   *
   * @throws {@link HindscopeError} `no-such-run`, `invalid-option`, `freed`, `crashed`.
   *
   * @example Runs that got stuck
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * const [{ headline }] = history.verdicts();
   * console.log(headline.says); // → Solved at 12. The reward rose from 0.2 to 1.
   * history.free();
   * ```
   */
  verdicts(runs?: readonly number[] | null): RunVerdict[];
  /**
   * The runs of a group attempt by attempt.
   *
   * @throws {@link HindscopeError} `no-such-group`, `freed`, `crashed`.
   *
   * @example Success by attempt
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.aggregate(0).attempts.map(({ successAt }) => successAt)); // → [ 0.2, 0.4, 0.8, 1 ]
   * history.free();
   * ```
   */
  aggregate(group: number): GroupAggregate;
  /**
   * Where a record stands.
   *
   * @throws {@link HindscopeError} `no-such-record`, `freed`, `crashed`.
   *
   * @example A place for an editor
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const { path, line, column } = history.locate(0);
   * console.log(`${path}:${line}:${column}`); // → alfworld/env_results_trial_0.json:2:5
   * history.free();
   * ```
   */
  locate(record: number): RecordSpan;
  /**
   * Iteration `part` of a record in full. `bytes` are those of its span; without them the reader
   * is asked.
   *
   * @throws {@link HindscopeError} `no-such-record`, `no-such-iteration`, `wrong-bytes`,
   * `unreadable-input`, `freed`, `crashed`.
   *
   * @example One trial of one task
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.inspect(0).outcome); // → failure
   * history.free();
   * ```
   */
  inspect(record: number, part?: number | null, bytes?: TextOrBytes | null): AttemptDetails;
  /**
   * The text of a record, decoded and otherwise untouched. Of a record that an export
   * has without its original, this is the line of the export.
   *
   * @throws {@link HindscopeError} `no-such-record`, `wrong-bytes`, `unreadable-input`, `freed`,
   * `crashed`.
   *
   * @example As it stands in the file
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(JSON.parse(history.raw(0)).name); // → env_0
   * history.free();
   * ```
   */
  raw(record: number, bytes?: TextOrBytes | null): string;
  /**
   * Some runs, or everything that is open, written down: as a history that opens again, as a table,
   * a report, an answer in JSON, or as records of reflection memory. Nothing is read before the
   * export is.
   *
   * @throws {@link HindscopeError} `invalid-option`, `no-such-run`, `freed`, `crashed`.
   *
   * @example A table
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * const table = history.export({ kind: 'csv', profile: 'analytics' });
   * console.log(table.text().split('\n')[0].split(',').slice(0, 3).join(' '));
   * // → iteration timestamp quality_score
   * history.free();
   * ```
   */
  export(options?: ExportOptions | null): HistoryExport;
  /**
   * Searches everything that is open. An iteration is found if it has every word and every
   * `"quoted phrase"` of the query, and none of the words with a minus (`-word`). Fields are
   * `run: source: outcome: reward<0.5 delta<0 iter:3..9 error: category: finding: has:reward`. Upper and
   * lower case are the same.
   *
   * @throws {@link HindscopeError} `invalid-option` for a query with a mistake (see
   * {@link queryError}), `no-such-run`, `freed`, `crashed`; while it is read `stale-export` if more
   * was opened since.
   *
   * @example Iterations that failed
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const [first] = history.search('run:env_0 outcome:failure');
   * console.log(first.number); // → 0
   * history.free();
   * ```
   */
  search(query: string, options?: SearchOptions | null): HistorySearch;
  /**
   * Ids of the runs that a query lets through, by their columns, in the order of the history.
   *
   * @throws {@link HindscopeError} `invalid-option`, `freed`, `crashed`.
   *
   * @example A run by its key
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const [run] = history.findRuns('run:env_0');
   * console.log(history.run(run).view.key); // → env_0
   * history.free();
   * ```
   */
  findRuns(query: string): number[];
  /**
   * Gives its memory back. Every later call throws `freed`, those of its runs too; a second `free` does
   * nothing.
   *
   * @example Its runs end with it
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const run = history.run(0);
   * history.free();
   * try {
   *   run.iterations();
   * } catch ({ code }) {
   *   console.log(code); // → freed
   * }
   * ```
   */
  free(): void;
  /** The same as {@link History.free}, for `using`. */
  [Symbol.dispose](): void;
}

/** A file that is already in memory, which may be an archive. The bytes are not copied: do not change them afterwards. */
export interface SourceInput {
  /** Its path, folders included and `/` between them: folders group runs, numbers order files. */
  name: string;
  /** Its contents. */
  data: TextOrBytes;
}

/**
 * Opens files as one history. In Node, Deno and Bun a path may name a file or a folder, which is
 * walked with everything below it; names are then relative to the folder that holds it. What
 * cannot be read on the way is listed with its reason.
 *
 * Archives are folders: zip, tar, tar.gz and gz are recognised by their first bytes, and what is in
 * them has paths like `runs.zip/alfworld/env_results_trial_0.json`. Unpacked bytes of entries with
 * records are kept in memory, up to 256 MiB for one history; further entries are unpacked again whenever
 * one of their records is looked at. Entries that are not compressed, as all of a tar archive, are read
 * from the archive itself.
 *
 * @throws {@link HindscopeError} `unreadable-input` if a named path does not exist, and
 * `invalid-option`.
 *
 * @example Did it learn?
 * ```js
 * import { openHistory } from 'hindscope/history';
 *
 * const trial = (n, solved) => ({
 *   name: `demo/env_results_trial_${n}.json`,
 *   data: JSON.stringify([{ name: 'env_0', memory: [' Look in the drawer first.'], is_success: solved }]),
 * });
 * const history = openHistory([trial(0, false), trial(1, true)]);
 * const run = history.run('env_0');
 * console.log(history.groups()[0].solvedAfter, run.view.trend); // → [ 0, 1 ] FP
 * console.log(run.window(1).text); // → [0] failure: Look in the drawer first.
 * history.free();
 * ```
 */
export function openHistory(
  input: string | URL | SourceInput | readonly (string | URL | SourceInput)[],
  options?: OpenHistoryOptions | null,
): History;
