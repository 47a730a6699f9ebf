/**
 * Archives: zip, tar, gz and tar.gz, and exports of hindscope, by their first bytes. The entries of an
 * export have the paths that the files had.
 *
 * @module
 */
import type { UnpackLimits } from './data.js';
import type { History, OpenOptions, SourceInput } from './history.js';

/** Options of {@link openHistory} and {@link openFiles}. */
export interface OpenHistoryOptions extends OpenOptions {
  /** Limits of each archive. */
  limits?: UnpackLimits | null;
}

/**
 * What a refusal means. `source/refused`: of a kind that is not opened, or above a limit;
 * `source/unreadable`: damaged; `container/bomb`: a suspected decompression bomb.
 */
export type UnpackRefusalRule = 'source/refused' | 'source/unreadable' | 'container/bomb';

/** Why an entry is not given, or not to its end. */
export interface UnpackRefusal {
  /** What it means. */
  rule: UnpackRefusalRule;
  /** Why, as a part of a sentence: `it is encrypted`. */
  reason: string;
}

/** An entry of an archive, or what is said of the archive as a whole. */
export interface UnpackedEntry {
  /**
   * Path of the archive and path inside, `/` between them. It is only a name: one with `..` in it
   * leads out of any folder to which it is written. What is said of the archive has the path of the
   * archive.
   */
  path: string;
  /** Its bytes, as far as they came out. */
  data: Uint8Array;
  /** Why there is nothing more of it. */
  refusal?: UnpackRefusal;
}

/** A file of a browser that is read when it is needed. */
export interface BlobInput {
  /** Its path, folders included and `/` between them. */
  name: string;
  /** Its contents. */
  data: Blob;
}

/** What {@link unpack} gives: of a Blob, whose bytes come later, a generator that is awaited. */
export type UnpackedEntries<Input> = Input extends File | BlobInput
  ? AsyncGenerator<UnpackedEntry, void, undefined>
  : Generator<UnpackedEntry, void, undefined>;

/**
 * The entries of an archive, one after the other. In Node, Deno and Bun it may be named by a path. A
 * file that is no archive is an entry of its own. An entry is held in memory as a whole while it is
 * looked at, the archive is not.
 *
 * A gz inside a zip or tar is unpacked as well; any other archive inside an archive is refused with its
 * reason. Folders and what systems leave in them (`__MACOSX`, `.DS_Store` and the like) are left out.
 *
 * @throws {@link HindscopeError} `unreadable-input`, `invalid-option`.
 *
 * @example What is in it
 * ```js
 * import { gzipSync } from 'node:zlib';
 * import { unpack } from 'hindscope/history';
 *
 * const data = gzipSync('{"iteration":1}');
 * for (const { path, data: bytes } of unpack({ name: 'log.jsonl.gz', data })) {
 *   console.log(path, new TextDecoder().decode(bytes)); // → log.jsonl {"iteration":1}
 * }
 * ```
 */
export function unpack<Input extends string | URL | SourceInput | File | BlobInput>(
  input: Input,
  options?: UnpackLimits | null,
): UnpackedEntries<Input>;

/**
 * Opens files of a browser as one history, archives among them: a `FileList`, dropped files, Blobs.
 * They are read in slices. A file of a chosen folder has its path inside that folder.
 *
 * Looking at records needs their bytes at once. In a worker they are read again from the file; a page
 * has no way to do that, so there the bytes of every file that has records are kept in memory.
 *
 * @throws {@link HindscopeError} `unreadable-input`, `invalid-option`.
 *
 * @example What someone picked
 * ```js
 * import { openFiles } from 'hindscope/history';
 *
 * const picked = [new File(['{"iteration":1,"self_reflection":{"reflection_text":"Too fast."}}'], 'log.jsonl')];
 * const history = await openFiles(picked);
 * console.log(history.sources()[0].path, history.inspect(0).reflections[0].text); // → log.jsonl Too fast.
 * history.free();
 * ```
 */
export function openFiles(
  files: Iterable<File | BlobInput | SourceInput> | ArrayLike<File> | File | BlobInput | SourceInput,
  options?: OpenHistoryOptions | null,
): Promise<History>;
