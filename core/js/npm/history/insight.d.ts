/**
 * What runs teach: rows of findings, lessons, errors and changes.
 *
 * Iterations are named by their numbers as written, rewards are 0..1, shares are 0..1. Members that
 * are not known are absent.
 *
 * @module
 */
import type { Finding } from '../types.js';

/** Where the rewards of a run went as a whole (`trajectory/class`). */
export type TrajectoryClass = 'improving' | 'declining' | 'stable' | 'fluctuating' | 'insufficient_data';

/** How the rewards of a run moved. */
export interface RewardTrajectory {
  /** `trajectory/class`. */
  class: TrajectoryClass;
  /** Steps that count as up (`trajectory/class`). */
  up: number;
  /** Steps that count as down. */
  down: number;
  /** All other steps. */
  flat: number;
  /** Iteration that completes the first low pair (`diminishing/relative`). */
  diminishingRelative?: number;
  /** The same, where a step from 0 counts as no change (`diminishing/relative-v1`). */
  diminishingRelativeV1?: number;
  /** First iteration of the first low pair in points (`diminishing/absolute`). */
  diminishingAbsolute?: number;
  /** Iteration of the highest reward, earliest on ties (`best/*`). */
  best?: number;
  /** Its reward. */
  bestReward?: number;
  /** Iteration that the selection takes. */
  selected?: number;
  /** Its reward. */
  selectedReward?: number;
  /** The last iteration. */
  last?: number;
  /** Its reward. */
  lastReward?: number;
  /** What taking the last instead of the selected one costs, above 0 (`best/degradation`). */
  degradation?: number;
  /** (last - first reward) / rewards, as the guide defines it (`learning-rate`). */
  learningRate?: number;
  /** (last - first reward) / steps. */
  slope?: number;
}

/** Neighbouring reflections that repeat each other: the measure behind `stuck/*`. */
export interface ReflectionRepetition {
  /** Reflections with one before them. */
  pairs: number;
  /** Pairs that say the same. */
  same: number;
  /** Pairs that say nearly the same, the same ones included. */
  near: number;
}

/** What changed between two attempts. */
export type AttemptChangeKind =
  | 'error-cleared'
  | 'error-new'
  | 'error-persisting'
  | 'counter'
  | 'check'
  | 'file-new'
  | 'file-again'
  | 'action'
  | 'lesson-new'
  | 'strategy'
  | 'verification';

/** One thing that changed in a step (`attribution/step`). */
export interface AttemptChange {
  /** The iteration. */
  number: number;
  /** The earlier iteration that it is compared with: the one of its change of reward, else its neighbour. */
  from: number;
  /** What changed. */
  kind: AttemptChangeKind;
  /** Signature, name, tool, path, action or lesson. */
  text: string;
  /** As it was. */
  before?: string;
  /** As it is. */
  after?: string;
  /** Change of a counter, in its own unit. */
  amount?: number;
  /** Position of the action, from 0. */
  action?: number;
  /** Lines that the action added. */
  added?: number;
  /** Lines that the action removed. */
  removed?: number;
}

/** What became of a lesson. */
export type LessonState = 'new' | 'kept' | 'reworded' | 'returned' | 'dropped';

/** A lesson of an iteration against the reflection before (`lesson/lifecycle`). */
export interface LessonRow {
  /** The iteration that wrote the reflection. */
  number: number;
  /** What became of it there. */
  state: LessonState;
  /** The lesson, as written. */
  text: string;
  /** As it was written before, if reworded or returned in other words. */
  before?: string;
  /** The iteration that wrote it first. */
  since: number;
  /** Share of words in common with `before`. */
  shared?: number;
}

/** An error by its signature (`error/lifecycle`). Lists are iterations, ascending. */
export interface ErrorRow {
  /** `type|rule`, or `type|` and the message without its numbers and places. */
  signature: string;
  /** Its first message, as written. */
  message: string;
  /** Where it was seen. */
  seen: number[];
  /** First known to lack it after it was seen. */
  cleared: number[];
  /** Seen again after it was cleared. */
  cameBack: number[];
}

/** What recurs. */
export type RecurringPatternKind = 'lesson' | 'strategy' | 'antipattern';

/** What to do with a lesson (`pattern/success-rate`). */
export type LessonAdvice = 'inject' | 'prune';

