/**
 * What a memory answers.
 *
 * @module
 */
import type { Finding } from '../data.js';
import type { RetryImprovement } from '../history/data.js';
import type { MemoryAnswer } from './tasks.js';

/** A task as it stands. */
export interface TaskAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'task';
  /** Its id. */
  task: string;
  /** Its status. */
  status: TaskStatus;
  /** When, as written. */
  time: string;
}

/**
 * Where a task stands.
 *
 * - `running`: It is worked on, or waits for the next attempt.
 * - `paused`: It waits for somebody.
 * - `completed`: It is done.
 * - `failed`: It was abandoned.
 */
export type TaskStatus = 'running' | 'paused' | 'completed' | 'failed';

/** An attempt that has begun. */
export interface AttemptAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'attempt';
  /** Id of the task. */
  task: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** When, as written. */
  time: string;
  /** What the agent begins with, as `plan.md` has it. */
  plan: string;
  /** Reflections of earlier attempts that the plan takes in, oldest first, as they are stored. */
  reflections: StoredRecord[];
}

/**
 * A record as it is stored: members in the spelling and the order of its file, also those that hindscope does not know.
 */
export type StoredRecord = Record<string, unknown>;

/** An action that is logged. */
export interface ActionAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'action';
  /** Id of the task. */
  task: string;
  /** Number of the attempt. */
  attempt: number;
  /** How many actions the attempt has with it, as far as `attempt.json` knows. */
  actions: number;
  /** When, as written. */
  time: string;
}

/** A file of an iteration that is kept. */
export interface ResultAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'result';
  /** Id of the task. */
  task: string;
  /** Number of the attempt. */
  attempt: number;
  /** Number of the iteration. */
  iteration: number;
  /** The file, below the root of the memory. */
  path: string;
}

/** An attempt that has ended. */
export interface CompletedAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'completed';
  /** Id of the task. */
  task: string;
  /** Number of the attempt. */
  attempt: number;
  /** How it ended. */
  outcome: AttemptOutcome;
  /** What became of the task. */
  status: TaskStatus;
  /** When, as written. */
  time: string;
  /** The reflections that were stored: on the attempt, and on the task where this ended it. */
  reflections: StoredRecord[];
  /** The first of them in the template of the memory (layout `episodic`). */
  rendered: string;
}

/**
 * How an attempt ended.
 *
 * - `success`: It did what was asked.
 * - `failure`: It did not.
 * - `timeout`: It was cut off.
 */
export type AttemptOutcome = 'success' | 'failure' | 'timeout';

/** A reflection that is added. */
export interface ReflectedAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'reflected';
  /** Id of the task. */
  task: string;
  /** Number of the attempt. */
  attempt: number;
  /** When, as written. */
  time: string;
  /** As it is stored. */
  reflection: StoredRecord;
  /** In the template of the memory (layout `episodic`). */
  rendered: string;
}

/** What a task remembers. Records are as they are stored, whatever members they have. */
export interface TaskHistory extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'history';
  /** Id of the task. */
  task: string;
  /** `metadata.json`. */
  metadata?: StoredRecord;
  /** `summary.json`. */
  summary?: StoredRecord;
  /** The attempts that were asked for, in order. */
  attempts: AttemptHistory[];
  /** The reflections that were asked for, in their order. */
  reflections: StoredRecord[];
  /** Actions that fit and that `limit` left out. */
  actionsLeftOut: number;
  /** Reflections that fit and that `limit` left out. */
  reflectionsLeftOut: number;
}

/** One attempt. */
export interface AttemptHistory {
  /** Its number. */
  attempt: number;
  /** How it ended; absent if it has not ended, or if that is unknown. */
  outcome?: AttemptOutcome;
  /** `attempt.json`. */
  record?: StoredRecord;
  /** `outcome.json`. */
  ending?: StoredRecord;
  /** `plan.md`. */
  plan?: string;
  /** The actions that were asked for, in their order. */
  actions: StoredRecord[];
  /** How many actions it has. */
  actionCount: number;
  /** What its iterations have made, in order. */
  results?: IterationResults[];
}

/** The files of `results/iter-NNN`. */
export interface IterationResults {
  /** Number of the iteration. */
  iteration: number;
  /** By name. */
  files: ResultFile[];
}

/** A file that an iteration has made. */
export interface ResultFile {
  /** Its name. */
  name: string;
  /** The file, below the root of the memory. */
  path: string;
  /** What it holds, if that was asked for. */
  text?: string;
  /** What it holds where that is no text, as base64. */
  base64?: string;
}

/** Tasks and reflections by relevance, best first; of equal ones the first by name. */
export interface FoundTasks extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'found';
  /** Those that share a word; all of them where there is no query. */
  tasks: FoundTask[];
  /** Tasks that were compared. */
  compared: number;
  /** What iterations of loops taught and `reflect` stored, best first; only a search by words finds any. */
  reflections: FoundReflection[];
}

