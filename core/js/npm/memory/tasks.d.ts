/**
 * What a memory is asked, and what it answers.
 *
 * @module
 */
import type { AttemptHistory, AttemptOutcome, AttemptPlan, MemoryFinding, ReflectionText, StoredRecord, TaskHistory, TaskLesson, TaskMilestone, TaskStatus } from './data.js';
import type { Awaitable, WindowLayout } from '../types.js';

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

/** A file that an iteration of an attempt has made: either its text, or its bytes as base64. */
export interface AddResult {
  /** Number of the attempt. Default: the latest. */
  attempt?: number | null;
  /** Number of the iteration, from 1. */
  iteration: number;
  /** Name of the file; one that the iteration does not have yet. */
  name: string;
  /** What it holds. */
  text?: string | null;
  /** What it holds where that is no text, as base64. */
  base64?: string | null;
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
   * leaves out is filled from facts: counts, errors, reasons; so is all of it if it returns nothing. A plain text is
   * the `learning`.
   */
  reflection?: ReflectionText | string | null | ((attempt: AttemptHistory) => Awaitable<ReflectionText | string | null | undefined>);
  /** What becomes of the task. Default: a success completes it, anything else leaves it running. */
  taskStatus?: TaskStatus | null;
  /** The reflection on the whole task, where this ends it; a function is called with its history. */
  taskReflection?: ReflectionText | string | null | ((task: TaskHistory) => Awaitable<ReflectionText | string | null | undefined>);
}

/** Filters of a history. All that are given have to fit. */
export interface QueryHistory {
  /** Number of the only attempt to list. */
  attempt?: number | null;
  /** Reflections alone: neither plans nor actions are read. */
  reflectionsOnly?: boolean | null;
  /** Files of iterations with what they hold. Default: they are only listed. */
  results?: boolean | null;
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
  /** How many reflections must say the same for the loop to be stuck, from 2. Default 3. Other rules `stuck/*` have numbers of their own. */
  stuckAfter?: number | null;
  /**
   * Id of the event that this iteration is. If an iteration of the loop has it, that one is the answer, and nothing is
   * stored a second time: a host that does not know whether its call went through can make it again.
   */
  eventId?: string | null;
}
