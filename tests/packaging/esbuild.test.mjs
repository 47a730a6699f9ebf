// esbuild: bundles for a browser and for Node. It copies no files of its own accord.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { answerOfPage, assertAnswer, consumer, html, printing, run, showing, write } from './lib.mjs';

const cwd = consumer({
  'web.mjs': showing('hindscope', 'await hindscope.ready;'),
  'slim.mjs': `import wasm from 'hindscope/hindscope.wasm';
${showing('hindscope/slim', 'await hindscope.init(wasm);')}`,
  'node.mjs': printing('hindscope'),
  'node-slim.mjs': `import wasm from 'hindscope/hindscope.wasm';
${printing('hindscope/slim', 'hindscope.initSync(wasm);')}`,
  'node-require.cjs': `const hindscope = require('hindscope');
const { default: fixtures } = require('./fixtures.mjs');
require('./probe.mjs').probe(hindscope, fixtures).then(console.log);`,
});

/** Bundles one script into a folder of its own, with or without the wasm beside it. */
async function bundle(entry, { hasWasm, ...options }) {
  const folder = mkdtempSync(join(cwd, 'out-'));
  const file = options.format === 'cjs' ? 'main.cjs' : 'main.mjs';
  await build({
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile: join(folder, file),
    bundle: true,
    format: 'esm',
    logLevel: 'error',
    ...(options.platform === 'node' ? { target: 'node20' } : {}),
    loader: { '.wasm': 'binary' },
    ...options,
  });
  if (hasWasm) copyFileSync(join(cwd, 'node_modules/hindscope/hindscope_bg.wasm'), join(folder, 'hindscope_bg.wasm'));
  return { folder, file };
}

for (const [entry, hasWasm] of [['web.mjs', true], ['slim.mjs', false]]) {
  test(`for a browser: ${entry}`, async (t) => {
    const { folder } = await bundle(entry, { hasWasm });
    write(folder, { 'index.html': html('main.mjs') });
    assertAnswer(await answerOfPage(t, { folder }));
  });
}

test('for Node: the wasm copied beside it', async () => {
  const { folder: cwd, file } = await bundle('node.mjs', { platform: 'node', hasWasm: true });
  assertAnswer(await run('node', [file], { cwd }));
});

test('for Node: slim, one file with all in it', async () => {
  const { folder: cwd, file } = await bundle('node-slim.mjs', { platform: 'node' });
  assert.deepEqual(readdirSync(cwd), [file]);
  assertAnswer(await run('node', [file], { cwd }));
});

test('for Node: hindscope left out', async () => {
  for (const format of ['esm', 'cjs']) {
    const entry = format === 'esm' ? 'node.mjs' : 'node-require.cjs';
    const { folder: cwd, file } = await bundle(entry, { platform: 'node', format, external: ['hindscope'] });
    assertAnswer(await run('node', [file], { cwd }));
  }
});

test('for Node: without its wasm it says what to do', async () => {
  const { folder: cwd, file } = await bundle('node.mjs', { platform: 'node' });
  await assert.rejects(run('node', [file], { cwd }), /Cannot read the wasm: ENOENT.*mark hindscope as external, or copy/);
});
