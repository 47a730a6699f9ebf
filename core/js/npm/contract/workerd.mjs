// The entry for workerd, which compiles wasm when it is deployed and never from bytes.
import { startSync } from './core.mjs';
import wasm from './hindscope_bg.wasm';

export * from './api.mjs';
export { ready } from './core.mjs';

startSync(wasm);
