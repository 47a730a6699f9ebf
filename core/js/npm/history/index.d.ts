/**
 * Open the histories that loops leave behind: query them, see what they teach, export them.
 *
 * @packageDocumentation
 */
export * from './details.js';
export * from './export.js';
export * from './formats.js';
export * from './history.js';
export * from './insight.js';
export * from './rows.js';
export * from './run.js';
export * from './search.js';
export * from './unpack.js';
export type { CountTokens, Entry, RenderOptions, WindowRule } from '../contract/window.js';
export * from '../types.js';

/**
 * Resolves when the functions may be called. A browser fetches the wasm, and rejects this with
 * `unreadable-input` if it cannot; all other runtimes start it while they load the entry, so
 * there it needs no waiting.
 *
 * @example In any runtime
 * ```js
 * import { formats, ready } from 'hindscope/history';
 *
 * await ready;
 * console.log(formats().length > 20); // → true
 * ```
 */
export const ready: Promise<void>;
