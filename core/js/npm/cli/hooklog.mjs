// Errors of `reflect` when a hook calls it: an agent must not be stopped by them, so they are kept for `doctor`.
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inline } from './text.mjs';

/** A log that has grown above this is begun anew. */
const MOST_BYTES = 2 ** 20;

/** The log of a memory, beside its lock: no file of the memory itself. */
export function hookLog(folder) {
  return join(folder, '.hindscope', 'hook-errors.log');
}

/** Lines of the log, oldest first. */
export function hookErrors(folder) {
  try {
    return readFileSync(hookLog(folder), 'utf8').split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Adds a line. Throws if it cannot be written. */
export function logHookError(folder, { code, message }) {
  mkdirSync(join(folder, '.hindscope'), { recursive: true });
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const file = openSync(hookLog(folder), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW);
  try {
    if (fstatSync(file).size > MOST_BYTES) ftruncateSync(file);
    writeSync(file, `${new Date().toISOString()} [${code}] ${inline(message)}\n`);
  } finally {
    closeSync(file);
  }
}