/** Something that recurs, as an index of patterns lists it. */
export interface RecurringPattern {
  /** What it is. */
  kind: RecurringPatternKind;
  /** The first six words of its earliest text in kebab-case, or the name of its group. */
  patternId: string;
  /** Its earliest text, or the name of its group. */
  description: string;
  /** Reflections, iterations or errors that have it. */
  frequency: number;
  /** Iterations that have it, ascending. */
  numbers: number[];
  /** Iterations that success was counted over. */
  uses: number;
  /** Those that were a success; for lessons, or an improvement. */
  successes: number;
  /** `successes / uses`; absent with too few uses of a lesson (`pattern/success-rate`). */
  successRate?: number;
  /** 0..1; absent for lessons, where no rule gives one. */
  confidence?: number;
  /** `pattern/gate`; absent for lessons. */
  isPromotable?: boolean;
  /** What to do with a lesson. */
  advice?: LessonAdvice;
}

/** A reflection with the indicators of its quality. */
export interface ReflectionRow {
  /** The iteration that wrote it. */
  number: number;
  /** The record that holds it. */
  record: number;
  /** Position among the reflections of that record. */
  part: number;
  /** Ids of the rules `reflection/*` that it meets; empty for a good one. */
  marks: string[];
  /** Confidence, as written. */
  confidence?: number;
}

/** Confidence against improvement (`reflection/calibration`). */
export interface ConfidenceCalibration {
  /** Pairs of a confidence and what the next iteration made of it. */
  pairs: number;
  /** Pearson correlation, -1..1; absent when there are too few pairs, or only one outcome. */
  correlation?: number;
}

/** An action with what points at it (`credit/*`). */
export interface ActionCredit {
  /** The iteration. */
  number: number;
  /** Position of the action, from 0. */
  action: number;
  /** Whether the reflection of the same record names it as failing. */
  isFailing: boolean;
  /** Positions of errors in the file that it touched, the first 100. */
  errors: number[];
  /** Positions of checks whose tool its command runs, the first 100. */
  checks: number[];
}

/** How an iteration names an earlier reflection. */
export type ReflectionLinkKind = 'related' | 'used';

/** An earlier reflection that an iteration names. */
export interface ReflectionLink {
  /** The iteration that names it. */
  number: number;
  /** The iteration that is named. */
  to: number;
  /** How. */
  kind: ReflectionLinkKind;
  /** Whether the naming iteration was an improvement; absent when unknown. */
  hasHelped?: boolean;
}

/** A lesson that names something in the code, and the first action that names it, too. */
export interface LessonUptake {
  /** The iteration that wrote the lesson. */
  number: number;
  /** The lesson. */
  text: string;
  /** The iteration that took it up; absent: none has. */
  takenUp?: number;
  /** Position of the action that did, from 0. */
  action?: number;
  /** The name that both have; absent: none has. */
  name?: string;
}

/** How often reflections gave a failure category. */
export interface CategoryCount {
  /** The category, as written. */
  category: string;
  /** Reflections that gave it. */
  reflections: number;
}

/** What one run teaches: findings, and the rows that they are drawn from. */
export interface RunExplanation {
  /** The run; absent when nothing could be read. */
  run?: number;
  /** Its key: loop id, task id or name. */
  key: string;
  /** What rules have to say, by the last iteration that each is drawn from. */
  findings: Finding[];
  /**
   * Whether the run is stuck now: a warning of `stuck/*` is about its latest attempt, and that was no success.
   * Where a run was stuck before, the warning says that it moved on.
   */
  isStuck: boolean;
  /** Records that chosen rules need and that were not read, in order. */
  missing: number[];
  /** Ids of chosen rules that were not judged because of them. */
  leftOut: string[];
  /** How the rewards moved. */
  trajectory: RewardTrajectory;
  /** How much its reflections repeat each other; absent where they were not read, or form no chain. */
  repetition?: ReflectionRepetition;
  /** What changed in each step (`attribution/step`), by iteration: evidence, never a cause. */
  changes: AttemptChange[];
  /** What became of each lesson (`lesson/lifecycle`), by iteration. */
  lessons: LessonRow[];
  /** What became of each error (`error/lifecycle`), by first sight. */
  errors: ErrorRow[];
  /** Lessons, strategies and failures that recur (`pattern/*`). */
  patterns: RecurringPattern[];
  /** Every reflection with the indicators of its quality (`reflection/*`). */
  reflections: ReflectionRow[];
  /** Whether confidence predicted improvement (`reflection/calibration`). */
  calibration?: ConfidenceCalibration;
  /** Actions that a reflection blames, or that belong to an error or a check (`credit/*`). */
  credits: ActionCredit[];
  /** Earlier reflections that an iteration names (`credit/*`). */
  links: ReflectionLink[];
  /** Lessons that an action took up (`credit/uptake`): evidence, never proof. */
  uptakes: LessonUptake[];
  /** Failure categories of its reflections, most frequent first. */
  categories: CategoryCount[];
}

