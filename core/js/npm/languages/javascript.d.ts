/**
 * JavaScript for `run:` of a loop, kept apart from everything else and ended when its time is over.
 *
 * The code is the body of a function: `return` gives the answer, and without it a variable `result`;
 * a promise is waited for. There are the globals of the language, and nothing of the host: no
 * `process`, `require`, `fetch`, timers; `import()` is refused.
 *
 * In Node it runs in a `vm` context inside a worker thread whose own globals were removed before. On a
 * page it runs in a worker of a sandboxed frame whose policy refuses every connection; that needs a page
 * whose own policy allows inline scripts and `unsafe-eval`. Elsewhere it is
 * `unavailable`: in workers without a page, in workerd, which has no workers, and in Bun and Deno.
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
 * @example A verdict in JavaScript
 * ```js
 * import { run } from 'hindscope/languages/javascript';
 *
 * console.log(await run('return output.steps.length <= state.most', { state: { most: 3 }, output: { steps: [1, 2] } })); // → true
 * console.log(await run('const result = typeof process')); // → undefined
 * ```
 */
export function run(code: string, options?: RunOptions): Promise<Json>;

/**
 * A runner with settings of its own.
 *
 * @throws `LanguageError` `failed` for settings that make no sense.
 *
 * @example Less time, in JavaScript
 * ```js
 * import { runner } from 'hindscope/languages/javascript';
 *
 * const { run, close } = runner({ timeoutMs: 200 });
 * const error = await run('for (;;);').catch((error) => error);
 * console.log(error.code, error.kind); // → timeout timeout
 * close();
 * ```
 */
export function runner(options?: RunnerOptions): Runner;
