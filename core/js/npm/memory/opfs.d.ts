/**
 * A store in the private file system of a browser (OPFS), in pages and in workers. It belongs to the
 * origin of the page; the browser may clear it with the origin's other data, unless it was asked to
 * keep it (`navigator.storage.persist()`).
 *
 * In workers, writes wait for the disk; in pages the browser decides when they are there. The lock is
 * one of the browser (Web Locks), which gives it back when its owner is gone.
 *
 * @packageDocumentation
 */
import type { MemoryStore } from './store.js';

/**
 * Files in the private file system of a browser.
 *
 * @example In the browser it is kept, elsewhere it is not
 * ```js
 * import { EpisodicMemory } from 'hindscope/memory';
 * import { InMemoryStore } from 'hindscope/stores/memory';
 * import { OpfsStore } from 'hindscope/stores/opfs';
 *
 * const kept = EpisodicMemory.open(new OpfsStore('agent/memory'));
 * const memory = await kept.catch(() => EpisodicMemory.open(new InMemoryStore()));
 * console.log(memory.store instanceof InMemoryStore); // → true
 * ```
 */
export class OpfsStore implements MemoryStore {
  /**
   * For a folder of the origin's file system, which is made with the first write.
   *
   * @throws `HindscopeError` `path-refused`, `invalid-option`.
   *
   * @example Where there is no such file system, it says so
   * ```js
   * import { EpisodicMemory } from 'hindscope/memory';
   * import { OpfsStore } from 'hindscope/stores/opfs';
   *
   * const memory = EpisodicMemory.open(new OpfsStore('memory'));
   * console.log(await memory.catch(({ code }) => code)); // → store-missing
   * ```
   */
  constructor(folder: string);
  readonly open: () => Promise<void>;
  readonly read: MemoryStore['read'];
  readonly list: MemoryStore['list'];
  readonly stamp: (path: string) => Promise<string | undefined>;
  readonly write: MemoryStore['write'];
  readonly lock: MemoryStore['lock'];
}
