/**
 * What a memory is asked, and what it answers.
 *
 * @module
 */
import type { RetryImprovement } from '../history/insight.js';
import type { Awaitable, Finding, WindowLayout } from '../types.js';

/** How an attempt ended. */
export type AttemptOutcome = 'success' | 'failure' | 'timeout';

/** Where a task stands. */
export type TaskStatus = 'running' | 'paused' | 'completed' | 'failed';

/** Why a reflection is written. */
export type ReflectionTrigger = 'failure' | 'success' | 'timeout' | 'manual';

/** A record as it is stored, in the spelling of its file, with members that hindscope does not know. */
export type StoredRecord = Record<string, unknown>;

/** A finding about a file of the memory. */
export interface MemoryFinding extends Finding {
  /** The file or folder, below the root of the memory. */
  path: string;
}

/** What every answer has. */
export interface MemoryAnswer {
  /** Problems found in what was read, or in the request. */
  findings: MemoryFinding[];
}

/** A task to be opened. */
export interface InitTask {
  /** Its id, the name of a folder. Default: `task-NNN` after the highest there is. */
  id?: string | null;
  /** The task in words. */
  description: string;
  /** When it counts as done. */
  completionCriteria?: string | null;
  /** Labels. */
  tags?: string[] | null;
  /** Ids of other tasks. */
  relatedTasks?: string[] | null;
}

/** What is to be tried. */
export interface AttemptPlan {
  /** The idea. */
  approach?: string;
  /** In the order in which they are to be taken. */
  steps?: string[];
  /** How many iterations it may take. */
  estimatedIterations?: number;
}

/** What a task taught. */
export interface TaskLesson {
  /** Id of the task. */
  task: string;
  /** What it taught. */
  lesson: string;
}

/** An attempt to be begun. */
export interface StartAttempt {
  /** Who works. */
  agent?: string | null;
  /**
   * What is to be tried. Default: the latest reflection, its learning as the approach and its action
   * items as the steps.
   */
  plan?: AttemptPlan | null;
  /** Leaves reflections of earlier attempts out of the plan: an attempt to compare with. */
  withoutReflections?: boolean | null;
  /** How many of the latest reflections the plan takes in. Default: all of them. */
  omega?: number | null;
  /** Tokens that they may have together. Default: no limit. */
  tokenBudget?: number | null;
  /** Lessons of similar tasks for the plan. A number N: the best lesson from each of the N most similar. */
  similar?: TaskLesson[] | number | null;
}

/** What was done. Spelled as it is stored; further members are kept. */
export interface LoggedAction {
  /**
   * Kind. This or `tool` is given. Another word than these is stored as `other`, and as the name of the tool, or as
   * `kind` where the tool has a name.
   */
  type?: 'read' | 'write' | 'bash' | 'grep' | 'glob' | 'task' | 'edit' | (string & {});
  /** Name of the tool. */
  tool?: string;
  /** Number of the iteration inside of the attempt. */
  iteration?: number;
  /** What the tool was called with. */
  params?: StoredRecord;
  /** Whether it worked. */
  success?: boolean;
  /** What came of it. */
  output?: unknown;
  /** What went wrong. */
  error?: string | null;
  /** Why it was done. */
  reasoning?: string;
  /** What was expected of it. */
  expected_outcome?: string;
  /** Quality of the work by then, 0..1. While the attempt goes on, `attempt.json` lists the ratings of 256 iterations at most. */
  quality?: number;
}

/** The parts of a reflection. */
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

/** An event on the way. */
export interface TaskMilestone {
  /** When, as an RFC 3339 date-time. */
  timestamp?: string;
  /** What. */
  event: string;
  /** More of it. */
  details?: string;
}

/** How an attempt ended, and what it taught. */
export interface CompleteAttempt {
  /** Number of the attempt. Default: the latest. */
  attempt?: number | null;
  /** How it ended. */
  outcome: AttemptOutcome;
  /** Why it ended so. */
  reason?: string | null;
  /** Quality at the end, 0..1. */
  finalQuality?: number | null;
  /** How much was done, 0..100. */
  completionPercent?: number | null;
  /** What helped. */
  whatWorked?: string[] | null;
  /** What did not. */
  whatDidntWork?: string[] | null;
  /** For the next attempt. */
  suggestionsForNextTime?: string[] | null;
  /** What happened on the way. */
  milestones?: TaskMilestone[] | null;
  /**
   * The reflection, usually in the words of your model: a function is called with the attempt. What it
   * leaves out is filled from facts: counts, errors, reasons; so is all of it if it returns nothing.
   */
  reflection?: ReflectionText | null | ((attempt: AttemptHistory) => Awaitable<ReflectionText | null | undefined>);
  /** What becomes of the task. Default: a success completes it, anything else leaves it running. */
  taskStatus?: TaskStatus | null;
  /** The reflection on the whole task, where this ends it; a function is called with its history. */
  taskReflection?: ReflectionText | null | ((task: TaskHistory) => Awaitable<ReflectionText | null | undefined>);
}

