// JavaScript. In Node a `vm` context in a worker, on a page a frame that may do nothing.
import { startJavascript } from '#host';
import { language } from './runner.mjs';

export { LanguageError } from './error.mjs';
export const { run, runner } = language('JavaScript', startJavascript);
