// The types are right in both module systems and for both entries, and name what is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { project } from '../npm/package.mjs';
import { EXPORTS, run, write } from './lib.mjs';

const cwd = project();
const tsc = join(root, 'node_modules/.bin/tsc');
const flags = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom'];

/** What both module systems say after their imports. */
const BODY = `
const { valid }: { valid: boolean } = main.validate('{}');
const held: number[] = new main.ReflectionWindow({ omega: 2 }).held;
const started: Promise<void> = slim.init(new Uint8Array().buffer);
void started.catch((error: unknown) => error instanceof slim.HindscopeError && error.code === 'unreadable-input');
void slim.init(fetch('http://127.0.0.1/hindscope.wasm')).catch(() => {});
const sync: (wasm: WebAssembly.Module) => void = slim.initSync;
const same: typeof main.validate = slim.validate;
void [held, sync];
// @ts-expect-error text is no wasm
const wrong = () => slim.init('hindscope.wasm');
// @ts-expect-error the main entry starts by itself
void main.init;
void wrong;
console.log(valid, same === main.validate);
`;
write(cwd, {
  'esm.mts': `import * as main from 'hindscope';\nimport * as slim from 'hindscope/slim';\n${BODY}`,
  'cjs.cts': `import main = require('hindscope');\nimport slim = require('hindscope/slim');\n${BODY}`,
  'cjs-import.cts': `import * as main from 'hindscope';\nimport * as slim from 'hindscope/slim';\n${BODY}`,
});

for (const file of ['esm.mts', 'cjs.cts', 'cjs-import.cts']) {
  test(`${file} compiles for node16 and runs`, async () => {
    await run(tsc, [...flags, '--module', 'node16', file], { cwd });
    assert.equal(await run('node', [file.replace('ts', 'js')], { cwd }), 'false true');
  });
}

test('esm.mts compiles for bundlers', async () => {
  await run(tsc, ['--noEmit', ...flags, '--module', 'esnext', '--moduleResolution', 'bundler', 'esm.mts'], { cwd });
});

test('both entries export what the types name, to import and to require', async () => {
  const slim = [...EXPORTS, 'init', 'initSync'].sort();
  write(cwd, {
    'names.mjs': `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const name of ['hindscope', 'hindscope/slim']) {
  console.log(Object.keys(await import(name)).sort().join());
  console.log(Object.keys(require(name)).sort().join());
}`,
  });
  const printed = await run('node', ['names.mjs'], { cwd });
  assert.deepEqual(printed.split('\n'), [EXPORTS, EXPORTS, slim, slim].map((names) => names.join()));
});

test('slim has no any', () => {
  const types = readFileSync(join(cwd, 'node_modules/hindscope/slim.d.ts'), 'utf8');
  assert.doesNotMatch(types.replaceAll(/\/\*\*[\s\S]*?\*\//g, ''), /\bany\b|\benum\b/);
});
