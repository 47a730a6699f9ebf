// How a command ends: exit codes, and errors for the user.
import { isOurs, messageOf } from '../error.mjs';

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

/** The known names that a mistyped word may have meant, the most similar first. */
export function similar(word, known, most = 3) {
  const lower = word.toLowerCase();
  const ranked = known.map((name) => [distance(lower, name.toLowerCase()), name]);
  const near = ([steps, name]) => steps <= Math.max(1, Math.floor(name.length / 3)) || name.toLowerCase().includes(lower);
  return ranked
    .filter(near)
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, name]) => name);
}

/** The number of edits between two words; exchanging two neighbours is one. Long words are not compared. */
function distance(a, b) {
  if (a.length > 100 || b.length > 100) return Infinity;
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
