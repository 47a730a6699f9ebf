/**
 * The episodic memory of tasks and attempts. Stores are in `hindscope/stores/…`.
 *
 * @packageDocumentation
 */
export * from './memory.js';
export * from './store.js';
export * from './tasks.js';
export type { Retries } from '../history/insight.js';
export * from '../types.js';

/**
 * Resolves when a memory may be opened: when the wasm of `hindscope/history` is started, which this entry shares.
 *
 * @example In any runtime
 * ```js
 * import { EpisodicMemory, ready } from 'hindscope/memory';
 * import { InMemoryStore } from 'hindscope/stores/memory';
 *
 * await ready;
 * const memory = await EpisodicMemory.open(new InMemoryStore());
 * console.log((await memory.initTask({ description: 'Sort it.' })).task.length > 0); // → true
 * ```
 */
export const ready: Promise<void>;
