// esbuild: bundles for a browser and for Node. It copies no files of its own accord.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { ENTRIES, MANUAL, REQUIRED, answerOfPage, assertAnswer, consumer, copyWasm, eachWasm, html, printing, run, showing, write } from './lib.mjs';

const BYTES = eachWasm((entry, name) => `import ${entry}Wasm from '${name}';`);

const cwd = consumer({
  'web.mjs': showing(ENTRIES, 'await hindscope.ready;'),
  'manual.mjs': `${BYTES}
${showing(MANUAL, eachWasm((entry) => `await ${entry}.init(${entry}Wasm);`))}`,
  'node.mjs': printing(ENTRIES),
  'node-manual.mjs': `${BYTES}
${printing(MANUAL, eachWasm((entry) => `${entry}.initSync(${entry}Wasm);`))}`,
  'node-require.cjs': `const entries = ${REQUIRED};
const { default: fixtures } = require('./fixtures.mjs');
const { joined, probe } = require('./probe.mjs');
probe(joined(...entries), fixtures).then(console.log);`,
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
  if (hasWasm) copyWasm(cwd, folder);
  return { folder, file };
}

for (const [entry, hasWasm] of [['web.mjs', true], ['manual.mjs', false]]) {
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

test('for Node: the wasm handed in, one file with all in it', async () => {
  const { folder: cwd, file } = await bundle('node-manual.mjs', { platform: 'node' });
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
