/**
 * Prolog for `run:` of a loop, kept apart from everything else and ended when its time is over.
 *
 * SWI-Prolog by the package `swipl-wasm`, to be installed beside this one.
 *
 * The last clause of the code is the goal; clauses before it are predicates for it. In the goal `State`
 * and `Output` are bound: objects are dicts, texts strings, `true`, `false` and `null` atoms. A bound
 * `Result` is the answer, else success is true and failure false. Only goals that SWI-Prolog's
 * `library(sandbox)` can prove harmless are run: no files, no `consult`, no calls into JavaScript.
 *
 * Pages need a bundler, and `engine` that says where `swipl-bundle.js` is. It runs in Bun and Deno, too; in
 * workerd, which has no workers, it is `unavailable`.
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
 * @example A verdict in Prolog
 * ```js
 * import { run } from 'hindscope/languages/prolog';
 *
 * const code = 'length(Output.steps, N), Score is 1 / N, N =< State.most, Result = _{valid: true, score: Score}.';
 * const verdict = await run(code, { state: { most: 3 }, output: { steps: [1, 2] } });
 * console.log(verdict.valid, verdict.score); // → true 0.5
 * console.log(await run('length(Output, 3)', { output: [1] })); // → false
 * ```
 */
export function run(code: string, options?: RunOptions): Promise<Json>;

/**
 * A runner with settings of its own.
 *
 * @throws `LanguageError` `failed` for settings that make no sense.
 *
 * @example Less time, in Prolog
 * ```js
 * import { runner } from 'hindscope/languages/prolog';
 *
 * const { run, close } = runner({ timeoutMs: 500 });
 * const error = await run('repeat, fail').catch((error) => error);
 * console.log(error.code); // → timeout
 * close();
 * ```
 */
export function runner(options?: RunnerOptions): Runner;
