// Counts runs, attempts and outcomes.
import { PATHS } from './help.mjs';
import { EXIT } from './errors.mjs';
import { OPEN_OPTIONS, openRuns } from './open.mjs';
import { table } from './style.mjs';
import { named, wrapped } from './text.mjs';
import { bar, bytes, legend, plural, outcomeColour, percent, reward, trend, whole } from './format.mjs';

/** How many runs are listed without --runs. */
const MOST_RUNS = 20;
/** How many attempts of a group are listed; the last line stands for all later ones. */
const MOST_ATTEMPTS = 20;

export const usage = '[--runs] [PATH…]';
export const options = {
  runs: { type: 'boolean', says: `list all runs, not only the first ${MOST_RUNS}` },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope stats', 'counts the memory of the current folder'],
  ['hindscope stats runs/ old.zip', 'counts a folder and an archive together'],
  ["hindscope stats --json runs/ | jq '.groups[].aggregate.attempts[].successAt'", 'prints the success rate at attempt 1, 2, 3 … of each group'],
];
export const notes = [
  PATHS,
  'Success at attempt n is the share of runs that were solved at or before attempt n, among those that say how they ended. A mean reward is that of the rewards in the column after it. Retries that could see reflections are compared with retries that could not; that a reflection was stored does not prove that the agent read it.',
  'A verdict says where a run repeated its reflections or its reward did not move, and how it ended; whether it repeated its actions is in `hindscope insights`. Problems are those of files and their records; `hindscope validate` lists them, and `hindscope insights` what runs did.',
];
export const exits = { 1: 'no run found' };

export async function run({ values, positionals, out }) {
  const { history, paths } = await openRuns(positionals, out, values, (opened) => opened.groups().some(isCurve));
  const runs = history.runs();
  const groups = history.groups().map((group) => {
    const trust = history.trust(group.id);
    return { ...group, headline: history.headline(group.id), aggregate: history.aggregate(group.id), retries: history.retries(group.id), ...(trust && { trust }) };
  });
  if (out.isJson) {
    const verdicts = history.verdicts();
    const judged = runs.map((view, at) => ({ ...view, verdict: verdicts[at] }));
    out.json({ paths, added: history.added, findings: history.findingCount, outcomes: counted(runs), groups, runs: judged });
    return EXIT.ok;
  }
  const { added } = history;
  const reflections = groups.reduce((sum, group) => sum + group.reflections, 0);
  const facts = [
    `${plural(added.sources, 'file')} (${bytes(added.bytes)})`,
    plural(added.kept, 'record'),
    ...(added.skipped > 0 ? [`${whole(added.skipped)} skipped`] : []),
    ...(added.refused > 0 ? [`${plural(added.refused, 'file')} not read`] : []),
    plural(runs.length, 'run'),
    plural(reflections, 'reflection'),
    plural(history.findingCount, 'problem'),
  ];
  const [only, ...others] = groups;
  if (only && others.length === 0) printHeadline(only.headline, out, '');
  out.line(facts.join(' · '));
  // Runs of no folder are named by their file, where there is only one.
  const file = added.sources === 1 ? history.sources()[0].path : 'files';
  for (const group of groups) {
    out.line();
    printGroup(group, runs.filter((view) => view.group === group.id), file, groups.length > 1, out);
  }
  if (runs.length === 0) return EXIT.ok;
  out.line();
  const shown = values.runs ? runs : runs.slice(0, MOST_RUNS);
  printRuns(shown, history.verdicts(shown.map(({ id }) => id)), groups, out);
  if (!values.runs && runs.length > MOST_RUNS) out.line(out.style.dim(`… ${plural(runs.length - MOST_RUNS, 'more run')} (--runs lists all)`));
  return EXIT.ok;
}

