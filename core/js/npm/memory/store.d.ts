/**
 * Where a memory keeps its files: what every store can do. `hindscope/stores/directory`, `/memory` and
 * `/opfs` are three; one of your own is an object with these members.
 *
 * @module
 */
import type { Awaitable } from '../types.js';

/** What was found in a file. */
export interface StoredBytes {
  /** The bytes that were asked for. */
  bytes: Uint8Array;
  /** Length of the whole file. */
  lenBytes: number;
}

/** The names in a folder. */
export interface StoredNames {
  /** Names of files. */
  files: string[];
  /** Names of folders. */
  folders: string[];
  /** Names of what is neither, as a symbolic link: it is not read, and nothing new gets its name. */
  others?: string[];
}

/** How a file is written. */
export interface StoreWrite {
  /**
   * `create` makes a new file, and `replace` exchanges all bytes of one. Both write everything or nothing:
   * readers see the old bytes or the new ones. `append` writes after the last byte, and makes the file if
   * there is none; a crash may leave a part of what it wrote.
   */
  kind: 'create' | 'replace' | 'append';
  /** Length that the file must have before; absent: there must be none. */
  was?: number;
}

/**
 * Files below a root. Paths have `/` between names, and no `.` or `..`; a store refuses others with
 * `path-refused`, and follows no link that leads elsewhere.
 *
 * What it throws becomes a {@link HindscopeError}: one of those below, or `store-failed`.
 */
export interface MemoryStore {
  /** Finds out whether anything can be stored: `store-missing`. Called once, by `EpisodicMemory.open`. */
  open?: () => Awaitable<void>;
  /** A file, or its `last` bytes; undefined if there is none. */
  read: (path: string, last?: number) => Awaitable<StoredBytes | undefined>;
  /** The names in a folder; undefined if there is none. */
  list: (path: string) => Awaitable<StoredNames | undefined>;
  /**
   * A text that changes whenever the file does; undefined if there is none. With it a search reads again
   * what has changed; without it, everything.
   */
  stamp?: (path: string) => Awaitable<string | undefined>;
  /**
   * Writes a file and waits until it is kept. Folders on the way are made. If the file has not the length
   * that `was` says, nothing is written: `memory-conflict`. No room: `store-full`; not allowed:
   * `store-denied`.
   */
  write: (path: string, bytes: Uint8Array, how: StoreWrite) => Awaitable<void>;
  /**
   * Waits until the lock is free, for `waitMs` at most, and gives what releases it:
   * `store-locked`. Those who wait in one process get it in their order.
   */
  lock: (waitMs: number) => PromiseLike<() => Awaitable<void>>;
}
