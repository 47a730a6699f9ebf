// Serves the page with a history in it to the browser on this machine.
import { spawn } from 'node:child_process';
import { messageOf } from '../error.mjs';
import { embedded, following } from './embed.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { followed } from './followed.mjs';
import { PATHS } from './help.mjs';
import { OPEN_OPTIONS, RUN_OPTIONS, chosenRuns, noRuns, openRuns, pathsOr } from './open.mjs';
import { whole as number } from './options.mjs';
import { serve } from './serve.mjs';
import { bytes, plural } from './format.mjs';
import { viewer } from './viewer.mjs';

/** The default of --limit: the size of the exported history in MB. */
const LIMIT_MB = 256;

export const usage = '[--open] [--port N] [--follow | --empty] [PATH…]';
export const options = {
  open: { type: 'boolean', says: 'open the page in a browser' },
  port: { type: 'string', short: 'p', value: 'N', says: 'the port, 1 to 65535 (default: a free one)' },
  follow: { type: 'boolean', short: 'f', says: 'show files as they are now, each second, for as long as the command runs' },
  ...RUN_OPTIONS,
  limit: { type: 'string', value: 'MB', says: `the largest history to serve, in MB as an export (default: ${LIMIT_MB})` },
  empty: { type: 'boolean', says: 'serve the page without a history; drop files on it' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope view --open', 'shows the memory of the current folder in the browser'],
  ['hindscope view runs/ old.zip', 'prints the address of the page; Ctrl-C ends the command'],
  ['hindscope view --follow --open runs/', 'shows new attempts while a loop is running'],
  ['hindscope view --port 8123 --query outcome:failure runs/', 'shows only runs that failed, on a port of your choice'],
];
export const notes = [
  'The address works only on this machine, and only while the command runs. A part of it is random, so that other users and other pages cannot guess it. The page makes no requests but, with --follow, to this command: your data never leaves this machine.',
  'Without --follow, the page holds the runs and their records as they were when the command started. It is a package of its own, hindscope-viewer, in the version of hindscope.',
  PATHS,
];
export const exits = {
  0: 'ended by Ctrl-C',
  1: 'no run found or selected',
  3: 'a file could not be read or written, the port cannot be used, the history is larger than --limit, or the page is not installed',
};

export async function run({ values, positionals, out }) {
  const port = number(values.port, 'port', { least: 1, most: 65535 }) ?? 0;
  const most = (number(values.limit, 'limit', { least: 1 }) ?? LIMIT_MB) * 1e6;
  const page = viewer();
  const { html, source = page, runs = 0, carried = 0, serves, live } = await content(page, positionals, values, most, out);
  const server = await serve(html, source, port, live);
  if (out.isJson) out.json({ address: server.address, port: server.port, runs, carried });
  else {
    out.line(server.address);
    out.note(`Serving ${serves}. Press Ctrl-C to stop.`);
  }
  if (values.open) browse(server.address, out);
  await new Promise((end) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  });
  await server.close();
  return EXIT.ok;
}

/** What is served: pieces of HTML, and what is said of them. */
async function content(page, paths, values, most, out) {
  if (values.empty) {
    if (paths.length > 0) throw new Refusal('invalid-option', '--empty serves the page without a history, so it takes no PATH.');
    if (values.follow) throw new Refusal('invalid-option', '--follow and --empty cannot be combined.');
    return { html: [Buffer.from(page)], serves: 'the empty page' };
  }
  if (values.follow) return whatIsFollowed(page, pathsOr(paths), values);
  const { html, runs, carried } = await withHistory(page, paths, values, most, out);
  return { html, runs, carried, serves: `${plural(runs, 'run')} (${bytes(carried)})` };
}

function whatIsFollowed(page, paths, values) {
  const unusable = ['run', 'query', 'limit', 'memory'].find((name) => values[name] !== undefined);
  if (unusable) throw new Refusal('invalid-option', `--follow serves all files as they are, so it does not take --${unusable}.`, { hint: 'Filter the runs on the page.' });
  if (paths.includes('-')) throw new Refusal('invalid-option', '--follow reads files again and again, which standard input does not allow.');
  try {
    const source = following(page);
    return { html: [Buffer.from(source)], source, live: followed(paths), serves: `what is in ${paths.join(', ')} now and later` };
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('unreadable-input', `Cannot read ${paths.join(', ')}: ${messageOf(cause)}`, { exit: EXIT.io, cause });
  }
}

async function withHistory(page, paths, values, most, out) {
  const { history } = await openRuns(paths, out, values);
  const isNarrow = values.run !== undefined || values.query !== undefined;
  const runs = chosenRuns(history, values);
  if (runs.length === 0) throw noRuns();
  const made = history.export(isNarrow ? { runs } : {});
  const { html, length } = await embedded(page, made, most, (done) => out.progress(() => `Packing: ${bytes(done)}`));
  history.free();
  if (html) return { html, runs: runs.length, carried: length };
  throw new Refusal('too-large', `The history is larger than ${bytes(most)}, the limit for the page.`, {
    exit: EXIT.io,
    hint:
      'Select runs with --run or --query, raise the limit with --limit, or serve the page with --empty and drop the files on it, which works for files of any size.',
    details: { limit: most },
  });
}

/** Opens a browser. If that fails, the user can still copy the address. */
function browse(address, out) {
  const [program, ...args] = { darwin: ['open', address], win32: ['cmd', '/c', 'start', '""', address] }[process.platform] ?? ['xdg-open', address];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', (cause) => out.note(`Cannot start a browser (${messageOf(cause)}). Open the address yourself.`));
  child.unref();
}
