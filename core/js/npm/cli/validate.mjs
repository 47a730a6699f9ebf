// Checks files of records.
import { readFileSync } from 'node:fs';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATH } from './help.mjs';
import { openPaths, shownPaths, standardInput } from './open.mjs';
import { framed } from './records.mjs';
import { loadPackage } from './start.mjs';
import { inline } from './text.mjs';
import { SEVERITIES, plural, severityColour, whole } from './format.mjs';

const SCHEMAS = ['reflection-memory', 'task-metadata', 'trajectory', 'reflection', 'attempt', 'action'];

export const usage = '[--strict] [--schema SCHEMA] [--level LEVEL] FILE…';
export const takes = { least: 1, missing: '`validate` needs a file, a folder or an archive.' };
export const options = {
  strict: { type: 'boolean', short: 's', says: 'check against the JSON Schema; without this option, check whether the records are usable' },
  schema: { type: 'string', value: 'SCHEMA', says: `check each record against this schema, whatever the format of the file: ${SCHEMAS.join(', ')}, or a file with a JSON Schema` },
  level: { type: 'string', short: 'l', value: 'LEVEL', says: 'fail a file for findings of this severity or worse (default: error)', choices: SEVERITIES },
  quiet: { type: 'boolean', short: 'q', says: 'list only files that fail, without their findings' },
};
export const examples = [
  ['hindscope validate loop.jsonl', 'checks whether the records are usable, and lists problems'],
  ['hindscope validate --strict .aiwg/ralph/reflections', 'checks each record against the schema of its format'],
  ['hindscope validate --schema action tasks/task-001/attempts/001/actions.jsonl', 'checks each line against one schema'],
  ['my-agent --dump | hindscope validate --strict --quiet - && deploy', 'in a script: continues only if all records are valid'],
];
export const notes = [
  'A file passes if its format is known, all its records are usable, and it has no finding of --level or worse. Other files in a folder or archive, such as a README, are listed and never fail. With --schema, a file may hold one JSON value, an array of values, or one value per line.',
  PATH.replace('PATH', 'FILE'),
];
export const exits = { 1: 'a file fails, or no record was found' };

export async function run({ values, positionals, out }) {
  const profile = values.strict ? 'strict' : 'lenient';
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(values.level ?? 'error') + 1);
  const files = values.schema === undefined ? await byFormat(positionals, profile, failing, out) : await bySchema(positionals, values.schema, profile, failing, out);
  const valid = files.some(({ kept }) => kept > 0) && files.every((file) => file.valid);
  if (out.isJson) out.json({ profile, valid, files });
  else print(files, values, out);
  return valid ? EXIT.ok : EXIT.no;
}

/** Checks each file by the rules of its own format. */
async function byFormat(paths, profile, failing, out) {
  const { history } = await openPaths(paths, out, { profile });
  const shown = shownPaths(paths);
  const findings = grouped(history.eachFinding());
  return history.sources().map(({ id, path, format, state, reason, kept, repaired, skipped }) => {
    const own = findings.get(id) ?? [];
    // A README beside records need not hold records; a file that was named must.
    const isBeside = state === 'raw' && !paths.includes(shown(path));
    const isWhole = isBeside || (state === 'read' && format !== undefined && skipped === 0 && kept > 0);
    const valid = isWhole && !own.some(({ severity }) => failing.includes(severity));
    return { path: shown(path), ...(format && { format }), state, ...(reason && { reason }), kept, repaired, skipped, valid, findings: own };
  });
}

function grouped(findings) {
  const groups = new Map();
  for (const finding of findings) {
    if (!groups.has(finding.source)) groups.set(finding.source, []);
    groups.get(finding.source).push(finding);
  }
  return groups;
}

/** Checks each record against one schema. */
async function bySchema(paths, schema, profile, failing, out) {
  const { validate, Validator } = await loadPackage();
  const { pathItems } = await import('../files.mjs');
  const isOwn = !SCHEMAS.includes(schema);
  const judge = isOwn ? new Validator(schemaOf(schema)) : undefined;
  const judged = (text) => (judge ? judge.validate(text) : validate(text, { schema, profile }));
  const input = paths.includes('-') ? [{ name: 'stdin', text: String(await standardInput()) }] : [];
  const items = paths.flatMap((path) => (path === '-' ? input : filesOf(path, pathItems)));
  const shown = shownPaths(paths);
  return items.map(({ name, text, reason }) => {
    const path = shown(name);
    if (reason !== undefined) return { path, state: 'refused', reason, kept: 0, repaired: 0, skipped: 0, valid: false, findings: [] };
    const findings = [];
    let [kept, skipped] = [0, 0];
    for (const record of framed(text)) {
      const answer = judged(record.text);
      if (answer.verdict === 'unusable') skipped += 1;
      else kept += 1;
      for (const finding of answer.findings) findings.push(placed(finding, record));
      out.progress(() => `Checking: ${plural(kept + skipped, 'record')}`);
    }
    const isWhole = skipped === 0 && kept > 0;
    const valid = isWhole && !findings.some(({ severity }) => failing.includes(severity));
    return { path, format: isOwn ? 'own schema' : schema, state: 'read', kept, repaired: 0, skipped, valid, findings };
  });
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
function filesOf(path, pathItems) {
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

function print(files, { quiet: isQuiet, schema }, out) {
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
    out.line(`${verdict}  ${style.bold(inline(file.path))}  ${style.dim(facts.join(' · '))}`);
    if (isQuiet) continue;
    for (const finding of file.findings) printFinding(file.path, finding, out);
  }
  const failed = files.filter(({ valid }) => !valid).length;
  if (files.length !== 1) out.note(failed === 0 ? `All ${plural(files.length, 'file')} pass.` : `${whole(failed)} of ${plural(files.length, 'file')} fail.`);
}

/** Prints a finding in the form of compilers, so that editors can jump to it. */
function printFinding(path, { severity, rule, line, column, pointer, message, hint }, out) {
  const { style } = out;
  const place = [inline(path), ...(line === undefined ? [] : [line, column ?? 1])].join(':');
  out.line(`  ${place}: ${severityColour(severity, style)(severity)}: ${inline(message)}${pointer ? style.dim(` ${inline(pointer)}`) : ''} ${style.dim(`[${rule}]`)}`);
  if (hint) out.line(style.dim(`      ${inline(hint)}`));
}
