// How a command ends: exit codes, and errors for the user.
import { isOurs, messageOf } from '../error.mjs';

export { similar } from '../similar.mjs';

/** Exit codes. Every help text has them, and scripts rely on them: they never change. */
export const EXIT = Object.freeze({ ok: 0, no: 1, usage: 2, io: 3, bug: 70, interrupted: 130 });

/** What each exit code means, for the help texts. */
export const EXIT_MEANS = Object.freeze({
  0: 'success',
  1: 'nothing found, or a check failed',
  2: 'usage error, such as an unknown option, a wrong value, a mistake in a query, or a run that does not exist',
  3: 'a file could not be read or written',
  70: 'a bug in hindscope',
  130: 'interrupted',
});

/** Why a command was not carried out, in words for the user. */
export class Refusal extends Error {
  /** `code` identifies the error for scripts, `hint` tells the user what to do. */
  constructor(code, message, { exit = EXIT.usage, hint = undefined, details = {}, cause = undefined } = {}) {
    super(message, { cause });
    this.code = code;
    this.exit = exit;
    this.hint = hint;
    this.details = details;
  }
}

/** A file that cannot be read. */
export function unreadable(path, cause) {
  return new Refusal('unreadable-input', `Cannot read ${path}: ${messageOf(cause)}`, { exit: EXIT.io, details: { path }, cause });
}

/** A file that cannot be written. */
export function unwritable(path, cause) {
  return new Refusal('unwritable-output', `Cannot write ${path}: ${messageOf(cause)}`, { exit: EXIT.io, details: { path }, cause });
}

/** Turns anything that was thrown into a refusal. */
export function refusalOf(cause) {
  if (cause instanceof Refusal) return cause;
  if (isOurs(cause)) {
    const { code, message, details } = cause;
    const isUnread = code === 'unreadable-input' || code === 'memory-unreadable' || code.startsWith('store-');
    const exit = code === 'crashed' ? EXIT.bug : isUnread ? EXIT.io : EXIT.usage;
    return new Refusal(code, message, { exit, details, cause });
  }
  const hint = `Please report this bug with the following text: ${cause?.stack ?? messageOf(cause)}`;
  return new Refusal('bug', `Internal error: ${messageOf(cause)}`, { exit: EXIT.bug, hint, cause });
}
