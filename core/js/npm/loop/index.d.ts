/**
 * The loop: generate, evaluate, correct, and again; and validators for schemas of your own.
 *
 * @packageDocumentation
 */
export * from './failure.js';
export * from './llm.js';
export * from './loop.js';
export * from './machine.js';
export * from './reflect.js';
export * from './validator.js';
export type { UnusableRecord, ValidRecord } from '../contract/validate.js';
export * from '../types.js';

/**
 * Resolves when the functions may be called. A browser fetches the wasm, and rejects this with
 * `unreadable-input` if it cannot; all other runtimes start it while they load the entry, so
 * there it needs no waiting.
 *
 * @example In any runtime
 * ```js
 * import { ready, Validator } from 'hindscope/loop';
 *
 * await ready;
 * console.log(new Validator(true).validate(1).valid); // → true
 * ```
 */
export const ready: Promise<void>;