/** A task that shares words with a query. */
export interface FoundTask {
  /** Its id. */
  task: string;
  /** BM25; only the order means something. 0 where there is no query. */
  score: number;
  /** The words that it shares, sorted. */
  terms: string[];
  /** The task in words. */
  description: string;
  /** Its status, if it is one that is known. */
  status?: TaskStatus;
  /** Up to five lessons: those that share a word with the query first, then the latest first. */
  lessons: TaskLesson[];
}

/** What a task taught. */
export interface TaskLesson {
  /** Id of the task. */
  task: string;
  /** What it taught. */
  lesson: string;
}

/** A reflection of a loop that shares words with a query. */
export interface FoundReflection {
  /** Id of the loop. */
  loop: string;
  /** Number of the iteration. */
  iteration: number;
  /** BM25 among the iterations; only the order means something. */
  score: number;
  /** The words that it shares, sorted. */
  terms: string[];
  /** What the loop is to do. */
  task?: string;
  /** What it says. */
  reflection: string;
  /** What the next iteration should do differently. */
  strategyChange?: string;
  /** The file, below the root of the memory. */
  path: string;
}

/** Whether reflections made retries better. */
export interface ImprovementAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'improvement';
  /**
   * The counts. A retry is any attempt but the first, if it has an outcome. It counts as one with reflections if its
   * plan took any in; where that is not recorded, if an earlier attempt has any.
   */
  retries: RetryImprovement;
  /** Tasks that were counted. */
  tasks: number;
  /** Attempts that have no outcome, and so do not count. */
  open: number;
}

/** A reflection of a loop that is stored, and what comes next. */
export interface IterationAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'iteration';
  /** Id of the loop. */
  loop: string;
  /** Number of the iteration. */
  iteration: number;
  /** The file. */
  path: string;
  /** When, as written. */
  time: string;
  /** What it says. */
  reflection: string;
  /** Whether `reflection` was made from the outcome, actions and errors, because the host gave none. */
  isAutomatic: boolean;
  /** Whether the loop is stuck now, by the rule that an explanation goes by. */
  isStuck: boolean;
  /** What the rules say of repetition up to here (`stuck/*`). */
  stuck: Finding[];
  /** Lessons, approaches and failures that recur in the loop (`pattern/*`), as they are stored. */
  patterns: StoredRecord[];
  /** Numbers of the iterations whose reflections the next one is given, oldest first. */
  held: number[];
  /** The text that it is given: the reflections, and that the loop is stuck, if it is. */
  window: string;
  /**
   * The iteration as a reflection-memory record. Absent if the record would break its schema, which allows neither
   * every loop id nor an Ω of 0.
   */
  record?: StoredRecord;
}

/** What was inspected. The findings of the call say what is wrong, its writes mend it. */
export interface HealthAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'health';
  /** Whether nothing is wrong: no finding is a warning or an error. */
  isSound: boolean;
  /** Tasks. */
  tasks: number;
  /** Attempts. */
  attempts: number;
  /** Actions that can be read. */
  actions: number;
  /** Reflections that can be read. */
  reflections: number;
  /** Files that hold what could not be used, the new ones included. */
  keptAside: string[];
  /** Files that were written, or without `mend` would be. */
  writes: string[];
}

/** A finding, and the file or folder that it is about. */
export interface MemoryFinding extends Finding {
  /** The file or folder, below the root of the memory. */
  path: string;
}

/**
 * Why a reflection was written.
 *
 * - `failure`: The attempt failed.
 * - `success`: It succeeded.
 * - `timeout`: It was cut off.
 * - `manual`: Somebody wanted it.
 */
export type ReflectionTrigger = 'failure' | 'success' | 'timeout' | 'manual';

/** What is to be tried, as `attempt.json` has it. */
export interface AttemptPlan {
  /** The idea. */
  approach?: string;
  /** In the order in which they are to be taken. */
  steps?: string[];
  /** How many iterations it may take. */
  estimatedIterations?: number;
}

/** The parts of a reflection. In JSON a plain text is one, too: its `learning`. */
export interface ReflectionText {
  /** What happened. */
  observation?: string;
  /** Why it happened. */
  analysis?: string;
  /** What to do differently. */
  learning?: string;
  /** Steps to take. */
  actionItems?: string[];
}

/** An event on the way, as `trajectory.json` has it. */
export interface TaskMilestone {
  /** When, as an RFC 3339 date-time. */
  timestamp?: string;
  /** What. */
  event: string;
  /** More of it. */
  details?: string;
}

/** The `hook:` block of a workflow. */
export interface HookSettings {
  /** Kinds of loops whose iterations are stored; empty: all. */
  scope: string[];
  /** Where the iterations go, below the folder of the workflow: it ends with `reflections/loops`. */
  outputPath?: string;
  /** How many reflections the next iteration is given, 0 to 10. */
  k?: number;
  /**
   * How many reflections must say the same for the loop to be stuck, from 2. Other rules `stuck/*` have numbers of
   * their own.
   */
  stuckAfter?: number;
}
