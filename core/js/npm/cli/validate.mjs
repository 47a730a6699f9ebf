// Checks files of records.
import { readFileSync } from 'node:fs';
import { messageOf } from '../error.mjs';
import { pathItems } from '../history/files.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATH } from './help.mjs';
import { OPEN_OPTIONS, openPaths, shownPaths, standardInput } from './open.mjs';
import { framed } from './records.mjs';
import { loadEntry } from './start.mjs';
import { inline, named } from './text.mjs';
import { SEVERITIES, plural, severityColour, whole } from './format.mjs';

const SCHEMAS = ['reflection-memory', 'task-metadata', 'trajectory', 'reflection', 'attempt', 'action'];

/** Of each group so many findings are listed, as `History.findings` does it. */
const FIRST_OF_GROUP = 3;

/** So many single findings are made at once. */
const PART = 5000;

export const usage = '[--strict] [--schema SCHEMA] [--level LEVEL] [--all] FILE…';
export const takes = { least: 1, missing: '`validate` needs a file, a folder or an archive.' };
export const options = {
  strict: { type: 'boolean', short: 's', says: 'check reflection-memory records against their JSON Schema, not only whether they are usable; for records of other formats, add --schema' },
  schema: { type: 'string', value: 'SCHEMA', says: `check each record against this schema, whatever the format of the file: ${SCHEMAS.join(', ')}, or a file with a JSON Schema` },
  level: { type: 'string', short: 'l', value: 'LEVEL', says: 'fail a file for findings of this severity or worse (default: error)', choices: SEVERITIES },
  all: { type: 'boolean', short: 'a', says: 'list every single finding' },
  quiet: { type: 'boolean', short: 'q', says: 'list only files that fail, without their findings' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope validate loop.jsonl', 'checks whether the records are usable, and lists problems'],
  ['hindscope validate --strict loop.jsonl', 'checks reflection-memory records against their JSON Schema'],
  ['hindscope validate --schema action tasks/task-001/attempts/001/actions.jsonl', 'checks each line against one schema'],
  ['my-agent --dump | hindscope validate --schema reflection-memory --strict --quiet - && deploy', 'in a script: continues only if all records match the schema'],
];
export const notes = [
  'A file passes if its format is known, all its records are usable, and it has no finding of --level or worse. Other text files in a folder or archive, such as a README, are listed, and fail only because of findings of --level or worse. Empty files fail, and so do files that hindscope does not read, such as pictures and pickles. With --schema, every file must hold records: one JSON value, an array of values, or one value per line.',
  'Of findings of one rule about one property, the first three are listed, and how many more there are. --all lists each. Whether a file passes depends on all of them.',
  PATH.replace('PATH', 'FILE'),
];
export const exits = { 1: 'a file fails, or no record was found' };

export async function run({ values, positionals, out }) {
  const profile = values.strict ? 'strict' : 'lenient';
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(values.level ?? 'error') + 1);
  const how = { profile, failing, isAll: values.all === true, values };
  const files = values.schema === undefined ? await byFormat(positionals, how, out) : await bySchema(positionals, values.schema, how, out);
  const valid = files.some(({ kept }) => kept > 0) && files.every((file) => file.valid);
  if (out.isJson) out.json({ profile, valid, files });
  else print(files, values, out);
  return valid ? EXIT.ok : EXIT.no;
}

