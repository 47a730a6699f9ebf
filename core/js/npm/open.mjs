// Opening what someone hands in as one history.
import { HindscopeError, isOurs, said } from './error.mjs';
import { History } from './history.mjs';
import { bytesOf, mappedIfAny, pick, text } from './input.mjs';

/** What a file that cannot be read throws while it is fed. The history lists it with the reason. */
export class Unreadable extends Error {}

/** `openHistory` where there are no paths. */
export function openHistory(input, options) {
  return openInputs(input, options, noItems, 'objects of the form {name, data}: paths are for Node, Deno and Bun');
}

function noItems() {
  return undefined;
}

/**
 * Opens one input or a list of them. `itemsOf` gives the items of what is not held in memory,
 * undefined for anything it does not know.
 */
export function openInputs(input, options, itemsOf, allowed) {
  const itemsOfOne = (one) => {
    const found = itemsOf(one) ?? memoryItem(one);
    if (found) return found;
    throw new HindscopeError('unreadable-input', `A history is opened from ${allowed}.`);
  };
  let items;
  try {
    items = (mappedIfAny(input, itemsOfOne) ?? [itemsOfOne(input)]).flat();
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('unreadable-input', `The input cannot be read: ${said(cause)}`, {}, { cause });
  }
  return openItems(items, options);
}

/**
 * Opens items of the form `{name, feed(push), read(start, end)}`, one source each. `push` answers
 * whether more slices may come.
 */
function openItems(items, options) {
  const plain = pick(options, { profile: text });
  const opened = new Map();
  const read = (source, start, end) => opened.get(source).read(start, end);
  const history = new History({ ...plain, read });
  try {
    for (const item of items) {
      const source = history.open(item.name);
      opened.set(source, item);
      try {
        item.feed((slice) => history.push(source, slice));
        history.finish(source);
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause;
        history.fail(source, cause.message);
      }
    }
    return history;
  } catch (cause) {
    history.free();
    throw cause;
  }
}

/**
 * Bytes handed over at a time. Each slice is copied into the wasm: one that stays in the
 * processor's cache is copied and read twice as fast, and the wasm never holds the whole input.
 */
const SLICE = 1 << 18;

/** `{name, data}` as an item; undefined for anything else. */
function memoryItem(input) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  let data;
  let name;
  try {
    ({ data, name } = input);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `A source cannot be read: ${said(cause)}`, {}, { cause });
  }
  const path = text(name, 'name');
  const bytes = bytesOf(data, `The data of ${path}`, { path });
  return {
    name: path,
    feed(push) {
      for (let at = 0; at < bytes.length; at += SLICE) {
        if (!push(bytes.subarray(at, at + SLICE))) break;
      }
    },
    read: (start, end) => bytes.subarray(start, end),
  };
}
