// Code in loops, by way of bundlers: esbuild and Vite bundle languages and their engines, and they run on a page.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build as vite, createServer } from 'vite';
import { root as repository } from '../faces.mjs';
import { addPackage, answerOfPage, consumer, copyWasm, html, write } from './lib.mjs';

const LOOP = `
const { run, close } = runner(options);
const result = await reflectionLoop({
  generator: { run: 'return { round: state.reflection_iteration, page: typeof document, worker: typeof self }', language: 'javascript' },
  evaluate: { type: 'custom', run: 'return output.round === 2', language: 'javascript' },
  languages: { javascript: run },
});
const late = await run('for (;;);', { timeoutMs: 300 }).catch(({ code }) => code);
close();
window.answer = JSON.stringify([result.stopReason, result.output, late]);
`;
const EXPECTED = JSON.stringify(['valid', { round: 2, page: 'undefined', worker: 'undefined' }, 'timeout']);

const IMPORTS = `import { ready, reflectionLoop } from 'hindscope/loop';
import { runner } from 'hindscope/languages/javascript';
await ready;`;

const cwd = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': `${IMPORTS}const options = {};${LOOP}`,
  'served.mjs': `${IMPORTS}const options = { files: new URL('engine/', location.href) };${LOOP}`,
  'lua.html': html('lua.mjs'),
  'lua.mjs': `import { runner } from 'hindscope/languages/lua';
const { run } = runner({ files: new URL('engine/', location.href) });
window.answer = JSON.stringify(await run('return { state.a, type(io) }', { state: { a: 1 } }));`,
});
addPackage(cwd, 'quickjs-emscripten');
addPackage(cwd, 'wasmoon');
mkdirSync(join(cwd, 'public/engine'), { recursive: true });
copyFileSync(join(repository, 'node_modules/wasmoon/dist/glue.wasm'), join(cwd, 'public/engine/glue.wasm'));

for (const [name, options] of Object.entries({
  'as it comes': {},
  'with names kept in a minified bundle': { minify: true, keepNames: true },
})) {
  test(`esbuild, ${name}: JavaScript runs in a worker that is an entry of its own`, async (t) => {
    const folder = mkdtempSync(join(cwd, 'out-'));
    const entryPoints = { main: 'served.mjs', 'javascript.worker': 'node_modules/hindscope/languages/javascript.worker.mjs' };
    await esbuild({ absWorkingDir: cwd, entryPoints, outdir: folder, outExtension: { '.js': '.mjs' }, bundle: true, format: 'esm', logLevel: 'error', ...options });
    copyWasm(cwd, folder);
    write(folder, { 'index.html': html('main.mjs') });
    mkdirSync(join(folder, 'engine'));
    copyFileSync(join(repository, 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'), join(folder, 'engine/emscripten-module.wasm'));
    assert.equal(await answerOfPage(t, { folder }), EXPECTED);
  });
}

test('esbuild: Lua runs in a worker that is an entry of its own', async (t) => {
  const folder = mkdtempSync(join(cwd, 'out-'));
  await esbuild({
    absWorkingDir: cwd,
    entryPoints: { lua: 'lua.mjs', 'lua.worker': 'node_modules/hindscope/languages/lua.worker.mjs' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    logLevel: 'error',
    // The engine asks for them in Node only.
    external: ['module', 'url', 'path', 'fs', 'child_process', 'crypto', 'os', 'ws', 'vm', 'tty'],
  });
  write(folder, { 'index.html': html('lua.mjs') });
  mkdirSync(join(folder, 'engine'));
  copyFileSync(join(repository, 'node_modules/wasmoon/dist/glue.wasm'), join(folder, 'engine/glue.wasm'));
  assert.equal(await answerOfPage(t, { folder }), '[1,"nil"]');
});

const quiet = { root: cwd, logLevel: 'warn', configFile: false };

test('Vite, built: JavaScript runs on a page', async (t) => {
  const folder = join(cwd, 'dist');
  await vite({ ...quiet, worker: { format: 'es' }, build: { outDir: folder, rollupOptions: { input: join(cwd, 'index.html') } } });
  assert.equal(await answerOfPage(t, { folder }), EXPECTED);
});

test('Vite, built: Lua runs in a worker that is a module, with the files of its engine beside it', async (t) => {
  const input = join(cwd, 'lua.html');
  const build = (worker, outDir) => vite({ ...quiet, logLevel: 'silent', worker, build: { outDir, rollupOptions: { input } } });
  // As the README says: workers of the usual form cannot load an engine when it is needed.
  await assert.rejects(build({}, join(cwd, 'no')), /iife/);
  const folder = join(cwd, 'lua');
  await build({ format: 'es' }, folder);
  assert.equal(await answerOfPage(t, { folder, path: 'lua.html' }), '[1,"nil"]');
});

test('Vite, development server: JavaScript runs on a page', async (t) => {
  const server = await createServer({
    ...quiet,
    optimizeDeps: { exclude: ['hindscope', 'quickjs-emscripten'] },
    // The engine is a link to a folder elsewhere.
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
  });
  t.after(() => server.close());
  await server.listen();
  const usual = /\[vite\]|^WebSocket ws:\/\/127\.0\.0\.1:/;
  assert.equal(await answerOfPage(t, { url: server.resolvedUrls.local[0], usual }), EXPECTED);
});
