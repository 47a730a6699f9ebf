/**
 * An episodic memory: tasks, the attempts at them, what was done in each and what it taught, in files
 * that people can read and that `openHistory` opens.
 *
 * @module
 */
import type { ActionAnswer, AttemptAnswer, CompletedAnswer, FoundTasks, HealthAnswer, HookSettings, ImprovementAnswer, IterationAnswer, ReflectedAnswer, ReflectionText, ReflectionTrigger, ResultAnswer, TaskAnswer, TaskHistory, TaskStatus } from './data.js';
import type { MemoryStore } from './store.js';
import type { AddResult, CompleteAttempt, InitTask, LoggedAction, LoopIteration, QueryHistory, StartAttempt } from './tasks.js';

/** How a memory is opened. */
export interface MemoryOptions {
  /**
   * The clock, as a Date or in milliseconds. Times never go back: where it says one that is earlier than
   * the task knows, that one is written again, and `memory/clock-back` says so. Default `Date.now`.
   */
  now?: (() => Date | number) | null;
  /** For how long a call that writes waits for others, in milliseconds. Default 30000. */
  waitMs?: number | null;
}

/**
 * Reads the `hook:` block of a workflow, in YAML, or in the front matter or a code block of Markdown, as `hindscope reflect --workflow` does.
 *
 * @throws {@link HindscopeError} `invalid-request` if there is no block, or if it has a member that nobody knows or a
 * value that the member cannot have.
 *
 * @example What a loop asks for
 * ```js
 * import { hookSettings } from 'hindscope/memory';
 *
 * const { scope, k } = hookSettings('hook:\n  scope: [ralph-loop]\n  k: 3\n');
 * console.log(scope, k); // → [ 'ralph-loop' ] 3
 * ```
 */
export function hookSettings(workflow: string): HookSettings;

/**
 * A memory in a store. Every call reads what it needs, so several processes may work on one store; calls
 * that write take the store's lock meanwhile, in the order in which they are made.
 *
 * Problems found in what was read come back as `findings` of the answer. A call that cannot be answered
 * throws a {@link HindscopeError}, and then nothing came of it, with one exception: if a write after the
 * first fails, its `details.written` says how many were done. What is new is in the first, so do not make
 * such a call again: {@link EpisodicMemory.doctor} writes the rest of a change to a task, and the next
 * iteration writes the patterns of a `reflect`. Only a repair that was cut off is run again.
 *
 * All calls may throw `not-ready`, `invalid-request`, `invalid-option`, `path-refused` for an id that
 * cannot be the name of a folder, and `memory-unreadable`. Those that write: `memory-conflict` if another process
 * without a lock wrote the same file again and again, `store-locked`, `store-full`, `store-denied`,
 * `store-failed`.
 *
 * @example From a task to what it taught
 * ```js
 * import { EpisodicMemory } from 'hindscope/memory';
 * import { DirectoryStore } from 'hindscope/stores/directory';
 *
 * const memory = await EpisodicMemory.open(new DirectoryStore('memory-of-a-loop'));
 * const { task } = await memory.initTask({ description: 'Make the build green.', tags: ['build'] });
 * await memory.startAttempt(task, { agent: 'coder', plan: { approach: 'Clear the cache.' } });
 * await memory.logAction(task, { type: 'bash', params: { command: 'make' }, success: false, error: 'exit 2' });
 * await memory.completeAttempt(task, { outcome: 'failure', reflection: { learning: 'Install make first.' } });
 *
 * const { attempt, plan } = await memory.startAttempt(task);
 * console.log(attempt, plan.includes('Install make first.')); // → 2 true
 * ```
 */
export class EpisodicMemory {
  /**
   * Opens a memory. Nothing is written before the first call that does.
   *
   * @throws {@link HindscopeError} `invalid-option`, `store-missing`.
   *
   * @example With a clock of one's own
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore(), { now: () => new Date(0), waitMs: 1000 });
   * console.log((await memory.initTask({ description: 'Sort the index.' })).time); // → 1970-01-01T00:00:00.000Z
   * ```
   */
  static open(store: MemoryStore, options?: MemoryOptions | null): Promise<EpisodicMemory>;
  /** Opened by {@link EpisodicMemory.open}. */
  private constructor();
  /** Where it keeps its files. */
  readonly store: MemoryStore;

  /**
   * Opens a task.
   *
   * @throws {@link HindscopeError} `memory-conflict` if there is one of this id.
   *
   * @example Ids count up
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * const { task, status } = await memory.initTask({ description: 'Merge the lists.', tags: ['merge'] });
   * console.log(task, status); // → task-002 running
   * ```
   */
  initTask(task: InitTask): Promise<TaskAnswer>;

