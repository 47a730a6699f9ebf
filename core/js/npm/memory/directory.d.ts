/**
 * A store in a folder, for Node, Deno and Bun.
 *
 * A whole file is written under a temporary name, flushed and then put in place; lines are appended once
 * the length of the file was checked; folders are flushed too. An interruption loses at most what was being
 * written. An advisory lock, `.hindscope/lock`, keeps several agents from damaging each other's files; a
 * lock whose owner is gone is taken over. Symbolic links below the folder are never followed, and nothing
 * outside of it is touched.
 *
 * @packageDocumentation
 */
import type { MemoryStore } from './store.js';

/** How files are written. */
export interface DirectoryOptions {
  /**
   * Whether each write waits until the data is on the disk. If not, a power cut may lose the latest writes;
   * a crash of the process loses none of them. Default true.
   */
  flush?: boolean | null;
  /** Mode of new files, less the umask; those that are written again keep theirs. Default 0o666. */
  fileMode?: number | null;
  /** Mode of new folders, less the umask. Default 0o777. */
  folderMode?: number | null;
  /**
   * For how long a lock may show no sign of life, in milliseconds, before it is taken over. One of a
   * process of this machine that is gone is taken over at once. Default 15000.
   */
  staleMs?: number | null;
}

/**
 * Files in a folder.
 *
 * @example A memory that people can read
 * ```js
 * import { readdirSync } from 'node:fs';
 * import { EpisodicMemory } from 'hindscope/memory';
 * import { DirectoryStore } from 'hindscope/stores/directory';
 *
 * const memory = await EpisodicMemory.open(new DirectoryStore('readable/ralph'));
 * const { task } = await memory.initTask({ description: 'Sort the index.' });
 * console.log(readdirSync(`readable/ralph/tasks/${task}`).join()); // → metadata.json,trajectory.json
 * ```
 */
export class DirectoryStore implements MemoryStore {
  /**
   * For the folder at a path, which is made with the first write. If the path is a link it is followed,
   * as you named it.
   *
   * @throws `HindscopeError` `invalid-option`.
   *
   * @example For this user alone
   * ```js
   * import { statSync } from 'node:fs';
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { DirectoryStore } from 'hindscope/stores/directory';
   *
   * const store = new DirectoryStore('private', { fileMode: 0o600, folderMode: 0o700 });
   * await (await EpisodicMemory.open(store)).initTask({ description: 'Sort the index.' });
   * console.log((statSync('private/tasks/task-001/metadata.json').mode & 0o777).toString(8)); // → 600
   * ```
   */
  constructor(folder: string | URL, options?: DirectoryOptions | null);
  /** The absolute path of the folder. */
  readonly root: string;
  readonly read: MemoryStore['read'];
  readonly list: MemoryStore['list'];
  readonly stamp: (path: string) => string | undefined;
  readonly write: MemoryStore['write'];
  readonly lock: MemoryStore['lock'];
}
