/**
 * One run of a history.
 *
 * @module
 */
import type { AttemptDetails, Headline, InjectedReflections, InsightOptions, IterationView, ReflectionRef, RunExplanation, RunStatement, RunVerdict, RunView, WindowView } from './data.js';
import type { RenderOptions, WindowEntry, WindowRule } from '../contract/data.js';
import type { WindowLayout } from '../types.js';

/** The series of a run, one element per iteration in order of ordinals. Absent is NaN. */
export interface RunColumns {
  /** Numbers as written. */
  numbers: Float64Array;
  /** Rewards 0..1; NaN where there is none. */
  rewards: Float64Array;
  /** Changes of reward; NaN where there is none. */
  deltas: Float64Array;
  /** Error counts; NaN where unknown. */
  errors: Float64Array;
  /** Outcomes, as indices of {@link OUTCOMES}. */
  outcomes: Uint8Array;
  /** Milliseconds since 1970; NaN where unknown. */
  timesMs: Float64Array;
}

/** A window of a run. Its texts are read from the source, once, when they are first needed. */
export interface RunWindow extends WindowView {
  /** What it holds, with all that the records say of it. No own member, like `text`. */
  readonly entries: WindowEntry[];
  /** The same as `render('plain')`. No own member: `JSON.stringify` leaves it out. */
  readonly text: string;
  /**
   * The window as text; empty while it holds nothing. What `options` do not say is as the run has it.
   *
   * @throws {@link HindscopeError} `unreadable-input` if the source has changed or gone,
   * `invalid-option`, `omega-out-of-range`, `freed`, `crashed`.
   *
   * @example What the prompt of the next attempt would have said
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const window = history.run('env_3').window(3, { omega: 1 });
   * console.log(window.render('reflexion-alfworld', { absoluteNumbers: true }).trim());
   * // → Your memory for the task below:
   * // → Trial 2:
   * // → Using the lamp needs the object in my hand. I will take the object first and use the lamp after that.
   * history.free();
   * ```
   */
  render(layout?: WindowLayout | null, options?: RenderOptions | null): string;
}