  /**
   * Begins an attempt, with a plan that knows what earlier ones taught.
   *
   * @throws {@link HindscopeError} `no-such-task`.
   *
   * @example With lessons of similar tasks
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Migrate the tables of the shop.' });
   * await memory.startAttempt('task-001');
   * await memory.completeAttempt('task-001', { outcome: 'success', reflection: { learning: 'Create the lock row first.' } });
   *
   * await memory.initTask({ description: 'Migrate the tables of the archive.' });
   * const { plan } = await memory.startAttempt('task-002', { similar: 3 });
   * console.log(plan.includes('Create the lock row first.')); // → true
   * ```
   */
  startAttempt(task: string, options?: StartAttempt | null): Promise<AttemptAnswer>;

  /**
   * Adds an action to an attempt, by default the latest. Once this resolves, it is kept.
   *
   * @throws {@link HindscopeError} `no-such-task`, `no-such-attempt`, `attempt-complete`.
   *
   * @example In the order of the calls
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * const actions = ['read', 'edit'].map((type) => memory.logAction('task-001', { type, success: true }));
   * console.log((await Promise.all(actions)).map(({ actions }) => actions)); // → [ 1, 2 ]
   * ```
   */
  logAction(task: string, action: LoggedAction, options?: { attempt?: number | null } | null): Promise<ActionAnswer>;

  /**
   * Keeps a file that an iteration of an attempt has made, as `results/iter-NNN/NAME`. What it holds is yours:
   * nothing else depends on it. {@link EpisodicMemory.queryHistory} lists these files, with `results` also what
   * they hold.
   *
   * @throws {@link HindscopeError} `no-such-task`, `no-such-attempt`, `attempt-complete`, `memory-conflict` if the
   * iteration has a file of this name.
   *
   * @example The report of an iteration
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * const { path } = await memory.addResult('task-001', { iteration: 1, name: 'report.txt', text: '2 of 3 sorted' });
   * console.log(path); // → tasks/task-001/attempts/001/results/iter-001/report.txt
   *
   * const { attempts } = await memory.queryHistory('task-001', { results: true });
   * console.log(attempts[0].results[0].files[0].text); // → 2 of 3 sorted
   * ```
   */
  addResult(task: string, result: AddResult): Promise<ResultAnswer>;

  /**
   * Ends an attempt and reflects on it. The reflection is yours; what it leaves out is filled from facts.
   *
   * @throws {@link HindscopeError} `no-such-task`, `no-such-attempt`, `attempt-complete`,
   * `memory-conflict` if the outcome's file is there and cannot be read. What a function of yours throws is
   * passed on, and nothing is written.
   *
   * @example A reflection in the words of a model
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * await memory.logAction('task-001', { type: 'bash', success: false, error: 'out of memory' });
   *
   * const model = async (prompt) => `Sort in two passes, after: ${prompt}.`;
   * const { reflections } = await memory.completeAttempt('task-001', {
   *   outcome: 'failure',
   *   reflection: async ({ actions }) => ({ learning: await model(actions.at(-1).error) }),
   * });
   * console.log(reflections[0].learning); // → Sort in two passes, after: out of memory.
   * ```
   */
  completeAttempt(task: string, ending: CompleteAttempt): Promise<CompletedAnswer>;

  /**
   * Adds a reflection of a person, or of a host between attempts.
   *
   * @throws {@link HindscopeError} `no-such-task`, `no-such-attempt`.
   *
   * @example A word of a reviewer
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * const { reflection } = await memory.addReflection('task-001', { learning: 'Measure before sorting.' });
   * console.log(reflection.reflection_type, reflection.attempt_id); // → process-improvement 1
   * ```
   */
  addReflection(
    task: string,
    reflection: ReflectionText | string,
    options?: { attempt?: number | null; trigger?: ReflectionTrigger | null } | null,
  ): Promise<ReflectedAnswer>;

  /**
   * Pauses a task, gives it up, ends it or takes it up again.
   *
   * @throws {@link HindscopeError} `no-such-task`.
   *
   * @example It waits for its turn
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * console.log((await memory.setStatus('task-001', 'paused')).status); // → paused
   * ```
   */
  setStatus(task: string, status: TaskStatus): Promise<TaskAnswer>;

  /**
   * Lists what a task remembers. A file that cannot be read is a finding, and the others are read. The
   * `actions` of an attempt are checked at once, and parsed when they are first read.
   *
   * @throws {@link HindscopeError} `no-such-task`, `no-such-attempt`.
   *
   * @example The latest failure that speaks of memory
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * await memory.logAction('task-001', { type: 'bash', success: false, error: 'Out of memory' });
   * await memory.logAction('task-001', { type: 'edit', success: true });
   *
   * const { attempts } = await memory.queryHistory('task-001', { text: 'memory', limit: 1 });
   * console.log(attempts[0].actions[0].error, attempts[0].actionCount); // → Out of memory 2
   * ```
   */
  queryHistory(task: string, filter?: QueryHistory | null): Promise<TaskHistory>;

