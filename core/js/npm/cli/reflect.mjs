// A hook for loops: stores the reflection of an iteration, and prints the lessons for the next one.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { messageOf } from '../error.mjs';
import { beside } from './beside.mjs';
import { EXIT, Refusal, refusalOf, unreadable } from './errors.mjs';
import { writeFile } from './export.mjs';
import { LAYOUTS } from './format.mjs';
import { hookLog, logHookError } from './hooklog.mjs';
import { HOME, jsonObject, openMemory } from './memory.mjs';
import { standardInput } from './open.mjs';
import { whole as number } from './options.mjs';
import { loadEntry } from './start.mjs';
import { isHookEvent, iterationOfEvent } from './transcript.mjs';
import { Waiting, mayWait } from './waiting.mjs';

/** For how long a hook waits for other writers. */
const HOOK_WAIT_MS = 100;
/** How many iterations that wait a hook stores before its own: more than one, so that those that wait become fewer. */
const HOOK_STORES = 2;

export const usage = '[LOOP] [--workflow FILE] [--memory FOLDER] [--check] < ITERATION.json';
export const takes = { most: 1 };
export const options = {
  workflow: { type: 'string', short: 'w', value: 'FILE', says: 'a workflow whose `hook:` block says where iterations are stored, of which loops, and what the next iteration is given; other options win over it' },
  scope: { type: 'string', value: 'KIND', says: 'the kind of the loop that calls; with --workflow, nothing is stored if the `scope` of the block does not have it' },
  memory: { type: 'string', value: 'FOLDER', says: `the folder of the memory (default: \`output_path\` of the workflow, otherwise ${HOME}); created if it does not exist` },
  outcome: { type: 'string', value: 'O', says: 'how the iteration ended, where standard input does not say so', choices: ['success', 'failure', 'partial'] },
  omega: { type: 'string', value: 'Ω', says: 'how many reflections to print, 0 to 10 (default: `k` of the workflow, otherwise 5)' },
  'stuck-after': { type: 'string', value: 'N', says: 'how many reflections must say the same for the loop to be stuck, from 2; other rules `stuck/*` have numbers of their own (default: `stuck_after` of the workflow, otherwise 3)' },
  layout: { type: 'string', short: 'l', value: 'L', says: 'the layout of the text (default: aiwg-template)', choices: LAYOUTS },
  out: { type: 'string', short: 'o', value: 'FILE', says: 'write the reflections for the next prompt to this file instead; it is replaced only once the iteration is stored' },
  check: { type: 'boolean', says: 'exit with 1 if the loop is stuck: a rule `stuck/*` warns of this iteration, for instance because it has the same reflection, actions or error as the ones before it, three times in all (reflections: as often as --stuck-after says)' },
};
export const examples = [
  [`echo '{"outcome": "failure", "actions": ["Ran npm test"], "errors": ["3 tests failed"]}' | hindscope reflect ralph-001`, 'without a reflection: one is made from the outcome, actions and errors'],
  ['my-model "What went wrong?" | jq -R \'{outcome: "failure", reflection: .}\' | hindscope reflect ralph-001 --check > next-prompt.md', 'with a reflection written by a model; exits with 1 if the loop is stuck, for instance because it has written this three times'],
  ['hindscope reflect ralph-001 --workflow post-iteration-reflect.md --scope ralph-loop < iteration.json', 'as the `hook:` block of a file says, YAML or Markdown'],
  ['hindscope reflect coder --out .aiwg/lessons.md || true', 'as a Stop hook of Claude Code: stores what the agent did and said; a SessionStart hook with `cat .aiwg/lessons.md` gives the lessons to the next session'],
];
export const notes = [
  'ITERATION.json is an object with any of `outcome` (success, failure or partial), `iteration`, `task`, `actions`, `errors`, `filesModified`, `reflection`, `strategyChange` and `timestamp`. An iteration without `outcome` counts as not judged. The names that the hook of the agent framework aiwg uses work as well: `trial_number`, `loop_id`, `trajectory`, `files_modified`, `strategy_change`.',
  'ITERATION.json may also be what Claude Code hands to a Stop or SubagentStop hook. Then the iteration is what the transcript has since the last prompt: calls of tools are actions, failed ones also errors, the last message is the reflection. The default LOOP is the id of the session, or of the subagent. Such a hook does not say how the iteration ended: --outcome does. It waits at most 100 ms for other writers. An iteration that cannot be stored by then waits in the memory, and a later `hindscope reflect` or `hindscope doctor --mend` stores it: a hook stores two of those that wait before its own. Errors do not stop the agent: the exit code is 0, and `hindscope doctor` shows them. A mistake in the options exits with 2, which would: write `|| true` behind the command.',
  'The `hook:` block has any of `scope` (a list of kinds of loops), `output_path` (in the folder of FILE or below it; it ends with reflections/loops), `k` (how many reflections the next iteration is given), `stuck_after`, and `name`, `type` (post-iteration) and `enforcement`, which change nothing.',
  'The iteration is stored as reflections/loops/LOOP/iteration-N.yaml in the memory. The reflections for the next prompt go to standard output.',
];
export const exits = { 1: 'with --check: the loop is stuck' };

