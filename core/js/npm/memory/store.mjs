// What all stores share: which paths they accept, and what they say when a disk says no.
import { HindscopeError, guarded, isOurs, messageOf } from '../error.mjs';
import { bytesIfAny } from '../input.mjs';

/**
 * Names a method of our own synchronous stores. It reads like `read`, but into a buffer of the store that
 * the next call may overwrite: new buffers for megabytes of history would cost garbage collections.
 */
export const LEND = Symbol('lend');

/** What no name in a memory has, so that every system can store it and nothing leads elsewhere. */
const NEVER = /[\\:\u0000-\u001f\u007f]/;

/** The names of a path below the root. Nothing else is a path: no root, no way up, no empty name. */
export function names(path) {
  const parts = typeof path === 'string' ? path.split('/') : [];
  const isName = (part) => part !== '' && part !== '.' && part !== '..' && !NEVER.test(part);
  if (parts.length > 0 && parts.every(isName)) return parts;
  throw refused(messageOf(path), 'it is not a path inside the memory');
}

/** How a file is to be written. */
export function written(bytes, how) {
  const wrong = () => new HindscopeError('invalid-option', 'A store writes bytes, and is told whether to `create`, `replace` or `append`.');
  const { kind, was } = guarded(() => ({ ...how }), wrong);
  if (!ArrayBuffer.isView(bytes) || !['create', 'replace', 'append'].includes(kind)) throw wrong();
  return { kind, was };
}

/** A path that must not be used. */
export function refused(path, why, cause) {
  return new HindscopeError('path-refused', `The path ${JSON.stringify(path.slice(0, 200))} cannot be used: ${why}.`, { path }, { cause });
}

/** A file that is not as it was when it was read. */
export function conflict(path, was, is) {
  const length = (bytes) => (bytes === undefined ? 'no file' : `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`);
  const message = `${path} was changed by another program: expected ${length(was)}, found ${length(is)}.`;
  return new HindscopeError('memory-conflict', message, { path });
}

/** A lock that somebody else keeps. */
export function locked(where, waitMs, owner = '') {
  const message = `The memory in ${where} is locked${owner && ` by ${owner}`}, and was not released within ${waitMs} ms.`;
  return new HindscopeError('store-locked', message, { waitMs });
}

/** Codes of systems and names of browsers for what a person can do something about. */
const CODES = {
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
  EFBIG: 'store-full',
  QuotaExceededError: 'store-full',
  EACCES: 'store-denied',
  EPERM: 'store-denied',
  EROFS: 'store-denied',
  NotAllowedError: 'store-denied',
  NoModificationAllowedError: 'store-denied',
  SecurityError: 'store-denied',
  ELOOP: 'path-refused',
  ENAMETOOLONG: 'path-refused',
};

const WORDS = {
  'store-full': 'no space left',
  'store-denied': 'permission denied',
  'path-refused': 'the path cannot be used',
  'store-failed': 'the store failed',
};

/** What a disk, a browser or a store of the caller's own has thrown, as one of our errors. */
export function failed(path, cause, verb = 'write') {
  if (isOurs(cause)) return cause;
  let code;
  try {
    code = CODES[cause?.code] ?? CODES[cause?.name];
  } catch {
    // Something that does not want to be asked.
  }
  code ??= 'store-failed';
  return new HindscopeError(code, `Cannot ${verb} ${path}, ${WORDS[code]}: ${messageOf(cause)}`, { path }, { cause });
}

/** What a store gave that is not what stores give. */
export function misgiven(method, path, expected, cause) {
  const message = `The method \`${method}\` of the store gave something else than ${expected}${path && ` for ${path}`}.`;
  return new HindscopeError('store-failed', message, path ? { path } : {}, { cause });
}

/** What `read` of a store gave, looked at once. */
export function bytesGiven(path, given) {
  if (given === undefined || given === null) return undefined;
  const wrong = (cause) => misgiven('read', path, '`{ bytes: Uint8Array, lenBytes: number }` or undefined', cause);
  return guarded(() => {
    const { bytes, lenBytes } = given;
    if (!ArrayBuffer.isView(bytes) || !Number.isSafeInteger(lenBytes) || lenBytes < 0) throw wrong();
    return { bytes: bytesIfAny(bytes), lenBytes };
  }, wrong);
}

/** What `list` of a store gave, looked at once. */
export function namesGiven(path, given) {
  if (given === undefined || given === null) return undefined;
  const wrong = (cause) => misgiven('list', path, '`{ files: string[], folders: string[] }` or undefined', cause);
  return guarded(() => {
    const plain = {};
    for (const member of ['files', 'folders', 'others']) {
      const list = given[member] ?? (member === 'others' ? [] : undefined);
      if (!Array.isArray(list)) throw wrong();
      plain[member] = [...list];
      if (!plain[member].every((name) => typeof name === 'string')) throw wrong();
    }
    return plain;
  }, wrong);
}

/** One after the other: each gets its turn when the one before it gives it back. */
export class Turns {
  #last = Promise.resolve();

  /** Waits for a turn; gives what ends it. */
  async take(waitMs, where) {
    const before = this.#last;
    let end;
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, waitMs, 'late');
    });
    if ((await Promise.race([before, late])) === 'late') {
      // Those behind must not wait for somebody who has left.
      before.then(end);
      throw locked(where, waitMs, 'this process');
    }
    clearTimeout(timer);
    return end;
  }
}
