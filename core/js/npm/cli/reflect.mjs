// A hook for loops: stores the reflection of an iteration, and prints the lessons for the next one.
import { join } from 'node:path';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { HOME, openMemory } from './memory.mjs';
import { standardInput } from './open.mjs';
import { whole as number } from './options.mjs';
import { LAYOUTS } from './format.mjs';

export const usage = 'LOOP [--memory FOLDER] [--omega Ω] [--layout L] [--check] < ITERATION.json';
export const takes = { least: 1, most: 1, missing: '`reflect` needs the id of a loop.' };
export const options = {
  memory: { type: 'string', value: 'FOLDER', says: `the folder of the memory (default: ${HOME}); created if it does not exist` },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections to print, 0 to 10 (default: 5)' },
  layout: { type: 'string', short: 'l', value: 'L', says: 'the layout of the text (default: aiwg-template)', choices: LAYOUTS },
  check: { type: 'boolean', says: 'exit with 1 if the loop has written this reflection at least three times, counting this one; case, spaces, markup and punctuation at the end are ignored' },
};
export const examples = [
  [`echo '{"outcome": "failure", "actions": ["Ran npm test"], "errors": ["3 tests failed"]}' | hindscope reflect ralph-001`, 'without a reflection: one is made from the outcome, actions and errors'],
  ['my-model "What went wrong?" | jq -R \'{outcome: "failure", reflection: .}\' | hindscope reflect ralph-001 --check > next-prompt.md', 'with a reflection written by a model; exits with 1 if the loop has written it at least three times, counting this one'],
];
export const notes = [
  'ITERATION.json is an object with `outcome` (success, failure or partial) and optionally `iteration`, `task`, `actions`, `errors`, `filesModified`, `reflection`, `strategyChange` and `timestamp`. The names that the hook of the agent framework aiwg uses work as well: `trial_number`, `loop_id`, `trajectory`, `files_modified`, `strategy_change`.',
  'The iteration is stored as reflections/loops/LOOP/iteration-N.yaml in the memory. The reflections for the next prompt go to standard output.',
];
export const exits = { 1: 'with --check: the loop has written this reflection at least three times, counting this one' };

export async function run({ values, positionals: [loop], out }) {
  const omega = number(values.omega, 'omega', { least: 0, most: 10 });
  if (process.stdin.isTTY) out.note('Type the iteration as JSON, then press Ctrl-D.');
  const { now, ...iteration } = iterationOf(String(await standardInput()), loop);
  const folder = values.memory ?? HOME;
  const memory = await openMemory(folder, true, now);
  const answer = await memory.reflect(loop, { ...iteration, ...(omega !== undefined && { omega }), ...(values.layout && { layout: values.layout }) });
  if (out.isJson) out.json(answer);
  else {
    await out.raw(answer.window);
    out.note(`Stored iteration ${answer.iteration} in ${join(folder, answer.path)}${answer.isAutomatic ? ', with a reflection made from its outcome, actions and errors' : ''}.`);
    for (const { message, rule } of answer.stuck) out.note(`${message} [${rule}]`);
    for (const { message, rule } of answer.findings) out.note(`${message} [${rule}]`);
  }
  return values.check && answer.isStuck ? EXIT.no : EXIT.ok;
}

/** Property names of aiwg's hook, and ours. */
const SPELLINGS = { trial_number: 'iteration', trajectory: 'actions', files_modified: 'filesModified', strategy_change: 'strategyChange' };

/** Properties that an iteration must not have. */
const ELSEWHERE = {
  loop: 'Unexpected property `loop`: the loop is given by the argument LOOP.',
  call: 'Unexpected property `call`.',
  now: 'Unexpected property `now`: the time of an iteration is its `timestamp`.',
};

/** The iteration on standard input, with its timestamp as `now`. */
function iterationOf(json, loop) {
  let iteration;
  try {
    iteration = JSON.parse(json.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new Refusal('invalid-request', `Standard input is not valid JSON: ${messageOf(cause)}`, { cause });
  }
  if (typeof iteration !== 'object' || iteration === null || Array.isArray(iteration)) {
    throw new Refusal('invalid-request', 'Standard input must be a JSON object.', { hint: '`hindscope reflect --help` shows examples.' });
  }
  const refused = (message) => new Refusal('invalid-request', message, { hint: '`hindscope reflect --help` shows examples.' });
  const strange = Object.keys(ELSEWHERE).find((name) => name in iteration);
  if (strange) throw refused(ELSEWHERE[strange]);
  const { loop_id: id = loop, timestamp, ...rest } = iteration;
  if (id !== loop) throw refused(`\`loop_id\` is ${JSON.stringify(id)}, but the argument LOOP is ${JSON.stringify(loop)}.`);
  const ms = timestamp === undefined ? undefined : Date.parse(timestamp);
  if (Number.isNaN(ms)) throw refused('`timestamp` must be a date and time such as "2026-03-05T09:00:00Z".');
  const plain = {};
  for (const [name, value] of Object.entries(rest)) {
    const known = SPELLINGS[name] ?? name;
    if (known in plain) throw refused(`\`${known}\` is given twice, under two names.`);
    plain[known] = value;
  }
  return { ...plain, now: ms };
}
