// Files of records, judged.
import { readFileSync } from 'node:fs';
import { said } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { PATHS } from './help.mjs';
import { openPaths, shownPaths, standardInput } from './open.mjs';
import { framed } from './records.mjs';
import { started } from './start.mjs';
import { inline } from './text.mjs';
import { SEVERITIES, noun, severityDress, whole } from './words.mjs';

const SCHEMAS = ['reflection-memory', 'task-metadata', 'trajectory', 'reflection', 'attempt', 'action'];

export const usage = '[--strict] [--schema SCHEMA] [--level LEVEL] FILE…';
export const takes = { least: 1, missing: '`validate` needs a file, a folder or an archive.' };
export const options = {
  strict: { type: 'boolean', short: 's', says: 'the verdict of the JSON Schema; otherwise whether the records can be used' },
  schema: { type: 'string', value: 'SCHEMA', says: `what each record should be, whatever its format is: ${SCHEMAS.join(', ')}, or a file with a JSON Schema of your own` },
  level: { type: 'string', short: 'l', value: 'LEVEL', says: 'a finding of this severity fails the file; error if left out', choices: SEVERITIES },
  quiet: { type: 'boolean', short: 'q', says: 'only files that fail, without their findings' },
};
export const examples = [
  ['hindscope validate loop.jsonl', 'can its records be used, and what is odd about them?'],
  ['hindscope validate --strict .aiwg/ralph/reflections', 'does every record conform to its schema?'],
  ['hindscope validate --schema action tasks/task-001/attempts/001/actions.jsonl', 'each line against the schema of one kind'],
  ['my-agent --dump | hindscope validate --strict --quiet - && deploy', 'in a script: 0 says that all is well'],
];
export const notes = [
  'A file passes if its format is known, every record of it is kept, and no finding is of the level. Texts and other files found in a folder or archive that hold no records are listed, and fail nothing. With --schema a file holds one JSON value, a list of them, or one a line.',
  PATHS.replace(/ Without one.*$/, ''),
];
export const exits = { 1: 'a file does not pass' };

export async function run({ values, positionals, out }) {
  const profile = values.strict ? 'strict' : 'lenient';
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(values.level ?? 'error') + 1);
  const files = values.schema === undefined ? await byFormat(positionals, profile, failing, out) : await bySchema(positionals, values.schema, profile, failing, out);
  const valid = files.some(({ kept }) => kept > 0) && files.every((file) => file.valid);
  if (out.isJson) out.json({ profile, valid, files });
  else tell(files, values, out);
  return valid ? EXIT.fine : EXIT.negative;
}

/** Every source as its own format has it. */
async function byFormat(paths, profile, failing, out) {
  const { history } = await openPaths(paths, out, { profile });
  const shown = shownPaths(paths);
  const findings = grouped(history.findings());
  return history.sources().map(({ id, path, format, state, reason, kept, repaired, skipped }) => {
    const own = findings.get(id) ?? [];
    // A README beside records is none of them; a file that was named is meant to be one.
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

/** Every record against one schema. */
async function bySchema(paths, schema, profile, failing, out) {
  const { validate, Validator } = await started();
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
      out.progress(() => `judging: ${noun(kept + skipped, 'record')}`);
    }
    const isWhole = skipped === 0 && kept > 0;
    const valid = isWhole && !findings.some(({ severity }) => failing.includes(severity));
    return { path, format: isOwn ? 'own schema' : schema, state: 'read', kept, repaired: 0, skipped, valid, findings };
  });
}

/** A finding of a record, at its place in the file. */
function placed({ source, record, ...finding }, { line, column, offset, position }) {
  if (position !== undefined) finding.pointer = `/${position}${finding.pointer ?? ''}`;
  if (finding.line === undefined) return finding;
  if (finding.line === 1) finding.column += column - 1;
  finding.line += line - 1;
  finding.offset += offset;
  return finding;
}

/** The files below a path, read whole. */
function filesOf(path, pathItems) {
  return pathItems(path).map(({ name, feed }) => {
    const pieces = [];
    try {
      feed((slice) => pieces.push(Buffer.from(slice)) > 0);
    } catch (cause) {
      return { name, reason: said(cause) };
    }
    return { name, text: Buffer.concat(pieces).toString('utf8') };
  });
}

function schemaOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `--schema is one of ${SCHEMAS.join(', ')}, or a file: ${file} cannot be read: ${said(cause)}`;
    throw new Refusal('unreadable-input', message, { exit: EXIT.unread, cause });
  }
}

function tell(files, { quiet: isQuiet, schema }, out) {
  const { style } = out;
  for (const file of files) {
    if (isQuiet && file.valid) continue;
    const verdict = !file.valid ? style.red('fails') : file.state === 'raw' ? style.dim('no records') : style.green('passes');
    const facts = [
      file.format ?? file.state,
      noun(schema === undefined ? file.kept : file.kept + file.skipped, 'record'),
      ...(file.repaired > 0 ? [`${whole(file.repaired)} repaired`] : []),
      ...(file.skipped > 0 && file.state !== 'raw' ? [`${whole(file.skipped)} ${schema === undefined ? 'skipped' : 'fail'}`] : []),
      ...(file.reason ? [inline(file.reason)] : []),
    ];
    out.line(`${verdict}  ${style.bold(inline(file.path))}  ${style.dim(facts.join(' · '))}`);
    if (isQuiet) continue;
    for (const finding of file.findings) tellFinding(file.path, finding, out);
  }
  const failed = files.filter(({ valid }) => !valid).length;
  if (files.length !== 1) out.note(failed === 0 ? `All ${noun(files.length, 'file')} pass.` : `${whole(failed)} of ${noun(files.length, 'file')} fail.`);
}

/** As compilers write it, so that editors find the place. */
function tellFinding(path, { severity, rule, line, column, pointer, message, hint }, out) {
  const { style } = out;
  const place = [inline(path), ...(line === undefined ? [] : [line, column ?? 1])].join(':');
  out.line(`  ${place}: ${severityDress(severity, style)(severity)}: ${inline(message)}${pointer ? style.dim(` ${inline(pointer)}`) : ''} ${style.dim(`[${rule}]`)}`);
  if (hint) out.line(style.dim(`      ${inline(hint)}`));
}
