// Writes exports to files, which are never half written.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refusal, unwritable } from './errors.mjs';
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
  if (!isForced && existsSync(file)) {
    throw new Refusal('file-exists', `${file} already exists.`, { hint: 'Overwrite it with --force, or choose another name.', details: { path: file } });
  }
  return { kind: options.kind ?? 'history', file, bytes: written(made, file, out) };
}

/** Writes beside the file, then renames: readers see either the old file or the new one. */
function written(pieces, file, out) {
  const target = resolve(file);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  let open;
  try {
    open = openSync(draft, 'wx');
    let length = 0;
    for (const piece of pieces) {
      const data = Buffer.from(piece);
      for (let at = 0; at < data.length; ) at += writeSync(open, data, at);
      length += data.length;
      out.progress(() => `Writing: ${bytes(length)}`);
    }
    closeSync(open);
    open = undefined;
    renameSync(draft, target);
    return length;
  } catch (cause) {
    if (open !== undefined) closeSync(open);
    rmSync(draft, { force: true });
    if (cause.code === undefined || cause.syscall === undefined) throw cause;
    throw unwritable(file, cause);
  }
}
