/**
 * A record in full.
 *
 * @module
 */
import type { Origin, Outcome, Scale } from './words.js';

/** A number with its name, as the record spells it. */
export interface Counter {
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
export interface Check {
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
export interface Action {
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
  /** Named as failing by the reflection of the same record. */
  isCredited: boolean;
}

/** A lesson written after an attempt. */
export interface Reflection {
  /** Position among the reflections of its record. */
  part: number;
  /** The text, untouched. */
  text: string;
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
  scale: Scale;
  /** Reported or derived. */
  origin: Origin;
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

/** Everything that a record says of one iteration. */
export interface Details {
  /** The record. */
  record?: number;
  /** Format id. */
  format: string;
  /** Key of the run as this record states it. */
  key?: string;
  /** Number as written. */
  number?: number;
  /** Time as written. */
  time?: string;
  /** Task description or prompt. */
  task?: string;
  /** How the attempt ended. */
  outcome?: Outcome;
  /** The finer word. */
  outcomeDetail?: string;
  /** Its reward. */
  reward?: RewardView;
  /** Kind of verification. */
  verification?: string;
  /** Why the agent did what it did. */
  rationale?: string;
  /** Strategy of this attempt. */
  strategy?: string;
  /** Strategy for the next attempt. */
  strategyNext?: string;
  /** Named counts: tests, coverage, lint and type errors, changed lines. */
  counters?: Counter[];
  /** Tool results. */
  checks?: Check[];
  /** Errors. */
  errors?: ErrorDetails[];
  /** Actions, in order; the position is the action index. */
  actions?: Action[];
  /** Files that the record lists as modified. */
  files?: string[];
  /** Reflections written in this iteration. */
  reflections?: Reflection[];
  /** The window as the record states it. */
  window?: RecordedWindow;
  /** Deltas as the record states them. */
  stored?: StoredDeltas;
  /** Named texts without a place of their own: solution, canonical solution, tests, notes. */
  texts?: NamedText[];
}
