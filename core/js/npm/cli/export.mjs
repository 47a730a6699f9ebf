// Writes exports to files, which are never half written.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { keepOwner } from '../memory/owner.mjs';
import { EXIT, Refusal, unwritable } from './errors.mjs';
import { bytes } from './format.mjs';

/** Every form of an export: a description, and the options of `History.export`. */
export const FORMS = Object.freeze({
  history: ['the records, one per line; hindscope can open it again', { kind: 'history' }],
  csv: ['a row per attempt', { kind: 'csv' }],
  analytics: ['CSV of one run; hindscope can open it again', { kind: 'csv', profile: 'analytics' }],
  markdown: ['a report as text', { kind: 'markdown' }],
  report: ['a report as one HTML file with charts', { kind: 'report' }],
  chart: ['the chart of one run as SVG', { kind: 'chart' }],
  runs: ['the list of runs as JSON', { kind: 'json', query: 'runs' }],
  attempts: ['attempts with every field as JSON', { kind: 'json', query: 'run' }],
  findings: ['problems found as JSON', { kind: 'json', query: 'findings' }],
  explanation: ['lessons, patterns and rules as JSON', { kind: 'json', query: 'explain' }],
  records: ['reflection memory records, one per line', { kind: 'records' }],
});

/** The form that a file extension stands for. */
const ENDINGS = { '.hindscope.jsonl': 'history', '.json': 'attempts', '.jsonl': 'records', '.csv': 'csv', '.md': 'markdown', '.html': 'report', '.svg': 'chart' };

/** What `--to` takes: the forms, and the extensions that stand for one. */
export const FORM_NAMES = Object.freeze([...new Set([...Object.keys(FORMS), ...Object.keys(ENDINGS).map((ending) => ending.slice(1))])]);

/** The form of this name. */
export function formNamed(name) {
  return FORMS[name] ? name : ENDINGS[`.${name}`];
}

/** The form for the extension of a file. */
export function formOf(file) {
  const ending = Object.keys(ENDINGS).find((one) => file.toLowerCase().endsWith(one));
  if (ending) return ENDINGS[ending];
  throw new Refusal('invalid-option', `Unknown file extension: ${file}.`, { hint: `Known extensions: ${Object.keys(ENDINGS).join(', ')}. Or choose the form with \`hindscope convert --to\`.` });
}

/** Whether a path is an existing folder, or ends like one. */
export function isFolder(path) {
  return /[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Writes an export to a file, into a folder under a name of its own, or to standard output for `-`.
 * Returns the kind, the file and its length; nothing for standard output.
 */
export async function writeExport(history, options, { to, isForced = false }, out) {
  const made = history.export(options);
  if (to === undefined || to === '-') {
    for (const piece of made) await out.raw(piece);
    return undefined;
  }
  const file = isFolder(to) ? join(to, made.name) : to;
  return { kind: options.kind ?? 'history', file, bytes: await writeFile(file, made, { isForced }, out) };
}

/** Writes pieces to a file in one step, which must not be there unless `isForced`. Returns its length. */
export async function writeFile(file, pieces, { isForced = false }, out) {
  try {
    return await written(pieces, placeOf(file, isForced), out);
  } catch (cause) {
    if (cause.code === undefined || cause.syscall === undefined) throw cause;
    throw unwritable(file, cause);
  }
}

/** Links on the way to a file that is not there; a system gives up at about as many. */
const MOST_LINKS = 40;

/** What is written for a name, and its status if it is there. A link stays: what it points to is written. */
function placeOf(file, isForced) {
  const status = statSync(file, { throwIfNoEntry: false });
  if (!isForced && lstatSync(file, { throwIfNoEntry: false })) {
    const what = status ? 'already exists' : 'is a link to a file that does not exist';
    throw new Refusal('file-exists', `${file} ${what}.`, { hint: 'Write to it with --force, or choose another name.', details: { path: file } });
  }
  if (status?.isFile()) return { target: realpathSync(file), status };
  if (status && !status.isFIFO() && !status.isCharacterDevice()) {
    throw new Refusal('unwritable-output', `Cannot write ${file}: it is neither a file nor a pipe.`, { exit: EXIT.io, details: { path: file } });
  }
  // A pipe or a device, such as /dev/null, gets the bytes as they come.
  if (status) return { target: file, isStream: true };
  let target = resolve(file);
  for (let links = 0; links < MOST_LINKS && lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  return { target };
}

/** How long pieces are written before a signal is looked for. */
const PATIENCE_MS = 50;

/** Writes beside the file, then renames: readers see either the old file or the new one. */
async function written(pieces, { target, status, isStream = false }, out) {
  // Opening a folder passes over such a name, in case the draft cannot be removed.
  const draft = isStream ? target : join(dirname(target), `._hindscope-${process.pid}-${randomBytes(8).toString('hex')}.part`);
  const release = isStream ? () => {} : removedAtEnd(draft);
  let open;
  try {
    open = isStream ? openSync(draft, 'w') : openSync(draft, 'wx', status ? status.mode & 0o777 : 0o666);
    if (status) keepOwner(open, status);
    let [length, since] = [0, performance.now()];
    for (const piece of pieces) {
      const data = Buffer.from(piece);
      for (let at = 0; at < data.length; ) at += writeSync(open, data, at);
      length += data.length;
      out.progress(() => `Writing: ${bytes(length)}`);
      if (performance.now() - since < PATIENCE_MS) continue;
      await new Promise(setImmediate);
      since = performance.now();
    }
    closeSync(open);
    open = undefined;
    if (!isStream) renameSync(draft, target);
    return length;
  } catch (cause) {
    if (open !== undefined) closeSync(open);
    if (!isStream) rmSync(draft, { force: true });
    throw cause;
  } finally {
    release();
  }
}

/** Removes a draft if the process ends before it is renamed. Returns a function that calls this off. */
function removedAtEnd(draft) {
  const remove = () => rmSync(draft, { force: true });
  const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => process.exit(128 + constants.signals[signal])]);
  process.once('exit', remove);
  for (const [signal, end] of ends) process.once(signal, end);
  return () => {
    process.off('exit', remove);
    for (const [signal, end] of ends) process.off(signal, end);
  };
}
