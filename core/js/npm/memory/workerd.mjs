// The memory is in the wasm that opens histories.
export * from './api.mjs';
export { ready } from '../history/workerd.mjs';
