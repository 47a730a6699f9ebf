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
export type { CountTokens, RenderOptions, WindowEntry, WindowRule } from '../contract/window.js';
export * from '../types.js';
