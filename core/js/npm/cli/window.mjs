// What an attempt could see of the reflections before it.
import { ranges, tellRun } from './attempts.mjs';
import { EXIT } from './errors.mjs';
import { PATHS, RUN } from './help.mjs';
import { findRun, openRuns } from './open.mjs';
import { decimal, whole as number } from './options.mjs';
import { LAYOUTS, noun, outcomeDress } from './words.mjs';

export const usage = 'RUN [--at N] [--omega Ω] [--policy P] [--layout L] [PATH…]';
export const takes = { least: 1, missing: '`window` needs the id of a run: `hindscope stats --runs` lists them.' };
export const options = {
  at: { type: 'string', short: 'a', value: 'N', says: 'the attempt that begins; the one after the last if left out' },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections are held, 0..10; as recorded or assumed if left out' },
  policy: { type: 'string', value: 'P', says: 'which stay when it is full', choices: ['fifo', 'recency', 'relevance_weighted'] },
  layout: { type: 'string', short: 'l', value: 'L', says: 'prints only the text for the prompt, as this tool writes it', choices: LAYOUTS },
  'failures-only': { type: 'boolean', says: 'leaves out reflections of attempts that succeeded' },
  budget: { type: 'string', value: 'TOKENS', says: 'most tokens, estimated: four UTF-16 units are one' },
  'half-life': { type: 'string', value: 'N', says: 'attempts after which relevance counts half' },
};
export const examples = [
  ['hindscope window task-001 --at 4', 'what attempt 4 could still read, and what was pushed out'],
  ['hindscope window task-001 --omega 3 --layout aiwg-guide', 'the text for the next prompt, ready to be put there'],
  ['hindscope window env_3 --omega 2 --policy relevance_weighted runs/alfworld', 'those that share rare words with the task and the latest errors'],
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
  const { history } = await openRuns(paths, out);
  const found = findRun(history, wanted);
  const window = found.run.window(at, rule);
  const exit = window.held.length > 0 ? EXIT.fine : EXIT.negative;
  const layout = values.layout ?? 'plain';
  if (out.isJson) {
    out.json({ run: found.run.view, group: found.group, window: { ...window, entries: window.entries }, layout, text: window.render(layout) });
  } else if (values.layout) await out.raw(window.render(layout));
  else tell(found, window, out);
  return exit;
}

function tell(found, window, out) {
  const { style } = out;
  tellRun(found, out);
  out.line();
  const omega = `Ω ${window.omega ?? 'unbounded'} (${window.omegaProvenance})`;
  const tokens = window.tokens === undefined ? [] : [noun(window.tokens, 'token')];
  out.line(`${style.bold(`Before attempt ${window.at}`)}  ${[omega, window.policy, ...tokens].join(' · ')}`);
  const numbers = (refs) => (refs.length === 0 ? 'none' : ranges(refs.map(({ number: written }) => written)));
  out.line(`  ${style.green('held')}     ${numbers(window.held)}`);
  if (window.dropped?.length > 0) out.line(`  ${style.yellow('beyond the budget')}  ${numbers(window.dropped)}`);
  out.line(`  ${style.red('evicted')}  ${numbers(window.evicted)}`);
  if (window.later > 0) out.line(style.dim(`  later    ${noun(window.later, 'reflection')} written at this attempt or after it`));
  for (const { message } of window.notes ?? []) out.note(message);
  for (const [position, entry] of window.entries.entries()) {
    out.line();
    const score = window.scores?.[position];
    const relevance = score === undefined ? '' : style.dim(`  relevance ${score.toFixed(3)}`);
    out.line(`${style.bold(`[${entry.number}]`)} ${outcomeDress(entry.outcome, style)(entry.outcome)}${relevance}`);
    out.prose(entry.text);
  }
}
