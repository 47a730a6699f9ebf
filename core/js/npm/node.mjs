// The entry for Node, Deno and Bun: the wasm lies beside this file and is started at once.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startSync } from './core.mjs';
import { HindscopeError, messageOf } from './error.mjs';
import { pathItems } from './files.mjs';
import { openInputs, unpackInput } from './open.mjs';

export * from './api.mjs';
export { ready } from './core.mjs';
export { openFiles } from './open.mjs';

startSync(wasm());

function wasm() {
  const path = fileURLToPath(new URL('./hindscope_bg.wasm', import.meta.url));
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `Cannot read the wasm: ${messageOf(cause)}. If you use a bundler, mark hindscope as external, or copy hindscope/hindscope.wasm to that path.`;
    throw new HindscopeError('unreadable-input', message, { path }, { cause });
  }
}

export function openHistory(input, options) {
  return openInputs(input, options, itemsAt, 'paths or objects {name, data}');
}

export function unpack(input, options) {
  return unpackInput(input, options, archiveAt, 'paths or objects {name, data}');
}

/** One file, opened: its size is known then. */
function archiveAt(path) {
  const items = itemsAt(path);
  if (!items) return undefined;
  const named = { path: String(path) };
  const [item] = items;
  if (items.length !== 1) throw new HindscopeError('unreadable-input', `${path} is not a file.`, named);
  try {
    item.feed(() => false);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `Cannot read ${path}: ${messageOf(cause)}`, named, { cause });
  }
  return items;
}

function itemsAt(path) {
  return typeof path === 'string' || path instanceof URL ? pathItems(path) : undefined;
}
