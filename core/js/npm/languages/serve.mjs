// The inside of a worker: loads an engine, limits its memory, runs pieces of code one after the other.
import { channel } from '#guest';

/** A longer answer is refused: whoever waits for it has to hold it, too. */
const MOST_TEXT = 2 ** 26;

/** A page of memory of wasm, in bytes. */
const PAGE = 2 ** 16;

/** What a value says of itself. Anything can be thrown. */
export function messageOf(cause) {
  try {
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  } catch {
    return 'an exception without a message';
  }
}

/**
 * `load({ engine, files, memoryMb })` gives `{ run, renew }`. `run({ code, state, output })` takes state and output as JSON
 * text, output is absent if there is none, and gives text: `V` and the result as JSON, `E` and what went wrong, or `M` if there was not
 * enough memory. Once it has thrown, the engine is not asked again. `renew`, if there is one, makes the engine for the next code.
 */
export function serve(load) {
  let engine;
  let memoryMb;
  let wasRefused;
  channel.listen(async (message) => {
    try {
      if (message.type === 'load') {
        ({ memoryMb } = message);
        engine = await load(message);
        wasRefused = limitMemory(memoryMb);
      } else {
        if (!(await ran(message))) return;
        await engine.renew?.();
      }
      channel.post({ type: 'ready' });
    } catch (cause) {
      channel.post({ type: 'failure', code: 'unavailable', message: messageOf(cause), isOver: true });
    }
  });

  /** Runs code and posts what comes of it. Gives whether the engine can run more. */
  async function ran(request) {
    let text;
    let isOver = false;
    wasRefused();
    try {
      text = await engine.run(request);
    } catch (cause) {
      text = `E${messageOf(cause)}`;
      isOver = true;
    }
    if (text.length > MOST_TEXT) text = `EThe result has more than ${MOST_TEXT} characters.`;
    if (text[0] === 'V') {
      channel.post({ type: 'answer', text: text.slice(1) });
      return true;
    }
    let [code, message] = ['failed', text.slice(1)];
    if (text === 'M' || wasRefused()) [code, message] = ['out_of_memory', `The code used more than ${memoryMb} MB of memory.`];
    isOver ||= code !== 'failed';
    channel.post({ type: 'failure', code, message, isOver });
    return !isOver;
  }
}

/**
 * From now on each memory of an engine grows by `memoryMb` at most. Engines ask for memory by `grow`, and hear what they would
 * hear from a machine that has none left. Gives whether that has happened since it was last asked.
 */
function limitMemory(memoryMb) {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  const most = new WeakMap();
  let wasRefused = false;
  prototype.grow = function (pages) {
    if (!most.has(this)) most.set(this, this.buffer.byteLength + memoryMb * 2 ** 20);
    if (this.buffer.byteLength + pages * PAGE > most.get(this)) {
      wasRefused = true;
      throw new RangeError('The limit of memory is reached.');
    }
    const before = grow.call(this, pages);
    // Engines ask for much first, and are content with less.
    wasRefused = false;
    return before;
  };
  return () => {
    const was = wasRefused;
    wasRefused = false;
    return was;
  };
}
