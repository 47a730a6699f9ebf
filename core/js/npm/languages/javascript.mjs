// JavaScript, by the engine QuickJS of `quickjs-emscripten`, which is loaded in the worker on first use.
import { startWorker } from '#host';
import { language } from './runner.mjs';

export { LanguageError } from './error.mjs';
export const { run, runner } = language('JavaScript', (settings) =>
  startWorker('javascript', () => new Worker(new URL('./javascript.worker.mjs', import.meta.url), { type: 'module' }), settings), { isClean: true });
