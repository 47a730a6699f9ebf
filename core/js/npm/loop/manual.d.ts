/**
 * The same as `hindscope/loop`, but the wasm is not started: pass `hindscope/loop.wasm` to `init` or `initSync`. In one process
 * both entries use one wasm, and it is started once.
 *
 * @packageDocumentation
 */
export * from './index.js';
export * from '../start.js';
