// Files and folders of Node, read in slices.
import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HindscopeError, isOurs, said } from './error.mjs';
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
    throw new HindscopeError('unreadable-input', `${root} cannot be opened: ${reason(cause)}`, { path: root }, { cause });
  }
  if (!status.isDirectory()) return [fileItem(basename(root), root)];
  return walk(root, basename(root)).sort((a, b) => naturalOrder(a.name, b.name));
}

/** The absolute path; '' would be the current folder, which nobody means to walk by accident. */
function resolved(path) {
  if (path === '') throw new HindscopeError('unreadable-input', 'The path is empty.', { path });
  if (!(path instanceof URL)) return resolve(path);
  try {
    return resolve(fileURLToPath(path));
  } catch (cause) {
    throw new HindscopeError('unreadable-input', `${path.href} names no file: ${said(cause)}`, { path: path.href }, { cause });
  }
}

function walk(folder, name) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    return [brokenItem(name, `the folder cannot be listed: ${reason(cause)}`)];
  }
  return entries.flatMap((entry) => {
    if (LITTER.test(entry.name)) return [];
    const path = join(folder, entry.name);
    const inner = name === '' ? entry.name : `${name}/${entry.name}`;
    if (entry.isDirectory()) return walk(path, inner);
    if (entry.isFile()) return [fileItem(inner, path)];
    return [brokenItem(inner, entry.isSymbolicLink() ? 'a symbolic link is not followed' : 'it is not a regular file')];
  });
}

function brokenItem(name, why) {
  return {
    name,
    feed() {
      throw new Unreadable(why);
    },
    read() {
      throw new Error(why);
    },
  };
}

function fileItem(name, path) {
  let identity;
  let size = 0;
  /** Of a pipe, which is read once and says of no length. */
  let kept;
  return {
    name,
    /** Its length when it was opened. */
    get size() {
      return size;
    },
    feed(push) {
      slice ??= Buffer.allocUnsafe(SLICE);
      let file;
      try {
        file = openSync(path, 'r');
        const status = fstatSync(file);
        ({ size } = status);
        identity = identityOf(status);
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
        if (identityOf(fstatSync(file)) !== identity) throw new Error('it was changed after it had been opened');
        const bytes = Buffer.allocUnsafe(end - start);
        let done = 0;
        while (done < bytes.length) {
          const length = readSync(file, bytes, done, bytes.length - done, start + done);
          if (length === 0) throw new Error('it has become shorter');
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
  return said(cause).replace(/, \w+(?: '.*')?$/, '');
}

/**
 * Digit runs compare as numbers, 7 before 007; everything else by code point. Called a hundred
 * thousand times for ten thousand files, so it makes nothing.
 */
export function naturalOrder(a, b) {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (isDigit(a, i) && isDigit(b, j)) {
      const [endA, endB] = [digitsEnd(a, i), digitsEnd(b, j)];
      const order = numberOrder(a, i, endA, b, j, endB);
      if (order !== 0) return order;
      [i, j] = [endA, endB];
    } else {
      const order = a.codePointAt(i) - b.codePointAt(j);
      if (order !== 0) return order;
      i += 1;
      j += 1;
    }
  }
  return a.length - i - (b.length - j) || a.length - b.length;
}

function isDigit(text, at) {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function digitsEnd(text, from) {
  let end = from;
  while (end < text.length && isDigit(text, end)) end += 1;
  return end;
}

function withoutZeros(text, from, end) {
  let start = from;
  while (start < end - 1 && text.charCodeAt(start) === 48) start += 1;
  return start;
}

function numberOrder(a, fromA, endA, b, fromB, endB) {
  const [i, j] = [withoutZeros(a, fromA, endA), withoutZeros(b, fromB, endB)];
  const order = endA - i - (endB - j);
  if (order !== 0) return order;
  const [x, y] = [a.slice(i, endA), b.slice(j, endB)];
  return x < y ? -1 : Number(x > y);
}
