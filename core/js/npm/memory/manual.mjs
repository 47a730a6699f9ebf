// The memory is in the wasm that opens histories.
export * from './api.mjs';
export { init, initSync, ready } from '../history/manual.mjs';
