/**
 * Validate what agent loops remember, and keep their sliding window Ω.
 *
 * Bad input is data: it comes back as findings. Misuse throws a {@link HindscopeError} with a
 * stable `code`. Members that are not known are absent, never 0 and never ""; of what is handed in,
 * null and undefined both mean: not given. Lines and columns count from 1, columns in UTF-16 code
 * units; `offset` counts bytes.
 *
 * @packageDocumentation
 */
export * from './data.js';
export * from './records.js';
export * from './validate.js';
export * from './window.js';
export * from '../types.js';
