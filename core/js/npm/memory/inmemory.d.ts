/**
 * A store that lives as long as its process: for tests, and for agents that keep nothing.
 *
 * @packageDocumentation
 */
import type { MemoryStore } from './store.js';

/**
 * Files in memory.
 *
 * @example A memory for a test
 * ```js
 * import { EpisodicMemory } from 'hindscope/memory';
 * import { InMemoryStore } from 'hindscope/stores/memory';
 *
 * const memory = await EpisodicMemory.open(new InMemoryStore(), { now: () => Date.UTC(2026, 2, 5) });
 * console.log((await memory.initTask({ description: 'Sort the index.' })).time); // → 2026-03-05T00:00:00.000Z
 * ```
 */
export class InMemoryStore implements MemoryStore {
  /**
   * Begins empty.
   *
   * @example Nothing is left behind
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const store = new InMemoryStore();
   * const memory = await EpisodicMemory.open(store);
   * await memory.initTask({ description: 'Sort the index.' });
   * console.log(Array.from(store.entries(), ([path]) => path).join());
   * // → index/by-status.json,tasks/task-001/metadata.json,tasks/task-001/trajectory.json
   * ```
   */
  constructor();
  readonly read: MemoryStore['read'];
  readonly list: MemoryStore['list'];
  readonly stamp: (path: string) => string | undefined;
  readonly write: MemoryStore['write'];
  readonly lock: MemoryStore['lock'];
  /**
   * Every file with its path, sorted: to look at, or to be written elsewhere.
   *
   * @example What an agent kept, opened as a history
   * ```js
   * import { openHistory } from 'hindscope/history';
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { InMemoryStore } from 'hindscope/stores/memory';
   *
   * const store = new InMemoryStore();
   * const memory = await EpisodicMemory.open(store);
   * await memory.initTask({ description: 'Sort the index.' });
   * await memory.startAttempt('task-001');
   * await memory.completeAttempt('task-001', { outcome: 'success' });
   *
   * const history = openHistory(Array.from(store.entries(), ([path, data]) => ({ name: `memory/${path}`, data })));
   * console.log(history.runs()[0].key, history.runs()[0].outcome); // → task-001 success
   * history.free();
   * ```
   */
  entries(): IterableIterator<[path: string, bytes: Uint8Array]>;
}
