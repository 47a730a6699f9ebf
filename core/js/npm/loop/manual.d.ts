/**
 * `hindscope/loop`, which does not start its wasm: hand in `hindscope/loop.wasm`, however your runtime or bundler
 * brings it. In one process both share one wasm: whoever starts it first starts it for both.
 *
 * @packageDocumentation
 */
export * from './index.js';
export * from '../start.js';
