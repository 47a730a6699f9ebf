// A disk that stops: the functions of `node:fs` that change something below a folder are counted, and
// the one at `stopAt` fails. Imported before the store that is to meet it.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

/** What a disk says that is gone. */
export class Outage extends Error {
  code = 'EIO';
}

/**
 * `root`: only changes below this folder count; none count while it is undefined. `how`: `fails` is a
 * single error; `stops` stands for the end of the process; `tears` for its end in the middle of a write.
 */
export const disk = { root: undefined, stopAt: Infinity, how: 'stops', count: 0, isOver: false, isTorn: false };

const real = { ...fs };
/** Files that were opened below the root. */
const opened = new Set();

const isBelow = (path) => disk.root !== undefined && (path === disk.root || String(path).startsWith(disk.root + sep));

/** Whether this is the one that fails. Nothing comes after the end. */
function isLast() {
  if (disk.isOver) throw new Outage('the process is gone');
  disk.count += 1;
  return disk.count - 1 === disk.stopAt;
}

function fail() {
  disk.isOver = disk.how !== 'fails';
  throw new Outage(`change ${disk.stopAt}`);
}

for (const name of ['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'rmdirSync', 'unlinkSync']) {
  fs[name] = (path, ...more) => {
    if (isBelow(path) && isLast()) fail();
    return real[name](path, ...more);
  };
}

fs.openSync = (path, flags, ...more) => {
  const isWriting = typeof flags === 'string' ? flags !== 'r' : (flags & (real.constants.O_WRONLY | real.constants.O_CREAT)) !== 0;
  if (isBelow(path) && isWriting && isLast()) fail();
  const file = real.openSync(path, flags, ...more);
  if (isBelow(path)) opened.add(file);
  return file;
};

fs.closeSync = (file) => {
  opened.delete(file);
  return real.closeSync(file);
};

fs.writeSync = (file, piece, from = 0, length) => {
  if (!opened.has(file)) return real.writeSync(file, piece, from, length);
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece.subarray(from, length === undefined ? undefined : from + length);
  if (isLast()) {
    disk.isTorn = true;
    if (disk.how === 'tears') real.writeSync(file, bytes, 0, Math.ceil(bytes.length / 2));
    fail();
  }
  return real.writeSync(file, bytes);
};

fs.ftruncateSync = (file, ...more) => {
  if (opened.has(file) && isLast()) fail();
  return real.ftruncateSync(file, ...more);
};

// What is written is there for whoever looks: waiting for the disk would only take time.
fs.fsync = (file, done) => {
  if (!opened.has(file)) return real.fsync(file, done);
  try {
    if (isLast()) fail();
    done(null);
  } catch (cause) {
    done(cause);
  }
};

syncBuiltinESMExports();
