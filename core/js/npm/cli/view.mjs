// The page, with a history in it, served to this machine's browser.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { said } from '../error.mjs';
import { carrying } from './carry.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS } from './help.mjs';
import { RUN_OPTIONS, chosenRuns, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { serve } from './serve.mjs';
import { bytes, noun } from './words.mjs';

/** Most that a page carries unless someone says more, in MB of the bundle. */
const LIMIT_MB = 256;

export const usage = '[--open] [--port N] [--empty] [PATH…]';
export const options = {
  open: { type: 'boolean', says: 'opens it in a browser' },
  port: { type: 'string', short: 'p', value: 'N', says: 'the port, 1..65535; one that is free if left out' },
  ...RUN_OPTIONS,
  limit: { type: 'string', value: 'MB', says: `most that the page carries, written as a bundle; ${LIMIT_MB} if left out` },
  empty: { type: 'boolean', says: 'the page without a history: files are dropped on it' },
};
export const examples = [
  ['hindscope view --open', 'the memory of the current folder, in a browser'],
  ['hindscope view runs/ old.zip', 'prints an address to open; Ctrl-C ends it'],
  ['hindscope view --port 8123 --query outcome:failure runs/', 'only runs that failed, at a port of your choice'],
];
export const notes = [
  'The address holds for this machine only and as long as the command runs; a part of it is drawn anew each time, so that other users and other pages cannot guess it. The page asks for nothing but itself: what it shows never leaves this machine.',
  'It carries the runs with their records, as the viewer copy of its Export does. It shows what was there when the command began.',
  PATHS,
];
export const exits = { 0: 'ended by Ctrl-C, which is how it ends', 1: 'there is no run, or none is chosen' };

export async function run({ values, positionals, out }) {
  const port = number(values.port, 'port', { least: 1, most: 65535 }) ?? 0;
  const most = (number(values.limit, 'limit', { least: 1 }) ?? LIMIT_MB) * 1e6;
  if (values.empty && positionals.length > 0) throw new Refusal('invalid-option', '--empty opens nothing, so there is no place for a path.');
  const viewer = page();
  const { html, runs, carried } = values.empty ? { html: [Buffer.from(viewer)], runs: 0, carried: 0 } : await withHistory(viewer, positionals, values, most, out);
  const server = await serve(html, viewer, port);
  if (out.isJson) out.json({ address: server.address, port: server.port, runs, carried });
  else {
    out.line(server.address);
    out.note(`${values.empty ? 'The page is empty' : `${noun(runs, 'run')}, ${bytes(carried)}`}. Ctrl-C ends it.`);
  }
  if (values.open) browse(server.address, out);
  await new Promise((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  });
  await server.close();
  return EXIT.fine;
}

/** The page as one file, as the package carries it. */
function page() {
  try {
    return readFileSync(new URL('../viewer.html', import.meta.url), 'utf8');
  } catch (cause) {
    throw new Refusal('no-page', `This package has no page: ${said(cause)}`, {
      exit: EXIT.unread,
      hint: '`cargo xtask build page npm` packs it; packages of releases have it.',
      cause,
    });
  }
}

async function withHistory(viewer, paths, values, most, out) {
  const { history } = await openRuns(paths, out);
  const isNarrow = values.run !== undefined || values.query !== undefined;
  const runs = chosenRuns(history, values);
  if (runs.length === 0) throw new Refusal('no-runs', 'No run is chosen.', { exit: EXIT.negative });
  const bundle = history.export(isNarrow ? { runs } : {});
  const { html, length } = await carrying(viewer, bundle, most, (done) => out.progress(() => `packing: ${bytes(done)}`));
  history.free();
  if (html) return { html, runs: runs.length, carried: length };
  throw new Refusal('too-large', `This history is more than the ${bytes(most)} that the page carries.`, {
    exit: EXIT.unread,
    hint:
      'Choose runs with --run or --query; or allow more with --limit; or open the page with --empty and drop the files there, which are read where they lie, whatever their size.',
    details: { limit: most },
  });
}

/** Starts a browser; where that fails the address is there to be copied. */
function browse(address, out) {
  const [program, ...args] = { darwin: ['open', address], win32: ['cmd', '/c', 'start', '""', address] }[process.platform] ?? ['xdg-open', address];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', (cause) => out.note(`No browser could be started (${said(cause)}). Open the address yourself.`));
  child.unref();
}
