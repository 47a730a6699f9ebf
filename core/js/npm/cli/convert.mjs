// Exports runs in another format.
import { EXIT, Refusal } from './errors.mjs';
import { FORMS, FORM_NAMES, formNamed, formOf, isFolder, writeExport } from './export.mjs';
import { PATHS } from './help.mjs';
import { OPEN_OPTIONS, RUN_OPTIONS, chosenRuns, noRuns, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { bytes } from './format.mjs';

/** Forms that hold exactly one run. */
const ONE_RUN = ['analytics', 'chart'];
/** Forms that are JSON. */
const JSON_FORMS = 'history runs attempts findings explanation';

export const usage = '[--to FORM] [--out FILE] [--run RUN] [PATH…]';
export const options = {
  to: { type: 'string', short: 't', value: 'FORM', says: 'the form (default: from the extension of FILE, otherwise history)', choices: FORM_NAMES },
  out: { type: 'string', short: 'o', value: 'FILE', says: 'a file, a folder (hindscope chooses the file name), or - for standard output' },
  force: { type: 'boolean', short: 'f', says: 'write to FILE if it exists' },
  ...RUN_OPTIONS,
  created: { type: 'string', value: 'TIME', says: 'the creation time to record: a UTC time such as 2026-03-10T12:00:00Z, or now (default: none, so that the same input always gives the same file)' },
  'no-originals': { type: 'boolean', says: 'history: leave out the records as they were written' },
  'no-outputs': { type: 'boolean', says: 'history and JSON: leave out the output of tools and checks, stack traces and original records' },
  'no-prompts': { type: 'boolean', says: 'history, JSON, markdown and report: leave out tasks, criteria, prompts and original records' },
  'no-paths': { type: 'boolean', says: 'all but chart, records and analytics: shorten absolute paths to …/name' },
  'no-reflections': { type: 'boolean', says: 'report: leave out the text of reflections' },
  points: { type: 'boolean', says: 'chart and report: show rewards as points from 0 to 100' },
  first: { type: 'string', value: 'N', says: 'chart: the first attempt to show' },
  last: { type: 'string', value: 'N', says: 'chart: the last attempt to show' },
  supply: { type: 'string', value: 'JSON', says: 'records: values for properties that the schema requires and the input does not have' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope convert runs/ --out runs.hindscope.jsonl', 'writes all records into one file, which hindscope can open again'],
  ['hindscope convert runs/ --to csv | duckdb -c "select outcome, count(*) from read_csv(\'/dev/stdin\') group by 1"', 'passes a table to another tool'],
  ['hindscope convert runs/ --query outcome:failure --out failures.html', 'writes a report with charts about the runs that failed'],
  ['hindscope convert --run task-001 --to chart --out task-001.svg', 'draws the chart of one run'],
];
export const notes = [
  `The values of --to: ${Object.entries(FORMS).map(([name, [what]]) => `${name} (${what})`).join(', ')}. It also takes the extension of a file: html is report.`,
  'FILE is replaced in one step: it is never half written, and keeps its permissions. A link stays, and the file it points to is replaced. A pipe or device gets the bytes as they come. With --json, hindscope prints what it wrote to FILE; this needs --out.',
  PATHS,
];
export const exits = { 1: 'no run found or selected' };

export async function run({ values, positionals, out }) {
  const isFile = values.out !== undefined && values.out !== '-';
  if (out.isJson && !isFile) throw new Refusal('invalid-option', '--json needs --out: it prints what was written to a file.');
  const isNamed = isFile && !isFolder(values.out) && /\.\w+$/.test(values.out);
  const form = formNamed(values.to) ?? (isNamed ? formOf(values.out) : 'history');
  const chosen = { ...FORMS[form][1], ...details(values, form) };
  const { history } = await openRuns(positionals, out, values);
  const isNarrow = values.run !== undefined || values.query !== undefined;
  const runs = chosenRuns(history, values);
  if (runs.length === 0) throw noRuns();
  if (ONE_RUN.includes(form) && runs.length > 1) {
    throw new Refusal('invalid-option', `The form ${form} can contain only one run, but ${runs.length} are selected.`, { hint: 'Select one run with --run.' });
  }
  const made = await writeExport(history, { ...chosen, ...((isNarrow || ONE_RUN.includes(form)) && { runs }) }, { to: values.out, isForced: values.force }, out);
  if (out.isJson) out.json({ form, ...made });
  else if (made) out.note(`Wrote ${bytes(made.bytes)} to ${made.file}.`);
  return EXIT.ok;
}

/** The options of a form. Options that the form does not have are refused, since they would do nothing. */
function details(values, form) {
  const own = {
    'no-originals': ['history', { originals: false }],
    'no-outputs': [JSON_FORMS, { outputs: false }],
    'no-prompts': [`${JSON_FORMS} markdown report`, { prompts: false }],
    'no-paths': [`${JSON_FORMS} csv markdown report`, { paths: false }],
    'no-reflections': ['report', { reflections: false }],
    points: ['chart report', { points: true }],
    first: ['chart', { first: number(values.first, 'first') }],
    last: ['chart', { last: number(values.last, 'last') }],
    supply: ['records', { supply: values.supply }],
  };
  const picked = {};
  for (const [name, [forms, option]] of Object.entries(own)) {
    if (values[name] === undefined) continue;
    if (!forms.split(' ').includes(form)) throw new Refusal('invalid-option', `--${name} applies to ${forms.split(' ').join(', ').replace(/, (\w+)$/, ' and $1')}, not to ${form}.`);
    Object.assign(picked, option);
  }
  const created = values.created === 'now' ? new Date() : values.created;
  return { ...picked, ...(created !== undefined && { created }) };
}
