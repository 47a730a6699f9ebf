// Loads an entry of the package and starts its wasm. A command loads what it needs: help and completion load none.
import v8 from 'node:v8';

/** Versions of Node that have the flags below; others would print a warning. */
const KNOWING = ['20', '21', '22', '23', '24', '25', '26'];

/**
 * For a fast start: functions of the wasm are validated when they are called, which most never are, and
 * optimised only after they have run for a while, which they do not in short commands.
 */
const FLAGS = ['--wasm-lazy-validation', '--wasm-tiering-budget=60000000'];

const ENTRIES = {
  contract: () => import('../contract/node.mjs'),
  history: () => import('../history/node.mjs'),
  loop: () => import('../loop/node.mjs'),
  memory: () => import('../memory/node.mjs'),
};

/** An entry, with its wasm started. */
export async function loadEntry(name) {
  const { node, bun, deno } = process.versions;
  if (KNOWING.includes(node.split('.')[0]) && !bun && !deno) FLAGS.forEach((flag) => v8.setFlagsFromString(flag));
  return ENTRIES[name]();
}
