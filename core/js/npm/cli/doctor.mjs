// A memory on disk, inspected, and put in order.
import { join } from 'node:path';
import { EXIT } from './errors.mjs';
import { HOME, openMemory } from './memory.mjs';
import { inline } from './text.mjs';
import { noun, severityDress, whole } from './words.mjs';

export const usage = '[--mend] [--task TASK] [FOLDER]';
export const takes = { most: 1 };
export const options = {
  mend: { type: 'boolean', says: 'puts it in order; otherwise nothing is written' },
  task: { type: 'string', short: 't', multiple: true, value: 'TASK', says: 'only this task; may be said again' },
};
export const examples = [
  ['hindscope doctor', 'what is wrong with .aiwg/ralph?'],
  ['hindscope doctor --mend agent/.aiwg/ralph', 'after a crash: finishes what was interrupted, and writes the indexes again'],
  ['hindscope doctor --task task-007', 'one task'],
];
export const notes = [
  'It inspects an episodic memory: a folder with `tasks/task-NNN/attempts/NNN`. Nothing is deleted: what cannot be used is kept beside its file as NAME.broken-N. With --mend it holds the lock of the memory meanwhile, so agents may go on.',
  `FOLDER is ${HOME} if left out.`,
];
export const exits = { 0: 'it is sound, or is so now', 1: 'something is wrong' };

export async function run({ values, positionals: [folder = HOME], out }) {
  const memory = await openMemory(folder);
  const look = (mend) => memory.doctor({ mend, tasks: values.task, onProgress: (done, all) => out.progress(() => `inspecting: ${whole(done)} of ${noun(all, 'task')}`) });
  const found = await look(values.mend === true);
  // What was mended is looked at again: that is what counts.
  const isSound = values.mend && !found.isSound ? (await look(false)).isSound : found.isSound;
  const answer = { folder, ...found, isSound, isMended: values.mend === true && found.writes.length > 0 };
  if (out.isJson) out.json(answer);
  else tell(answer, out);
  return isSound ? EXIT.fine : EXIT.negative;
}

function tell({ folder, tasks, attempts, actions, reflections, findings, writes, keptAside, isSound, isMended }, out) {
  const { style } = out;
  const facts = [noun(tasks, 'task'), noun(attempts, 'attempt'), noun(actions, 'action'), noun(reflections, 'reflection')];
  out.line(`${style.bold(inline(folder))}  ${facts.join(' · ')}`);
  for (const { severity, rule, path, line, message, hint } of findings) {
    const place = path === undefined ? '' : `${inline(join(folder, path))}${line === undefined ? '' : `:${line}`}: `;
    out.line(`  ${place}${severityDress(severity, style)(severity)}: ${inline(message)} ${style.dim(`[${rule}]`)}`);
    if (hint) out.line(style.dim(`      ${inline(hint)}`));
  }
  const isThere = (path) => isMended || !writes.includes(path);
  for (const path of keptAside.filter(isThere)) out.line(`  kept aside: ${inline(join(folder, path))}`);
  const files = writes.map(inline).join(', ');
  if (isMended) out.line(`  ${style.green('written')}: ${files}`);
  else if (writes.length > 0) out.line(`  --mend would write: ${files}`);
  out.line(isSound ? style.green('It is sound.') : style.red('Something is wrong.'));
}
