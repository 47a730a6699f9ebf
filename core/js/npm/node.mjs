// The entry for Node, Bun and Deno: the wasm lies beside this file and is started at once.
import { readFileSync } from 'node:fs';
import { initSync } from './hindscope.js';
import { started } from './core.mjs';
import { memoryItem, notAnInput, openItems } from './api.mjs';
import { pathItems } from './files.mjs';

export { History, HindscopeError, OUTCOMES, ReflectionWindow, validate } from './api.mjs';

initSync({ module: readFileSync(new URL('./hindscope_bg.wasm', import.meta.url)) });
started();

export const ready = Promise.resolve();

export function openHistory(input, options) {
  const inputs = Array.isArray(input) ? input : [input];
  const items = inputs.flatMap((one) => {
    if (typeof one === 'string' || one instanceof URL) return pathItems(one);
    const item = memoryItem(one);
    if (item) return [item];
    throw notAnInput('paths, or objects of the form {name, data}');
  });
  return openItems(items, options);
}
