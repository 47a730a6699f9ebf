/**
 * Exports: everything that is open, or some of its runs, as text for a file.
 *
 * @module
 */
import type { CsvProfile, ExportKind, JsonQuery, RecordsLayout } from './data.js';

/** Options of {@link History.export}. */
export interface ExportOptions {
  /** Default `history`. */
  kind?: ExportKind | null;
  /** Ids of runs; everything if left out. */
  runs?: readonly number[] | null;
  /**
   * When it is made: a date, or a time in UTC such as `2026-03-10T12:00:00Z`. The package has no
   * clock; without this an export does not say.
   */
  created?: Date | string | null;
  /**
   * Whether a history keeps the records as they were written; default true. If false, the parsed fields
   * are written instead. Also false when outputs, prompts or paths are left out, because the originals
   * contain them.
   */
  originals?: boolean | null;
  /** Whether a history and JSON hold what tools, checks and stacks printed; default true. */
  outputs?: boolean | null;
  /**
   * Whether a history, JSON and reports hold what the agent was asked: tasks, criteria and prompts;
   * default true.
   */
  prompts?: boolean | null;
  /**
   * Whether absolute paths are written in full, and not as `…/name`; default true. In
   * `records` and `chart` they are never shortened.
   */
  paths?: boolean | null;
  /** For `csv`; default `iterations`. */
  profile?: CsvProfile | null;
  /** For `json`; default `runs`. */
  query?: JsonQuery | null;
  /** For `records`; default `lines`. */
  layout?: RecordsLayout | null;
  /** For `records`: members that a record of reflection memory must have and others lack. */
  supply?: object | string | null;
  /** For `chart`: number of the first iteration that is drawn; from the beginning if left out. */
  first?: number | null;
  /** For `chart`: number of the last one; to the end if left out. */
  last?: number | null;
  /** For `chart` and `report`: rewards are written as points, 0 to 100; default false. */
  points?: boolean | null;
  /** For `report`: whether it holds the texts of reflections; default true. */
  reflections?: boolean | null;
}

/**
 * An export, as {@link History.export} makes it. It is read piece by piece, as often as asked; the history must not have been freed, and
 * nothing more opened (`stale-export`), while that is done. Reading throws what `inspect` throws, and
 * `invalid-option` where a record of reflection memory lacks a member.
 *
 * @example Open, export, open, export: the same bytes
 * ```js
 * import { openHistory } from 'hindscope/history';
 *
 * const history = openHistory('runs/alfworld');
 * const made = history.export();
 * const again = openHistory({ name: made.name, data: made.bytes() });
 * console.log(again.export().text() === made.text()); // → true
 * for (const opened of [history, again]) opened.free();
 * ```
 *
 * @example A picture of a run, and a page about it
 * ```js
 * import { openHistory } from 'hindscope/history';
 *
 * const history = openHistory('runs/ralph-token-expiry');
 * const runs = [history.runs()[0].id];
 * const chart = history.export({ kind: 'chart', runs, points: true });
 * const report = history.export({ kind: 'report', runs, reflections: false });
 * console.log(chart.name.endsWith('.svg'), report.text().startsWith('<!DOCTYPE html>')); // → true true
 * history.free();
 * ```
 */
export interface HistoryExport extends Iterable<string>, AsyncIterable<Uint8Array> {
  /** What it is called in a folder: `hindscope-{run}-{date}.{ending}`. */
  readonly name: string;
  /**
   * All of it as one text.
   *
   * @example A report
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * console.log(history.export({ kind: 'markdown' }).text().split('\n')[0]); // → # Agent loop report
   * history.free();
   * ```
   */
  text(): string;
  /**
   * All of it as UTF-8.
   *
   * @example Beside its history
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const findings = history.export({ kind: 'json', query: 'findings' });
   * console.log(findings.bytes() instanceof Uint8Array); // → true
   * history.free();
   * ```
   */
  bytes(): Uint8Array;
  /** Its pieces as texts: a run each, or of a history some records. */
  [Symbol.iterator](): Generator<string, void, undefined>;
  /** Its pieces as UTF-8. */
  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined>;
}
