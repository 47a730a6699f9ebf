// A verdict with the record that it is about.
import { isText, whenRead } from './input.mjs';

const decoder = new TextDecoder();

/** The answer of a validator, with the record where it is of use. */
export function carrying(ask, record, bytes, answer) {
  if (!answer.usable) return answer;
  if (!isText(record)) return Object.assign(answer, { record });
  // The caller may write into its bytes before it looks.
  const kept = bytes.slice();
  return Object.defineProperty(answer, 'record', whenRead(() => parsed(ask, kept)));
}

/** What a text says: that which is not plain JSON, as the core has repaired it. */
export function parsed(ask, bytes) {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return JSON.parse(ask((core) => core.plainJson(bytes)));
  }
}
