/**
 * Exports: everything that is open, or some of its runs, as text for a file.
 *
 * @module
 */

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