  /**
   * Finds tasks by the words of descriptions, tags and lessons, and what `reflect` stored by the words of
   * task, reflection and change of strategy (BM25, k1 = 1.2, b = 0.75). `limit` applies to each list, default 20;
   * with `status`, only tasks are found. An empty query lists all tasks, as many as there are. The words of all tasks and loops are kept, and files that have changed
   * are read again, so a search knows what was written before. This search is what the layout of aiwg has the folder
   * `index/embeddings` for; hindscope writes no embeddings.
   *
   * @example What was learned about locks
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Migrate the tables.' });
   * await memory.startAttempt('task-001');
   * await memory.addReflection('task-001', { learning: 'Create the lock row first.' });
   *
   * const { tasks, compared } = await memory.search('which lock');
   * console.log(compared, tasks[0].task, tasks[0].lessons[0].lesson); // → 1 task-001 Create the lock row first.
   * ```
   */
  search(query: string, options?: { status?: TaskStatus | null; limit?: number | null } | null): Promise<FoundTasks>;

  /**
   * Finds tasks like one: its description and tags are the words. Default limit 5.
   *
   * @throws {@link HindscopeError} `no-such-task`.
   *
   * @example Others that touch the same words
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * for (const description of ['Sort the index.', 'Paint the fence.', 'Merge the index.']) await memory.initTask({ description });
   * const { tasks } = await memory.similarTasks('task-001');
   * console.log(tasks.map(({ task, terms }) => `${task}: ${terms}`)); // → [ 'task-003: index' ]
   * ```
   */
  similarTasks(task: string, options?: { limit?: number | null } | null): Promise<FoundTasks>;

  /**
   * Counts retries with and without reflections (`retry/improvement`), of some tasks or of all.
   *
   * @throws {@link HindscopeError} `no-such-task`.
   *
   * @example One retry, and it worked
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * await memory.initTask({ description: 'Sort the index.' });
   * for (const outcome of ['failure', 'success']) {
   *   await memory.startAttempt('task-001');
   *   await memory.completeAttempt('task-001', { outcome });
   * }
   * const { retries } = await memory.improvement();
   * console.log(retries.with, retries.withSuccesses, retries.isTooFew); // → 1 1 true
   * ```
   */
  improvement(options?: { tasks?: string[] | null } | null): Promise<ImprovementAnswer>;

  /**
   * The hook after an iteration of a loop: stores its reflection, compares it with the earlier ones, says
   * whether the loop is stuck and what recurs, and prepares what the next iteration is given.
   *
   * @throws {@link HindscopeError} `memory-conflict` if there is an iteration of this number,
   * `omega-out-of-range`.
   *
   * @example The same thought three times
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const memory = await EpisodicMemory.open(new InMemoryStore());
   * for (let iteration = 1; iteration <= 3; iteration += 1) {
   *   const { isStuck, held } = await memory.reflect('ralph-001', { outcome: 'failure', reflection: 'Clear the cache.' });
   *   console.log(isStuck, held.length);
   * }
   * // → false 1
   * // → false 2
   * // → true 3
   * ```
   */
  reflect(loop: string, iteration: LoopIteration): Promise<IterationAnswer>;

  /**
   * Says what is wrong with a memory, and with `mend` puts it in order: what an interrupted call left
   * undone, a torn line, files that contradict each other, indexes. Nothing is deleted; what cannot be
   * used is kept beside its file as `NAME.broken-N`. The findings are those of before it was mended.
   *
   * `tasks` names those to inspect, by default all of them; then `onProgress` gets how many are done.
   *
   * @throws {@link HindscopeError} `no-such-task`.
   *
   * @example A line that was cut off
   * ```js
   * import { appendFileSync } from 'node:fs';
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { DirectoryStore } from 'hindscope/stores/directory';
   *
   * const memory = await EpisodicMemory.open(new DirectoryStore('torn'));
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * await memory.logAction('task-001', { type: 'edit', success: true });
   * appendFileSync('torn/tasks/task-001/attempts/001/actions.jsonl', '{"type": "ba');
   *
   * const { isSound, keptAside } = await memory.doctor({ mend: true });
   * console.log(isSound, keptAside[0]); // → false tasks/task-001/attempts/001/actions.jsonl.broken-1
   * console.log((await memory.doctor()).isSound); // → true
   * ```
   */
  doctor(options?: {
    mend?: boolean | null;
    tasks?: string[] | null;
    onProgress?: ((done: number, all: number) => void) | null;
  } | null): Promise<HealthAnswer>;
}
