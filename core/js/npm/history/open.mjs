// Opening what someone hands in as one history.
import { HindscopeError, isOurs, messageOf } from '../error.mjs';
import { mappedIfAny, pick, tag, text, wholeNumber } from '../input.mjs';
import { SourceCache, Unpacking } from './cache.mjs';
import { History } from './history.mjs';
import { SMALL, SmallFiles } from './small.mjs';
import { HEAD, blobItem, bytesItem, isArchive, laterParts, limits, notOpened, parts, unpackWith } from './unpack.mjs';

/**
 * What a file that cannot be read throws while it is fed. The history lists it with the reason. `isMissed` is
 * false if there was nothing to read.
 */
export class Unreadable extends Error {
  constructor(message, { isMissed = true, ...options } = {}) {
    super(message, options);
    this.isMissed = isMissed;
  }
}

/** `openHistory` where there are no paths. */
export function openHistory(input, options) {
  return openInputs(input, options, noItems, 'objects {name, data}; paths work only in Node, Deno and Bun');
}

function noItems() {
  return undefined;
}

/**
 * Opens one input or a list of them. `itemsOf` gives the items of what is not held in memory,
 * undefined for anything it does not know.
 */
export function openInputs(input, options, itemsOf, allowed) {
  const items = [];
  const add = (one) => {
    const some = itemsOf(one);
    if (some) for (const item of some) items.push(item);
    else items.push(memoryItem(one, allowed));
  };
  try {
    if (!mappedIfAny(input, add)) add(input);
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('unreadable-input', `Cannot read the input: ${messageOf(cause)}`, {}, { cause });
  }
  return openItems(items, options);
}

/** What opening needs: the history, with its options, and the limits of archives. */
function opening(options) {
  const { limits: most = {}, ...plain } = pick(options, { profile: text, memory: wholeNumber, limits });
  const cache = new SourceCache();
  const history = new History({ ...plain, read: (source, start, end) => cache.read(source, start, end) });
  const small = new SmallFiles(history, cache, (item) => openItem(item, history, cache, most));
  return { history, cache, most, small };
}

/**
 * Opens items of the form `{name, size, feed(push), read(start, end), put(room, at, most)}`, one source
 * each, and one for each entry of an archive. `push` answers whether more slices may come. `put` writes all
 * bytes, if there are at most that many, and gives their number; without it an item is not opened together
 * with others.
 */
function openItems(items, options) {
  const { history, cache, most, small } = opening(options);
  try {
    for (const item of items) {
      if (small.take(item)) continue;
      small.flush();
      openItem(item, history, cache, most);
    }
    small.end();
    return history;
  } catch (cause) {
    history.free();
    throw cause;
  }
}

function openItem(item, history, cache, most) {
  let source;
  let isPacked = false;
  const open = () => {
    source = history.open(item.name);
    cache.put(source, item);
  };
  try {
    item.feed((slice) => {
      if (source === undefined) {
        isPacked = isArchive(slice);
        if (isPacked) return false;
        open();
      }
      return history.push(source, slice);
    });
    if (isPacked) {
      const unpacking = new Unpacking(history, cache, item, most);
      for (const part of parts(item.name, item, most)) unpacking.take(part);
      return;
    }
    if (source === undefined) open();
    history.finish(source);
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause;
    if (source === undefined) open();
    if (cause.isMissed) history.fail(source, cause.message);
    else history.refuse(source, 'source/refused', cause.message);
  }
}

/** Files and Blobs, whose bytes come later. */
export async function openFiles(files, options) {
  const items = fileItems(files);
  const { history, cache, most, small } = opening(options);
  try {
    for (const item of items) {
      if (item.size <= SMALL && small.take(await inMemory(item))) continue;
      small.flush();
      await openLater(item, history, cache, most);
    }
    small.end();
    return history;
  } catch (cause) {
    history.free();
    throw cause;
  }
}

async function openLater(item, history, cache, most) {
  let head;
  try {
    head = await item.later(0, Math.min(HEAD, item.size));
  } catch (cause) {
    history.fail(history.open(item.name), messageOf(cause));
    return;
  }
  const unpacking = new Unpacking(history, cache, item, most);
  // A file that is no archive comes out as itself, but one copy more is not needed for that.
  const all = isArchive(head) ? laterParts(item.name, item, most) : plainParts(item);
  for await (const part of all) unpacking.take(part);
}

/** A file with its bytes in memory; one that cannot be read stays as it is. */
async function inMemory(item) {
  if (item.put) return item;
  try {
    const held = bytesItem(item.name, await item.later(0, item.size));
    // What can be read again where it lies need not stay in memory.
    if (item.read) held.lasting = item;
    return held;
  } catch {
    return item;
  }
}

/** A file as the only entry of itself. */
async function* plainParts(item) {
  yield { kind: 'entry', number: 0, path: item.name, storedAt: 0 };
  for (let at = 0; at < item.size; at += LATER_SLICE) {
    let bytes;
    try {
      bytes = await item.later(at, Math.min(at + LATER_SLICE, item.size));
    } catch (cause) {
      yield { kind: 'refused', rule: 'source/unreadable', reason: messageOf(cause) };
      return;
    }
    yield { kind: 'data', bytes };
  }
  yield { kind: 'end' };
}

function isBlob(value) {
  return !ArrayBuffer.isView(value) && ['Blob', 'File'].includes(tag(value));
}

/** A Blob with a name: in Bun a File says that it is a Blob. */
function isFile(value) {
  return isBlob(value) && typeof value.name === 'string';
}

/** One file or any list of them. */
function fileItems(files) {
  let list;
  try {
    list = typeof files?.[Symbol.iterator] === 'function' ? [...files] : [files];
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `Cannot read the list of files: ${messageOf(cause)}`, {}, { cause });
  }
  return list.map((file) => {
    const item = fileItem(file);
    if (item) return item;
    throw notOpened('files or objects {name, data}');
  });
}

/** A File, or `{name, data}` with a Blob or bytes; undefined for anything else. */
function fileItem(file) {
  try {
    return isFile(file) ? blobItem(file.webkitRelativePath || file.name, file) : blobOrBytes(file);
  } catch (cause) {
    if (isOurs(cause)) throw cause;
    throw new HindscopeError('unreadable-input', `Cannot read a file: ${messageOf(cause)}`, {}, { cause });
  }
}

/** `unpack` where there are no paths. */
export function unpack(input, options) {
  return unpackInput(input, options, noItems, 'objects {name, data}; paths work only in Node, Deno and Bun');
}

/** Unpacks one input; `itemsOf` as in `openInputs`. */
export function unpackInput(input, options, itemsOf, allowed) {
  return unpackWith(input, options, (one) => {
    const [item] = itemsOf(one) ?? [];
    const found = item ?? fileItem(one);
    if (found) return found;
    throw notOpened(allowed);
  });
}

/** Bytes of a Blob that are read at a time: each reading waits for its turn. */
const LATER_SLICE = 1 << 20;

/** `{name, data}` of bytes as an item. */
function memoryItem(input, allowed) {
  const item = blobOrBytes(input);
  if (!item?.read) throw notOpened(item ? 'bytes; open a Blob with `openFiles`' : allowed);
  return item;
}

function blobOrBytes(input) {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  let data;
  let name;
  try {
    ({ data, name } = input);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `Cannot read a source: ${messageOf(cause)}`, {}, { cause });
  }
  const path = text(name, 'name');
  return isBlob(data) ? blobItem(path, data) : bytesItem(path, data);
}
