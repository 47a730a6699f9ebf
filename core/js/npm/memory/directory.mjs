// A memory in a folder, for Node, Deno and Bun. Files are read at once, as they are small and the
// cache of the system has them; writing waits for the disk, and lets others work meanwhile.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HindscopeError, guarded } from '../error.mjs';
import { flag, milliseconds, number, pick } from '../input.mjs';
import { CAREFUL, Lease } from './lease.mjs';
import { keepOwner } from './owner.mjs';
import { LEND, conflict, failed, names, refused, written } from './store.mjs';

const fsync = promisify(fs.fsync);
const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = fs.constants;

/** What is ours and no part of the memory: the lock, and files that are being written. */
const OWN = '.hindscope';
/** Files up to this many bytes are read into a shared buffer; few are larger. */
const MOST_LENT = 4 * 2 ** 20;

export class DirectoryStore {
  #root;
  #flush;
  #modes;
  #lease;
  /** How often it wrote: a turn that wrote nothing leaves nothing behind. */
  #writes = 0;
  /** Folders that were just checked, until the next microtask: reads in one go check each of them once. */
  #seen = new Set();
  #lent = Buffer.alloc(0);

  constructor(folder, options) {
    const plain = pick(options, { flush: flag, fileMode: number, folderMode: number, staleMs: milliseconds });
    this.#root = guarded(() => resolve(folder instanceof URL ? fileURLToPath(folder) : folder || undefined), (cause) =>
      new HindscopeError('invalid-option', '`folder` must be the path of a folder.', {}, { cause }));
    this.#flush = plain.flush ?? true;
    this.#modes = { file: plain.fileMode ?? 0o666, folder: plain.folderMode ?? 0o777 };
    this.#lease = new Lease(join(this.#root, OWN), plain.staleMs ?? 15_000, this.#root);
  }

  get root() {
    return this.#root;
  }

  read(path, last) {
    return this.#bytes(path, last, (length) => Buffer.allocUnsafe(length));
  }

  /** Undefined for a subclass that overrides `read` or `list`: what it gives is looked at. */
  get [LEND]() {
    if (this.read !== DirectoryStore.prototype.read || this.list !== DirectoryStore.prototype.list) return undefined;
    return (path, last) => this.#bytes(path, last, (length) => this.#room(length));
  }

  #room(length) {
    if (length > MOST_LENT) return Buffer.allocUnsafe(length);
    if (length > this.#lent.length) this.#lent = Buffer.allocUnsafe(Math.max(length, 2 * this.#lent.length));
    return this.#lent.subarray(0, length);
  }

  #bytes(path, last, room) {
    const at = this.#found(path);
    if (at === undefined) return undefined;
    let file;
    try {
      file = fs.openSync(at, O_RDONLY | CAREFUL);
      const status = fs.fstatSync(file);
      if (!status.isFile()) throw refused(path, 'it is not a regular file');
      const lenBytes = status.size;
      const from = last === undefined ? 0 : Math.max(0, lenBytes - last);
      const bytes = room(lenBytes - from);
      let done = 0;
      for (let n; done < bytes.length; done += n) {
        n = fs.readSync(file, bytes, done, bytes.length - done, from + done);
        if (n === 0) break;
      }
      return { bytes: bytes.subarray(0, done), lenBytes: from + done };
    } catch (cause) {
      if (cause.code === 'ENOENT') return undefined;
      throw this.#failed(path, cause, 'read');
    } finally {
      if (file !== undefined) fs.closeSync(file);
    }
  }

  list(path) {
    const at = this.#found(path);
    if (at === undefined) return undefined;
    try {
      const entries = fs.readdirSync(at, { withFileTypes: true });
      const named = (is) => entries.filter((entry) => entry[is]()).map(({ name }) => name).sort();
      const others = entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(({ name }) => name).sort();
      return { files: named('isFile'), folders: named('isDirectory'), ...(others.length > 0 && { others }) };
    } catch (cause) {
      throw this.#failed(path, cause, 'read');
    }
  }

  stamp(path) {
    const status = fs.lstatSync(`${this.#root}${sep}${names(path).join(sep)}`, { throwIfNoEntry: false });
    return status?.isFile() ? `${status.ino} ${status.size} ${status.mtimeMs}` : undefined;
  }

  async write(path, bytes, how) {
    const parts = names(path);
    const { kind, was } = written(bytes, how);
    this.#lease.check(path);
    try {
      this.#writes += 1;
      const made = this.#folders(parts.slice(0, -1), path);
      const at = join(this.#root, ...parts);
      const now = fs.lstatSync(at, { throwIfNoEntry: false });
      if (now && !now.isFile()) throw refused(path, now.isSymbolicLink() ? 'symbolic links are not followed' : 'it is not a regular file');
      if (now?.size !== was || (kind === 'create' && now)) throw conflict(path, was, now?.size);
      // A file with another name elsewhere is written anew, so that the other one stays as it is.
      if (kind === 'append' && (now === undefined || now.nlink === 1)) await this.#append(path, at, bytes, now);
      else await this.#whole(path, at, kind === 'append' ? Buffer.concat([fs.readFileSync(at), bytes]) : bytes, now);
      if (!now || kind !== 'append') made.add(join(this.#root, ...parts.slice(0, -1)));
      for (const folder of made) await this.#flushFolder(folder);
    } catch (cause) {
      throw this.#failed(path, cause);
    }
  }

  async lock(waitMs) {
    milliseconds(waitMs, 'waitMs');
    try {
      let [made, writes] = [[], 0];
      return await this.#lease.take(waitMs, {
        prepare: () => {
          made = this.#made([OWN], OWN);
          writes = this.#writes;
        },
        leave: () => {
          if (this.#writes === writes) unmade(made);
        },
      });
    } catch (cause) {
      throw this.#failed(OWN, cause);
    }
  }

  /** Makes folders that are not there; gives those that it made, the innermost first. */
  #made(parts, path) {
    const inner = join(this.#root, ...parts);
    if (fs.lstatSync(inner, { throwIfNoEntry: false })?.isDirectory()) return [];
    const all = [inner];
    for (let at = this.#root; at !== resolve(at, '..'); at = resolve(at, '..')) all.push(at);
    const made = all.filter((folder) => !fs.existsSync(folder));
    this.#folders(parts, path);
    return made;
  }

  /** The absolute path; undefined where a folder on the way, or the last name, is not there. */
  #found(path) {
    let at = this.#root;
    const parts = names(path);
    for (const [place, name] of parts.entries()) {
      at = `${at}${sep}${name}`;
      if (this.#seen.has(at)) continue;
      let status;
      try {
        status = fs.lstatSync(at, { throwIfNoEntry: false });
      } catch (cause) {
        throw this.#failed(path, cause, 'read');
      }
      if (!status) return undefined;
      if (status.isSymbolicLink()) throw refused(path, 'symbolic links are not followed');
      if (place < parts.length - 1 && status.isDirectory()) this.#see(at);
    }
    return at;
  }

  #see(folder) {
    if (this.#seen.size === 0) queueMicrotask(() => this.#seen.clear());
    this.#seen.add(folder);
  }

  /** Makes folders that are not there; gives those whose lists of names have changed. */
  #folders(parts, path) {
    const changed = new Set();
    if (!fs.existsSync(this.#root)) {
      if (fs.lstatSync(this.#root, { throwIfNoEntry: false })) {
        throw refused(this.#root, 'it is a symbolic link that leads to no folder; make the folder that it names, or remove the link');
      }
      const first = fs.mkdirSync(this.#root, { recursive: true, mode: this.#modes.folder });
      if (first !== undefined) changed.add(resolve(first, '..'));
    }
    let at = this.#root;
    for (const name of parts) {
      const above = at;
      at = join(at, name);
      const status = fs.lstatSync(at, { throwIfNoEntry: false });
      if (status?.isDirectory()) continue;
      if (status) throw refused(path, status.isSymbolicLink() ? 'symbolic links are not followed' : `${name} is not a folder`);
      try {
        fs.mkdirSync(at, { mode: this.#modes.folder });
      } catch (cause) {
        // Another process may have made it meanwhile.
        if (cause.code !== 'EEXIST') throw cause;
      }
      changed.add(above);
    }
    return changed;
  }

  /** All of a file or nothing: written beside, and then put in its place. */
  async #whole(path, at, bytes, now) {
    const own = join(this.#root, OWN);
    this.#folders([OWN], OWN);
    const beside = join(own, `${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
    let file;
    try {
      file = fs.openSync(beside, O_WRONLY | O_CREAT | O_EXCL, this.#modes.file);
      if (now) keepOwner(file, now);
      writeAll(file, bytes);
      if (this.#flush) await fsync(file);
      fs.closeSync(file);
      file = undefined;
      this.#lease.check(path);
      const { size } = fs.lstatSync(at, { throwIfNoEntry: false }) ?? {};
      if (size !== now?.size) throw conflict(path, now?.size, size);
      if (now) await renamed(beside, at);
      else await named(path, beside, at);
    } catch (cause) {
      if (file !== undefined) fs.closeSync(file);
      fs.rmSync(beside, { force: true });
      throw cause;
    }
  }

  async #append(path, at, bytes, now) {
    const size = now?.size ?? 0;
    let file;
    try {
      file = fs.openSync(at, O_WRONLY | O_APPEND | CAREFUL | (now ? 0 : O_CREAT | O_EXCL), this.#modes.file);
    } catch (cause) {
      throw cause.code === 'EEXIST' || cause.code === 'ENOENT' ? conflict(path, now?.size) : cause;
    }
    try {
      const is = fs.fstatSync(file).size;
      if (is !== size) throw conflict(path, size, is);
      try {
        writeAll(file, bytes);
        if (this.#flush) await fsync(file);
      } catch (cause) {
        // A failure means that nothing was written. If even this fails, the doctor finds the rest.
        try {
          fs.ftruncateSync(file, size);
          if (!now) fs.unlinkSync(at);
        } catch {
          // The first failure says more.
        }
        throw cause;
      }
    } finally {
      fs.closeSync(file);
    }
  }

  /** Flushes a folder, so that the names in it are on the disk. Windows cannot do that. */
  async #flushFolder(folder) {
    if (!this.#flush || process.platform === 'win32') return;
    const open = fs.openSync(folder, O_RDONLY);
    try {
      await fsync(open);
    } catch (cause) {
      // Some network file systems have nothing to do here, and say so.
      if (cause.code !== 'EINVAL') throw cause;
    } finally {
      fs.closeSync(open);
    }
  }

  #failed(path, cause, verb) {
    return failed(join(this.#root, path), cause, verb);
  }
}

/** Removes folders that are empty, the innermost first. */
function unmade(folders) {
  try {
    for (const folder of folders) fs.rmdirSync(folder);
  } catch {
    // Somebody has use for it.
  }
}

function writeAll(file, bytes) {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done, bytes.length - done);
}

/** Puts a file in the place of another. On Windows a reader keeps it from that for a moment. */
async function renamed(from, to) {
  for (let tries = 0; ; tries += 1) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (cause) {
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(cause.code);
      if (!isBusy || tries === 20) throw cause;
      await new Promise((go) => setTimeout(go, 5 * (tries + 1)));
    }
  }
}

/** Gives a file its name, if nothing has that name. */
async function named(path, from, to) {
  try {
    fs.linkSync(from, to);
    fs.rmSync(from);
  } catch (cause) {
    if (cause.code === 'EEXIST') throw conflict(path, undefined, fs.lstatSync(to).size);
    // No hard links here: only the lock and the check before keep others from taking the name.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(cause.code)) throw cause;
    await renamed(from, to);
  }
}
