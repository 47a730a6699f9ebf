/**
 * Starting the wasm by hand.
 *
 * @module
 */

/** The wasm as bytes or compiled. The types of the web let even text be a module. */
export type WasmInput = ArrayBufferLike | ArrayBufferView | (WebAssembly.Module & object);

/** What the wasm can be started from. A URL is fetched. */
export type WasmSource = WasmInput | Response | URL;

/**
 * Starts the wasm from bytes, a module, a response, an address, or a promise of one of them. Once
 * it is started, later calls do nothing; after a failure the next call tries again.
 *
 * @throws {@link HindscopeError} `unreadable-input` if that is no wasm of this package or cannot be
 * fetched.
 *
 * @example Bytes from wherever they are
 * ```js
 * import { readFile } from 'node:fs/promises';
 * import { createRequire } from 'node:module';
 * import { init, validate } from 'hindscope/manual';
 *
 * await init(readFile(createRequire(import.meta.url).resolve('hindscope/hindscope.wasm')));
 * console.log(validate({}).usable); // → false
 * ```
 */
export function init(source: WasmSource | PromiseLike<WasmSource>): Promise<void>;

/**
 * Starts the wasm before it returns. Browsers older than 2023 refuse this on the page's own thread.
 *
 * @throws {@link HindscopeError} `unreadable-input` if that is no wasm of this package.
 *
 * @example Without awaiting anything
 * ```js
 * import { readFileSync } from 'node:fs';
 * import { createRequire } from 'node:module';
 * import { initSync, validate } from 'hindscope/manual';
 *
 * initSync(readFileSync(createRequire(import.meta.url).resolve('hindscope/hindscope.wasm')));
 * console.log(validate({}).usable); // → false
 * ```
 */
export function initSync(source: WasmInput): void;