/** Checks each file by the rules of its own format. */
async function byFormat(paths, { profile, failing, isAll, values }, out) {
  const { history } = await openPaths(paths, out, values, profile);
  const shown = shownPaths(paths);
  const files = history.sources().map(({ id, path, format, state, reason, kept, repaired, skipped }) => {
    const findings = history.findings({ source: id });
    // A README beside records need not hold records; a file that was named must.
    const isBeside = state === 'raw' && !paths.includes(shown(path));
    const isWhole = isBeside || (state === 'read' && format !== undefined && skipped === 0 && kept > 0);
    const valid = isWhole && !has(findings, failing);
    return { path: shown(path), ...(format && { format }), state, ...(reason && { reason }), kept, repaired, skipped, valid, findings };
  });
  if (!isAll) return files;
  const counts = files.map(({ findings }) => findings.reduce((sum, { count }) => sum + count, 0));
  // Single findings are sorted by source, those about no source first.
  let end = history.findingCount - counts.reduce((sum, count) => sum + count, 0);
  return files.map((file, at) => {
    const from = end;
    end += counts[at];
    const findings = singles(history, from, end);
    return { ...file, findings: out.isJson ? [...findings] : findings };
  });
}

/** Some single findings of a history, made while they are asked for. */
function* singles(history, from, end) {
  for (let at = from; at < end; at += PART) yield* history.eachFinding({ from: at, count: Math.min(PART, end - at) });
}

/** Whether there are groups of these severities. */
function has(groups, severities) {
  return groups.some(({ severity }) => severities.includes(severity));
}

/** Checks each record against one schema. */
async function bySchema(paths, schema, { profile, failing, isAll }, out) {
  const isOwn = !SCHEMAS.includes(schema);
  const judged = isOwn ? await ownJudge(schema, out) : await shippedJudge({ schema, profile });
  const input = paths.includes('-') ? [{ name: 'stdin', text: String(await standardInput()) }] : [];
  const items = paths.flatMap((path) => (path === '-' ? input : filesOf(path)));
  const shown = shownPaths(paths);
  return items.map(({ name, text, reason }) => {
    const path = shown(name);
    if (reason !== undefined) return { path, state: 'refused', reason, kept: 0, repaired: 0, skipped: 0, valid: false, findings: [] };
    const groups = new Groups();
    const all = [];
    let [kept, skipped] = [0, 0];
    for (const record of framed(text)) {
      const answer = judged(record.text);
      if (profile === 'strict' ? answer.valid : answer.usable) kept += 1;
      else skipped += 1;
      for (const finding of answer.findings) {
        const own = placed(finding, record);
        groups.add(own);
        if (isAll) all.push(own);
      }
      out.progress(() => `Checking: ${plural(kept + skipped, 'record')}`);
    }
    const isWhole = skipped === 0 && kept > 0;
    const findings = groups.sorted();
    const valid = isWhole && !has(findings, failing);
    return { path, format: isOwn ? 'own schema' : schema, state: 'read', kept, repaired: 0, skipped, valid, findings: isAll ? all : findings };
  });
}

/** Judges records by a schema that we ship. */
async function shippedJudge(options) {
  const { validate } = await loadEntry('contract');
  return (text) => validate(text, options);
}

/** The same by a schema in a file. */
async function ownJudge(file, out) {
  const { Validator } = await loadEntry('loop');
  const judge = new Validator(schemaOf(file));
  for (const { message } of judge.warnings) out.note(`${file}: ${message}`);
  return (text) => judge.validate(text);
}

/** Findings in groups by rule and member, in the form and order of `History.findings`. */
class Groups {
  #groups = new Map();