/**
 * Internal tests against hidden ones (`evaluator/trust`).
 *
 * The rates are given the internal verdict and each pair sums to 1: they are not the usual
 * confusion rates.
 */
export interface EvaluatorTrust {
  /** The programming log. */
  group: number;
  /** Whether the `reflexion` strategy is judged by content, as the name does not say. */
  isStrategyAssumed: boolean;
  /** Reflections that a task may have: R. */
  reflectionsMax: number;
  /** Whether R is the longest list of the log: its name does not state R, or states less. */
  isLimitInferred: boolean;
  /** Tasks with fewer reflections than R: their internal tests passed. */
  passed: number;
  /** Those of them that the hidden tests passed, too. */
  passedSolved: number;
  /**
   * Tasks with R reflections: their internal tests did not pass before the last attempt. The log does not
   * say whether they passed then.
   */
  never: number;
  /** Those of them that the hidden tests passed. */
  neverSolved: number;
  /** `passedSolved / passed`, 0..1. */
  truePositive?: number;
  /** 1 - `truePositive`. */
  falsePositive?: number;
  /** `neverSolved / never`, 0..1. */
  falseNegative?: number;
  /** 1 - `falseNegative`. */
  trueNegative?: number;
}

/** Between which values something lies, with a confidence of 95 %. */
export interface ConfidenceInterval {
  /** The least. */
  low: number;
  /** The greatest. */
  high: number;
}

/**
 * Successes with and without memory (`retry/improvement`). What does not say how it ended is on
 * neither side.
 */
export interface RetryImprovement {
  /** Retries that have ended, or tasks, with reflections in the window. */
  with: number;
  /** Those that were a success. */
  withSuccesses: number;
  /**
   * Between which shares, 0..1, the rate of success lies with a confidence of 95 %; absent if there are
   * none.
   */
  withInterval?: ConfidenceInterval;
  /** Retries that have ended, or tasks, without. */
  without: number;
  /** Those that were a success. */
  withoutSuccesses: number;
  /** As `withInterval`. */
  withoutInterval?: ConfidenceInterval;
  /** Whether one side has fewer than 5: then nothing is compared. */
  isTooFew: boolean;
  /** Difference of the success rates in points. */
  points?: number;
  /** Between which points it lies with a confidence of 95 %. */
  pointsInterval?: ConfidenceInterval;
  /** Whether the difference is more than chance: its interval leaves out 0. */
  isClear?: boolean;
  /** Difference as a share of the rate without: 0.2 for a fifth more. A small rate makes it large. */
  relative?: number;
  /** Whether that reaches the stated aim of 0.2. */
  isAimMet?: boolean;
  /** All of it in words, for people. */
  says: string;
}

/** The sentences that answer a person's first question, in parts. */
export interface Headline {
  /** The whole text: that of its parts, one after the other. */
  says: string;
  /** Its parts. Each says something that the data supports; what it does not support is left out. */
  parts: HeadlinePart[];
}

/** A part of a {@link Headline}, and what it is about. */
export interface HeadlinePart {
  /** Its text, with the spaces and marks around it. */
  text: string;
  /** Id of the rule that made it. */
  rule: string;
  /** The runs that it counts; absent where it counts none, or is about one run. */
  runs?: number[];
  /** Number of the first attempt that it is about, in the headline of one run. */
  from?: number;
  /** Number of the last one. */
  to?: number;
}

/** What to say of one run first. */
export interface RunVerdict {
  /** The run. */
  run: number;
  /** Where it was stuck, in order. */
  stuck: StuckStretch[];
  /**
   * Whether all of its reflections have been compared. If not, it may be stuck where `stuck` does not say
   * so.
   */
  isChecked: boolean;
  /** It in words. */
  headline: Headline;
}

/** Attempts in a row that repeat each other, without a success and without a better reward. */
export interface StuckStretch {
  /** Number of the first attempt. */
  from: number;
  /** Number of the last one. */
  to: number;
  /** Id of the rule that found it. */
  rule: string;
}

/** Experiments over the same tasks, after as many attempts each (`headline/compare`). */
export interface ExperimentComparison {
  /** How many attempts of each task count. */
  attempts: number;
  /** Tasks that all of them have, and that all say how they ended up to there. */
  tasks: number;
  /** The experiments, in the order that was asked for. The first is what the others are compared with. */
  experiments: ComparedExperiment[];
  /** It in words. */
  headline: Headline;
}

/**
 * One of the experiments of a {@link ExperimentComparison}. The first, and all of fewer than 5 tasks, are compared with
 * none: what compares is absent.
 */
