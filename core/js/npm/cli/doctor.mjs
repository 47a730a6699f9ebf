// Checks a memory on disk, and repairs it.
import { join } from 'node:path';
import { EXIT } from './errors.mjs';
import { hookErrors, hookLog } from './hooklog.mjs';
import { HOME, openMemory } from './memory.mjs';
import { inline } from './text.mjs';
import { plural, severityColour, whole } from './format.mjs';
import { Waiting } from './waiting.mjs';

/** Errors of the hook that are printed; the JSON has all. */
const SHOWN = 5;

export const usage = '[--mend] [--task TASK] [FOLDER]';
export const takes = { most: 1 };
export const options = {
  mend: { type: 'boolean', says: 'repair the memory; without this option, nothing is written' },
  task: { type: 'string', short: 't', multiple: true, value: 'TASK', says: 'check only this task; repeat for more' },
};
export const examples = [
  ['hindscope doctor', 'lists the problems of .aiwg/ralph'],
  ['hindscope doctor --mend agent/.aiwg/ralph', 'after a crash: completes interrupted writes and rebuilds the indexes'],
  ['hindscope doctor --task task-007', 'checks one task'],
];
export const notes = [
  'It also shows the errors of `hindscope reflect` where a hook called it: they do not stop the agent, and are kept for you. It says how many iterations of a hook wait to be stored, because others were writing; --mend stores them. It lists those that cannot be stored, each a file NAME.refused that says why: --mend stores them once you have corrected the file.',
  'The memory is an episodic memory: a folder with tasks/task-NNN/attempts/NNN. Nothing is deleted: before damaged data is removed from a file, it is copied to a file NAME.broken-N beside it. With --mend, hindscope holds the lock of the memory: agents that write through hindscope wait for it. Stop all other agents first, because they ignore the lock.',
  `The default FOLDER is ${HOME}, where the agent framework aiwg keeps its memory.`,
];
export const exits = { 0: 'no problems, or all repaired', 1: 'problems found' };

export async function run({ values, positionals: [folder = HOME], out }) {
  const waits = new Waiting(folder);
  const memory = await openMemory(folder, waits.files.length > 0).catch((cause) => {
    // The hook may have failed before there was a memory.
    for (const line of hookLines(folder, hookErrors(folder))) out.note(line.trim());
    throw cause;
  });
  const look = (mend) => memory.doctor({ mend, tasks: values.task, onProgress: (done, all) => out.progress(() => `Checking: ${whole(done)} of ${plural(all, 'task')}`) });
  if (values.mend) {
    await waits.mend(async (loop, iteration, now) => (await openMemory(folder, true, { ...(now !== undefined && { now: () => now }) })).reflect(loop, iteration));
  }
  const found = await look(values.mend === true);
  // The memory is checked again after the repair: that result counts.
  const isSound = values.mend && !found.isSound ? (await look(false)).isSound : found.isSound;
  const answer = { folder, ...found, isSound, isMended: values.mend === true && found.writes.length > 0, hookErrors: hookErrors(folder), waiting: waits.files.length, refused: waits.refused };
  if (out.isJson) out.json(answer);
  else print(answer, out);
  return isSound ? EXIT.ok : EXIT.no;
}

function print({ folder, tasks, attempts, actions, reflections, findings, writes, keptAside, isSound, isMended, hookErrors: failed, waiting, refused }, out) {
  const { style } = out;
  const facts = [plural(tasks, 'task'), plural(attempts, 'attempt'), plural(actions, 'action'), plural(reflections, 'reflection')];
  out.line(`${style.bold(inline(folder))}  ${facts.join(' · ')}`);
  for (const { severity, rule, path, line, message, hint } of findings) {
    const place = path === undefined ? '' : `${inline(join(folder, path))}${line === undefined ? '' : `:${line}`}: `;
    out.line(`  ${place}${severityColour(severity, style)(severity)}: ${inline(message)} ${style.dim(`[${rule}]`)}`);
    if (hint) out.line(style.dim(`      ${inline(hint)}`));
  }
  for (const line of hookLines(folder, failed)) out.line(line);
  if (waiting > 0) out.line(`  ${plural(waiting, 'iteration')} of \`hindscope reflect\` as a hook ${waiting === 1 ? 'waits' : 'wait'} to be stored: calls of \`hindscope reflect\` do it, or --mend`);
  for (const { path, why, hint } of refused) {
    out.line(`  an iteration of \`hindscope reflect\` as a hook cannot be stored: ${inline(path)}`);
    out.line(`      ${inline(why)}`);
    out.line(style.dim(`      ${inline(hint)}`));
  }
  const isThere = (path) => isMended || !writes.includes(path);
  for (const path of keptAside.filter(isThere)) out.line(`  copy kept in: ${inline(join(folder, path))}`);
  const files = writes.map(inline).join(', ');
  if (isMended) out.line(`  ${style.green('wrote')}: ${files}`);
  else if (writes.length > 0) out.line(`  --mend would write: ${files}`);
  out.line(isSound ? style.green(failed.length > 0 ? 'The memory has no problems.' : 'No problems.') : style.red('The memory has problems.'));
}

/** The last errors of the hook, with what to do about them. */
function hookLines(folder, failed) {
  if (failed.length === 0) return [];
  const some = failed.length > SHOWN ? `, the last ${SHOWN} of them` : '';
  const head = `  ${plural(failed.length, 'error')} of \`hindscope reflect\` as a hook${some}; delete ${inline(hookLog(folder))} once you have read this:`;
  return [head, ...failed.slice(-SHOWN).map((line) => `      ${inline(line)}`)];
}
