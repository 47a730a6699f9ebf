// A worker in Node, Bun and Deno.
import { Worker } from 'node:worker_threads';

/** Starts a worker without the environment, the arguments and the output of its process. `execArgv` says what it may do. */
export function startThread(name, memoryMb, execArgv) {
  const worker = new Worker(new URL(`./${name}.worker.mjs`, import.meta.url), {
    env: {},
    argv: [],
    execArgv,
    stdin: true,
    stdout: true,
    stderr: true,
    name: 'hindscope code',
    // What is young grows old all at once. If it is more than the leeway at the limit, V8 ends the
    // process instead of the worker, as Node 24 did in a quarter of the runs.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
  });
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onFailure) {
      worker.on('message', onMessage);
      worker.on('error', (cause) => {
        const isMemory = cause?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        onFailure(isMemory ? 'out_of_memory' : 'failed', isMemory ? `the code used more than ${memoryMb} MB of memory.` : String(cause?.message));
      });
      worker.on('exit', () => onFailure('failed', 'the worker ended without a result.'));
    },
    hold: () => worker.ref(),
    release: () => worker.unref(),
    end: () => void worker.terminate(),
  };
}
