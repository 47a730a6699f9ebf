// What is there, counted.
import { PATHS } from './help.mjs';
import { EXIT } from './errors.mjs';
import { openRuns } from './open.mjs';
import { table } from './style.mjs';
import { inline } from './text.mjs';
import { bar, bytes, noun, outcomeDress, percent, reward, trend, whole } from './words.mjs';

/** So many runs are listed without being asked for. */
const MOST_RUNS = 20;
/** So many attempts of a group; later ones are summed up in the last. */
const MOST_ATTEMPTS = 20;

export const usage = '[--runs] [PATH…]';
export const options = {
  runs: { type: 'boolean', says: `lists every run; otherwise the first ${MOST_RUNS}` },
};
export const examples = [
  ['hindscope stats', 'the memory of the current folder'],
  ['hindscope stats runs/ old.zip', 'a folder and an archive, counted together'],
  ["hindscope stats --json runs/ | jq '.groups[].aggregate.attempts[].successAt'", 'success at attempt 1, 2, 3 … of each group'],
];
export const notes = [
  PATHS,
  'Success at attempt n is the share of all runs that were solved at or before it. Retries are compared with and without reflections in their windows; stored memory does not prove that it was injected.',
];
export const exits = { 1: 'there is no run' };

export async function run({ values, positionals, out }) {
  const { history, paths } = await openRuns(positionals, out);
  const runs = history.runs();
  const groups = history.groups().map((group) => {
    const trust = history.trust(group.id);
    return { ...group, aggregate: history.aggregate(group.id), retries: history.retries(group.id), ...(trust && { trust }) };
  });
  if (out.isJson) {
    out.json({ paths, added: history.added, findings: history.findingCount, outcomes: counted(runs), groups, runs });
    return EXIT.fine;
  }
  const { added } = history;
  const reflections = groups.reduce((sum, group) => sum + group.reflections, 0);
  const facts = [
    `${noun(added.sources, 'file')} (${bytes(added.bytes)})`,
    noun(added.kept, 'record'),
    ...(added.skipped > 0 ? [`${whole(added.skipped)} skipped`] : []),
    ...(added.refused > 0 ? [`${noun(added.refused, 'file')} refused`] : []),
    noun(runs.length, 'run'),
    noun(reflections, 'reflection'),
    noun(history.findingCount, 'finding'),
  ];
  out.line(facts.join(' · '));
  for (const group of groups) {
    out.line();
    tellGroup(group, runs.filter((view) => view.group === group.id), out);
  }
  out.line();
  tellRuns(values.runs ? runs : runs.slice(0, MOST_RUNS), groups, out);
  if (!values.runs && runs.length > MOST_RUNS) out.line(out.style.dim(`… and ${noun(runs.length - MOST_RUNS, 'run')} more: --runs lists all`));
  return EXIT.fine;
}

/** How many runs ended how, most frequent first. */
function counted(runs) {
  const counts = new Map();
  for (const { outcome } of runs) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

function tellGroup({ label, format, aggregate, retries, trust }, runs, out) {
  const { style } = out;
  out.line(`${style.bold(inline(label) || 'files')}  ${noun(runs.length, 'run')} ${style.dim(`(${format})`)}`);
  const outcomes = Object.entries(counted(runs)).map(([outcome, count]) => outcomeDress(outcome, style)(`${whole(count)} ${outcome}`));
  out.line(`  ${outcomes.join(', ')}`);
  if (aggregate.meanAttempts !== undefined) {
    out.line(`  ${whole(aggregate.solved)} solved, after ${aggregate.meanAttempts.toFixed(1)} attempts on average`);
  }
  tellAttempts(aggregate, out);
  const line = retriesLine(retries);
  if (line) out.line(`  ${line}`);
  if (trust) {
    out.line(`  internal tests: of ${whole(trust.passed)} passed, hidden tests passed ${whole(trust.passedSolved)}; of ${whole(trust.never)} never passed, ${whole(trust.neverSolved)}`);
  }
}

function tellAttempts({ attempts }, out) {
  if (attempts.length === 0) return;
  const { style } = out;
  const heads = [
    { title: 'attempt', right: true },
    { title: 'made by', right: true, spare: 2 },
    { title: 'solved', right: true, spare: 1 },
    { title: 'success', right: true },
    { title: 'mean reward', right: true },
    { title: '', spare: 3, least: 20 },
  ];
  const shown = attempts.length > MOST_ATTEMPTS ? [...attempts.slice(0, MOST_ATTEMPTS - 1), attempts.at(-1)] : attempts;
  const rows = shown.map(({ attempt, attempted, solvedAfter, successAt, meanReward, isFaint }) => [
    whole(attempt),
    whole(attempted),
    successAt === undefined ? '–' : whole(solvedAfter),
    percent(successAt),
    [reward(meanReward), isFaint ? style.dim : undefined],
    successAt === undefined ? '' : [bar(successAt), style.green],
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns, indent: '  ' })) out.line(line);
}

/** Successes of retries with memory and without; nothing where nobody retried. */
function retriesLine(retries) {
  if (retries.with + retries.without === 0) return undefined;
  const side = (all, good) => `${whole(good)} of ${whole(all)}`;
  const sides = `retries that succeeded: ${side(retries.with, retries.withSuccesses)} with reflections, ${side(retries.without, retries.withoutSuccesses)} without`;
  if (retries.isTooFew) return `${sides} (too few to compare)`;
  const points = retries.points === undefined ? '' : ` (${retries.points > 0 ? '+' : ''}${retries.points.toFixed(1)} points)`;
  return sides + points;
}

function tellRuns(runs, groups, out) {
  const { style } = out;
  const hasGroups = groups.length > 1;
  const heads = [
    ...(hasGroups ? [{ title: 'group', spare: 5 }] : []),
    { title: 'run' },
    { title: 'outcome' },
    { title: 'trend', spare: 3, least: 20 },
    { title: 'attempts', right: true, spare: 4 },
    { title: 'best', right: true, spare: 6 },
    { title: 'last', right: true, spare: 1 },
    { title: 'reflections', right: true, spare: 7 },
    { title: 'findings', right: true, spare: 8 },
    { title: 'task', spare: 2 },
  ];
  const rows = runs.map((view) => [
    ...(hasGroups ? [[inline(groups[view.group].label), style.dim]] : []),
    [inline(view.key), style.bold],
    [view.outcome, outcomeDress(view.outcome, style)],
    [view.trend.slice(-20), (letters) => trend(letters, style)],
    whole(view.iterations),
    reward(view.best),
    reward(view.last),
    whole(view.reflections),
    whole(view.findings),
    [inline(view.task ?? ''), style.dim],
  ]);
  for (const line of table(heads, rows, { style, columns: out.columns })) out.line(line);
}
