/**
 * Python for `run:` of a loop, kept apart from everything else and ended when its time is over.
 *
 * Python 3 by the package `pyodide`, to be installed beside this one; its standard library, and nothing
 * else.
 *
 * The code is the body of a function: `return` gives the answer, and without it a variable `result`.
 * As in the_edge_agent, `json` and `re` are imported, and `reflection_output`, `reflection_errors` and
 * `reflection_iteration` of the state are names of their own. Tuples become lists, integers beyond 2⁵³
 * texts, infinities null; other objects are refused. Files, sockets, processes, `js` and `pyodide` are
 * refused by an audit hook: SECURITY.md says what code can still do. The engine takes a second or two to
 * start; the next worker starts in the meantime.
 *
 * Pages need a bundler, and `files` that says where the files of pyodide are. If the bundler leaves the engine out of
 * the worker, say in `engine` where `pyodide.mjs` is. It runs in Bun and Deno, too; in workerd,
 * which has no workers, it is `unavailable`.
 *
 * @packageDocumentation
 */
import type { Json, Runner, RunnerOptions, RunOptions } from './types.js';

export type { Json, LanguageErrorCode, Runner, RunnerOptions, RunOptions } from './types.js';
export { LanguageError } from './types.js';

/**
 * Runs one piece of code with the usual settings.
 *
 * @throws `LanguageError`: see its codes.
 *
 * @example A verdict in Python
 * ```js
 * import { run } from 'hindscope/languages/python';
 *
 * const code = `
 * import statistics
 * mean = statistics.mean(output)
 * return {"valid": mean <= state["most"], "score": 1 / mean}
 * `;
 * const verdict = await run(code, { state: { most: 3 }, output: [1, 2, 3] });
 * console.log(verdict.valid, verdict.score); // → true 0.5
 * ```
 */
export function run(code: string, options?: RunOptions): Promise<Json>;

/**
 * A runner with settings of its own.
 *
 * @throws `LanguageError` `failed` for settings that make no sense.
 *
 * @example Less time, in Python
 * ```js
 * import { runner } from 'hindscope/languages/python';
 *
 * const { run, close } = runner({ timeoutMs: 1000 });
 * const error = await run('while True: pass').catch((error) => error);
 * console.log(error.code); // → timeout
 * close();
 * ```
 */
export function runner(options?: RunnerOptions): Runner;
