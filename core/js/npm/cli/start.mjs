// Starts the wasm, for commands that need it: help, completion and the version do without.
import v8 from 'node:v8';

/** The package, its wasm started. */
export async function started() {
  try {
    // Functions that are never called are not looked at: most of 8 MB, and half of the time to start.
    v8.setFlagsFromString('--wasm-lazy-validation');
  } catch {
    // Other runtimes have no such flags.
  }
  return import('../node.mjs');
}
