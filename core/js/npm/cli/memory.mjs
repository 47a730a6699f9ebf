// The memory of a folder, for the commands that keep one.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, Refusal } from './errors.mjs';
import { started } from './start.mjs';

/** Where loops of aiwg keep their memory. */
export const HOME = join('.aiwg', 'ralph');

/** Folders of which a memory has at least one. */
const PARTS = ['tasks', 'reflections', 'index'];

/** Opens the memory of a folder; `isNew` says that it may be made, `now` what time it is there. */
export async function openMemory(folder, isNew, now) {
  if (folder === '') throw new Refusal('unreadable-input', 'The path is empty.', { exit: EXIT.unread });
  const isThere = existsSync(folder);
  if (isThere && !statSync(folder).isDirectory()) {
    throw new Refusal('unreadable-input', `${folder} is no folder.`, { exit: EXIT.unread, details: { path: folder } });
  }
  if (!isThere && !isNew) {
    throw new Refusal('unreadable-input', `There is no folder ${folder}.`, { exit: EXIT.unread, hint: 'Name the folder of the memory, the one with `tasks` in it.', details: { path: folder } });
  }
  if (!isNew && !PARTS.some((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())) {
    throw new Refusal('unreadable-input', `There is no memory in ${folder}.`, { exit: EXIT.unread, hint: `A memory has one of the folders ${PARTS.join(', ')}.`, details: { path: folder } });
  }
  const { EpisodicMemory } = await started();
  const { DirectoryStore } = await import('../directory.mjs');
  return EpisodicMemory.open(new DirectoryStore(folder), now === undefined ? {} : { now: () => now });
}
