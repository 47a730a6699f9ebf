// A hook for loops: stores the reflection of an iteration, and prints the lessons for the next one.
import { join } from 'node:path';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal, refusalOf } from './errors.mjs';
import { writeFile } from './export.mjs';
import { LAYOUTS } from './format.mjs';
import { hookLog, logHookError } from './hooklog.mjs';
import { HOME, jsonObject, openMemory } from './memory.mjs';
import { standardInput } from './open.mjs';
import { whole as number } from './options.mjs';
import { isHookEvent, iterationOfEvent } from './transcript.mjs';

/** For how long a hook waits for other writers: an agent must not notice it. */
const HOOK_WAIT_MS = 200;

export const usage = '[LOOP] [--memory FOLDER] [--outcome O] [--check] < ITERATION.json';
export const takes = { most: 1 };
export const options = {
  memory: { type: 'string', value: 'FOLDER', says: `the folder of the memory (default: ${HOME}); created if it does not exist` },
  outcome: { type: 'string', value: 'O', says: 'how the iteration ended, where standard input does not say so', choices: ['success', 'failure', 'partial'] },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections to print, 0 to 10 (default: 5)' },
  layout: { type: 'string', short: 'l', value: 'L', says: 'the layout of the text (default: aiwg-template)', choices: LAYOUTS },
  out: { type: 'string', short: 'o', value: 'FILE', says: 'write the reflections for the next prompt to this file instead; it is replaced only once the iteration is stored' },
  check: { type: 'boolean', says: 'exit with 1 if the loop has written this reflection at least three times, counting this one; case, spaces, markup and punctuation at the end are ignored' },
};
export const examples = [
  [`echo '{"outcome": "failure", "actions": ["Ran npm test"], "errors": ["3 tests failed"]}' | hindscope reflect ralph-001`, 'without a reflection: one is made from the outcome, actions and errors'],
  ['my-model "What went wrong?" | jq -R \'{outcome: "failure", reflection: .}\' | hindscope reflect ralph-001 --check > next-prompt.md', 'with a reflection written by a model; exits with 1 if the loop has written it at least three times, counting this one'],
  ['hindscope reflect coder --out .aiwg/lessons.md || true', 'as a Stop hook of Claude Code: stores what the agent did and said; a SessionStart hook with `cat .aiwg/lessons.md` gives the lessons to the next session'],
];
export const notes = [
  'ITERATION.json is an object with any of `outcome` (success, failure or partial), `iteration`, `task`, `actions`, `errors`, `filesModified`, `reflection`, `strategyChange` and `timestamp`. An iteration without `outcome` counts as not judged. The names that the hook of the agent framework aiwg uses work as well: `trial_number`, `loop_id`, `trajectory`, `files_modified`, `strategy_change`.',
  'ITERATION.json may also be what Claude Code hands to a Stop or SubagentStop hook. Then the iteration is what the transcript has since the last prompt: calls of tools are actions, failed ones also errors, the last message is the reflection. The default LOOP is the id of the session, or of the subagent. Such a hook does not say how the iteration ended: --outcome does. It waits at most 200 ms for other writers; what cannot be stored by then is lost. Errors do not stop the agent: the exit code is 0, and `hindscope doctor` shows them. A mistake in the options exits with 2, which would: write `|| true` behind the command.',
  'The iteration is stored as reflections/loops/LOOP/iteration-N.yaml in the memory. The reflections for the next prompt go to standard output.',
];
export const exits = { 1: 'with --check: the loop has written this reflection at least three times, counting this one' };

export async function run({ values, positionals: [loop], out }) {
  const omega = number(values.omega, 'omega', { least: 0, most: 10 });
  if (process.stdin.isTTY) out.note('Type the iteration as JSON, then press Ctrl-D.');
  const given = jsonObject(String(await standardInput()), 'Standard input', 'reflect');
  const { memory: folder = HOME, layout, outcome } = values;
  /** Stores the iteration and prints what comes next. */
  const store = async (name, { now, ...facts }, settings) => {
    const memory = await openMemory(folder, true, { ...(now !== undefined && { now: () => now }), ...settings });
    const iteration = { ...facts, outcome: facts.outcome ?? outcome, ...(omega !== undefined && { omega }), ...(layout && { layout }) };
    const answer = await memory.reflect(name, iteration);
    if (values.out !== undefined) await writeFile(values.out, [answer.window], { isForced: true }, out);
    await print(folder, answer, values.out, out);
    return values.check && answer.isStuck ? EXIT.no : EXIT.ok;
  };
  if (!isHookEvent(given)) {
    if (loop === undefined) throw new Refusal('missing-argument', '`reflect` needs the id of a loop.', { hint: `Usage: hindscope reflect ${usage}` });
    return store(loop, iterationOf(given, loop));
  }
  try {
    const { loop: own, facts, isCut } = iterationOfEvent(given);
    if (isCut) failed(folder, new Refusal('unreadable-input', 'The transcript is long, and its end has no prompt: the first calls of this iteration are missing.'), out);
    return await store(loop ?? own, facts, { waitMs: HOOK_WAIT_MS });
  } catch (cause) {
    return failed(folder, refusalOf(cause), out);
  }
}

/** The agent goes on: the error is for `doctor`. */
function failed(folder, refusal, out) {
  out.refuse(refusal);
  try {
    logHookError(folder, refusal);
  } catch (cause) {
    out.note(`The error is not kept, because ${hookLog(folder)} cannot be written: ${messageOf(cause)}`);
  }
  return EXIT.ok;
}

async function print(folder, answer, file, out) {
  if (out.isJson) return out.json(answer);
  if (file === undefined) await out.raw(answer.window);
  out.note(`Stored iteration ${answer.iteration} in ${join(folder, answer.path)}${answer.isAutomatic ? ', with a reflection made from its outcome, actions and errors' : ''}.`);
  for (const { message, rule } of answer.stuck) out.note(`${message} [${rule}]`);
  for (const { message, rule } of answer.findings) out.note(`${message} [${rule}]`);
}

/** Property names of aiwg's hook, and ours. */
const SPELLINGS = { trial_number: 'iteration', trajectory: 'actions', files_modified: 'filesModified', strategy_change: 'strategyChange' };

/** Properties that an iteration must not have. */
const ELSEWHERE = {
  loop: 'Unexpected property `loop`: the loop is given by the argument LOOP.',
  call: 'Unexpected property `call`.',
  now: 'Unexpected property `now`: the time of an iteration is its `timestamp`.',
};

/** An iteration as it was given, with its timestamp as `now`. */
function iterationOf(iteration, loop) {
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
