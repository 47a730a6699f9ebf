// What the benchmarks share: where things are, arguments, turns, and the peer.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
/** Where histories are kept between two runs. */
export const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');

/** A part of the package, which must have been built. */
export function part(name) {
  return import(pathToFileURL(path.join(PACKAGE, name)));
}

/**
 * Arguments: the defaults of a benchmark say which there are and of which type. Everything is strict: a
 * typo must not become a measurement. `--json` and `--mb` are for all that `cargo xtask bench` calls.
 */
export function readOptions(defaults) {
  const all = { json: false, mb: 91, ...defaults };
  const typed = Object.entries(all).map(([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }]);
  let given;
  try {
    given = parseArgs({ options: Object.fromEntries(typed) }).values;
  } catch (error) {
    fail(error.message);
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, argument(name, given[name], value)]));
}

function argument(name, given, value) {
  if (given === undefined || typeof value !== 'number') return given ?? value;
  const number = Number(given);
  // V8's strings end near 512 MB, and with them everything here but hindscope.
  if (!(number > 0 && number <= 500)) fail(`--${name} takes a number above 0 and up to 500, not ${given}`);
  return number;
}

export function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

/**
 * The best milliseconds of each contestant. They take turns, so that a busy moment of the machine hits all
 * of them: at least three rounds, and as many more as fit into so many seconds.
 */
export function best(contestants, seconds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, Infinity]));
  const end = performance.now() + 1000 * seconds;
  // One round more: the first one compiles.
  for (let round = 0; round <= 3 || performance.now() < end; round += 1) {
    for (const [name, run] of Object.entries(contestants)) {
      // Whoever comes next does not pay for the garbage of whoever was before.
      globalThis.gc?.({ type: 'minor' });
      const start = performance.now();
      run();
      times[name] = Math.min(times[name], performance.now() - start);
    }
  }
  return times;
}

/** ajv, compiled for reflection memory with all formats. Each call compiles one that has seen no record yet. */
export function validator(options) {
  const ajv = new Ajv2020({ strict: false, ...options });
  addFormats(ajv);
  return ajv.compile(JSON.parse(readFileSync(path.join(ROOT, 'core/schemas/reflection-memory.json'), 'utf8')));
}

/** A number as short as it can be said honestly. */
export function rounded(value, digits = 3) {
  return Number(value.toPrecision(digits));
}

/** Rows under their titles: the first column to the left, the others to the right. */
export function table(titles, rows) {
  const cells = [titles, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = titles.map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const line = (row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ');
  return cells.map((row) => line(row).trimEnd()).join('\n');
}
