// Starts the wasm, for commands that need it: help, completion and the version do without.
import v8 from 'node:v8';

/** Versions of Node that know the flags below; others would say on standard error that they do not. */
const KNOWING = ['20', '21', '22', '23', '24'];

/**
 * Most of the wasm is never called by one command, so it is not looked at; and what is called is made
 * faster only when it has run for some time, which short commands never do.
 */
const FLAGS = ['--wasm-lazy-validation', '--wasm-tiering-budget=60000000'];

/** The package, its wasm started. */
export async function started() {
  const { node, bun, deno } = process.versions;
  if (KNOWING.includes(node.split('.')[0]) && !bun && !deno) FLAGS.forEach((flag) => v8.setFlagsFromString(flag));
  return import('../node.mjs');
}
