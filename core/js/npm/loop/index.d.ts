/**
 * The loop: generate, evaluate, correct, and again; and validators for schemas of your own.
 *
 * @packageDocumentation
 */
export * from './data.js';
export * from './failure.js';
export * from './llm.js';
export * from './loop.js';
export * from './machine.js';
export * from './reflect.js';
export * from './validator.js';
export type { UnusableRecord, ValidRecord } from '../contract/validate.js';
export * from '../types.js';
