// A memory in the private file system of a browser: it belongs to the page's origin, and nobody sees
// it but the pages of that origin.
import { HindscopeError, messageOf } from '../error.mjs';
import { milliseconds, text } from '../input.mjs';
import { conflict, failed, locked, names, refused, written } from './store.mjs';

/** What is ours and no part of the memory: files that are being written. */
const OWN = '.hindscope';

export class OpfsStore {
  #path;
  #root;
  #isSwept = false;

  constructor(folder) {
    this.#path = names(text(folder, 'folder'));
  }

  /** Finds out whether there is such a file system here, before anything is asked of it. */
  async open() {
    const { storage, locks } = globalThis.navigator ?? {};
    const lacking = !storage?.getDirectory ? 'there is no private file system (OPFS)' : !locks?.request ? 'there are no Web Locks' : undefined;
    if (lacking) {
      const message = `A memory cannot be stored here: ${lacking}. Browsers offer both only to pages from https or localhost.`;
      throw new HindscopeError('store-missing', message);
    }
    try {
      await storage.getDirectory();
    } catch (cause) {
      // Private windows of some browsers have the function and refuse the call.
      const message = `A memory cannot be stored here: the browser refuses access to its private file system (OPFS): ${messageOf(cause)}`;
      throw new HindscopeError('store-missing', message, {}, { cause });
    }
  }

  async read(path, last) {
    const file = await this.#file(path);
    if (!file) return undefined;
    try {
      const blob = await file.getFile();
      const from = last === undefined ? 0 : Math.max(0, blob.size - last);
      const bytes = new Uint8Array(await blob.slice(from).arrayBuffer());
      return { bytes, lenBytes: blob.size };
    } catch (cause) {
      if (cause.name === 'NotFoundError') return undefined;
      throw failed(path, cause, 'read');
    }
  }

  async list(path) {
    const folder = await this.#folder(names(path), path);
    if (!folder) return undefined;
    const [files, folders] = [[], []];
    try {
      for await (const [name, handle] of folder.entries()) (handle.kind === 'file' ? files : folders).push(name);
    } catch (cause) {
      throw failed(path, cause, 'read');
    }
    return { files: files.sort(), folders: folders.sort() };
  }

  async stamp(path) {
    const file = await this.#file(path);
    if (!file) return undefined;
    const { size, lastModified } = await file.getFile();
    return `${size} ${lastModified}`;
  }

  async write(path, bytes, how) {
    const parts = names(path);
    const { kind, was } = written(bytes, how);
    const name = parts.at(-1);
    try {
      const folder = await this.#folder(parts.slice(0, -1), path, { create: true });
      const file = await absent(folder.getFileHandle(name), path);
      const size = file && (await file.getFile()).size;
      if (size !== was || (kind === 'create' && file)) throw conflict(path, was, size);
      if (kind === 'append') await append(await folder.getFileHandle(name, { create: true }), bytes, was ?? 0);
      else await this.#whole(folder, name, bytes);
    } catch (cause) {
      throw failed(path, cause);
    }
  }

  async lock(waitMs) {
    milliseconds(waitMs, 'waitMs');
    const where = this.#path.join('/');
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), waitMs);
    const release = await new Promise((resolve, reject) => {
      const keep = () => new Promise((end) => {
        clearTimeout(timer);
        resolve(end);
      });
      // The browser gives it back when the page or worker that keeps it is gone.
      navigator.locks.request(`hindscope ${where}`, { signal: given.signal }, keep).catch((cause) => {
        reject(cause.name === 'AbortError' ? locked(where, waitMs) : failed(where, cause));
      });
    });
    try {
      await this.#sweep();
    } catch (cause) {
      release();
      throw cause;
    }
    return release;
  }

  /** All of a file or nothing: written beside, and then put in its place. */
  async #whole(folder, name, bytes) {
    const own = await this.#folder([OWN], OWN, { create: true });
    const temporary = `${crypto.randomUUID()}.tmp`;
    const beside = await own.getFileHandle(temporary, { create: true });
    try {
      await append(beside, bytes, 0);
      if (beside.move) {
        await beside.move(folder, name);
        return;
      }
      // What a stream writes replaces the file when the stream is closed; a new file is empty until then.
      const file = await folder.getFileHandle(name, { create: true });
      await (file.createSyncAccessHandle ? overwrite(file, bytes) : append(file, bytes, 0));
    } catch (cause) {
      await own.removeEntry(temporary).catch(() => {});
      throw cause;
    }
    await own.removeEntry(temporary);
  }

  /** Removes files that were never finished: whoever has the lock is the only one to write. */
  async #sweep() {
    if (this.#isSwept) return;
    this.#isSwept = true;
    const own = await this.#folder([OWN], OWN);
    if (!own) return;
    const left = [];
    for await (const name of own.keys()) left.push(name);
    for (const name of left) await own.removeEntry(name).catch(() => {});
  }

  async #file(path) {
    const parts = names(path);
    const folder = await this.#folder(parts.slice(0, -1), path);
    return folder && absent(folder.getFileHandle(parts.at(-1)), path);
  }

  async #folder(parts, path, options) {
    this.#root ??= navigator.storage.getDirectory();
    let folder = await this.#root;
    for (const name of [...this.#path, ...parts]) {
      folder = await absent(folder.getDirectoryHandle(name, options), path, options && 'write');
      if (!folder) return undefined;
    }
    return folder;
  }
}

/** Writes in place where no other way exists. If that fails, the old bytes are put back: they still fit. */
async function overwrite(file, bytes) {
  const open = await file.createSyncAccessHandle();
  const put = (all) => {
    for (let done = 0; done < all.length; ) done += open.write(all.subarray(done), { at: done });
    open.truncate(all.length);
    open.flush();
  };
  try {
    const old = new Uint8Array(open.getSize());
    open.read(old, { at: 0 });
    try {
      put(bytes);
    } catch (cause) {
      put(old);
      throw cause;
    }
  } finally {
    open.close();
  }
}

/** Writes from `size` on. Workers may write in place and wait for the disk; pages have streams. */
async function append(file, bytes, size) {
  if (file.createSyncAccessHandle) {
    const open = await file.createSyncAccessHandle();
    try {
      try {
        open.truncate(size);
        for (let done = 0; done < bytes.length; ) done += open.write(bytes.subarray(done), { at: size + done });
        open.flush();
      } catch (cause) {
        open.truncate(size);
        throw cause;
      }
    } finally {
      open.close();
    }
    return;
  }
  if (!file.createWritable) {
    throw new HindscopeError('store-missing', 'This browser writes private files only in workers: open the memory in a worker.');
  }
  const stream = await file.createWritable({ keepExistingData: size > 0 });
  try {
    await stream.write({ type: 'write', position: size, data: bytes });
    await stream.close();
  } catch (cause) {
    await stream.abort().catch(() => {});
    throw cause;
  }
}

/** A handle, or nothing where there is none. */
async function absent(handle, path, verb = 'read') {
  try {
    return await handle;
  } catch (cause) {
    if (cause.name === 'NotFoundError') return undefined;
    if (cause.name === 'TypeMismatchError') throw refused(path, 'it is a file where a folder was expected, or a folder where a file was expected', cause);
    throw failed(path, cause, verb);
  }
}
