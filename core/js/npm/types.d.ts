/**
 * What all parts of the API speak: findings and their words, errors, and types of arguments.
 *
 * @module
 */
import type { CoreErrorCode, LoopErrorCode } from './data.js';

export * from './data.js';

/** Text or bytes. A view is read where it lies, and copied only into the wasm. */
export type TextOrBytes = string | ArrayBufferLike | ArrayBufferView;

/** Something, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * A schema of another library, by the interface that zod, valibot, arktype and others share
 * (https://standardschema.dev). It judges by itself. Values that it makes are not taken: what was judged
 * stays as it is.
 */
export interface StandardSchema {
  /** What every such schema has. */
  readonly '~standard': {
    /** Says what is wrong with a value; without `issues` it is accepted. */
    readonly validate: (value: unknown) => StandardVerdict | PromiseLike<StandardVerdict>;
  };
}

/** What a {@link StandardSchema} says of a value. */
export interface StandardVerdict {
  /** What is wrong, each with the keys that lead to it. */
  readonly issues?: readonly { readonly message: string; readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined }[] | undefined;
}

/**
 * Codes that only this package has. `freed`: the handle was used after `free()`. `crashed`: the wasm has
 * crashed. `invalid-record`: a record cannot be written as JSON (a cycle, a BigInt, a getter that throws).
 * `no-such-group`: there is no such group. `not-ready`: a call came before `ready`. `unreadable-input`: a
 * path, slice or wasm cannot be read. The other codes are about the store of a memory: it may not be
 * written (`store-denied`, as for a read-only folder), fails, is full, is locked for too long, or does not
 * exist in this browser (`store-missing`).
 */
export type FaceErrorCode =
  | 'crashed'
  | 'freed'
  | 'invalid-record'
  | 'no-such-group'
  | 'not-ready'
  | 'store-denied'
  | 'store-failed'
  | 'store-full'
  | 'store-locked'
  | 'store-missing'
  | 'unreadable-input';

/** Why a model gave no answer: see `ModelError` of `hindscope/loop`. */
export type ModelErrorCode = 'status' | 'timeout' | 'connection' | 'answer' | 'aborted' | 'config';

/**
 * Why code in `run:` of a loop gave no answer. `failed`: the code failed, or its answer is not JSON.
 * `not_json`: `state` or `output` cannot be converted to JSON. `unavailable`: no engine can run the code,
 * because none is installed, for example, or the runtime has no workers.
 */
export type LanguageErrorCode = 'failed' | 'not_json' | 'timeout' | 'aborted' | 'out_of_memory' | 'unavailable';

/** Every code that a {@link HindscopeError} can have. They are never renamed. */
export type ErrorCode = CoreErrorCode | FaceErrorCode | LoopErrorCode | ModelErrorCode | LanguageErrorCode;

/**
 * What this package throws: every exception of it is one of these, with a `code`. Loops, models and
 * languages have classes of their own below it.
 *
 * @example A code says what was misused
 * ```js
 * import { HindscopeError, ReflectionWindow } from 'hindscope';
 *
 * try {
 *   new ReflectionWindow({ omega: 11 });
 * } catch (error) {
 *   console.log(error instanceof HindscopeError, error.code, error.details);
 *   // → true omega-out-of-range { omega: 11 }
 * }
 * ```
 */
export class HindscopeError extends Error {
  /** `HindscopeError`, or the name of the class below it. */
  readonly name: string;
  /** What was misused. */
  readonly code: ErrorCode;
  /** The ids, numbers and paths that it is about, as plain data. */
  readonly details: Readonly<Record<string, number | string>>;
  /** Only this package makes them. */
  protected constructor();
}

/**
 * Resolves when the functions of the entry may be called. A browser fetches the wasm, and rejects this with
 * `unreadable-input` if it cannot; all other runtimes start it while they load the entry, so there it needs no
 * waiting. `hindscope/memory` shares the wasm of `hindscope/history`.
 *
 * @example In any runtime
 * ```js
 * import { ready, validate } from 'hindscope';
 *
 * await ready;
 * console.log(validate({}).usable); // → false
 * ```
 */
export const ready: Promise<void>;
