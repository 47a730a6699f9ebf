/**
 * JavaScript for `run:` of a loop, in an engine of its own: QuickJS, compiled to wasm. Install it beside this package:
 * `npm install quickjs-emscripten`.
 *
 * The code is the body of a function: `return` gives the answer, and without it a variable `result`; a promise is waited for.
 * There are the globals of the language (ECMAScript 2023, without `Intl` and `WebAssembly`) and nothing of the host: no
 * `process`, `require`, `fetch`, timers; `import()` is refused. Each call has an engine and a memory of its own, and is
 * ended when the time is over.
 *
 * It runs in Node, Deno and Bun, and in browsers on pages and in workers. In workerd, which has no workers, it is `unavailable`.
 * Pages need a bundler. If it leaves the engine out of the worker, name a bundle of `quickjs-emscripten` as `engine` and the
 * folder of its `emscripten-module.wasm` as `files`.
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
