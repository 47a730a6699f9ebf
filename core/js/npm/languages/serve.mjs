// The inside of a worker: loads an engine, closes the doors, runs pieces of code one after the other.
import { channel, disarmRuntime } from '#guest';
import { disarmRealm, limitMemory } from './disarm.mjs';

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

/** Whether a package was looked for and is not there. */
function isMissing(cause, name) {
  return String(cause?.code).endsWith('MODULE_NOT_FOUND') && messageOf(cause).includes(name);
}

/**
 * `name` is the package of the engine. `load({ engine, files, memoryMb })` gives `{ run, renew }`. `run({ code, state, output, timeoutMs })` takes state and output as JSON
 * text, output is absent if there is none, and gives text: `V` and the result as JSON, `E` and what went wrong, `M` if there was not
 * enough memory, or `T` if it took too long. Once it has thrown, the engine is not asked again. `renew`, if there is one, makes the engine for the next code.
 * `disarm` says whether what leads out of this realm is removed once the engine is there.
 */
export function serve(name, load, { disarm = true } = {}) {
  let engine;
  let memoryMb;
  let wasRefused;
  channel.listen(async (message) => {
    try {
      if (message.type === 'load') {
        ({ memoryMb } = message);
        engine = await load(message);
        wasRefused = limitMemory(memoryMb);
        if (disarm) {
          disarmRuntime();
          disarmRealm();
        }
      } else {
        if (!(await ran(message))) return;
        await engine.renew?.();
      }
      channel.post({ type: 'ready' });
    } catch (cause) {
      const message = isMissing(cause, name) ? `The engine of this language is not installed. Install it beside hindscope: npm install ${name}` : messageOf(cause);
      channel.post({ type: 'failure', code: 'unavailable', message, isOver: true });
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
    if (text === 'T') [code, message] = ['timeout', `The code took longer than ${request.timeoutMs} ms.`];
    else if (text === 'M' || wasRefused()) [code, message] = ['out_of_memory', `The code used more than ${memoryMb} MB of memory.`];
    isOver ||= code !== 'failed';
    channel.post({ type: 'failure', code, message, isOver });
    return !isOver;
  }
}
