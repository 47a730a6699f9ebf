// Lua, by the engine of `wasmoon`, which is loaded in the worker on first use.
import { startWorker } from '#host';
import { language } from './runner.mjs';

export { LanguageError } from './error.mjs';
export const { run, runner } = language('Lua', (settings) =>
  startWorker('lua', () => new Worker(new URL('./lua.worker.mjs', import.meta.url), { type: 'module' }), settings), { isClean: true });