  /** Adds a finding. They come in the order of the file. */
  add(finding) {
    const { rule, severity } = finding;
    const pointer = finding.pointer?.replaceAll(/(?<=\/)\d+(?=\/|$)/g, '*');
    const key = JSON.stringify([rule, severity, pointer]);
    if (!this.#groups.has(key)) this.#groups.set(key, { rule, severity, ...(pointer !== undefined && { pointer }), count: 0, first: [] });
    const group = this.#groups.get(key);
    group.count += 1;
    if (group.first.length < FIRST_OF_GROUP) group.first.push(finding);
  }

  /** The gravest first, of one severity the most frequent. */
  sorted() {
    const rank = ({ severity }) => SEVERITIES.indexOf(severity);
    const order = (a, b) => (a < b ? -1 : Number(a > b));
    return [...this.#groups.values()].sort(
      (a, b) => rank(a) - rank(b) || b.count - a.count || order(a.rule, b.rule) || order(a.pointer ?? '', b.pointer ?? ''),
    );
  }
}

/** A finding of a record, with its position in the whole file. */
function placed({ source, record, ...finding }, { line, column, offset, position }) {
  if (position !== undefined) finding.pointer = `/${position}${finding.pointer ?? ''}`;
  if (finding.line === undefined) return finding;
  if (finding.line === 1) finding.column += column - 1;
  finding.line += line - 1;
  finding.offset += offset;
  return finding;
}

/** The files of a path, with their texts. */
function filesOf(path) {
  return pathItems(path).map(({ name, feed }) => {
    const pieces = [];
    try {
      feed((slice) => pieces.push(Buffer.from(slice)) > 0);
    } catch (cause) {
      return { name, reason: messageOf(cause) };
    }
    return { name, text: Buffer.concat(pieces).toString('utf8') };
  });
}

function schemaOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `Unknown schema ${file}: --schema must be ${SCHEMAS.join(', ')}, or a readable file (${messageOf(cause)}).`;
    throw new Refusal('unreadable-input', message, { exit: EXIT.io, details: { path: file }, cause });
  }
}

function print(files, { quiet: isQuiet, all: isAll, schema }, out) {
  const { style } = out;
  for (const file of files) {
    if (isQuiet && file.valid) continue;
    const verdict = !file.valid ? style.red('fails') : file.state === 'raw' ? style.dim('no records') : style.green('passes');
    const facts = [
      file.format ?? file.state,
      plural(schema === undefined ? file.kept : file.kept + file.skipped, 'record'),
      ...(file.repaired > 0 ? [`${whole(file.repaired)} repaired`] : []),
      ...(file.skipped > 0 && file.state !== 'raw' ? [`${whole(file.skipped)} ${schema === undefined ? 'skipped' : 'fail'}`] : []),
      ...(file.reason ? [inline(file.reason)] : []),
    ];
    out.line(`${verdict}  ${style.bold(named(file.path))}  ${style.dim(facts.join(' · '))}`);
    if (isQuiet) continue;
    for (const found of file.findings) (isAll ? printFinding : printGroup)(file.path, found, out);
  }
  const failed = files.filter(({ valid }) => !valid).length;
  const empty = files.filter(({ valid, state }) => valid && state === 'raw').length;
  if (files.length === 1) return;
  const judged = files.length - empty;
  const those = empty === 0 ? plural(judged, 'file') : `${plural(judged, 'file')} with records`;
  out.note([
    ...(judged === 0 ? [] : [failed === 0 ? `All ${those} pass.` : `${whole(failed)} of ${those} fail.`]),
    ...(empty === 0 ? [] : [`${plural(empty, 'file')} ${empty === 1 ? 'has' : 'have'} no records.`]),
  ].join(' '));
}

/** Prints the first findings of a group, and how many more there are. */
function printGroup(path, { count, first }, out) {
  for (const [at, finding] of first.entries()) {
    // Findings of one kind mostly have one hint, which is printed behind the last of them.
    const isSame = finding.hint === first[at + 1]?.hint;
    printFinding(path, isSame ? { ...finding, hint: undefined } : finding, out);
  }
  if (count > first.length) out.line(out.style.dim(`      … and ${whole(count - first.length)} more like this (--all lists each)`));
}

/** Prints a finding in the form of compilers, so that editors can jump to it. */
function printFinding(path, { severity, rule, line, column, pointer, message, hint }, out) {
  const { style } = out;
  const place = [named(path), ...(line === undefined ? [] : [line, column ?? 1])].join(':');
  out.line(`  ${place}: ${severityColour(severity, style)(severity)}: ${inline(message)}${pointer ? style.dim(` ${inline(pointer)}`) : ''} ${style.dim(`[${rule}]`)}`);
  if (hint) out.line(style.dim(`      ${inline(hint)}`));
}