/** Filters of a history. All that are given have to fit. */
export interface QueryHistory {
  /** Number of the only attempt to list. */
  attempt?: number | null;
  /** Reflections alone: neither plans nor actions are read. */
  reflectionsOnly?: boolean | null;
  /** Attempts that ended so. */
  outcome?: AttemptOutcome | null;
  /** Actions and reflections from this time on, as an RFC 3339 date-time or a Date. */
  since?: string | Date | null;
  /** Actions and reflections before this time. */
  until?: string | Date | null;
  /** Actions and reflections that have this in any of their texts, whatever its case. */
  text?: string | null;
  /** How many actions and how many reflections are listed at most, the latest ones. */
  limit?: number | null;
}

/** An iteration of a loop, and what it taught. */
export interface LoopIteration {
  /** Number of the iteration, from 1. Default: after the highest there is. */
  iteration?: number | null;
  /** What the loop is to do. */
  task?: string | null;
  /** What was done, in order, a sentence each. */
  actions?: string[] | null;
  /** How it ended. Leave it out where nobody has judged it. */
  outcome?: 'success' | 'failure' | 'partial' | null;
  /** What went wrong. */
  errors?: string[] | null;
  /** Paths of the files that were changed. */
  filesModified?: string[] | null;
  /**
   * What was learned, usually in the words of your model: a function is called with the other members.
   * Default: a sentence each on what was attempted, what came of it, and what went wrong.
   */
  reflection?: string | null | ((iteration: Omit<LoopIteration, 'reflection'> & { loop: string }) => Awaitable<string | null | undefined>);
  /** What the next iteration should do differently. */
  strategyChange?: string | null;
  /** How many of the latest reflections the next iteration is given, 0..10. Default 5. */
  omega?: number | null;
  /** How they are laid out. Default `aiwg-template`. */
  layout?: WindowLayout | null;
}

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
  /** Reflections of earlier attempts that the plan takes in, oldest first. */
  reflections: StoredRecord[];
}

/** An action that is logged. */
export interface ActionAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'action';
  /** Id of the task. */
  task: string;
  /** Number of the attempt. */
  attempt: number;
  /** How many actions the attempt has with it. */
  actions: number;
  /** When, as written. */
  time: string;
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

/** What a task remembers. */
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
  /** How it ended; absent if it has not ended, or that is unknown. */
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
}

/** Tasks by relevance, best first. */
export interface FoundTasks extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'found';
  /** Those that share a word. */
  tasks: FoundTask[];
  /** Tasks that were compared. */
  compared: number;
  /** What iterations of loops taught and `reflect` stored, best first; only `search` finds any. */
  reflections: FoundReflection[];
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
  /** What it taught, five lessons at most: first what shares a word, then the latest. */
  lessons: TaskLesson[];
}

/** Whether reflections made retries better. */
export interface ImprovementAnswer extends MemoryAnswer {
  /** Which answer this is. */
  kind: 'improvement';
  /** The counts: attempts behind the first that have an outcome, by whether their plan took reflections in. */
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
  /** Whether that was made from the outcome, actions and errors, because none was given. */
  isAutomatic: boolean;
  /** Whether the loop is stuck now, as `isStuck` of an explanation says it. */
  isStuck: boolean;
  /** What the rules say of repetition up to here (`stuck/*`). */
  stuck: Finding[];
  /** Lessons, approaches and failures that recur in the loop (`pattern/*`), as they are stored. */
  patterns: StoredRecord[];
  /** Numbers of the iterations whose reflections the next one is given, oldest first. */
  held: number[];
  /** The text that it is given: the reflections, and that the loop is stuck, if it is. */
  window: string;
  /** The iteration as a reflection-memory record; absent where the loop's id is none that its schema allows. */
  record?: StoredRecord;
}

/** What was inspected. */
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
