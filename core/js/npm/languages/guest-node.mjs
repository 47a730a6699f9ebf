// The inside of a worker in Node and Bun.
import { constants } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';

// What engines and Node itself would print is dropped here: it would hold the process outside, which
// is to end while a worker waits for code.
for (const stream of [process.stdout, process.stderr]) stream._writev = (_, done) => done();

// Python's engine asks it for constants of files. Node's permission model refuses it as a whole.
process.binding = () => ({ fs: constants });

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
