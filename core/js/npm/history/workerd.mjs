// The entry for workerd, which compiles wasm when it is deployed and never from bytes.
import { startSync } from './core.mjs';
import wasm from './hindscope_history_bg.wasm';

export * from './api.mjs';
export { ready } from './core.mjs';
export { openFiles, openHistory, unpack } from './open.mjs';

startSync(wasm);
