/**
 * One run of a history.
 *
 * @module
 */
import type { AttemptDetails, RunDetails, StoredDeltas } from './details.js';
import type { Headline, InsightOptions, RunExplanation, RunVerdict } from './insight.js';
import type { RenderOptions, WindowEntry, WindowRule } from '../contract/window.js';
import type { Finding, Outcome, RewardOrigin, WindowLayout, WindowPolicy } from '../types.js';

/** One row of the list of runs. */
export interface RunView {
  /** Its id. Ids may change when more is opened. */
  id: number;
  /** Experiment or folder that it belongs to. */
  group: number;
  /** Key within its group: loop id, task id or name, after folders where other runs have the same one. */
  key: string;
  /** Task description, if one is known without reading the record again. */
  task?: string;
  /** Format of its leading record. */
  format: string;
  /** How it ended: as a record says of the run, else as its last iteration did. */
  outcome: Outcome;
  /** The finer word, such as `own tests unknown`. */
  outcomeDetail?: string;
  /** Where its attempts say otherwise: `succeeded at 4, ended in failure`. */
  outcomeNote?: string;
  /** Its status, as a record writes it. */
  status?: string;
  /** Start, in milliseconds since 1970-01-01T00:00:00Z, where a record says it. */
  startMs?: number;
  /** End, likewise. */
  endMs?: number;
  /** Attempts that the loop itself counted; there may be records of fewer. */
  counter?: number;
  /** Most attempts that it allowed itself. */
  maxIterations?: number;
  /** Other ids of the same run (`group/alias`). */
  aliases?: string[];
  /** Lessons that belong to no single attempt. */
  lessons: number;
  /** Reward of the run as a whole, 0..1, where a record states one or one can be derived. */
  reward?: number;
  /** Iterations with an own attempt; carried ones do not count. */
  iterations: number;
  /** Number that the first attempt has: 0 or 1. */
  base: number;
  /** Where `base` comes from. */
  baseProvenance: 'declared' | 'evidence' | 'assumed';
  /** Ordinal of the first success. */
  firstSuccess?: number;
  /** Its number, as written. */
  firstSuccessNumber?: number;
  /** Highest reward, 0..1, earliest on ties. */
  best?: number;
  /** Number of the iteration that has it. */
  bestNumber?: number;
  /** Reward of the last iteration that has one, 0..1. */
  last?: number;
  /** Where its rewards come from. */
  rewardOrigin: RewardOrigin;
  /** Rule that derived them. */
  rewardRule?: string;
  /** Reflections written in it. */
  reflections: number;
  /** Findings about it. */
  findings: number;
  /** Outcome letters of its first 60 iterations, in order: `P ~ F > A - ?`. */
  trend: string;
  /** Ω recorded or assumed at its last iteration; absent: unbounded. */
  omega?: number;
  /** Where `omega` comes from. */
  omegaProvenance: 'recorded' | 'assumed';
}

/** A reflection by its place: record, and position inside it. */
export interface ReflectionRef {
  /** Number of the iteration that wrote it. */
  number: number;
  /** Ordinal of that iteration. */
  ordinal: number;
  /** The record that holds its text. */
  record: number;
  /** Position among the reflections of that record. */
  part: number;
}

/** One attempt of a run. */
export interface IterationView {
  /** Position in the run, from 0. */
  ordinal: number;
  /** Number as written. */
  number: number;
  /** How it ended. */
  outcome: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** End, in milliseconds since 1970-01-01T00:00:00Z. */
  timeMs?: number;
  /** Reward, 0..1. */
  reward?: number;
  /** Change against the nearest earlier rewarded iteration. */
  delta?: number;
  /** Iterations without reward that the change spans. */
  deltaGap: number;
  /** Errors of severity error. */
  errors?: number;
  /** Change of that count. */
  errorDelta?: number;
  /** Whether it improved on the attempt before. */
  isImprovement?: boolean;
  /** What the record itself says of its deltas. */
  stored?: StoredDeltas;
  /** The leading record. */
  record: number;
  /** Which iteration of that record, for records that hold several. */
  part: number;
  /** All records of this number, if there are several. */
  merged?: number[];
  /** Reflections written in it. */
  reflections: ReflectionRef[];
  /** Findings about it. */
  findings: number;
}

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

/** What an agent could still read when an iteration began. */
export interface WindowView {
  /** Number of the iteration that begins. */
  at: number;
  /** Ω; absent: unbounded. */
  omega?: number;
  /** Where `omega` comes from. */
  omegaProvenance: 'configured' | 'recorded' | 'assumed' | 'dynamic';
  /** Policy. */
  policy: WindowPolicy;
  /** Reflections in context, oldest first. */
  held: ReflectionRef[];
  /** Written earlier and pushed out, oldest first. */
  evicted: ReflectionRef[];
  /** Reflections written at or after `at`. */
  later: number;
  /** Within Ω and beyond the token budget, oldest first. */
  dropped?: ReflectionRef[];
  /** Relevance of each in `held`, from 0; absent for other policies. */
  scores?: number[];
  /** Tokens of `held`, if there is a budget. */
  tokens?: number;
  /** Earlier reflections whose texts the rule asks for and that are not read yet. */
  unread: number;
  /** What there is to say about the choice. */
  notes?: Finding[];
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

/** Who says what an attempt was given: its record, the record before it, or none of them. */
export type InjectedOrigin = 'retrieved' | 'stated' | 'previous-window' | 'computed';

/** The reflections that were in context at one attempt. */
export interface InjectedReflections {
  /** Number of the attempt. */
  at: number;
  /** Who says so: `retrieved` (the log lists what it injected), `stated` (the record's `previous_reflections_used`), `previous-window` (the window that the record before it stored), `computed`. */
  origin: InjectedOrigin;
  /** Not recorded: the attempt could have seen these, and perhaps saw none. */
  isComputed: boolean;
  /**
   * Numbers of the attempts of this run that wrote these reflections, in the order in which the origin
   * lists them. Reflections that a log retrieved from other runs are in `retrieved` of the attempt.
   */
  numbers: number[];
  /** Those of them that are open, oldest first. */
  held: ReflectionRef[];
  /** Written before the attempt and not among them, oldest first. */
  dropped: ReflectionRef[];
  /** What the window gives by the recorded or assumed Ω and policy. */
  computed: number[];
  /** Where the record contradicts the computed window: `series/window-mismatch`, `series/window-unverifiable`, `series/injected-unknown`, `series/injected-dropped`, `series/total-step`. They lack only a place. */
  notes: Finding[];
}

/** What a record says of its run as a whole. */
export interface RunStatement {
  /** The record. */
  record: number;
  /** What it says. */
  says: RunDetails;
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
