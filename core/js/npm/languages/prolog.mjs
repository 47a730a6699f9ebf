// Prolog, by the engine of `swipl-wasm`, which is loaded in the worker on first use.
import { startWorker } from '#host';
import { language } from './runner.mjs';

export { LanguageError } from './error.mjs';
export const { run, runner } = language('Prolog', (settings) =>
  startWorker('prolog', () => new Worker(new URL('./prolog.worker.mjs', import.meta.url), { type: 'module' }), settings));
