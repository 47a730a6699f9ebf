/**
 * What `hindscope COMMAND --json` prints, for scripts that read it. Members are added over time and
 * never renamed. Paths are as someone in the current folder would write them.
 *
 * @module
 */
import type { WindowEntry } from '../contract/index.js';
import type {
  AttemptDetails,
  EvaluatorTrust,
  ExperimentComparison,
  GroupAggregate,
  GroupView,
  Headline,
  InjectedReflections,
  InsightRule,
  IterationView,
  Reflection,
  RetryImprovement,
  RunDetails,
  RunExplanation,
  RunVerdict,
  RunView,
  SearchHit,
  SearchProgress,
  SourceTotals,
  WindowView,
} from '../history/index.js';
import type { CorrectResult, EvaluateResult, LoopResult } from '../loop/index.js';
import type {
  ActionAnswer,
  AttemptAnswer,
  CompletedAnswer,
  FoundTasks,
  HealthAnswer,
  IterationAnswer,
  ResultAnswer,
  TaskAnswer,
  TaskHistory,
} from '../memory/index.js';
import type { ErrorCode, Finding, FindingGroup, Outcome, SourceState, ValidationProfile, WindowLayout } from '../types.js';

/** `stats` */
export interface StatsAnswer {
  /** What was opened. */
  paths: string[];
  /** What it added up to. */
  added: SourceTotals;
  /** Findings in all of it. */
  findings: number;
  /** How many runs ended how. */
  outcomes: { [outcome in Outcome]?: number };
  /** Groups, with their runs attempt by attempt. */
  groups: (GroupView & { headline: Headline; aggregate: GroupAggregate; retries: RetryImprovement; trust?: EvaluatorTrust })[];
  /** Every run. */
  runs: (RunView & { verdict: RunVerdict })[];
}

/** `compare` */
export type CompareAnswer = ExperimentComparison;

/** The run that an answer is about. */
export interface OfRun {
  /** Its row. */
  run: RunView;
  /** Label of its group. */
  group: string;
}

/** `history` */
export interface HistoryAnswer extends OfRun {
  /** Where it was stuck, and how it ended. */
  verdict: RunVerdict;
  /** What records say of it as a whole. */
  about: RunDetails[];
  /** With `--attempt`: what is said of it first. */
  headline?: Headline;
  /** Its attempts in full, or the one that was asked for. */
  attempts: (IterationView & Place & { details: AttemptDetails })[];
}

/** `history --reflections` */
export interface ReflectionsAnswer extends OfRun {
  /** Where it was stuck, and how it ended. */
  verdict: RunVerdict;
  /** In the order in which they were written, with number and outcome of their attempt. */
  reflections: (Reflection & Place & { number: number; outcome: Outcome })[];
}

/** Where something stands. */
export interface Place {
  /** Path of the file. */
  path: string;
  /** Line, from 1. */
  line: number;
}

/** `history --export FILE` */
export interface WrittenAnswer {
  /** What it is, as in `ExportOptions.kind`. */
  kind: string;
  /** Where it is. */
  file: string;
  /** How long it is. */
  bytes: number;
}

/** `convert --out FILE` */
export interface ConvertAnswer extends WrittenAnswer {
  /** What `--to` calls it. */
  form: string;
}

/** `replay` */
export interface ReplayAnswer extends OfRun {
  /** Number of the attempt. */
  at: number;
  /** What it could see. */
  injected: InjectedReflections;
  /** The attempt in full, its actions in order. */
  attempt: AttemptDetails;
}

/** `search` */
export interface SearchAnswer {
  /** The query. */
  query: string;
  /** Hits, run by run; of files without a history without a run. */
  hits: (SearchHit & { key?: string; group?: string; path: string; line?: number })[];
  /** `--limit` has left some out. */
  isMore: boolean;
  /** How far it went. */
  progress: SearchProgress;
}

/** `insights` */
export interface InsightsAnswer {
  /** Every chosen run. */
  runs: { key: string; group: string; explanation: RunExplanation }[];
}

