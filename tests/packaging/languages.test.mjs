// Code in loops, by way of bundlers: what imports `hindscope/languages/javascript` is bundled by
// esbuild and Vite as it comes, and runs on a page.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build as vite, createServer } from 'vite';
import { root as repository } from '../faces.mjs';
import { answerOfPage, consumer, html, write } from './lib.mjs';

const LOOP = `
const result = await reflectionLoop({
  generator: { run: 'return { round: state.reflection_iteration, page: typeof document, origin: location.origin }', language: 'javascript' },
  evaluate: { type: 'custom', run: 'return output.round === 2', language: 'javascript' },
  languages: { javascript },
});
const late = await javascript('for (;;);', { timeoutMs: 300 }).catch(({ code }) => code);
window.answer = JSON.stringify([result.stop_reason, result.reflection_output, late]);
`;
const EXPECTED = JSON.stringify(['valid', { round: 2, page: 'undefined', origin: 'null' }, 'timeout']);

const cwd = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': `import { ready, reflectionLoop } from 'hindscope';
import { run as javascript } from 'hindscope/languages/javascript';
await ready;${LOOP}`,
  'lua.html': html('lua.mjs'),
  'lua.mjs': `import { run } from 'hindscope/languages/lua';
window.answer = JSON.stringify(await run('return { state.a, type(io) }', { state: { a: 1 } }).catch(({ code, message }) => ({ code, message })));`,
});
symlinkSync(join(repository, 'node_modules/wasmoon'), join(cwd, 'node_modules/wasmoon'));

for (const [name, options] of Object.entries({
  'as it comes': {},
  'with names kept in a minified bundle': { minify: true, keepNames: true },
})) {
  test(`esbuild, ${name}: JavaScript runs on a page`, async (t) => {
    const folder = mkdtempSync(join(cwd, 'out-'));
    await esbuild({ absWorkingDir: cwd, entryPoints: ['main.mjs'], outfile: join(folder, 'main.mjs'), bundle: true, format: 'esm', logLevel: 'error', ...options });
    copyFileSync(join(cwd, 'node_modules/hindscope/hindscope_bg.wasm'), join(folder, 'hindscope_bg.wasm'));
    write(folder, { 'index.html': html('main.mjs') });
    assert.equal(await answerOfPage(t, { folder }), EXPECTED);
  });
}

const quiet = { root: cwd, logLevel: 'warn', configFile: false };

test('Vite, built: JavaScript runs on a page', async (t) => {
  const folder = join(cwd, 'dist');
  await vite({ ...quiet, build: { outDir: folder, rollupOptions: { input: join(cwd, 'index.html') } } });
  assert.equal(await answerOfPage(t, { folder }), EXPECTED);
});

test('Vite, development server: JavaScript runs on a page', async (t) => {
  const server = await createServer({ ...quiet, server: { host: '127.0.0.1', port: 0 } });
  t.after(() => server.close());
  await server.listen();
  const usual = /\[vite\]|^WebSocket ws:\/\/127\.0\.0\.1:/;
  assert.equal(await answerOfPage(t, { url: server.resolvedUrls.local[0], usual }), EXPECTED);
});
