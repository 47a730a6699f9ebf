// Writing what is open to a file, and never half of it.
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { said } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';

/** Every form that a history can be written in: what it is, and the options of `History.export`. */
export const FORMS = Object.freeze({
  bundle: ['everything, to be opened again', { kind: 'bundle' }],
  csv: ['a row for each attempt', { kind: 'csv' }],
  analytics: ['CSV of one run, which opens again', { kind: 'csv', profile: 'analytics' }],
  markdown: ['a report to read', { kind: 'markdown' }],
  report: ['one HTML file, with charts', { kind: 'report' }],
  chart: ['the chart of one run as SVG', { kind: 'chart' }],
  runs: ['the list of runs as JSON', { kind: 'json', query: 'runs' }],
  attempts: ['attempts in full as JSON', { kind: 'json', query: 'run' }],
  findings: ['what is odd as JSON', { kind: 'json', query: 'findings' }],
  explanation: ['what was learned as JSON', { kind: 'json', query: 'explain' }],
  records: ['records of reflection memory, one a line', { kind: 'records' }],
});

/** What the ending of a file asks for. */
const ENDINGS = { '.json': 'bundle', '.jsonl': 'records', '.csv': 'csv', '.md': 'markdown', '.html': 'report', '.svg': 'chart' };

/** The form that a file's ending names. */
export function formOf(file) {
  const form = ENDINGS[extname(file).toLowerCase()];
  if (form) return form;
  throw new Refusal('invalid-option', `The ending of ${file} says no form.`, { hint: `Known endings: ${Object.keys(ENDINGS).join(', ')}. \`hindscope convert --to\` takes every form.` });
}

/** Whether a path is that of a folder, or says so. */
export function isFolder(path) {
  return /[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Writes an export to a file, or into a folder under its own name, or to standard output for `-`.
 * Gives what was written, where, and how much.
 */
export async function writeExport(history, options, { to, isForced = false }, out) {
  const made = history.export(options);
  if (to === undefined || to === '-') {
    for (const piece of made) await out.raw(piece);
    return undefined;
  }
  const file = isFolder(to) ? join(to, made.name) : to;
  if (!isForced && existsSync(file)) {
    throw new Refusal('file-exists', `${file} is there already.`, { hint: '--force replaces it.', details: { path: file } });
  }
  return { kind: options.kind ?? 'bundle', file, bytes: written(made, file, out) };
}

/** Beside the file first, then in its place: whoever looks meanwhile sees the old one or the new. */
function written(pieces, file, out) {
  const target = resolve(file);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  let open;
  try {
    open = openSync(draft, 'wx');
    let length = 0;
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      for (let at = 0; at < bytes.length; ) at += writeSync(open, bytes, at);
      length += bytes.length;
      out.progress(() => `writing: ${length} bytes`);
    }
    closeSync(open);
    open = undefined;
    renameSync(draft, target);
    return length;
  } catch (cause) {
    if (open !== undefined) closeSync(open);
    rmSync(draft, { force: true });
    if (cause.code === undefined || cause.syscall === undefined) throw cause;
    throw new Refusal('unwritable-output', `${file} cannot be written: ${said(cause)}`, { exit: EXIT.unread, details: { path: file }, cause });
  }
}