export async function run({ values, positionals: [loop], out }) {
  const own = { omega: number(values.omega, 'omega', { least: 0, most: 10 }), stuckAfter: number(values['stuck-after'], 'stuck-after', { least: 2 }) };
  if (values.scope !== undefined && values.workflow === undefined) throw new Refusal('invalid-option', '--scope needs --workflow: the scope of its `hook:` block decides.');
  if (process.stdin.isTTY) out.note('Type the iteration as JSON, then press Ctrl-D.');
  const given = jsonObject(String(await standardInput()), 'Standard input', 'reflect');
  if (!isHookEvent(given)) {
    if (loop === undefined) throw new Refusal('missing-argument', '`reflect` needs the id of a loop.', { hint: `Usage: hindscope reflect ${usage}` });
    const { now, ...facts } = iterationOf(given, loop);
    const settings = await settingsOf(values, own);
    if (isOut(settings, values, out)) return EXIT.ok;
    const reflect = reflecting(settings.memory);
    const waits = new Waiting(settings.memory);
    const mustWait = waits.files.length > 0 ? await waits.store(reflect) : () => false;
    if (mustWait(loop)) throw new Refusal('store-failed', 'Iterations of a hook that came before this one wait, and cannot be stored now.', { exit: EXIT.io, hint: '`hindscope doctor` says why.' });
    return print(settings, await reflect(loop, settings.iteration(facts), now), values, out);
  }
  let folder = values.memory ?? HOME;
  try {
    const settings = await settingsOf(values, own);
    folder = settings.memory;
    if (isOut(settings, values, out)) return EXIT.ok;
    const { loop: session, facts, isCut } = iterationOfEvent(given);
    if (isCut) failed(folder, new Refusal('unreadable-input', 'The transcript is long, and its end has no prompt: the first calls of this iteration are missing.'), out);
    return await reflectSoon(settings, loop ?? session, settings.iteration(facts), values, out);
  } catch (cause) {
    return failed(folder, refusalOf(cause), out);
  }
}

/** Stores what a hook gives, or puts it where it waits: behind others of its loop, and where others write for too long. */
async function reflectSoon(settings, loop, iteration, values, out) {
  const { memory } = settings;
  const waits = new Waiting(memory);
  const now = Date.now();
  // With the id of an event it is stored once, even if it is not known whether it was.
  const event = { ...iteration, eventId: iteration.eventId ?? randomUUID() };
  const reflect = reflecting(memory, HOOK_WAIT_MS);
  const mustWait = waits.files.length > 0 ? await waits.store(reflect, HOOK_STORES) : () => false;
  let answer;
  if (!mustWait(loop)) {
    try {
      answer = await reflect(loop, event, now);
    } catch (cause) {
      if (!mayWait(cause)) throw cause;
      if (cause.code !== 'store-locked') failed(memory, refusalOf(cause), out);
    }
  }
  if (answer !== undefined) return print(settings, answer, values, out);
  const path = waits.put(loop, event, now);
  if (out.isJson) out.json({ kind: 'waiting', loop, path, waiting: waits.files.length });
  out.note(`The iteration waits in ${path}: others are writing to the memory, or it comes behind others that wait. A later \`hindscope reflect\` stores it.`);
  return EXIT.ok;
}

