// The entry for browsers: the wasm is fetched from beside this file. Await `ready` first.
import { served } from '../wasm.mjs';
import { start } from './core.mjs';

export * from './api.mjs';

export const ready = start(served(new URL('./hindscope_bg.wasm', import.meta.url), 'contract'));
