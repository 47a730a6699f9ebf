// How a command ends, and why it did not do what was asked.
import { isOurs, said } from '../error.mjs';

/** Exit codes. They are documented in every help and never change. */
export const EXIT = Object.freeze({ fine: 0, negative: 1, misuse: 2, unread: 3, bug: 70, interrupted: 130 });

/** What each of them means, as help says it. */
export const EXIT_MEANS = Object.freeze({
  0: 'fine',
  1: 'the answer is no: nothing was found, or something does not hold',
  2: 'asked wrongly: an option, a query, a run or a number that is not there',
  3: 'something could not be read or written',
  70: 'a bug of hindscope',
  130: 'interrupted',
});

/** A command that is not carried out. */
export class Refusal extends Error {
  /** `code` says what it is for scripts, `hint` how to go on. */
  constructor(code, message, { exit = EXIT.misuse, hint = undefined, details = {}, cause = undefined } = {}) {
    super(message, { cause });
    this.code = code;
    this.exit = exit;
    this.hint = hint;
    this.details = details;
  }
}

/** Whatever was thrown, as a refusal. */
export function refusalOf(cause) {
  if (cause instanceof Refusal) return cause;
  if (isOurs(cause)) {
    const { code, message, details } = cause;
    const isUnread = code === 'unreadable-input' || code === 'memory-unreadable' || code.startsWith('store-');
    const exit = code === 'crashed' ? EXIT.bug : isUnread ? EXIT.unread : EXIT.misuse;
    return new Refusal(code, message, { exit, details, cause });
  }
  const hint = `Please report it with this: ${cause?.stack ?? said(cause)}`;
  return new Refusal('bug', `hindscope has a bug: ${said(cause)}`, { exit: EXIT.bug, hint, cause });
}

/** What is like `word` among `known`, for those who mistyped it; the most alike first. */
export function alike(word, known, most = 3) {
  const lower = word.toLowerCase();
  const ranked = known.map((name) => [distance(lower, name.toLowerCase()), name]);
  const near = ([steps, name]) => steps <= Math.max(1, Math.floor(name.length / 3)) || name.toLowerCase().includes(lower);
  return ranked
    .filter(near)
    .sort(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, name]) => name);
}

/** Edits between two words, neighbours exchanged counting as one. Long ones are not compared. */
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
