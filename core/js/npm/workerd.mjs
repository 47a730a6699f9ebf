// The entry for workerd, which compiles wasm when it is deployed and never from bytes.
import wasm from './hindscope_bg.wasm';
import { startSync } from './core.mjs';

export * from './api.mjs';
export { ready } from './core.mjs';
export { openFiles, openHistory, unpack } from './open.mjs';

startSync(wasm);
