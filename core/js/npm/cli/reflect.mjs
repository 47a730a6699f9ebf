// The hook after an iteration of a loop: keeps its reflection, and says what the next one is told.
import { join } from 'node:path';
import { said } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { HOME, openMemory } from './memory.mjs';
import { standardInput } from './open.mjs';
import { whole as number } from './options.mjs';
import { LAYOUTS } from './words.mjs';

export const usage = 'LOOP [--memory FOLDER] [--omega Ω] [--layout L] [--check] < ITERATION.json';
export const takes = { least: 1, most: 1, missing: '`reflect` needs the id of a loop.' };
export const options = {
  memory: { type: 'string', value: 'FOLDER', says: `where the memory is; ${HOME} if left out, and made if it is not there` },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections the next iteration is told, 0..10; 5 if left out' },
  layout: { type: 'string', short: 'l', value: 'L', says: 'how they are written; aiwg-template if left out', choices: LAYOUTS },
  check: { type: 'boolean', says: 'ends with 1 if the loop is stuck' },
};
export const examples = [
  [`echo '{"outcome": "failure", "actions": ["Ran npm test"], "errors": ["3 tests failed"]}' | hindscope reflect ralph-001`, 'after an iteration; a reflection is made of the facts'],
  ['my-model "What went wrong?" | jq -R \'{outcome: "failure", reflection: .}\' | hindscope reflect ralph-001 --check > next-prompt.md', 'in the words of a model; 1 says that the loop is stuck'],
];
export const notes = [
  'The iteration is a JSON object on standard input: outcome (success, failure or partial), and if known iteration, task, actions, errors, filesModified, reflection, strategyChange, timestamp. Records of the hook of aiwg are taken as they are: trial_number, loop_id, trajectory, files_modified, strategy_change. ' +
    'It is kept as reflections/loops/LOOP/iteration-N.yaml. What the next iteration is told stands on standard output.',
];
export const exits = { 1: 'with --check: the loop is stuck' };

export async function run({ values, positionals: [loop], out }) {
  const omega = number(values.omega, 'omega', { least: 0, most: 10 });
  if (process.stdin.isTTY) out.note('Standard input is a terminal: type the iteration as JSON, and end it with Ctrl-D.');
  const { now, ...iteration } = iterationOf(String(await standardInput()), loop);
  const folder = values.memory ?? HOME;
  const memory = await openMemory(folder, true, now);
  const answer = await memory.reflect(loop, { ...iteration, ...(omega !== undefined && { omega }), ...(values.layout && { layout: values.layout }) });
  if (out.isJson) out.json(answer);
  else {
    await out.raw(answer.window);
    out.note(`Iteration ${answer.iteration} is kept in ${join(folder, answer.path)}${answer.isFromFacts ? ', made of facts' : ''}.`);
    for (const { message, rule } of answer.stuck) out.note(`${message} [${rule}]`);
    for (const { message, rule } of answer.findings) out.note(`${message} [${rule}]`);
  }
  return values.check && answer.isStuck ? EXIT.negative : EXIT.fine;
}

/** Spellings of the hook that keeps such iterations, which are taken as well as ours. */
const SPELLINGS = { trial_number: 'iteration', trajectory: 'actions', files_modified: 'filesModified', strategy_change: 'strategyChange' };

/** Members that come from elsewhere. */
const ELSEWHERE = { loop: 'The loop is named by the argument LOOP.', call: '`call` is no member of an iteration.', now: 'The time of an iteration is its `timestamp`.' };

/** The iteration on standard input, and `now`, the time that it says it has. */
function iterationOf(json, loop) {
  let iteration;
  try {
    iteration = JSON.parse(json.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new Refusal('invalid-request', `Standard input is no JSON: ${said(cause)}`, { cause });
  }
  if (typeof iteration !== 'object' || iteration === null || Array.isArray(iteration)) {
    throw new Refusal('invalid-request', 'Standard input is to be one JSON object.', { hint: '`hindscope reflect --help` has examples.' });
  }
  const refused = (message) => new Refusal('invalid-request', message, { hint: '`hindscope reflect --help` has examples.' });
  const strange = Object.keys(ELSEWHERE).find((name) => name in iteration);
  if (strange) throw refused(ELSEWHERE[strange]);
  const { loop_id: id = loop, timestamp, ...rest } = iteration;
  if (id !== loop) throw refused(`The iteration is of loop ${JSON.stringify(id)}, not of ${JSON.stringify(loop)}.`);
  const ms = timestamp === undefined ? undefined : Date.parse(timestamp);
  if (Number.isNaN(ms)) throw refused('`timestamp` is a date and time, such as "2026-03-05T09:00:00Z".');
  const plain = {};
  for (const [name, value] of Object.entries(rest)) {
    const known = SPELLINGS[name] ?? name;
    if (known in plain) throw refused(`\`${known}\` is said twice.`);
    plain[known] = value;
  }
  return { ...plain, now: ms };
}
