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

/** What a value says of itself. Anything can be thrown. */
export function messageOf(cause) {
  try {
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  } catch {
    return 'an exception without a message';
  }
}

/**
 * `load({ engine, files, memoryMb })` gives `run({ code, state, output }) → JSON text`; state and output are JSON text, output is
 * absent if there is none. What `run` throws is what the code did wrong. `disarm` says whether, once the engine is there, its
 * memory is limited and what leads out of this realm is removed.
 */
export function serve(load, { disarm = true } = {}) {
  let run;
  let memoryMb;
  let wasRefused = () => false;
  channel.listen(async (message) => {
    try {
      if (message.type === 'load') {
        ({ memoryMb } = message);
        run = await load(message);
        if (disarm) {
          wasRefused = limitMemory(memoryMb);
          disarmRuntime();
          disarmRealm();
        }
        channel.post({ type: 'ready' });
      } else {
        wasRefused();
        const text = await run(message);
        if (typeof text !== 'string') throw new Error('the result is not JSON');
        channel.post({ type: 'answer', text });
      }
    } catch (cause) {
      const { code = run ? 'failed' : 'unavailable', message = messageOf(cause) } = ownError(cause) ?? {};
      channel.post({ type: 'failure', code, message });
    }
  });

  function ownError(cause) {
    if (cause instanceof CodeError) return cause;
    return wasRefused() ? outOfMemory(memoryMb) : undefined;
  }
}
