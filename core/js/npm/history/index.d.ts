/**
 * Open the histories that loops leave behind: query them, see what they teach, export them.
 *
 * @packageDocumentation
 */
export * from './data.js';
export * from './export.js';
export * from './formats.js';
export * from './history.js';
export * from './insight.js';
export * from './run.js';
export * from './search.js';
export * from './unpack.js';
export type { RenderOptions, WindowEntry, WindowRule } from '../contract/data.js';
export type { CountTokens } from '../contract/window.js';
export * from '../types.js';
