// The inside of a worker: loads an engine, closes the doors, runs pieces of code one after the other.
import { channel, disarmRuntime } from '#guest';
import { disarmRealm, limitMemory } from './disarm.mjs';

/** What code did wrong, where that has a code of its own. */
export class CodeError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** That code used more memory than it may. */
export function outOfMemory(memoryMb) {
  return new CodeError('out_of_memory', `The code used more than ${memoryMb} MB of memory.`);
}

/** A longer answer is refused: whoever waits for it has to hold it, too. */
const MOST_TEXT = 2 ** 26;

/** What a value says of itself. Anything can be thrown. */
export function messageOf(cause) {
  try {
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  } catch {
    return 'an exception without a message';
  }
}

/**
 * `load({ engine, files, memoryMb })` gives `{ run, renew }`: `run({ code, state, output, timeoutMs }) → JSON text`; state and output
 * are JSON text, output is absent if there is none. A text that `run` throws is what the code did wrong; after anything else the
 * engine is not asked again. `renew`, if there is one, makes the engine for the next code. `disarm` says whether, once the engine is there, its
 * memory is limited and what leads out of this realm is removed.
 */
export function serve(load, { disarm = true } = {}) {
  let engine;
  let memoryMb;
  let wasRefused = () => false;
  channel.listen(async (message) => {
    try {
      if (message.type === 'load') {
        ({ memoryMb } = message);
        engine = await load(message);
        if (disarm) {
          wasRefused = limitMemory(memoryMb);
          disarmRuntime();
          disarmRealm();
        }
        channel.post({ type: 'ready' });
      } else {
        wasRefused();
        try {
          const text = await engine.run(message);
          if (text.length > MOST_TEXT) throw `The result has more than ${MOST_TEXT} characters.`;
          channel.post({ type: 'answer', text });
        } catch (cause) {
          const { code = 'failed', message = messageOf(cause) } = ownError(cause) ?? {};
          const isOver = code === 'out_of_memory' || typeof cause !== 'string';
          channel.post({ type: 'failure', code, message, isOver });
          if (isOver) return;
        }
        await engine.renew?.();
        channel.post({ type: 'ready' });
      }
    } catch (cause) {
      channel.post({ type: 'failure', code: 'unavailable', message: messageOf(cause), isOver: true });
    }
  });

  function ownError(cause) {
    if (cause instanceof CodeError) return cause;
    return wasRefused() ? outOfMemory(memoryMb) : undefined;
  }
}