export interface ComparedExperiment {
  /** Its group. */
  group: number;
  /** The label of the group. */
  label: string;
  /** Tasks that it solved. */
  solved: number;
  /** Between which shares, 0..1, its rate lies with a confidence of 95 %. */
  interval?: ConfidenceInterval;
  /** Tasks that it solved and the first experiment did not. */
  onlyThis?: number;
  /** Tasks that the first experiment solved and it did not. */
  onlyFirst?: number;
  /** Difference of its rate and that of the first experiment, in points. */
  points?: number;
  /** Between which points it lies with a confidence of 95 %: Newcombe's method for pairs. */
  pointsInterval?: ConfidenceInterval;
  /**
   * How likely it is that the two differ at least as unevenly by chance: McNemar's exact test, two-sided,
   * corrected by Holm's method for the number of experiments that are compared with the first.
   */
  pValue?: number;
  /**
   * Whether the difference is more than chance: its interval leaves out 0, and
   * the p-value is less than 0.05.
   */
  isClear?: boolean;
}

/** One attempt over all runs of a group. */
export interface AttemptSum {
  /** Which, from 1. */
  attempt: number;
  /** Runs that made it. */
  attempted: number;
  /** Runs with a success up to here. */
  solvedAfter: number;
  /** Their share of the runs that say how they ended; absent when none does. */
  successAt?: number;
  /**
   * Mean reward of the runs that have one here. Where any run says how an attempt ended, only attempts
   * that say so count.
   */
  meanReward?: number;
  /** Those runs. */
  rewarded: number;
  /** Whether the mean is over fewer than 5 of them. */
  isFaint: boolean;
}

/** The runs of a group by attempt (`aggregate/*`). A tree search counts as one attempt at its task. */
export interface GroupAggregate {
  /** The group. */
  group: number;
  /** Its runs. */
  runs: number;
  /** Those that say how any of their attempts ended. */
  judged: number;
  /** Those with a success. */
  solved: number;
  /** Attempts up to the first success, over solved runs; absent when no run was tried twice. */
  meanAttempts?: number;
  /** Attempt by attempt. */
  attempts: AttemptSum[];
}

/** What a rule needs beyond the columns. */
export type RuleNeeds = 'columns' | 'reflections' | 'attempts' | 'verdicts' | 'records';

/** A rule of {@link explain}. */
export interface InsightRule {
  /** Its id, as findings carry it. */
  id: string;
  /** What it needs read. */
  needs: RuleNeeds;
  /** Whether it is judged without being asked for. */
  isDefault: boolean;
  /** Its threshold, in a few words; absent if it has none. */
  threshold?: string;
  /** What it finds, with its thresholds, in one or two sentences. */
  says: string;
}

/** Which iteration is taken as the result of a run (`best/*`). */
export type ResultSelection = 'highest_quality_verified' | 'highest_quality' | 'most_recent_above_threshold';

/** What may be decided about the rules of {@link explain} and {@link LoadedRun.explain}. */
export interface InsightOptions {
  /**
   * Rules to judge, by id, or by area as `stuck/*`. Default: every rule that is on by default. Any other
   * name is `invalid-option`; the error says which known name is nearest. {@link insightRules} lists them.
   */
  rules?: readonly string[] | null;
  /** Ω for what an attempt could see, 0..10. Default: as recorded or assumed. */
  omega?: number | null;
  /** Change of reward against the reward before that counts as low, 0..1. Default 0.05. */
  diminishingRelative?: number | null;
  /** Change of reward in points that counts as low. Default 5. */
  diminishingPoints?: number | null;
  /** Low steps in a row that make a run diminishing, from 1. Default 2. */
  diminishingSteps?: number | null;
  /** Which iteration is taken as the result. Default `highest_quality_verified`. */
  selection?: ResultSelection | null;
  /** Reward that a selected iteration needs, 0..1. Default 0.7. */
  selectionThreshold?: number | null;
  /** Whether the most recent one above the threshold must be a success, too. Default false. */
  requireVerification?: boolean | null;
  /** Attempts that the loop may make; `budget/*` is judged only with it. */
  maxIterations?: number | null;
  /** What the run is meant to reach, for `drift/objective`. Default: its task. */
  objective?: string | null;
  /** The clock, as a Date or in milliseconds. Without it no lesson is called unused for long. */
  now?: Date | number | null;
}

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
 * const { isStuck, findings } = explain(records, { rules: ['stuck/*'] });
 * console.log(isStuck, findings[0].rule, findings[0].evidence.map(({ number }) => number));
 * // → true stuck/repeated-reflection [ 0, 1, 2 ]
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
