// Workers in Node and Bun.
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { LanguageError } from './error.mjs';

const { deno, bun } = process.versions;

/** Starts a worker without the environment, the arguments and the output of this process. */
export function startWorker(name, _, { memoryMb }) {
  // Its workers need the very globals that are taken away here.
  if (deno) throw unavailable('Deno');
  const worker = new Worker(new URL(`./${name}.worker.mjs`, import.meta.url), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: true,
    stdout: true,
    stderr: true,
    name: 'hindscope code',
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.on('message', onMessage);
      worker.on('error', (cause) => {
        const isMemory = cause?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        onFailure(isMemory ? 'out_of_memory' : 'failed', isMemory ? `more than ${memoryMb} MB of memory.` : String(cause?.message));
      });
      worker.on('exit', () => onFailure('failed', 'its worker has ended without an answer.'));
    },
    hold: () => worker.ref(),
    release: () => worker.unref(),
    end: () => void worker.terminate(),
  };
}

export function startJavascript(settings) {
  // What its `vm` keeps apart is not known.
  if (bun) throw unavailable('Bun');
  return startWorker('javascript', undefined, settings);
}

function unavailable(runtime) {
  return new LanguageError('unavailable', `In ${runtime} this language cannot be kept apart from the rest.`, 'unavailable');
}