/** How many runs have each outcome, the most frequent first. */
function counted(runs) {
  const counts = new Map();
  for (const { outcome } of runs) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/** Whether a group has totals of trials, and no runs. */
function isCurve({ runs, numbers }) {
  return runs === 0 && numbers.length > 0;
}

/** Totals of trials, as attempts of tasks. */
function curveOf({ numbers, attempted, solvedAfter }) {
  return numbers.map((attempt, at) => {
    const all = attempted[at] + (solvedAfter[at - 1] ?? 0);
    return { attempt, attempted: attempted[at], solvedAfter: solvedAfter[at], successAt: all > 0 ? solvedAfter[at] / all : undefined };
  });
}

/** What is said first of a group. */
function printHeadline({ says }, out, indent) {
  for (const line of says === '' ? [] : wrapped(says, out.columns - indent.length)) out.line(`${indent}${out.style.bold(line)}`);
}

function printGroup(group, runs, file, hasHeadline, out) {
  const { label, format, aggregate, retries, trust } = group;
  const { style } = out;
  const size = isCurve(group) ? `totals of ${plural(group.numbers.length, 'trial')}` : plural(runs.length, 'run');
  out.line(`${style.bold(named(label || file))}  ${size} ${style.dim(`(${format})`)}`);
  if (hasHeadline) printHeadline(group.headline, out, '  ');
  if (isCurve(group)) return printAttempts(curveOf(group), 'trial', out);
  const outcomes = Object.entries(counted(runs)).map(([outcome, count]) => outcomeColour(outcome, style)(`${whole(count)} ${outcome}`));
  out.line(`  ${outcomes.join(', ')}`);
  if (aggregate.meanAttempts !== undefined) out.line(`  solved after ${aggregate.meanAttempts.toFixed(1)} attempts on average`);
  const noted = runs.filter(({ outcomeNote }) => outcomeNote);
  const solved = noted.filter(({ outcome }) => outcome === 'success').length;
  if (noted.length > solved) out.line(`  ${plural(noted.length - solved, 'run')} had a successful attempt, but did not end in success`);
  if (solved > 0) out.line(`  ${plural(solved, 'run')} ended in success, but no attempt is recorded as one`);
  printAttempts(aggregate.attempts, 'attempts made', out);
  if (retries.with + retries.without > 0) for (const line of wrapped(retries.says, out.columns - 2)) out.line(`  ${line}`);
  if (trust) {
    out.line(`  hidden tests: passed by ${whole(trust.passedSolved)} of ${whole(trust.passed)} runs that passed their own tests, and by ${whole(trust.neverSolved)} of ${whole(trust.never)} that had not passed them before the last attempt`);
  }
}

function printAttempts(attempts, title, out) {
  if (attempts.length === 0) return;
  const { style } = out;
  const hasRewards = attempts.some(({ rewarded }) => rewarded > 0);
  const heads = [
    { title, right: true },
    { title: 'made by', right: true, spare: 2 },
    { title: 'solved so far', right: true, spare: 1 },
    { title: 'success', right: true },
    ...(hasRewards ? [{ title: 'mean reward', right: true }, { title: 'rewards', right: true, spare: 4 }] : []),
    { title: '', spare: 3, least: 20 },
  ];
  const shown = attempts.length > MOST_ATTEMPTS ? [...attempts.slice(0, MOST_ATTEMPTS - 1), attempts.at(-1)] : attempts;
  const rows = shown.map(({ attempt, attempted, solvedAfter, successAt, meanReward, rewarded, isFaint }) => [
    whole(attempt),
    whole(attempted),
    successAt === undefined ? '–' : whole(solvedAfter),
    percent(successAt),
    ...(hasRewards ? [[reward(meanReward), isFaint ? style.dim : undefined], whole(rewarded)] : []),
    successAt === undefined ? '' : [bar(successAt), style.green],
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns, indent: '  ' })) out.line(line);
}

/** The outcomes of a run's last attempts. */
const lastLetters = (view) => view.trend.slice(-20);

function printRuns(runs, verdicts, groups, out) {
  const { style } = out;
  const hasGroups = groups.length > 1;
  const heads = [
    ...(hasGroups ? [{ title: 'group', spare: 5 }] : []),
    { title: 'run' },
    { title: 'outcome' },
    { title: 'by attempt', spare: 3, least: 20 },
    { title: 'attempts', right: true, spare: 4 },
    { title: 'best reward', right: true, spare: 6 },
    { title: 'last reward', right: true, spare: 1 },
    { title: 'reflections', right: true, spare: 7 },
    { title: 'problems', right: true, spare: 8 },
    { title: 'verdict', spare: 2 },
    { title: 'task', spare: 9 },
  ];
  const rows = runs.map((view, at) => [
    ...(hasGroups ? [[named(groups[view.group].label), style.dim]] : []),
    [named(view.key), style.bold],
    [view.outcomeNote ?? view.outcome, outcomeColour(view.outcome, style)],
    [lastLetters(view), (letters) => trend(letters, style)],
    whole(view.iterations),
    reward(view.best),
    reward(view.last),
    whole(view.reflections),
    whole(view.findings),
    [verdicts[at].headline.says, verdicts[at].stuck.length > 0 ? style.yellow : undefined],
    [named(view.task ?? ''), style.dim],
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns })) out.line(line);
  const means = legend(runs.map(lastLetters));
  if (means !== '') for (const line of wrapped(`by attempt: ${means}`, out.columns)) out.line(style.dim(line));
}