/** A function that stores an iteration in a memory, at its own time. */
function reflecting(folder, waitMs) {
  return async (loop, iteration, now) => {
    const settings = { ...(now !== undefined && { now: () => now }), ...(waitMs !== undefined && { waitMs }) };
    return (await openMemory(folder, true, settings)).reflect(loop, iteration);
  };
}

/** What the options say, and where they say nothing, the workflow. */
async function settingsOf(values, own) {
  const { layout, outcome, workflow } = values;
  const hook = workflow === undefined ? {} : await hookOf(workflow);
  const { k: omega, stuckAfter } = hook;
  const chosen = { ...(omega !== undefined && { omega }), ...(stuckAfter !== undefined && { stuckAfter }) };
  for (const [name, value] of Object.entries({ ...own, layout })) if (value !== undefined) chosen[name] = value;
  return {
    scope: hook.scope ?? [],
    memory: values.memory ?? hook.memory ?? HOME,
    iteration: (facts) => ({ ...facts, outcome: facts.outcome ?? outcome, ...chosen }),
  };
}

/** The `hook:` block of a workflow. */
async function hookOf(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
  const refused = (message, cause) => new Refusal('invalid-request', `${file}: ${message}`, { details: { path: file }, cause });
  const { hookSettings } = await loadEntry('memory');
  let hook;
  try {
    hook = hookSettings(text);
  } catch (cause) {
    throw refused(messageOf(cause), cause);
  }
  const path = hook.outputPath;
  if (path === undefined) return hook;
  if (isAbsolute(path)) throw refused(`\`hook.output_path\` must be a path in the folder of the workflow, not ${path}.`);
  try {
    beside(file, path);
  } catch (cause) {
    throw refused(`\`hook.output_path\`: ${messageOf(cause)}`, cause);
  }
  const memory = /^(.*?)[/\\]?reflections[/\\]loops[/\\]*$/.exec(path)?.[1];
  if (memory === undefined) throw refused(`\`hook.output_path\` must end with reflections/loops, where a memory keeps the iterations of its loops, not ${path}.`);
  return { ...hook, memory: join(dirname(file), memory) };
}

/** Whether the workflow leaves this kind of loop alone, which is said. */
function isOut({ scope }, { scope: kind, workflow }, out) {
  if (kind === undefined || scope.length === 0 || scope.includes(kind)) return false;
  if (out.isJson) out.json({ kind: 'out-of-scope', scope });
  out.note(`Nothing is stored: the scope of ${workflow} is ${scope.join(', ')}, without ${kind}.`);
  return true;
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

/** Prints what comes next, and says how the command ends. */
async function print({ memory }, answer, values, out) {
  const { out: file, check } = values;
  if (file !== undefined) await writeFile(file, [answer.window], { isForced: true }, out);
  if (out.isJson) {
    out.json(answer);
  } else {
    if (file === undefined) await out.raw(answer.window);
    out.note(`Stored iteration ${answer.iteration} in ${join(memory, answer.path)}${answer.isAutomatic ? ', with a reflection made from its outcome, actions and errors' : ''}.`);
    for (const { message, rule } of answer.stuck) out.note(`${message} [${rule}]`);
    for (const { message, rule } of answer.findings) out.note(`${message} [${rule}]`);
  }
  return check && answer.isStuck ? EXIT.no : EXIT.ok;
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
