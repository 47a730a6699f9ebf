// Shows which earlier reflections an attempt could see.
import { iterationOf, ranges, printRun, windowSize } from './attempts.mjs';
import { EXIT } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { OPEN_OPTIONS, findRun, openRuns } from './open.mjs';
import { decimal, whole as number } from './options.mjs';
import { LAYOUTS, plural, outcomeColour } from './format.mjs';

export const usage = 'RUN [--at N] [--omega Ω] [--policy P] [--layout L] [PATH…]';
export const takes = { least: 1, missing: '`window` needs the id of a run. `hindscope stats --runs` lists the ids.' };
export const options = {
  at: { type: 'string', short: 'a', value: 'N', says: 'the attempt that reads the reflections (default: the one after the last)' },
  omega: { type: 'string', value: 'Ω', says: 'the size of the window: how many reflections it holds, 0 to 10 (default: as recorded, or as usual for the format)' },
  policy: { type: 'string', value: 'P', says: 'which reflections stay when the window is full', choices: ['fifo', 'recency', 'relevance_weighted'] },
  layout: { type: 'string', short: 'l', value: 'L', says: 'print only the text for the prompt, in this layout', choices: LAYOUTS },
  'failures-only': { type: 'boolean', says: 'leave out reflections of successful attempts' },
  budget: { type: 'string', value: 'TOKENS', says: 'the most tokens the window may hold; estimated as one token per four characters' },
  'half-life': { type: 'string', value: 'N', says: 'relevance_weighted: the number of attempts after which the weight of a reflection halves' },
  ...OPEN_OPTIONS,
};
export const examples = [
  ['hindscope window task-001 --at 4', 'shows what attempt 4 could read, and which reflections no longer fit'],
  ['hindscope window task-001 --omega 3 --layout aiwg-guide', 'prints the text for the next prompt'],
  ['hindscope window env_3 --omega 2 --policy relevance_weighted runs/alfworld', 'keeps the reflections that share rare words with the task and the latest errors'],
];
export const notes = [RUN, PATHS];
export const exits = { 1: 'the window is empty' };

export async function run({ values, positionals, out }) {
  const [wanted, ...paths] = positionals;
  const at = number(values.at, 'at');
  const rule = {
    omega: number(values.omega, 'omega', { least: 0, most: 10 }),
    policy: values.policy,
    failuresOnly: values['failures-only'],
    tokenBudget: number(values.budget, 'budget', { least: 0 }),
    halfLife: decimal(values['half-life'], 'half-life'),
  };
  const { history } = await openRuns(paths, out, values);
  const found = findRun(history, wanted);
  // The window of the attempt that comes next can be asked for, too.
  const last = at === undefined ? undefined : found.run.columns().numbers.at(-1);
  if (at !== undefined && at !== last + 1) iterationOf(found.run, at);
  const window = found.run.window(at, rule);
  const exit = window.held.length > 0 ? EXIT.ok : EXIT.no;
  const layout = values.layout ?? 'plain';
  if (out.isJson) {
    out.json({ run: found.run.view, group: found.group, window: { ...window, entries: window.entries }, layout, text: window.render(layout) });
  } else if (values.layout) await out.raw(window.render(layout));
  else print(found, window, out);
  return exit;
}

function print(found, window, out) {
  const { style } = out;
  printRun(found, out);
  out.line();
  const tokens = window.tokens === undefined ? [] : [plural(window.tokens, 'token')];
  out.line(`${style.bold(`Before attempt ${window.at}`)}  ${[windowSize(window), window.policy, ...tokens].join(' · ')}`);
  const numbers = (refs) => (refs.length === 0 ? 'none' : ranges(refs.map(({ number: written }) => written)));
  out.line(`  ${style.green('held')}     ${numbers(window.held)}`);
  if (window.dropped?.length > 0) out.line(`  ${style.yellow('over the token budget')}  ${numbers(window.dropped)}`);
  out.line(`  ${style.red('evicted')}  ${numbers(window.evicted)}`);
  if (window.later > 0) out.line(style.dim(`  later    ${plural(window.later, 'reflection')} written at this attempt or after it`));
  for (const { message } of window.notes ?? []) out.note(message);
  for (const [position, entry] of window.entries.entries()) {
    out.line();
    const score = window.scores?.[position];
    const relevance = score === undefined ? '' : style.dim(`  relevance ${score.toFixed(3)}`);
    out.line(`${style.bold(`[${entry.number}]`)} ${outcomeColour(entry.outcome, style)(entry.outcome)}${relevance}`);
    out.prose(entry.text);
  }
}
