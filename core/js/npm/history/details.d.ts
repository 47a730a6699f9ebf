/**
 * A record in full.
 *
 * @module
 */
import type { Outcome, RewardOrigin, RewardScale } from '../types.js';

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

/** Deltas as a record states them. */
export interface StoredDeltas {
  /** `reward_change`. */
  rewardChange?: number;
  /** `error_count_change`. */
  errorCountChange?: number;
  /** `is_improvement`. */
  isImprovement?: boolean;
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
  /**
   * Words that qualify the attempt: `approximate`, `attempts-unknown`, `human-override`,
   * `last-trial`.
   */
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
