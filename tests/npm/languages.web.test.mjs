// Code of loops on a page: each language runs there, and the network is out of its reach.
//
// The package lies there as a bundler leaves it, with `imports` of package.json resolved, and nothing else.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { serveFolder } from '../../web/serve.mjs';
import { given, root } from '../faces.mjs';
import { scratch } from './package.mjs';

const folder = scratch();
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>x</title>');
const languages = join(folder, 'package');
cpSync(join(root, 'core/js/npm'), languages, { recursive: true });
const { imports } = JSON.parse(readFileSync(join(languages, 'package.json'), 'utf8'));
for (const name of readdirSync(languages, { recursive: true }).filter((name) => name.endsWith('.mjs'))) {
  const script = join(languages, name);
  writeFileSync(script, readFileSync(script, 'utf8').replaceAll(/'(#\w+)'/g, (_, one) => `'.${imports[one].default}'`));
}
for (const engine of ['wasmoon', 'swipl-wasm']) {
  cpSync(join(root, 'node_modules', engine, 'dist'), join(folder, 'engines', engine, 'dist'), { recursive: true });
}
// As a bundler leaves it: its files are chunks beside each other.
const quickjs = join(folder, 'engines/quickjs');
await build({ absWorkingDir: root, entryPoints: ['node_modules/quickjs-emscripten/dist/index.mjs'], outdir: quickjs, bundle: true, splitting: true, format: 'esm', logLevel: 'error' });
cpSync(join(root, 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm'), join(quickjs, 'emscripten-module.wasm'));
const { server, origin: base, close } = await serveFolder(folder);
/** What was asked for, and the addresses that no code may reach. */
const heard = [];
server.on('request', ({ url }) => heard.push(url));
const browser = await chromium.launch({ executablePath: given('HINDSCOPE_CHROMIUM'), args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
await page.goto(base);
after(async () => {
  await browser.close();
  await close();
});

/** Runs code on the page: its answer, or the code of the error. */
function run(name, code, options = {}, settings = {}) {
  return page.evaluate(async ([base, name, code, options, settings]) => {
    const { runner } = await import(`${base}/package/languages/${name}.mjs`);
    const { run, close } = runner(settings);
    try {
      return await run(code, options);
    } catch (error) {
      return { error: error.code, message: error.message };
    } finally {
      close();
    }
  }, [base, name, code, options, settings]);
}

const javascript = { engine: `${base}/engines/quickjs/index.js`, files: `${base}/engines/quickjs/` };

test('JavaScript runs once it knows where its engine is, and is ended', async () => {
  assert.deepEqual(await run('javascript', 'return [state.a, output, typeof document, typeof self]', { state: { a: 1 }, output: 2 }, javascript), [1, 2, 'undefined', 'undefined']);
  assert.equal(await run('javascript', 'const result = Promise.resolve(7)', {}, javascript), 7);
  assert.equal((await run('javascript', 'for (;;);', { timeoutMs: 200 }, javascript)).error, 'timeout');
  assert.equal((await run('javascript', 'return "x".repeat(5e8)', {}, javascript)).error, 'out_of_memory');
  assert.match((await run('javascript', 'throw new Error("</script> too far")', {}, javascript)).message, /too far/);
  assert.equal((await run('javascript', 'return 1')).error, 'unavailable');
});

test('JavaScript does not reach the network', async () => {
  const ways = [`return fetch("${base}/out").then(() => "out")`, `return import("${base}/out").then(() => "out")`, `importScripts("${base}/out"); return "out"`, `new XMLHttpRequest(); return "out"`, `new WebSocket("${base.replace('http', 'ws')}/out"); return "out"`];
  for (const way of ways) assert.equal((await run('javascript', way, {}, javascript)).error, 'failed', way);
  assert.deepEqual(heard.filter((url) => url.includes('out')), []);
});

test('Lua and Prolog run once they know where their engines are', async () => {
  const lua = { engine: `${base}/engines/wasmoon/dist/index.js`, files: `${base}/engines/wasmoon/dist/` };
  assert.deepEqual(await run('lua', 'return { state.a, type(io) }', { state: { a: 1 } }, lua), [1, 'nil']);
  assert.equal((await run('lua', 'while true do end', { timeoutMs: 200 }, lua)).error, 'timeout');
  const prolog = { engine: `${base}/engines/swipl-wasm/dist/swipl/swipl-bundle.js` };
  assert.equal(await run('prolog', 'Result = State.a', { state: { a: 1 } }, prolog), 1);
  assert.equal((await run('prolog', `X := fetch("${base}/out")`, {}, prolog)).error, 'failed');
  assert.equal((await run('python', 'return 1')).error, 'unavailable');
  assert.deepEqual(heard.filter((url) => url.includes('out')), []);
});
