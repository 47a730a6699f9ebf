// Files and folders of Node, read in slices.
import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HindscopeError, isOurs, messageOf } from '../error.mjs';
import { Unreadable } from './open.mjs';

/** Large enough that calls do not count, small enough that two of them fit beside the wasm. */
const SLICE = 1 << 20;

/** What systems leave in folders, and a store of ours while somebody writes. */
const LITTER = /^(?:__MACOSX|\._.*|\.DS_Store|Thumbs\.db|\.gitkeep|\.hindscope)$/;

/**
 * One for all files: they are read one after the other, and the wasm copies what it gets. Several
 * at a time would be slower: of 10,000 small files, the calls take 40 ms this way and 140 ms with 32
 * of them under way (Node 20, Linux; 90 ms and 270 ms from a cold disk), and opening them 400 ms.
 */
let slice;

/** Items for a file or folder and everything below it, in natural order of their names. */
export function pathItems(path) {
  const root = resolved(path);
  let status;
  try {
    // A link that someone names is followed; links found on the way are not.
    status = statSync(root);
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `Cannot open ${root}: ${reason(cause)}`, { path: root }, { cause });
  }
  if (!status.isDirectory()) return [fileItem(basename(root), root, status.isFile())];
  return inNaturalOrder(walk(root, basename(root)));
}

/** The absolute path; '' would be the current folder, which nobody means to walk by accident. */
function resolved(path) {
  if (path === '') throw new HindscopeError('unreadable-input', 'The path is empty.', { path });
  if (!(path instanceof URL)) return resolve(path);
  try {
    return resolve(fileURLToPath(path));
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `${path.href} is not the address of a file: ${messageOf(cause)}`, { path: path.href }, { cause });
  }
}

function walk(folder, name) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    return [brokenItem(name, `cannot list the folder: ${reason(cause)}`)];
  }
  return entries.flatMap((entry) => {
    if (LITTER.test(entry.name)) return [];
    const path = join(folder, entry.name);
    const inner = name === '' ? entry.name : `${name}/${entry.name}`;
    if (entry.isDirectory()) return walk(path, inner);
    if (entry.isFile()) return [fileItem(inner, path, true)];
    if (!entry.isSymbolicLink()) return [brokenItem(inner, 'it is not a regular file')];
    return [leadsNowhere(path) ? brokenItem(inner, 'it is a symbolic link to nothing', false) : brokenItem(inner, 'a symbolic link is not followed')];
  });
}

/** Whether a link leads to nothing, or to itself. */
function leadsNowhere(path) {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (cause) {
    return ['ELOOP', 'ENOTDIR'].includes(cause?.code);
  }
}

function brokenItem(name, why, isMissed = true) {
  return {
    name,
    why,
    feed() {
      throw new Unreadable(why, { isMissed });
    },
    read() {
      throw new Error(why);
    },
  };
}

/** `isRegular`: it can be opened twice, which a pipe cannot. */
function fileItem(name, path, isRegular) {
  let identity;
  let size = 0;
  /** Of a pipe, which is read once and says of no length. */
  let kept;
  const looked = (file) => {
    const status = fstatSync(file);
    ({ size } = status);
    identity = identityOf(status);
    return status;
  };
  const put = (room, at, most) => {
    const file = openSync(path, 'r');
    try {
      if (!looked(file).isFile()) return Infinity;
      if (size > most) return size;
      let done = 0;
      for (let length; done < size && (length = readSync(file, room, at + done, size - done, null)) > 0; ) done += length;
      return done;
    } finally {
      closeSync(file);
    }
  };
  return {
    name,
    path,
    /** Its length when it was opened. */
    get size() {
      return size;
    },
    put: isRegular ? put : undefined,
    feed(push) {
      slice ??= Buffer.allocUnsafe(SLICE);
      let file;
      try {
        file = openSync(path, 'r');
        const status = looked(file);
        if (!status.isFile()) {
          kept = readFileSync(file);
          size = kept.length;
          for (let at = 0; at < size && push(kept.subarray(at, at + SLICE)); at += SLICE);
          return;
        }
        // A small file is there with the first call; another one would only say so.
        let rest = status.size < SLICE ? status.size : Infinity;
        for (let length; rest > 0 && (length = readSync(file, slice, 0, SLICE, null)) > 0; rest -= length) {
          if (!push(slice.subarray(0, length))) break;
        }
      } catch (cause) {
        if (isOurs(cause)) throw cause;
        throw new Unreadable(reason(cause), { cause });
      } finally {
        if (file !== undefined) closeSync(file);
      }
    },
    // Opened anew for each record: a folder of ten thousand files must not hold as many
    // descriptors open for as long as someone looks at it.
    read(start, end) {
      if (kept) return kept.subarray(start, end);
      const file = openSync(path, 'r');
      try {
        if (identityOf(fstatSync(file)) !== identity) throw new Error('the file has changed since it was opened');
        const bytes = Buffer.allocUnsafe(end - start);
        let done = 0;
        while (done < bytes.length) {
          const length = readSync(file, bytes, done, bytes.length - done, start + done);
          if (length === 0) throw new Error('the file has become shorter since it was opened');
          done += length;
        }
        return bytes;
      } finally {
        closeSync(file);
      }
    },
  };
}

function identityOf({ ino, size, mtimeMs }) {
  return `${ino} ${size} ${mtimeMs}`;
}

/** Node appends the call and the path: "ENOENT: no such file or directory, open '/a/b'". */
function reason(cause) {
  return messageOf(cause).replace(/, \w+(?: '.*')?$/, '');
}

/**
 * A key that sorts names by code point, and the numbers in them by value; of equal numbers, the one with
 * fewer leading zeros comes first. In the key, a number is written without leading zeros, after the count
 * of its digits. The key ends with the digit counts of all numbers, leading zeros included.
 */
function sortKey(name) {
  let lengths = '';
  const key = name.replaceAll(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    lengths += String.fromCodePoint(digits.length);
    return `0${String.fromCodePoint(number.length)}${number}`;
  });
  return Buffer.from(`${key}\0${lengths}`);
}

/**
 * The order of people: file 2 before file 10. It is the core's `natural`, which a call of the wasm for each
 * comparison of 10,000 names would make slow.
 */
function inNaturalOrder(items) {
  const keyed = items.map((item) => ({ item, key: sortKey(item.name) }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  return keyed.map(({ item }) => item);
}