/** `insights --rules` */
export interface RulesAnswer {
  /** Every rule. */
  rules: InsightRule[];
}

/** `window` */
export interface WindowAnswer extends OfRun {
  /** What is held and what is not. */
  window: WindowView & { entries: WindowEntry[] };
  /** How `text` is written. */
  layout: WindowLayout;
  /** The text for the prompt. */
  text: string;
}

/** `validate`: findings in groups, the gravest first */
export type ValidateAnswer = Validated<FindingGroup>;

/** `validate --all`: each finding by itself, in the order of the file */
export type ValidateAllAnswer = Validated<Finding>;

/** What both say of files. */
export interface Validated<Found> {
  /** How it was judged. */
  profile: ValidationProfile;
  /**
   * Whether all files pass. This is not the `valid` of a record: without `--strict`, records need only be
   * usable.
   */
  valid: boolean;
  /** Each file. */
  files: {
    path: string;
    /** Format id; with `--schema` the schema. */
    format?: string;
    state: SourceState;
    reason?: string;
    kept: number;
    repaired: number;
    skipped: number;
    /** Whether it passes. */
    valid: boolean;
    findings: Found[];
  }[];
}

/** `view` */
export interface ViewAnswer {
  /** Address of the page. */
  address: string;
  /** Port that it is served at. */
  port: number;
  /** Runs in it; 0 with --empty and --follow. */
  runs: number;
  /** Bytes of the history in it; 0 with --empty and --follow. */
  carried: number;
}

/** `doctor` */
export interface DoctorAnswer extends HealthAnswer {
  /** The folder of the memory. */
  folder: string;
  /** Whether something was written, with `--mend`; then `isSound` is what a second look says. */
  isMended: boolean;
  /** Errors of `reflect` where a hook called it, oldest first: time, code and message in a line. */
  hookErrors: string[];
  /** How many iterations of the hook wait to be stored. */
  waiting: number;
  /** Iterations of the hook that cannot be stored as they are: the file, why, and what to do about it. */
  refused: { path: string; why: string; hint: string }[];
}

/** `task`: of init, start, log, result, complete, recall and list */
export type TaskCommandAnswer = TaskAnswer | AttemptAnswer | ActionAnswer | ResultAnswer | CompletedAnswer | TaskHistory | FoundTasks;

/** `reflect` */
export type ReflectAnswer = IterationAnswer | WaitingAnswer | OutOfScopeAnswer;

/** `reflect` as a hook, where others write to the memory for too long: the iteration is stored later. */
export interface WaitingAnswer {
  /** Which answer this is. */
  kind: 'waiting';
  /** Id of the loop. */
  loop: string;
  /** The file in which it waits. */
  path: string;
  /** How many wait with it. */
  waiting: number;
}

/** `reflect --workflow FILE --scope KIND`, where the workflow leaves loops of this kind alone. */
export interface OutOfScopeAnswer {
  /** Which answer this is. */
  kind: 'out-of-scope';
  /** The kinds of loops that it stores. */
  scope: string[];
}

/** `loop`: of a loop, of one evaluation, or of one correction */
export type LoopAnswer = LoopResult | EvaluateResult | CorrectResult;

/** A line of standard error: something beside the answer. */
export interface NoteAnswer {
  /** What there is to say. */
  note: string;
}

/** The last line of standard error, in place of an answer, if a command is refused. */
export interface RefusedAnswer {
  /** Why there is no answer: a code, a sentence, what to do about it, and what it is about. */
  error: { code: ErrorCode | RefusalCode; message: string; hint?: string; details: Record<string, unknown> };
}

/** Codes that only the command line has. */
export type RefusalCode =
  | 'ambiguous-run'
  | 'bug'
  | 'file-exists'
  | 'invalid-query'
  | 'missing-argument'
  | 'no-page'
  | 'no-runs'
  | 'no-terminal'
  | 'port-taken'
  | 'too-large'
  | 'too-many-arguments'
  | 'unknown-command'
  | 'unknown-option'
  | 'unwritable-output';
