// Where code runs in Node, Bun and Deno: in a process of its own, or in a worker where no process may be started.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { LanguageError } from './error.mjs';
import { readLines, writeLine } from './lines.mjs';
import { startThread } from './thread.mjs';

/** The packages of the engines. */
const ENGINES = { javascript: 'quickjs-emscripten', lua: 'wasmoon', prolog: 'swipl-wasm', python: 'pyodide' };

/** What a worker says. */
const MESSAGES = ['ready', 'answer', 'failure'];

const here = dirname(fileURLToPath(import.meta.url));

/** Starts what runs code of a language. */
export function startWorker(name, _, { memoryMb, engine, files }) {
  const folders = [here, ...foldersOf(ENGINES[name], import.meta.url)];
  if (folders.length === 1 && !engine) {
    throw new LanguageError('unavailable', `The engine of this language is not installed. Install it beside hindscope: npm install ${ENGINES[name]}`, 'unavailable');
  }
  for (const address of [engine, files]) if (address?.startsWith('file:')) folders.push(dirname(fileURLToPath(new URL('x', address))));
  const walls = permissions(folders);
  if (may('child') && !process.versions.deno) return startProcess(name, memoryMb, walls);
  if (may('worker')) return startThread(name, memoryMb, walls);
  throw new LanguageError('unavailable', 'Code cannot be isolated here: this program may start neither processes nor workers. Allow it to: node --allow-child-process.', 'unavailable');
}

/** Whether this program, which may have walls of its own, may start one of these. */
function may(what) {
  return process.permission?.has(what) ?? true;
}

/** Node's permission model, where there is one: to read files in these folders is allowed, and nothing else. */
function permissions(folders) {
  const flag = ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags?.has(flag));
  return flag ? [flag, ...[...folders.map((folder) => join(folder, '*')), join(here, '../package.json')].map((path) => `--allow-fs-read=${path}`)] : [];
}

/** The folders of a package and of all that it depends on: where links lead, and the links. */
function foldersOf(name, from, found = new Set()) {
  const folder = createRequire(from).resolve.paths(name)?.map((place) => join(place, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (!folder || found.has(folder)) return found;
  const text = join(realpathSync(folder), 'package.json');
  found.add(folder).add(dirname(text));
  for (const other of Object.keys(JSON.parse(readFileSync(text, 'utf8')).dependencies ?? {})) foldersOf(other, text, found);
  return found;
}

/** A process without the environment and the output of this one. */
function startProcess(name, memoryMb, walls) {
  const flags = walls.length > 0 ? [...walls, '--allow-worker'] : [];
  const child = spawn(process.execPath, [...flags, join(here, 'keeper.mjs'), name, String(memoryMb)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const end = () => void child.kill('SIGKILL');
  // What is written to a process that has ended is lost, and its end is heard below.
  child.stdin.on('error', () => {});
  const held = [child, child.stdin, child.stdout];
  return {
    post: (message) => writeLine(child.stdin, message),
    listen(onMessage, onFailure) {
      let hasSpoken = false;
      const refuse = () => {
        end();
        onFailure('failed', 'the process of the code sent something else than an answer.');
      };
      readLines(child.stdout, (message) => {
        hasSpoken = true;
        if (message.type === 'failed') onFailure(String(message.code), String(message.message));
        else if (MESSAGES.includes(message.type)) onMessage(message);
        else refuse();
      }, refuse);
      child.on('error', ({ message }) => onFailure('unavailable', `no process can be started: ${message}`));
      child.on('close', (code, signal) => {
        if (hasSpoken) onFailure('failed', 'the process of the code ended without a result.');
        else onFailure('unavailable', `the process for code ended at its start, with ${signal ?? code}.`);
      });
    },
    hold: () => held.forEach((each) => each.ref?.()),
    release: () => held.forEach((each) => each.unref?.()),
    end,
  };
}
