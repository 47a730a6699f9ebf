// The entry for Node, Deno and Bun: the wasm lies beside this file and is started at once.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startSync } from './core.mjs';
import { HindscopeError, said } from './error.mjs';
import { pathItems } from './files.mjs';
import { openInputs } from './open.mjs';

export * from './api.mjs';
export { ready } from './core.mjs';

startSync(wasm());

function wasm() {
  const path = fileURLToPath(new URL('./hindscope_bg.wasm', import.meta.url));
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `The wasm cannot be read: ${said(cause)}. A bundler must leave hindscope out, or copy hindscope/hindscope.wasm there.`;
    throw new HindscopeError('unreadable-input', message, { path }, { cause });
  }
}

export function openHistory(input, options) {
  return openInputs(input, options, itemsAt, 'paths, or objects of the form {name, data}');
}

function itemsAt(path) {
  return typeof path === 'string' || path instanceof URL ? pathItems(path) : undefined;
}
