// The entry that starts nothing: whoever imports it brings the wasm.
export * from './api.mjs';
export { ready, start as init, startSync as initSync } from './core.mjs';
