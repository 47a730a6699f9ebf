// Opens the memory in a folder, for `reflect`, `task` and `doctor`.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';
import { loadEntry } from './start.mjs';

/** Where aiwg's loops keep their memory. */
export const HOME = join('.aiwg', 'ralph');

/** Where aiwg's loops keep everything that is read without a path: its external loops have their own. */
export const HOMES = [HOME, join('.aiwg', 'ralph-external')];

/** A memory has at least one of these folders. */
const PARTS = ['tasks', 'reflections', 'index'];

/** Opens the memory in a folder. `isNew` allows to create it; `settings` are those of `EpisodicMemory.open`. */
export async function openMemory(folder, isNew, settings) {
  if (folder === '') throw new Refusal('unreadable-input', 'The path of the memory is empty.', { exit: EXIT.io });
  const isThere = existsSync(folder);
  if (isThere && !statSync(folder).isDirectory()) {
    throw new Refusal('unreadable-input', `${folder} is not a folder.`, { exit: EXIT.io, details: { path: folder } });
  }
  if (!isThere && !isNew) {
    throw new Refusal('unreadable-input', `The folder ${folder} does not exist.`, { exit: EXIT.io, hint: 'Give the folder of the memory: the one that contains `tasks` or `reflections`.', details: { path: folder } });
  }
  if (!isNew && !PARTS.some((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())) {
    throw new Refusal('unreadable-input', `${folder} does not contain a memory.`, { exit: EXIT.io, hint: `A memory has at least one of the folders ${PARTS.join(', ')}.`, details: { path: folder } });
  }
  const { EpisodicMemory } = await loadEntry('memory');
  const { DirectoryStore } = await import('../memory/directory.mjs');
  return EpisodicMemory.open(new DirectoryStore(folder), settings);
}

/** A JSON object that was given to a command. `where` says how. */
export function jsonObject(text, where, command) {
  const hint = `\`hindscope ${command} --help\` shows examples.`;
  let value;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new Refusal('invalid-request', `${where} is not valid JSON: ${messageOf(cause)}`, { hint, cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Refusal('invalid-request', `${where} must be a JSON object.`, { hint });
}
