/**
 * Words, errors and findings: what all parts of the API speak.
 *
 * @module
 */

/** Text or bytes. A view is read where it lies, and copied only into the wasm. */
export type TextOrBytes = string | ArrayBufferLike | ArrayBufferView;

/** Something, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** What findings are about: all that the JSON Schema refuses, or what matters when a record is used. */
export type ValidationProfile = 'strict' | 'lenient';

/**
 * What a record should be: an iteration of a loop, or one of the files of an episodic memory
 * (`metadata.json`, `trajectory.json`, a line of `reflections.jsonl`, `attempt.json`, a line of
 * `actions.jsonl`).
 */
export type RecordSchema = 'reflection-memory' | 'task-metadata' | 'trajectory' | 'reflection' | 'attempt' | 'action';

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
 * Which reflections stay when the window is full: `fifo` the last by number, `recency` the last by
 * time, `relevance_weighted` those that share rare words with the task and the latest errors.
 */
export type WindowPolicy = 'fifo' | 'recency' | 'relevance_weighted';

/**
 * How a window is written: `plain` has one block per reflection, `[number] outcome: text`; the
 * others are those of the tools that they are named after.
 */
export type WindowLayout =
  | 'plain'
  | 'aiwg-template'
  | 'aiwg-guide'
  | 'aiwg-memory'
  | 'reflexion-alfworld'
  | 'episodic';

/** How an iteration or run ended. */
export type Outcome = 'success' | 'partial' | 'failure' | 'running' | 'aborted' | 'void' | 'unknown';

/** Where a reward came from. */
export type RewardOrigin = 'reported' | 'derived' | 'none';

/** Scale of a reward as written. Values are always 0..1. */
export type RewardScale = 'unit' | 'percent' | 'ratio' | 'bool' | 'ordinal';

/**
 * How much a finding matters. `error`: a shown number may be wrong; `warning`: probably a mistake,
 * or a loop in trouble; `info`: worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

/** How far reading a source has come. */
export type SourceState = 'reading' | 'read' | 'raw' | 'refused';

/** Misuse that the core reports, the same words as in Rust and in the component. */
export type CoreErrorCode =
  | 'no-such-source'
  | 'no-such-record'
  | 'no-such-run'
  | 'no-such-iteration'
  | 'source-finished'
  | 'wrong-bytes'
  | 'omega-out-of-range'
  | 'invalid-option'
  | 'invalid-schema'
  | 'unread-record'
  | 'stale-export'
  | 'no-such-task'
  | 'no-such-attempt'
  | 'attempt-complete'
  | 'path-refused'
  | 'memory-conflict'
  | 'memory-unreadable'
  | 'invalid-request';

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

/** What a loop, its parts and templates are refused or end with; the classes below {@link HindscopeError} say more. */
export type LoopErrorCode =
  | `config_${string}`
  | 'reflection_failed'
  | 'call_failed'
  | 'template_failed'
  | 'unknown_step'
  | 'loop_finished'
  | 'reply_invalid'
  | 'snapshot_invalid'
  | 'snapshot_mismatch';

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

/**
 * Findings of one rule about one member of records: a history of 100,000 records may have a million
 * findings, and a few kinds of them.
 */
export interface FindingGroup {
  /** Id of the rule, `area/rule`. */
  rule: string;
  /** How much it matters. */
  severity: Severity;
  /** JSON pointer of the values inside their records, with `*` for every place in a list. */
  pointer?: string;
  /** How many findings there are. */
  count: number;
  /** The first ones, three at most. */
  first: Finding[];
}

/** An iteration that a finding is drawn from. */
export interface FindingEvidence {
  /** The record that holds it. */
  record: number;
  /** Its number as written. */
  number: number;
}

/** One thing that a rule has to say, with its place. */
export interface Finding {
  /** Id of the rule, `area/rule`. */
  rule: string;
  /** How much it matters. */
  severity: Severity;
  /** The source that it is about. */
  source?: number;
  /** The record that it is about. */
  record?: number;
  /** The run that it is about. */
  run?: number;
  /** The iteration, by its number as written. */
  iteration?: number;
  /** Line, from 1. */
  line?: number;
  /** Column, from 1, in UTF-16 code units. */
  column?: number;
  /** Offset from the first byte of the source as stored. */
  offset?: number;
  /** JSON pointer (RFC 6901) of the value inside its record. */
  pointer?: string;
  /** What the rule expects here, in a few words. */
  expected?: string;
  /** What stands here instead, shortened. */
  found?: string;
  /** The iterations that it is drawn from, for rules that look at several. */
  evidence?: FindingEvidence[];
  /** What was found, in one or two sentences. */
  message: string;
  /** What to do about it. */
  hint?: string;
}
