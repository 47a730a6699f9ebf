// Loads the package and starts its wasm. Only commands that need it do so: not help, nor completion.
import v8 from 'node:v8';

/** Versions of Node that have the flags below; others would print a warning. */
const KNOWING = ['20', '21', '22', '23', '24', '25', '26'];

/**
 * For a fast start: functions of the wasm are validated when they are called, which most never are, and
 * optimised only after they have run for a while, which they do not in short commands.
 */
const FLAGS = ['--wasm-lazy-validation', '--wasm-tiering-budget=60000000'];

/** The package, with its wasm started. */
export async function loadPackage() {
  const { node, bun, deno } = process.versions;
  if (KNOWING.includes(node.split('.')[0]) && !bun && !deno) FLAGS.forEach((flag) => v8.setFlagsFromString(flag));
  return import('../node.mjs');
}
