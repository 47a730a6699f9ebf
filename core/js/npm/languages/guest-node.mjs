// The inside of a worker in Node and Bun.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';

// What engines and Node itself would print is dropped here: it would hold the process outside, which
// is to end while a worker waits for code.
for (const stream of [process.stdout, process.stderr]) stream._writev = (_, done) => done();

const post = parentPort.postMessage.bind(parentPort);

export const channel = {
  post,
  listen: (receive) => parentPort.on('message', receive),
};

/** The folder of a file of an engine that is installed beside this package. */
export function installed(file) {
  const path = createRequire(import.meta.url).resolve(file);
  return { path, url: pathToFileURL(path).href };
}

/** What leads to files, networks, processes and new code. */
const MODULES = ['fs', 'fs/promises', 'child_process', 'module', 'net', 'dgram', 'dns', 'http', 'https', 'tls', 'vm', 'worker_threads'];

/**
 * Leaves nothing in the modules of Node that an engine may still hold. The last of several walls:
 * code of a language should not come as far as to one of these objects.
 */
export function disarmRuntime() {
  const require = createRequire(import.meta.url);
  const closed = () => {
    throw new Error('This is not available to inline code.');
  };
  process.on('unhandledRejection', () => {});
  for (const name of MODULES) {
    let module;
    try {
      module = require(`node:${name}`);
    } catch {
      continue;
    }
    for (const key of Reflect.ownKeys(module)) {
      try {
        if (typeof module[key] === 'function') module[key] = closed;
      } catch {
        // Constants without a setter do nothing by themselves.
      }
    }
    if (module.promises) {
      for (const key of Object.keys(module.promises)) if (typeof module.promises[key] === 'function') module.promises[key] = closed;
    }
  }
  syncBuiltinESMExports();
  for (const key of ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'kill', '_kill', 'chdir', '_debugProcess', '_startProfilerIdleNotifier']) {
    try {
      Object.defineProperty(process, key, { value: closed });
    } catch {
      process[key] = closed;
    }
  }
  try {
    process.mainModule = undefined;
  } catch {
    // Workers have none.
  }
}
