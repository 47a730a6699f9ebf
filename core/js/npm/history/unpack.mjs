// Archives: what comes out of them, and reading it once more.
import { HindscopeError, messageOf } from '../error.mjs';
import { bytesOf, number, pick } from '../input.mjs';
import { Handle, ask } from './core.mjs';

/** First bytes that show an archive. */
export const HEAD = 512;

/** Limits of an archive, as an option. */
export function limits(options) {
  return pick(options, { total: number, ratio: number, ratioAfter: number, entries: number });
}

/** Whether a file that begins with these bytes is an archive. */
export function isArchive(head) {
  return ask((core) => core.Unpacker.recognises(head.subarray(0, HEAD)));
}

/**
 * What comes out of an archive, part by part: an entry, pieces of its bytes, its end or a refusal.
 * Where a part says what is wanted, `next` takes the bytes or what was thrown instead of them.
 */
function* asked(path, size, options) {
  const handle = new Handle('unpacker', (core) => new core.Unpacker(path, size, options));
  try {
    for (;;) {
      const step = handle.ask((inner) => inner.next());
      if (step.kind === 'done') return;
      if (step.kind !== 'wants') {
        yield step instanceof Uint8Array ? { kind: 'data', bytes: step } : step;
        continue;
      }
      const { bytes, problem } = yield step;
      const isWhole = bytes?.length === step.end - step.start;
      if (isWhole) handle.ask((inner) => inner.give(bytes));
      else handle.ask((inner) => inner.fail(problem ?? 'the file became shorter while it was read'));
    }
  } finally {
    handle.free();
  }
}

/** The parts of an archive, whose bytes `read(start, end)` gives. */
export function* parts(path, item, options) {
  const steps = asked(path, item.size, options);
  try {
    for (let answer; ; ) {
      const { value: step, done } = steps.next(answer);
      if (done) return;
      answer = undefined;
      if (step.kind !== 'wants') yield step;
      else answer = attempt(() => item.read(step.start, step.end));
    }
  } finally {
    steps.return();
  }
}

function attempt(read) {
  try {
    return { bytes: read() };
  } catch (cause) {
    return { problem: messageOf(cause) };
  }
}

/** The same where bytes come later. */
export async function* laterParts(path, item, options) {
  const steps = asked(path, item.size, options);
  try {
    for (let answer; ; ) {
      const { value: step, done } = steps.next(answer);
      if (done) return;
      answer = undefined;
      if (step.kind !== 'wants') yield step;
      else answer = await item.later(step.start, step.end).then((bytes) => ({ bytes }), (cause) => ({ problem: messageOf(cause) }));
    }
  } finally {
    steps.return();
  }
}

/** Parts put together to entries. */
export class Gathering {
  #entry;
  #pieces;

  /** Takes a part; gives the entry that it completes. */
  take(part) {
    if (part.kind === 'entry') {
      this.#entry = part;
      this.#pieces = [];
    } else if (part.kind === 'data') {
      this.#pieces.push(part.bytes);
    } else {
      const entry = { path: this.#entry.path, data: joined(this.#pieces) };
      return part.kind === 'end' ? entry : { ...entry, refusal: { rule: part.rule, reason: part.reason } };
    }
    return undefined;
  }
}

/** Pieces as one. */
export function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** `unpack` where there are no paths; `itemOf` gives the item of an input. */
export function unpackWith(input, options, itemOf) {
  const plain = limits(options);
  const item = itemOf(input);
  return item.read ? entries(item, plain) : laterEntries(item, plain);
}

function* entries(item, options) {
  const gathering = new Gathering();
  for (const part of parts(item.name, item, options)) {
    const entry = gathering.take(part);
    if (entry) yield entry;
  }
}

async function* laterEntries(item, options) {
  const gathering = new Gathering();
  for await (const part of laterParts(item.name, item, options)) {
    const entry = gathering.take(part);
    if (entry) yield entry;
  }
}

/**
 * Reads bytes of packed entries again, by unpacking the entries again. Reading goes on from the last place
 * where it can, so all records of an entry in their order cost one pass over it, not one pass each.
 */
export class Again {
  #item;
  #options;
  #number;
  #parts;
  /** The last piece, and where it begins. */
  #piece = new Uint8Array();
  #at = 0;

  constructor(item, options) {
    this.#item = item;
    this.#options = options;
  }

  read(entry, start, end) {
    if (entry !== this.#number || start < this.#at) this.#restart(entry);
    const pieces = [];
    for (;;) {
      const from = Math.max(start - this.#at, 0);
      pieces.push(this.#piece.subarray(from, Math.max(end - this.#at, from)));
      if (this.#at + this.#piece.length >= end) return joined(pieces);
      this.#forward();
    }
  }

  #restart(entry) {
    this.#parts?.return();
    this.#number = entry;
    this.#parts = parts(this.#item.name, this.#item, { ...this.#options, only: entry });
    this.#piece = new Uint8Array();
    this.#at = 0;
  }

  #forward() {
    for (;;) {
      const { value: part, done } = this.#parts.next();
      if (done || part.kind === 'refused') {
        this.#number = undefined;
        throw new Error(part?.reason ?? 'the archive has become shorter since it was opened');
      }
      if (part.kind === 'data') {
        this.#at += this.#piece.length;
        this.#piece = part.bytes;
        return;
      }
    }
  }
}

/** The bytes of a Blob, now: only in workers. Undefined where they come later. */
export function blobItem(name, blob) {
  const slice = (start, end) => blob.slice(start, end);
  const item = {
    name,
    size: blob.size,
    later: async (start, end) => new Uint8Array(await slice(start, end).arrayBuffer()),
  };
  if (typeof FileReaderSync === 'undefined') return item;
  const read = (start, end) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(slice(start, end)));
  return { ...item, read, feed: (push) => feedSlices(blob.size, read, push) };
}

/** Bytes handed over at a time: what stays in the cache of the processor is copied and read twice as fast. */
const SLICE = 1 << 18;

/** Hands over slices until `push` wants no more. */
function feedSlices(size, read, push) {
  for (let at = 0; at < size; at += SLICE) {
    if (!push(read(at, Math.min(at + SLICE, size)))) break;
  }
}

/** Bytes in memory as an item: a class, since there may be thousands of them. */
class BytesItem {
  /** What is read again instead of it. */
  lasting = undefined;

  constructor(name, bytes) {
    this.name = name;
    this.size = bytes.length;
    this.bytes = bytes;
  }

  read(start, end) {
    return this.bytes.subarray(start, end);
  }

  async later(start, end) {
    return this.read(start, end);
  }

  put(room, at, most) {
    if (this.size <= most) room.set(this.bytes, at);
    return this.size;
  }

  feed(push) {
    feedSlices(this.size, (start, end) => this.read(start, end), push);
  }
}

/** Bytes in memory as an item. */
export function bytesItem(name, data) {
  return new BytesItem(name, bytesOf(data, `the data of ${name}`, { path: name }));
}

/** What a history cannot be opened from. */
export function notOpened(allowed) {
  return new HindscopeError('unreadable-input', `Unsupported input: expected ${allowed}.`);
}
