/**
 * What a history answers: its sources, groups and runs, records in full, and what they teach. Members that are not
 * known are absent.
 *
 * @module
 */
import type { Finding, Outcome, RewardOrigin, RewardScale, SourceState, WindowPolicy } from '../data.js';

/** One opened file. */
export interface SourceView {
  /** Its id. */
  id: number;
  /** Name with its folders, `/` between them, as the host gave it. */
  path: string;
  /** Format id, once recognised. */
  format?: string;
  /** Why this format was chosen: which test how many of its first records pass. */
  why?: string;
  /** How its records are set apart, once known. */
  framing?: RecordFraming;
  /** How its text is encoded. */
  encoding: TextEncoding;
  /** Bytes read so far. */
  bytes: number;
  /**
   * XXH3 64 of its bytes as they were handed in, seed 0, as 16 lower-case hex digits. Absent while it is read, and
   * where its end was not reached. Of a source out of an export, that of the file that it was exported from.
   */
  digest?: string;
  /** How far reading has come. */
  state: SourceState;
  /** Why it is raw or refused. */
  reason?: string;
  /** Records that can be used, repaired ones included. */
  kept: number;
  /** Records among them that had to be repaired first. */
  repaired: number;
  /** Records that could not be read, each with a finding. */
  skipped: number;
}

/**
 * How the records of a source are set apart.
 *
 * - `json`: One JSON document.
 * - `json-array`: The elements of a JSON array.
 * - `jsonl`: A JSON document on each line.
 * - `yaml`: YAML documents.
 * - `csv`: The rows of a table.
 * - `markdown`: The sections of a Markdown document.
 * - `text`: Not at all: it is text.
 */
export type RecordFraming = 'json' | 'json-array' | 'jsonl' | 'yaml' | 'csv' | 'markdown' | 'text';

/**
 * How text is encoded.
 *
 * - `utf-8`: UTF-8.
 * - `utf-16le`: UTF-16, the low byte first.
 * - `utf-16be`: UTF-16, the high byte first.
 */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * What was given, added up over all sources.
 *
 * Every record that framing brought up is kept or skipped, never both and never neither; each source is read, raw or
 * refused. {@link SourceView} has the same numbers for each source.
 */
export interface SourceTotals {
  /** Sources that were opened. */
  sources: number;
  /** Records that can be used, repaired ones included. */
  kept: number;
  /** Records among the kept ones that had to be repaired first. */
  repaired: number;
  /** Records that could not be read or are of no known format; findings say where. */
  skipped: number;
  /** Sources among them that are refused: their bytes are not interpreted. */
  refused: number;
  /** Bytes read, of all sources. */
  bytes: number;
}

/** Where a record stands in its source. */
export interface RecordSpan {
  /** The record. */
  record: number;
  /** Its source. */
  source: number;
  /** Path of the source. */
  path: string;
  /** First byte, from 0, in the source as stored. */
  start: number;
  /** The byte after the last one. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Column of the first byte, from 1, in UTF-16 code units. */
  column: number;
}

/** Runs of one experiment or folder. */
export interface GroupView {
  /** Its id. */
  id: number;
  /** Folder, or file. */
  label: string;
  /** Format of its runs. */
  format: string;
  /** Runs in it. */
  runs: number;
  /** Those that say how any of their attempts ended. */
  judged: number;
  /** Reflections in all of them. */
  reflections: number;
  /**
   * Numbers of the attempts that any run made, ascending. A number that no run has is no attempt: a missing file leaves
   * a gap here. A tree search is one attempt.
   */
  numbers: number[];
  /**
   * Runs solved at or before each of `numbers`, carried ones included (`aggregate/solved-after`). Empty when no run has
   * an outcome.
   */
  solvedAfter: number[];
  /** Runs that had an attempt of their own at each of `numbers`. */
  attempted: number[];
}

/** One row of the list of runs. */
export interface RunView {
  /** Its id. Ids of runs may change when more is opened. */
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
  baseProvenance: BaseProvenance;
  /** Ordinal of the first success. */
  firstSuccess?: number;
  /** Its number, as written. */
  firstSuccessNumber?: number;
  /** Highest reward, 0..1, earliest on ties (`best/*`). */
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
  /** Where `omega` comes from: it is recorded or assumed. */
  omegaProvenance: OmegaProvenance;
}

