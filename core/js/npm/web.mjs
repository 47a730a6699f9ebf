// The entry for browsers: the wasm is fetched from beside this file. Await `ready` first.
import init from './hindscope.js';
import { started } from './core.mjs';
import { memoryItem, notAnInput, openItems } from './api.mjs';

export { History, HindscopeError, OUTCOMES, ReflectionWindow, validate } from './api.mjs';

export const ready = init({ module_or_path: new URL('./hindscope_bg.wasm', import.meta.url) }).then(started);

export function openHistory(input, options) {
  const inputs = Array.isArray(input) ? input : [input];
  const items = inputs.map((one) => {
    const item = memoryItem(one);
    if (item) return item;
    throw notAnInput('objects of the form {name, data}: only Node has paths');
  });
  return openItems(items, options);
}
