// The entry for Node, Deno and Bun, which open paths. The wasm lies beside this file and is started at once.
import { HindscopeError, guarded, messageOf } from '../error.mjs';
import { wasmFile } from '../file.mjs';
import { startSync } from './core.mjs';
import { pathItems } from './files.mjs';
import { openInputs, unpackInput } from './open.mjs';

export * from './api.mjs';
export { ready } from './core.mjs';
export { openFiles } from './open.mjs';

startSync(wasmFile(new URL('./hindscope_history_bg.wasm', import.meta.url), 'hindscope/history.wasm'));

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
  const isPath = typeof path === 'string' || guarded(() => path instanceof URL, (cause) => new HindscopeError('unreadable-input', `Cannot read what was handed over: ${messageOf(cause)}`, {}, { cause }));
  return isPath ? pathItems(path) : undefined;
}