/**
 * Who says which number a run begins with.
 *
 * - `declared`: The format, or the record itself.
 * - `evidence`: The numbers that there are.
 * - `assumed`: No record: it is usual for the format.
 */
export type BaseProvenance = 'declared' | 'evidence' | 'assumed';

/**
 * Where Ω comes from (`window/provenance`).
 *
 * - `configured`: The caller set it.
 * - `recorded`: A record states it.
 * - `assumed`: It is usual for the format.
 * - `dynamic`: It follows from the failures so far (`window/dynamic-omega`).
 */
export type OmegaProvenance = 'configured' | 'recorded' | 'assumed' | 'dynamic';

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
  /** Change against the nearest earlier rewarded iteration (`delta/reward`). */
  delta?: number;
  /** Iterations without reward that the change spans. */
  deltaGap: number;
  /** Errors of severity error. */
  errors?: number;
  /** Change of that count (`delta/errors`). */
  errorDelta?: number;
  /** Whether it improved on the attempt before (`delta/is-improvement`). */
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

/** Deltas as a record states them. */
export interface StoredDeltas {
  /** Its `reward_change`. */
  rewardChange?: number;
  /** Its `error_count_change`. */
  errorCountChange?: number;
  /** Its `is_improvement`. */
  isImprovement?: boolean;
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

/** What an agent could still read when an iteration began. */
export interface WindowView {
  /** Number of the iteration that begins. */
  at: number;
  /** Ω; absent: unbounded. */
  omega?: number;
  /** Where `omega` comes from. */
  omegaProvenance: OmegaProvenance;
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
  /** Relevance of each in `held`, from 0; there is none for other policies than `relevance_weighted`. */
  scores?: number[];
  /** Tokens of `held`, estimated where the host did not count, if there is a budget. */
  tokens?: number;
  /** Earlier reflections whose texts the rule asks for and that are not read yet. */
  unread: number;
  /** What there is to say about the choice: `window/no-relevance`. */
  notes?: Finding[];
}

/** The reflections that were in context at one attempt. */
export interface InjectedReflections {
  /** Number of the attempt. */
  at: number;
  /**
   * Who says so: `retrieved` (the log lists what it injected), `stated` (the record's `previous_reflections_used`),
   * `previous-window` (the window that the record before it stored), `computed`.
   */
  origin: InjectedOrigin;
  /** True if no record says it: the attempt could have seen these reflections, and perhaps saw none. */
  isComputed: boolean;
  /**
   * Numbers of the attempts of this run that wrote the reflections, in the order of the `origin`. What a log retrieved
   * of other runs stands in `retrieved` of the attempt.
   */
  numbers: number[];
  /** The reflections of these numbers that are open, oldest first. */
  held: ReflectionRef[];
  /** Reflections that were written before the attempt and are not in `held`, oldest first. */
  dropped: ReflectionRef[];
  /** What the window gives by the recorded or assumed Ω and policy. */
  computed: number[];
  /**
   * Where the record contradicts the computed window: `series/window-mismatch`, `series/window-unverifiable`,
   * `series/injected-unknown`, `series/injected-dropped`, `series/total-step`. They lack only a place.
   */
  notes: Finding[];
}

/**
 * Who says which reflections were in context (`window/injected-at`).
 *
 * - `retrieved`: The log lists what it injected.
 * - `stated`: The record lists them as `previous_reflections_used`.
 * - `previous-window`: The record before it stored its window.
 * - `computed`: No record: they are what the window gives.
 */
export type InjectedOrigin = 'retrieved' | 'stated' | 'previous-window' | 'computed';

/** What a record says of its run as a whole. */
export interface RunStatement {
  /** The record. */
  record: number;
  /** What it says. */
  says: RunDetails;
}

/** What records say of a run as a whole. Absent members are not known. */
export interface RunDetails {
  /** Loop id, task id or name as the record states it. */
  key?: string;
  /** Other ids of the same run. */
  aliases?: string[];
  /** Task description or objective. */
  task?: string;
  /** When it counts as done. */
  criteria?: string[];
  /** Who acted. */
  agent?: string;
  /** Language model. */
  model?: string;
  /** Status as written. */
  status?: string;
  /** How it ended, where a record says so. */
  outcome?: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** Start as written. */
  start?: string;
  /** End as written. */
  end?: string;
  /** When the record was last written, as written. */
  updated?: string;
  /** Most iterations allowed. */
  maxIterations?: number;
  /** Most minutes allowed. */
  maxMinutes?: number;
  /** Attempts by its own counter. */
  counter?: number;
  /** Ω as written. */
  omega?: number;
  /** Number of the first attempt, where the format fixes it. */
  base?: number;
  /** Lessons that belong to no single attempt. */
  lessons?: string[];
  /** What the record itself sums up. */
  declared?: DeclaredSummary;
  /** Reward of the run as a whole. */
  reward?: RewardView;
  /** What the record says against a reward that was counted from it (`reward/refuted`). */
  refutation?: string;
  /** Named counts. */
  counters?: NamedNumber[];
  /** Labels. */
  tags?: string[];
  /** Keys of related runs. */
  related?: string[];
  /** Named texts without a place of their own. */
  texts?: NamedText[];
}

/** A summary as its writer declares it; what it says is compared, never shown as ours. */
export interface DeclaredSummary {
  /** Number of the best iteration. */
  best?: number;
  /** Number of the selected iteration. */
  selected?: number;
  /** Number of the final iteration. */
  last?: number;
  /** Class of the trajectory, as written. */
  trajectory?: string;
  /** Number of the iteration where returns diminish. */
  diminishing?: number;
  /** Why the selected one was selected, or why the loop stopped. */
  reason?: string;
  /** What the run took. */
  usage?: RecordedUsage;
}

/** What an attempt or a run took. Absent: the provider did not say. */
export interface RecordedUsage {
  /** Tokens in all. */
  tokens?: number;
  /** Tokens of the prompt. */
  inputTokens?: number;
  /** Tokens of the answer. */
  outputTokens?: number;
  /** Calls of tools. */
  toolCalls?: number;
  /** US dollars. */
  costUsd?: number;
  /** Milliseconds. */
  ms?: number;
}

/** A reward with where it came from. */
export interface RewardView {
  /** Value, 0..1. */
  value: number;
  /** As written. */
  raw?: string;
  /** Scale of the written form. */
  scale: RewardScale;
  /** Reported or derived. */
  origin: RewardOrigin;
  /** Rule that derived it. */
  rule?: string;
}

/** A number with its name, as the record spells it. */
export interface NamedNumber {
  /** Member name. */
  name: string;
  /** Value as written. */
  value: number;
}

/** A text with its name. */
export interface NamedText {
  /** Member name. */
  name: string;
  /** The text, untouched. */
  text: string;
}

/** Everything that a record says of one iteration. Absent members are not known. */
export interface AttemptDetails {
  /** The record. */
  record?: number;
  /** Format id. */
  format: string;
  /** Key of the run as this record states it. */
  key?: string;
  /** Number as written. */
  number?: number;
  /** Time as written: when the attempt ended. */
  time?: string;
  /** Time as written: when it began. */
  start?: string;
  /** How long it took, in milliseconds. */
  durationMs?: number;
  /** Task description or prompt. */
  task?: string;
  /** How the attempt ended. */
  outcome?: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** Its reward. */
  reward?: RewardView;
  /** What the record says against a reward that was counted from it (`reward/refuted`). */
  refutation?: string;
  /** Parts that the reward was weighed of, each 0..1. */
  breakdown?: NamedNumber[];
  /** Other rewards of the same attempt, which make series of their own. */
  series?: NamedReward[];
  /** Steps inside the attempt that were rated. */
  steps?: SubStep[];
  /** Kind of verification. */
  verification?: string;
  /** Why the agent did what it did. */
  rationale?: string;
  /** Strategy of this attempt. */
  strategy?: string;
  /** Strategy for the next attempt. */
  strategyNext?: string;
  /** Named counts: tests, coverage, lint and type errors, changed lines. */
  counters?: NamedNumber[];
  /** Tool results. */
  checks?: RecordedCheck[];
  /** Errors. */
  errors?: ErrorDetails[];
  /** Actions, in order; the position is the action index. */
  actions?: RecordedAction[];
  /** Files that the record lists as modified. */
  files?: string[];
  /** Reflections written in this iteration. */
  reflections?: Reflection[];
  /** The window as the record states it. */
  window?: RecordedWindow;
  /** Reflections that were really put before the agent, of this run or others; empty: none was. */
  retrieved?: RetrievedReflection[];
  /** Deltas as the record states them. */
  stored?: StoredDeltas;
  /** What the attempt took. */
  usage?: RecordedUsage;
  /** Words that qualify the attempt: `approximate`, `attempts-unknown`, `human-override`, `last-trial`. */
  flags?: string[];
  /** Named texts without a place of their own: solution, canonical solution, tests, notes. */
  texts?: NamedText[];
}

/** A reward with its name. */
export interface NamedReward {
  /** Member name. */
  name: string;
  /** The reward. */
  reward: RewardView;
}

/** A rated step inside an attempt. */
export interface SubStep {
  /** Number as written. */
  number: number;
  /** Its reward, if it has one. */
  reward?: RewardView;
}

/** Result of one tool. */
export interface RecordedCheck {
  /** Tool. */
  tool: string;
  /** `pass`, `fail`, `error`, `skip`, or what the record says instead. */
  status: string;
  /** Exit code. */
  exitCode?: number;
  /** Milliseconds. */
  durationMs?: number;
  /** Standard output, untouched. */
  stdout?: string;
  /** Standard error, untouched. */
  stderr?: string;
}

/** One error that the evaluator reported. */
export interface ErrorDetails {
  /** Type. */
  type: string;
  /** Message. */
  message: string;
  /** File. */
  file?: string;
  /** Line in that file, as written. */
  line?: number;
  /** Column in that file, as written. */
  column?: number;
  /** Severity; absent counts as error. */
  severity?: string;
  /** Rule of the tool. */
  rule?: string;
  /** Stack trace. */
  stack?: string;
}

/** One action of the agent. */
export interface RecordedAction {
  /** Type. */
  type: string;
  /** Description. */
  description: string;
  /** File. */
  path?: string;
  /** Command. */
  command?: string;
  /** Unified diff. */
  diff?: string;
  /** Added lines, as written. */
  additions?: number;
  /** Deleted lines, as written. */
  deletions?: number;
  /** Time as written. */
  time?: string;
  /** Tool that was called. */
  tool?: string;
  /** Parameters of the call, as JSON text. */
  params?: string;
  /** Whether it worked. */
  success?: boolean;
  /** What came out, untouched. */
  output?: string;
  /** Why it was done. */
  reasoning?: string;
  /** What was expected of it. */
  expected?: string;
  /** Named as failing by the reflection of the same record. */
  isCredited: boolean;
}

/** A lesson written after an attempt. */
export interface Reflection {
  /** Position among the reflections of its record. */
  part: number;
  /** The text, untouched. */
  text: string;
  /** Kind, as written: `error_analysis`, `evaluator-feedback`. */
  kind?: string;
  /** Insights. */
  insights?: string[];
  /** Lessons. */
  lessons?: string[];
  /** Root cause. */
  rootCause?: string;
  /** Failure category. */
  category?: string;
  /** Causal reasoning. */
  reasoning?: string;
  /** Failing action indices, as written. */
  failingActions?: number[];
  /** Confidence, as written. */
  confidence?: number;
  /** Numbers of related reflections. */
  related?: number[];
  /** `helpful`, `neutral` or `unhelpful`, as its writer judged it. */
  effectiveness?: string;
  /** What caused it to be written: `failure`, `success`, `timeout`, `manual`. */
  trigger?: string;
  /** Time as written, where it is not that of the attempt. */
  time?: string;
}

/** The window that a record states. */
export interface RecordedWindow {
  /** `omega_capacity`, as written. */
  omega?: number;
  /** `window_policy`. */
  policy?: string;
  /** `reflections_in_context`: numbers after this record was stored. */
  after?: number[];
  /** `current_memory_size`. */
  size?: number;
  /** `total_reflections_generated`. */
  total?: number;
  /** `previous_reflections_used`: numbers injected before this attempt. */
  injected?: number[];
  /** `context_injected`. */
  injectedFlag?: boolean;
}

/** A reflection that a record says was put before the agent. */
export interface RetrievedReflection {
  /** Key of the run that wrote it. */
  key: string;
  /** Number of the attempt that wrote it. */
  number: number;
  /** The reflection, untouched. */
  text: string;
  /** Reward of that attempt as written. */
  reward?: number;
  /** How similar the store found it, as written. */
  similarity?: number;
  /** When that attempt was made, as written. */
  time?: string;
}

/** What one run teaches: findings, and the rows that they are drawn from. */
export interface RunExplanation {
  /** The run; absent when nothing could be read. */
  run?: number;
  /** Its key: loop id, task id or name. */
  key: string;
  /** Findings, in the order of the last iteration that each is about. */
  findings: Finding[];
  /**
   * Whether the run is stuck now: a warning of `stuck/*` is about its latest attempt, and that was no success. Where a
   * run was stuck before, the warning says that it moved on.
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
  /**
   * Iteration that completes the first low steps in a row (`diminishing/relative`). The options say how many steps that
   * are.
   */
  diminishingRelative?: number;
  /** As `diminishingRelative`, but a step from a reward of 0 counts as no change (`diminishing/relative-v1`). */
  diminishingRelativeV1?: number;
  /**
   * Iteration that ends the first of these steps, where a step is low if it changes the reward by few points
   * (`diminishing/absolute`).
   */
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
  /** Reward that is lost by taking the last attempt instead of the selected one, above 0 (`best/degradation`). */
  degradation?: number;
  /** (last - first reward) / rewards, as the guide defines it (`learning-rate`). */
  learningRate?: number;
  /** (last - first reward) / steps. */
  slope?: number;
}

/**
 * Where the rewards of a run went as a whole. The rule `trajectory/class` says the thresholds.
 *
 * - `improving`: Up in most steps.
 * - `declining`: Down in most steps.
 * - `stable`: Hardly any change in most steps.
 * - `fluctuating`: None of these.
 * - `insufficient_data`: Too few rewards.
 */
export type TrajectoryClass = 'improving' | 'declining' | 'stable' | 'fluctuating' | 'insufficient_data';

/** Neighbouring reflections that repeat each other: the measure behind `stuck/*`. */
export interface ReflectionRepetition {
  /** Reflections with one before them. */
  pairs: number;
  /** Pairs that say the same. */
  same: number;
  /** Pairs that say nearly the same, the same ones included. */
  near: number;
}

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

/**
 * What changed between two attempts.
 *
 * - `error-cleared`: An error of the earlier attempt is gone; `text` is its signature.
 * - `error-new`: An error that the earlier attempt did not have.
 * - `error-persisting`: An error that both have.
 * - `counter`: A count of tests or the coverage, by its name.
 * - `check`: A check whose status differs; `text` is the tool.
 * - `file-new`: A file that the earlier attempt did not touch.
 * - `file-again`: A file that both touched.
 * - `action`: An action of the attempt.
 * - `lesson-new`: A lesson that the attempt could see and the earlier one could not.
 * - `strategy`: The strategy.
 * - `verification`: The kind of verification: the change of reward may not compare.
 */
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

/**
 * What became of a lesson.
 *
 * - `new`: Never seen before.
 * - `kept`: Word for word as before.
 * - `reworded`: Half of the words or more as before.
 * - `returned`: Not in the previous reflection, but in an older one.
 * - `dropped`: In the previous reflection, and no longer.
 */
export type LessonState = 'new' | 'kept' | 'reworded' | 'returned' | 'dropped';

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

/**
 * What recurs.
 *
 * - `lesson`: A lesson (`pattern/recurring-lesson`).
 * - `strategy`: An approach of successful iterations (`pattern/strategy`).
 * - `antipattern`: An error of failed iterations (`pattern/antipattern`).
 */
export type RecurringPatternKind = 'lesson' | 'strategy' | 'antipattern';

/**
 * What to do with a lesson (`pattern/success-rate`).
 *
 * - `inject`: Inject it: it went along with success.
 * - `prune`: Prune it: it did not, or has not been used for long.
 */
export type LessonAdvice = 'inject' | 'prune';

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
  /** Pearson correlation, -1..1; absent when there are too few pairs, only one outcome, or only one confidence. */
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

/**
 * How an iteration names an earlier reflection.
 *
 * - `related`: The record lists it in `related_reflections`.
 * - `used`: The record lists it in `previous_reflections_used`.
 */
export type ReflectionLinkKind = 'related' | 'used';

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

/** What to say of one run first. */
export interface RunVerdict {
  /** The run. */
  run: number;
  /** Where it was stuck, in order. */
  stuck: StuckStretch[];
  /** Whether all of its reflections have been compared. If not, it may be stuck where `stuck` does not say so. */
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
  /** The runs that it counts; there are none where it counts none, or is about one run. */
  runs?: number[];
  /** Number of the first attempt that it is about, in the headline of one run. */
  from?: number;
  /** Number of the last one. */
  to?: number;
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
   * How likely it is that the two differ at least as unevenly by chance: McNemar's exact test, two-sided, corrected by
   * Holm's method for the number of experiments that are compared with the first.
   */
  pValue?: number;
  /** Whether the difference is more than chance: its interval leaves out 0, and the p-value is less than 0.05. */
  isClear?: boolean;
}

/** Between which values something lies, with a confidence of 95 %. */
export interface ConfidenceInterval {
  /** The least. */
  low: number;
  /** The greatest. */
  high: number;
}

/**
 * Internal tests against hidden ones (`evaluator/trust`).
 *
 * The rates are given the internal verdict and each pair sums to 1: they are not the usual confusion rates.
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
   * Tasks with R reflections: their internal tests did not pass before the last attempt. The log does not say whether
   * they passed then.
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

/** Successes with and without memory (`retry/improvement`). What does not say how it ended is on neither side. */
export interface RetryImprovement {
  /** Retries that have ended, or tasks, with reflections in the window. */
  with: number;
  /** Those that were a success. */
  withSuccesses: number;
  /** Between which shares, 0..1, the rate of success lies with a confidence of 95 %; absent if there are none. */
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

/** One attempt over several runs. */
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
   * Mean reward of the runs that have one here. Where any run says how an attempt ended, only attempts that say so
   * count.
   */
  meanReward?: number;
  /** Those runs. */
  rewarded: number;
  /** Whether the mean is over fewer than 5 of them. */
  isFaint: boolean;
}

/** A rule of {@link LoadedRun.explain}. */
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

/**
 * What a rule needs beyond the columns.
 *
 * - `columns`: Nothing.
 * - `reflections`: The reflections.
 * - `attempts`: What was done and judged in each iteration.
 * - `verdicts`: Iterations of a success and of the failure after it.
 * - `records`: Reflections and iterations.
 */
export type RuleNeeds = 'columns' | 'reflections' | 'attempts' | 'verdicts' | 'records';

/** A text in which something was found. */
export interface SearchHit {
  /** The run; absent for files and records without one. */
  run?: number;
  /** The source that holds the text. */
  source: number;
  /** The record that holds the text; absent where columns do, and for files without a history. */
  record?: number;
  /** Position of the iteration in its run, from 0. */
  ordinal?: number;
  /** Number of the iteration as written. */
  number?: number;
  /** What was searched; absent if the query has no words: then the iteration as such is meant. */
  part?: SearchPart;
  /** The member that holds the text, in words: `root cause`, `message`, `stdout`. */
  name: string;
  /** Position in its list, from 0: of the action, say. */
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

/**
 * A part of what records say, searched or not as a whole. `output` and `raw` are large.
 *
 * - `task`: Key and task of the run, and criteria.
 * - `reflection`: Reflections with causes, insights, category and reasoning; rationale and strategies.
 * - `lessons`: Lessons.
 * - `actions`: Actions without their output, and the files that were modified.
 * - `errors`: Errors.
 * - `output`: Output of tools and actions, and named texts such as solutions.
 * - `raw`: Records as they are written.
 * - `text`: Files without a history in them.
 */
export type SearchPart = 'task' | 'reflection' | 'lessons' | 'actions' | 'errors' | 'output' | 'raw' | 'text';

/** A stretch of an excerpt that matches, in UTF-16 code units. */
export interface SearchMark {
  /** First unit, from 0. */
  start: number;
  /** The unit after the last one. */
  end: number;
}

/** How far a search has come. Counts are exact for what has been searched. */
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

/** A part of a query that means nothing, with its place. */
export interface QueryError {
  /** Which mistake. */
  code: QueryErrorCode;
  /** What is wrong and what would be right, in a sentence or two. */
  message: string;
  /** First UTF-16 code unit of that part, from 0. */
  start: number;
  /** The unit after its last one. */
  end: number;
  /** First byte of that part in UTF-8, from 0. */
  startByte: number;
  /** The byte after its last one. */
  endByte: number;
}

/**
 * Why a part of a query means nothing. The kebab-case spelling is the same in Rust, JavaScript and WIT.
 *
 * - `unknown-field`: No field has this name.
 * - `unclosed-quote`: A phrase has no end.
 * - `missing-value`: A field, a comparison or a phrase has nothing in it.
 * - `bad-number`: What is compared is no number.
 * - `empty-range`: The end of a range lies before its start.
 * - `not-a-number`: The field holds no number to compare.
 * - `unknown-value`: No such outcome, or nothing that `has:` knows.
 * - `not-here`: The list that is filtered does not know the field.
 */
export type QueryErrorCode =
  | 'unknown-field'
  | 'unclosed-quote'
  | 'missing-value'
  | 'bad-number'
  | 'empty-range'
  | 'not-a-number'
  | 'unknown-value'
  | 'not-here';

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

/** What may be decided about the rules of {@link explain} and {@link LoadedRun.explain}. */
export interface InsightOptions {
  /**
   * Rules to judge, by id, or by area as `stuck/*`. Empty: every rule that is on by default. {@link insightRules} lists
   * them. A name that fits no rule chooses nothing: where options are checked it is refused, and the error says which
   * known name is nearest.
   */
  rules?: readonly string[] | null;
  /** Ω for what an attempt could see, 0 to 10; absent: as recorded or assumed. */
  omega?: number | null;
  /** Change of reward against the reward before that counts as low, 0..1 (`diminishing/relative`). Default 0.05. */
  diminishingRelative?: number | null;
  /** Change of reward in points that counts as low (`diminishing/absolute`). Default 5. */
  diminishingPoints?: number | null;
  /** Low steps in a row that make a run diminishing, from 1 (`diminishing/*`). Default 2. */
  diminishingSteps?: number | null;
  /** Which iteration is taken as the result (`best/*`). Default `highest_quality_verified`. */
  selection?: ResultSelection | null;
  /** Reward that a selected iteration needs, 0..1 (`best/*`). Default 0.7. */
  selectionThreshold?: number | null;
  /** Whether the most recent iteration above the threshold must be a success, too. Default false. */
  requireVerification?: boolean | null;
  /** Attempts that the loop may make: `budget/*` is judged only with it. */
  maxIterations?: number | null;
  /** What the run is meant to reach (`drift/objective`); absent: its task. */
  objective?: string | null;
  /**
   * The clock, in milliseconds since 1970-01-01T00:00:00Z. Without it no lesson is called unused for long
   * (`pattern/success-rate`).
   */
  now?: Date | number | null;
}

/**
 * Which iteration is taken as the result of a run (`best/*`).
 *
 * - `highest_quality_verified`: The highest reward among verified ones above the threshold, else of all.
 * - `highest_quality`: The highest reward of all.
 * - `most_recent_above_threshold`: The last one above the threshold, else the last.
 */
export type ResultSelection = 'highest_quality_verified' | 'highest_quality' | 'most_recent_above_threshold';

/** What is searched. */
export interface SearchOptions {
  /** Which parts of records. Default `task`, `reflection`, `lessons`, `actions`, `errors`, `text`. */
  parts?: readonly SearchPart[] | null;
  /** The run to which the search is limited; absent: all are searched. */
  run?: number | null;
}

/** How an export is made. */
export interface ExportOptions {
  /** Its form. Default `history`. */
  kind?: ExportKind | null;
  /**
   * When it is made, as a time in UTC such as `2026-03-10T12:00:00Z`: hindscope has no clock. Without it an export does
   * not say.
   */
  created?: Date | string | null;
  /**
   * Whether a history keeps the records as they were written. If false, the parsed fields are written instead. Also
   * false when outputs, prompts or paths are left out, because the originals contain them. Default true.
   */
  originals?: boolean | null;
  /** Whether a history and JSON hold what tools, checks and stacks printed. Default true. */
  outputs?: boolean | null;
  /** Whether a history, JSON and reports hold what the agent was asked: tasks, criteria and prompts. Default true. */
  prompts?: boolean | null;
  /**
   * Whether absolute paths are written in full, and not as `…/name`. Records of reflection memory and charts are as
   * they are. Default true.
   */
  paths?: boolean | null;
  /** For `csv`: which table it is. Default `iterations`. */
  profile?: CsvProfile | null;
  /** For `json`: which answer it is. Default `runs`. */
  query?: JsonQuery | null;
  /** For `records`: how they stand in their file. Default `lines`. */
  layout?: RecordsLayout | null;
  /** For `records`: a JSON object with members that a record of reflection memory must have and others lack. */
  supply?: object | string | null;
  /** For `chart`: number of the first iteration that it draws; absent: from the beginning. */
  first?: number | null;
  /** For `chart`: number of the last one; absent: to the end. */
  last?: number | null;
  /** For `chart` and `report`: whether they write rewards as points, 0 to 100, in place of 0 to 1. Default false. */
  points?: boolean | null;
  /** For `report`: whether it holds the texts of reflections. Default true. */
  reflections?: boolean | null;
  /** Ids of runs. Default: everything. */
  runs?: readonly number[] | null;
}

/**
 * The form of an export.
 *
 * - `history`: Records as JSON Lines, to be opened again: `*.hindscope.jsonl`.
 * - `csv`: A table, one row an iteration.
 * - `markdown`: A report for people.
 * - `json`: An answer of the history, in an envelope.
 * - `records`: Reflection memory records.
 * - `chart`: The chart of one run, as SVG.
 * - `report`: A report for people as one HTML file, with charts; it loads nothing from a network.
 */
export type ExportKind = 'history' | 'csv' | 'markdown' | 'json' | 'records' | 'chart' | 'report';

/**
 * Which table a CSV is. A text cell that a spreadsheet would take for a formula gets an apostrophe in front, also where
 * semicolons or tabs would separate its cells.
 *
 * - `iterations`: One row an iteration, for any number of runs: `group`, `run`, `number`, `ordinal`, `outcome`,
 *   `outcome_detail`, `reward`, `reward_origin`, `reward_rule`, `delta`, `errors`, `error_delta`, `is_improvement`,
 *   `time`, `ms`, `tests_passed`, `tests_failed`, `tests_total`, `tokens`, `cost_usd`, `reflections`, `findings`,
 *   `source`, `line`, `verdict`.
 * - `analytics`: One run, with the header of the format `analytics-csv`: it can be opened again.
 */
export type CsvProfile = 'iterations' | 'analytics';

/**
 * Which answer is written as JSON.
 *
 * - `runs`: The list of runs.
 * - `run`: Runs with their iterations, each in full.
 * - `findings`: The findings: problems in what was opened.
 * - `explain`: What the runs show.
 */
export type JsonQuery = 'runs' | 'run' | 'findings' | 'explain';

/**
 * How records stand in a file.
 *
 * - `lines`: JSON Lines.
 * - `array`: A JSON array.
 * - `document`: One JSON document: there must be one record.
 */
export type RecordsLayout = 'lines' | 'array' | 'document';

/** How much an archive may hold. What goes beyond is reported, and not unpacked. */
export interface UnpackLimits {
  /** Bytes of all entries together, unpacked. Default 16 GiB. */
  total?: number | null;
  /** How many times as large as its packed bytes an entry may become. Default 1000. */
  ratio?: number | null;
  /**
   * Unpacked bytes up to which an entry may have any ratio; four times as many for all entries together, to which the
   * ratio applies, too. Default 64 MiB.
   */
  ratioAfter?: number | null;
  /** Entries of an archive; ten times as many of an export of hindscope. Default 100,000. */
  entries?: number | null;
}
