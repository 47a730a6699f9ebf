// The wasm that lies beside an entry, in Node, Deno and Bun.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HindscopeError, messageOf } from './error.mjs';

/** The bytes of the wasm at an address. `copy` is what a bundle needs a copy of. */
export function wasmFile(address, copy) {
  const path = fileURLToPath(address);
  try {
    return readFileSync(path);
  } catch (cause) {
    const message = `Cannot read the wasm: ${messageOf(cause)}. If you use a bundler, mark hindscope as external, or copy ${copy} to that path.`;
    throw new HindscopeError('unreadable-input', message, { path }, { cause });
  }
}
