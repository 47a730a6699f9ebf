// The entry for Node, Deno and Bun: the wasm lies beside this file and is started at once.
import { wasmFile } from '../file.mjs';
import { startSync } from './core.mjs';

export * from './api.mjs';
export { ready } from './core.mjs';

startSync(wasmFile(new URL('./hindscope_bg.wasm', import.meta.url), 'hindscope/hindscope.wasm'));
