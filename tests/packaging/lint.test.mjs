// What publint and "Are the types wrong?" say of the packed tarball: nothing, but for what is explained here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { given } from '../faces.mjs';
import { WASM } from '../npm/package.mjs';

const tarball = Uint8Array.from(readFileSync(given('HINDSCOPE_TGZ')));

test('publint has nothing to suggest', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, level: 'suggestion', strict: true });
  assert.equal(pkg.name, 'hindscope');
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg, { color: false })), []);
});

/** They come as ES modules only, as their workers do; CommonJS reaches them by `await import(…)`. */
const MODULES_ONLY = ['javascript', 'lua', 'prolog', 'python'].map((name) => `CJSResolvesToESM ./languages/${name} node16-cjs`);

test('the types are right wherever they are resolved', async () => {
  const { entrypoints, problems } = await checkPackage(createPackageFromTarballData(tarball), {
    // What the import of a wasm is depends on the bundler: an address, bytes or a module. So it has no types.
    excludeEntrypoints: Object.values(WASM).map(([name]) => name.replace('hindscope', '.')),
  });
  assert.ok(Object.keys(entrypoints).length >= 16, Object.keys(entrypoints).join());
  const found = problems
    // Node 10 knew no `exports`. We need Node 20, and TypeScript 7 no longer resolves this way.
    .filter(({ resolutionKind }) => resolutionKind !== 'node10')
    .map(({ kind, entrypoint, resolutionKind }) => `${kind} ${entrypoint} ${resolutionKind}`);
  assert.deepEqual(found.sort(), MODULES_ONLY);
});
