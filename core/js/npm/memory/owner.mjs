// Mode and owner of files.
import * as fs from 'node:fs';
import process from 'node:process';

/** A file that is written anew keeps its mode, and as far as this process may, its owner. */
export function keepOwner(file, { mode, uid, gid }) {
  if (process.platform === 'win32') return;
  fs.fchmodSync(file, mode & 0o7777);
  const own = fs.fstatSync(file);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fs.fchownSync(file, uid, gid);
  } catch {
    // Not ours to give away.
  }
}