/** The records of one loop or task, in order. It lives as long as its history. */
export interface LoadedRun {
  /** Its row. */
  readonly view: RunView;
  /**
   * Its iterations, in order.
   *
   * @example How each attempt ended
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.run('env_3').iterations().map(({ outcome }) => outcome).join(' '));
   * // → failure failure failure success
   * history.free();
   * ```
   */
  iterations(): IterationView[];
  /**
   * Its series, as typed arrays.
   *
   * @example Ready for a chart
   * ```js
   * import { OUTCOMES, openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const { rewards, outcomes } = history.run('env_3').columns();
   * console.log(rewards, OUTCOMES[outcomes[3]]); // → Float64Array(4) [ 0, 0, 0, 1 ] success
   * history.free();
   * ```
   */
  columns(): RunColumns;
  /**
   * Its reflections, in the order in which they were written.
   *
   * @example Places, not texts
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const [{ record, part }] = history.run('env_3').reflections();
   * console.log(history.inspect(record, part).reflections[part].text.slice(1, 13)); // → I looked for
   * history.free();
   * ```
   */
  reflections(): ReflectionRef[];
  /**
   * Every record that it is made of, in the order of opening: `history.locate(record)` says where
   * each stands.
   *
   * @example Where it comes from
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * const places = history.run('env_3').records().map((record) => history.locate(record));
   * for (const { path, line } of places.slice(0, 2)) console.log(`${path}:${line}`);
   * // → alfworld/env_results_trial_0.json:23
   * // → alfworld/env_results_trial_1.json:25
   * history.free();
   * ```
   */
  records(): number[];
  /**
   * What its records say of it as a whole: task, criteria, limits, status, a summary of their own.
   * Records that say such things are read, each once; there are formats in which none does.
   *
   * @throws {@link HindscopeError} `unreadable-input`, `wrong-bytes`, `freed`, `crashed`.
   *
   * @example Files of trials say nothing of a task as a whole
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.run('env_3').about().map(({ says }) => says.status)); // → []
   * history.free();
   * ```
   */
  about(): RunStatement[];
  /**
   * One attempt in full, by its number. If several records describe it (a state, an analysis, a log of
   * actions), each member comes from the first of them that has it; `inspect` of the history shows what
   * one record says by itself.
   *
   * @throws {@link HindscopeError} `no-such-iteration`, `unreadable-input`, `wrong-bytes`, `freed`,
   * `crashed`.
   *
   * @example How a task went at first
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/alfworld');
   * console.log(history.run('env_3').attempt(0).outcome); // → failure
   * history.free();
   * ```
   */
  attempt(at: number): AttemptDetails;
  /**
   * The window when iteration `at` began. Default: the attempt after the last one. `relevance_weighted`,
   * a token budget and a dynamic Ω need texts: the records before `at` are read then.
   *
   * @throws {@link HindscopeError} `no-such-iteration`, `omega-out-of-range`, `invalid-option`,
   * `unreadable-input`, `wrong-bytes`, `freed`, `crashed`.
   *
   * @example What fits into 60 tokens
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * const { held, dropped, tokens } = history.run(0).window(null, { tokenBudget: 60 });
   * console.log(held.length, dropped.length, tokens); // → 1 2 55
   * history.free();
   * ```
   */
  window(at?: number | null, rule?: WindowRule | null): RunWindow;
  /**
   * What attempt `at` was given, as far as anyone can tell. Default: the attempt after the last one. Its
   * record and the one before it are read.
   *
   * @throws {@link HindscopeError} `no-such-iteration`, `unreadable-input`, `wrong-bytes`, `freed`,
   * `crashed`.
   *
   * @example Its record says so
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * const { origin, numbers } = history.run(0).injected(3);
   * console.log(origin, numbers); // → stated [ 1, 2 ]
   * history.free();
   * ```
   */
  injected(at?: number | null): InjectedReflections;
  /**
   * What is said of one attempt first: how it ended, which of its errors are new, and what the next one
   * brought. Its records and those of the attempt before are read.
   *
   * @throws {@link HindscopeError} `no-such-iteration`, `unreadable-input`, `wrong-bytes`, `freed`, `crashed`.
   *
   * @example In words
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * console.log(history.run(0).attemptHeadline(2).parts[0].text); // → Failed with 3 errors, none of them new.
   * history.free();
   * ```
   */
  attemptHeadline(at: number): Headline;
  /**
   * Where the run was stuck, and how it ended. Its reflections are read if they have not been compared yet.
   *
   * @throws {@link HindscopeError} `unreadable-input`, `wrong-bytes`, `freed`, `crashed`.
   *
   * @example In words
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * console.log(history.run(0).verdict().headline.says); // → Solved at 12. The reward rose from 0.2 to 1.
   * history.free();
   * ```
   */
  verdict(): RunVerdict;
  /**
   * What the run teaches, by the rules that `options` choose. The records that they need are read,
   * each once.
   *
   * @throws {@link HindscopeError} `invalid-option`, `omega-out-of-range`, `unreadable-input`,
   * `wrong-bytes`, `freed`, `crashed`.
   *
   * @example Where it went, and where it got stuck
   * ```js
   * import { openHistory } from 'hindscope/history';
   *
   * const history = openHistory('runs/ralph-token-expiry');
   * const { trajectory, findings } = history.run(0).explain({ rules: ['stuck/*'] });
   * console.log(trajectory.class, findings[0].rule, findings[0].iteration); // → improving stuck/repeated-action 10
   * history.free();
   * ```
   */
  explain(options?: InsightOptions | null): RunExplanation;
}

/**
 * Words of the codes in `columns().outcomes`.
 *
 * @example A code is an index
 * ```js
 * import { OUTCOMES } from 'hindscope/history';
 *
 * console.log(OUTCOMES[2]); // → failure
 * ```
 */
export const OUTCOMES: readonly ['success', 'partial', 'failure', 'running', 'aborted', 'void', 'unknown'];
