/**
 * The same as `hindscope/memory`, but the wasm is not started: pass `hindscope/history.wasm` to `init` or `initSync`. In
 * one process `hindscope/history`, `hindscope/memory` and their `/manual` entries use one wasm, and it is started once.
 *
 * @packageDocumentation
 */
export * from './index.js';
export * from '../start.js';
