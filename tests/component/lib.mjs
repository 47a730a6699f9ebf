// What the tests of the component share: it is transpiled once for each file of tests.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { given, native, root } from '../faces.mjs';

export const component = resolve(given('HINDSCOPE_COMPONENT'));
export const jco = join(root, 'node_modules/.bin/jco');

/** The component of a world. */
export const ofWorld = (world) => (world === 'hindscope' ? component : component.replace(/\.wasm$/, `-${world}.wasm`));

/** A folder with the component of a world as jco makes a module of it, in `hindscope/`. */
export function transpiled(world = 'hindscope') {
  const folder = mkdtempSync(join(tmpdir(), 'hindscope-jco-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const out = join(folder, 'hindscope');
  execFileSync(jco, ['transpile', ofWorld(world), '--name', 'hindscope', '--quiet', '-o', out], { stdio: 'inherit' });
  return folder;
}

/** What the native core says of a fixture, and its files as `[name, bytes]`. */
export function asked(path) {
  const expected = native(path);
  const files = expected.sources.map(({ path: name }) => [name, readFileSync(join(dirname(path), name))]);
  return { expected, files };
}
