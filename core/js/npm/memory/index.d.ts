/**
 * The episodic memory of tasks and attempts. Stores are in `hindscope/stores/…`.
 *
 * @packageDocumentation
 */
export * from './data.js';
export * from './memory.js';
export * from './store.js';
export * from './tasks.js';
export type { RetryImprovement } from '../history/data.js';
export * from '../types.js';
