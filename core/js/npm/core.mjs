// The wasm, once an entry has started it.
import * as glue from './hindscope.js';
import { HindscopeError } from './error.mjs';

let isReady = false;

/** Called by an entry when the module is there. */
export function started() {
  isReady = true;
}

/** The exports of the wasm. */
export function core() {
  if (!isReady) {
    throw new HindscopeError('not-ready', 'The wasm is still being fetched. Await `ready` before the first call.');
  }
  return glue;
}
