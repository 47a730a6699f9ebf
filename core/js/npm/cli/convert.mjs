// What is open, written in another form.
import { EXIT, Refusal } from './errors.mjs';
import { FORMS, formOf, isFolder, writeExport } from './export.mjs';
import { PATHS } from './help.mjs';
import { RUN_OPTIONS, chosenRuns, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { bytes } from './words.mjs';

/** Forms of exactly one run. */
const ONE_RUN = ['analytics', 'chart'];
/** Forms that are JSON. */
const JSON_FORMS = 'bundle runs attempts findings explanation';

export const usage = '[--to FORM] [--out FILE] [--run RUN] [PATH…]';
export const options = {
  to: { type: 'string', short: 't', value: 'FORM', says: 'the form; as the ending of FILE says if left out, else bundle', choices: Object.keys(FORMS) },
  out: { type: 'string', short: 'o', value: 'FILE', says: 'where to: a file, a folder (the name is made then), or - for standard output' },
  force: { type: 'boolean', short: 'f', says: 'replaces that file if it is there' },
  ...RUN_OPTIONS,
  created: { type: 'string', value: 'TIME', says: 'when it is made: a time in UTC such as 2026-03-10T12:00:00Z, or now; not said if left out, so that the same input gives the same bytes' },
  'no-originals': { type: 'boolean', says: 'bundle: without the records as they were written' },
  'no-outputs': { type: 'boolean', says: 'bundle and JSON: without what tools, checks and stacks printed, nor records as written' },
  'no-prompts': { type: 'boolean', says: 'bundle, JSON, markdown and report: without tasks, criteria and prompts, nor records as written' },
  'no-paths': { type: 'boolean', says: 'all but chart, records and analytics: absolute paths as …/name' },
  'no-reflections': { type: 'boolean', says: 'report: without the texts of reflections' },
  points: { type: 'boolean', says: 'chart and report: rewards as points, 0 to 100' },
  first: { type: 'string', value: 'N', says: 'chart: from this attempt on' },
  last: { type: 'string', value: 'N', says: 'chart: up to this attempt' },
  supply: { type: 'string', value: 'JSON', says: 'records: members that the schema asks for and the input does not tell' },
};
export const examples = [
  ['hindscope convert runs/ --out runs.hindscope.json', 'a bundle: everything in one file, which opens again'],
  ['hindscope convert runs/ --to csv | duckdb -c "select outcome, count(*) from read_csv(\'/dev/stdin\') group by 1"', 'a table for other tools'],
  ['hindscope convert runs/ --query outcome:failure --out failures.html', 'a report with charts, of the runs that failed'],
  ['hindscope convert --run task-001 --to chart --out task-001.svg', 'a picture of one run'],
];
export const notes = [
  `Forms: ${Object.entries(FORMS).map(([name, [what]]) => `${name} (${what})`).join(', ')}.`,
  'A file is written beside its place first and then put there: it is never half written. --json says what was written, and needs --out.',
  PATHS,
];
export const exits = { 1: 'there is no run, or none is chosen' };

export async function run({ values, positionals, out }) {
  const isFile = values.out !== undefined && values.out !== '-';
  if (out.isJson && !isFile) throw new Refusal('invalid-option', '--json says what was written to a file: it needs --out.');
  const isNamed = isFile && !isFolder(values.out) && /\.\w+$/.test(values.out);
  const form = values.to ?? (isNamed ? formOf(values.out) : 'bundle');
  const chosen = { ...FORMS[form][1], ...details(values, form) };
  const { history } = await openRuns(positionals, out);
  const isNarrow = values.run !== undefined || values.query !== undefined;
  const runs = chosenRuns(history, values);
  if (runs.length === 0) throw new Refusal('no-runs', 'No run is chosen.', { exit: EXIT.negative });
  if (ONE_RUN.includes(form) && runs.length > 1) {
    throw new Refusal('invalid-option', `The form ${form} is of one run, and these are ${runs.length}.`, { hint: '--run names one.' });
  }
  const made = await writeExport(history, { ...chosen, ...((isNarrow || ONE_RUN.includes(form)) && { runs }) }, { to: values.out, isForced: values.force }, out);
  if (out.isJson) out.json({ form, ...made });
  else if (made) out.note(`${bytes(made.bytes)} written to ${made.file}`);
  return EXIT.fine;
}

/** Options of a form; those of another one are refused, as they would do nothing. */
function details(values, form) {
  const own = {
    'no-originals': ['bundle', { originals: false }],
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
    if (!forms.split(' ').includes(form)) throw new Refusal('invalid-option', `--${name} is for ${forms.split(' ').join(', ').replace(/, (\w+)$/, ' and $1')}, not for ${form}.`);
    Object.assign(picked, option);
  }
  const created = values.created === 'now' ? new Date() : values.created;
  return { ...picked, ...(created !== undefined && { created }) };
}
