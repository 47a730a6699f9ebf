// Python, by the engine of `pyodide`, which is loaded in the worker on first use.
import { startWorker } from '#host';
import { language } from './runner.mjs';

export { LanguageError } from './error.mjs';
export const { run, runner } = language('Python', (settings) =>
  startWorker('python', () => new Worker(new URL('./python.worker.mjs', import.meta.url), { type: 'module' }), settings));
