// Compares experiments over the same tasks.
import { EXIT, Refusal } from './errors.mjs';
import { PATHS } from './help.mjs';
import { OPEN_OPTIONS, openRuns } from './open.mjs';
import { whole as number } from './options.mjs';
import { table } from './style.mjs';
import { inline, named, wrapped } from './text.mjs';
import { delta, percent, plural, whole } from './format.mjs';

export const usage = '[--baseline LABEL] [--attempts N] PATH…';
export const options = {
  baseline: { type: 'string', value: 'LABEL', says: 'compare the others with this experiment (default: the first of the first path)' },
  attempts: { type: 'string', value: 'N', says: 'count the first N attempts of each task (default and most: as many as the experiment with the fewest made)' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope compare alfworld_base alfworld_reflexion', 'compares two folders over the same tasks'],
  ['hindscope compare --attempts 3 runs/', 'compares all experiments of a folder after 3 attempts each'],
];
export const notes = [
  PATHS,
  'An experiment is a group of `hindscope stats`. Only tasks count that all experiments have and that say how they ended; tasks are the same if they have the same name. Intervals are of 95 %: by Wilson for rates, by Newcombe for differences. p is that of McNemar\'s exact test, corrected by Holm\'s method where several are compared with the first; the intervals are not corrected.',
];
export const exits = { 1: 'fewer than two experiments, or no task in common' };

export async function run({ values, positionals, out }) {
  const attempts = number(values.attempts, 'attempts', { least: 1 });
  const { history } = await openRuns(positionals, out, values);
  const experiments = inOrder(history, history.groups().filter(({ runs, judged }) => runs > 0 && judged > 0));
  if (experiments.length < 2) {
    throw new Refusal('no-runs', `Found ${plural(experiments.length, 'experiment')} that ${experiments.length === 1 ? 'says' : 'say'} how ${experiments.length === 1 ? 'its' : 'their'} tasks ended; a comparison needs two.`, {
      exit: EXIT.no,
      hint: '`hindscope stats` lists the groups. Give the folders or files of the experiments.',
    });
  }
  const comparison = compared(history, withBaseline(experiments, values.baseline), attempts);
  if (out.isJson) out.json(comparison);
  else print(comparison, out);
  return EXIT.ok;
}

/** Groups in the order of the paths that they were found in. */
function inOrder(history, groups) {
  const first = new Map();
  for (const { id, group } of history.runs()) if (!first.has(group)) first.set(group, id);
  const sourceOf = ({ id }) => history.locate(history.run(first.get(id)).records()[0]).source;
  return groups.map((group) => [sourceOf(group), group]).sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** The same with the named one first. */
function withBaseline(experiments, label) {
  if (label === undefined) return experiments;
  const first = experiments.find((group) => group.label === label);
  if (first) return [first, ...experiments.filter((group) => group !== first)];
  const known = experiments.map((group) => named(group.label)).join(', ');
  throw new Refusal('invalid-option', `No experiment has the label ${named(label)}.`, { hint: `Choose one: ${known}.` });
}

function compared(history, experiments, attempts) {
  try {
    return history.compare(experiments.map(({ id }) => id), { attempts });
  } catch (cause) {
    if (cause?.code !== 'invalid-option') throw cause;
    const labels = experiments.map(({ label }) => named(label)).join(', ');
    throw new Refusal('no-runs', cause.message, { exit: EXIT.no, hint: `Experiments: ${labels}. Give only the paths of those that belong together.`, cause });
  }
}

function print({ tasks, experiments, headline }, out) {
  const { style } = out;
  for (const line of wrapped(inline(headline.says), out.columns)) out.line(style.bold(line));
  out.line();
  const [{ label: first }] = experiments;
  const heads = [
    { title: 'experiment' },
    { title: 'solved', right: true },
    { title: 'rate', right: true },
    { title: '95 % interval', right: true, spare: 1 },
    { title: `against ${named(first)}`, right: true, spare: 2 },
    { title: '95 % interval', right: true, spare: 3 },
    { title: 'p', right: true, spare: 4 },
  ];
  const rows = experiments.map(({ label, solved, interval, points: difference, pointsInterval: between, pValue, isClear }) => [
    [named(label), style.bold],
    `${whole(solved)} of ${whole(tasks)}`,
    percent(solved / tasks),
    `${percent(interval.low)} to ${percent(interval.high)}`,
    [delta(difference, 1), isClear ? style.green : style.dim],
    between === undefined ? '' : `${delta(between.low, 1)} to ${delta(between.high, 1)}`,
    pValue === undefined ? '' : pValue < 0.0001 ? '< 0.0001' : pValue.toFixed(pValue < 0.01 ? 4 : pValue < 0.1 ? 3 : 2),
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns })) out.line(line);
}
