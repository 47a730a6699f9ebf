// What `hindscope view --follow` gives its page: the paths, the files in each of them as they are now, and each file.
// web/single/boot.js asks for them.
import { createReadStream, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { messageOf } from '../error.mjs';
import { pathItems } from '../history/files.mjs';

/**
 * Gives what a name stands for: `''` the paths, `0` the files in the first path, `0/NAME` one of these files. That is
 * `json`, a `file` as a stream, or the reason why there is none.
 */
export function followed(paths) {
  const opened = paths.map((path) => {
    const status = statSync(path);
    const isFolder = status.isDirectory();
    if (!isFolder && !status.isFile()) throw new Error(`${path} is neither a file nor a folder`);
    return { path, name: basename(resolve(path)), isFolder, files: new Map() };
  });
  const roots = new Map(opened.map((root, at) => [String(at), root]));
  return (name) => {
    if (name === '') return { json: opened.map(({ name, isFolder }) => ({ name, isFolder })) };
    const [at, file] = name.split('/');
    const root = roots.get(at);
    if (root === undefined) return {};
    if (file === undefined) return listed(root);
    // Only what was listed is given, so no name leads out of the path.
    const path = root.files.get(decoded(file));
    return { file: path && createReadStream(path) };
  };
}

function listed({ path, name, isFolder, files }) {
  files.clear();
  try {
    const below = isFolder && name !== '' ? name.length + 1 : 0;
    return { json: pathItems(path).flatMap((item) => seen(item, item.name.slice(below), files)) };
  } catch (cause) {
    return { why: messageOf(cause) };
  }
}

/** A file as the page lists it; none if it is already gone. */
function seen({ path, why }, name, files) {
  if (path === undefined) return [{ name, problem: why }];
  try {
    const { size, mtimeMs } = statSync(path);
    files.set(name, path);
    return [{ name, size, modified: Math.round(mtimeMs) }];
  } catch (cause) {
    return cause.code === 'ENOENT' ? [] : [{ name, problem: messageOf(cause) }];
  }
}

/** A name in an address; undefined if it is not encoded as one. */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
