// The inside of a worker: loads an engine, closes the doors, runs one piece of code.
import { channel, disarmRuntime } from '#guest';
import { disarmRealm } from './disarm.mjs';

/** What a value says of itself. Anything can be thrown. */
export function messageOf(cause) {
  try {
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  } catch {
    return 'an exception without a message';
  }
}

/**
 * `load({ engine, files })` gives `run({ code, state, output }) → JSON text`; state and output are
 * JSON text, output is absent if there is none. What `run` throws is what the code did wrong.
 */
export function serve(load) {
  let run;
  channel.listen(async (message) => {
    try {
      if (message.type === 'load') {
        run = await load(message);
        disarmRuntime();
        disarmRealm();
        channel.post({ type: 'ready' });
      } else {
        const text = await run(message);
        if (typeof text !== 'string') throw new Error('the result is not JSON');
        channel.post({ type: 'answer', text });
      }
    } catch (cause) {
      const code = run ? 'failed' : 'unavailable';
      channel.post({ type: 'failure', code, message: messageOf(cause) });
    }
  });
}
