/**
 * Lua for `run:` of a loop, kept apart from everything else and ended when its time is over.
 *
 * Lua 5.4 by the package `wasmoon`, to be installed beside this one.
 *
 * The code is a chunk: `return` gives the answer, and without it a variable `result`; further values
 * are ignored. Tables 1 to n become lists, others objects; an empty table is an object, unless it came
 * as a list. `null` is nil. There is no `io`, `package`, `debug` nor `require`, of `os` only the
 * clock, and `load` takes texts only. 256 MB of memory.
 *
 * Pages need a bundler, and `files` that says where `glue.wasm` of wasmoon is. If the bundler leaves the engine out of
 * the worker, say in `engine` where its script is. It runs in Bun and Deno, too; in workerd,
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
 * @example A verdict in Lua
 * ```js
 * import { run } from 'hindscope/languages/lua';
 *
 * const code = 'return { valid = #output.steps <= state.most, score = 1 / #output.steps }';
 * const verdict = await run(code, { state: { most: 3 }, output: { steps: [1, 2] } });
 * console.log(verdict.valid, verdict.score); // → true 0.5
 * ```
 */
export function run(code: string, options?: RunOptions): Promise<Json>;

/**
 * A runner with settings of its own.
 *
 * @throws `LanguageError` `failed` for settings that make no sense.
 *
 * @example Less time, in Lua
 * ```js
 * import { runner } from 'hindscope/languages/lua';
 *
 * const { run, close } = runner({ timeoutMs: 200 });
 * const error = await run('while true do end').catch((error) => error);
 * console.log(error.code); // → timeout
 * close();
 * ```
 */
export function runner(options?: RunnerOptions): Runner;
