// The entry for browsers: the wasm is fetched from beside this file. Await `ready` first.
import { start } from './core.mjs';

export * from './api.mjs';
export { openFiles, openHistory, unpack } from './open.mjs';

const beside = new URL('./hindscope_bg.wasm', import.meta.url);

// Vite's development server bundles scripts of packages into node_modules/.vite/deps; what lies
// beside them stays where it was.
const address = new URL(beside.href.replace('/.vite/deps/', '/hindscope/'));

export const ready = start(address);
