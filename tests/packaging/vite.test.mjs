// Vite 7 without any configuration: the development server, which bundles dependencies ahead, and
// the build.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, createServer } from 'vite';
import { ENTRIES, MANUAL, WASM, answerOfPage, assertAnswer, consumer, eachWasm, html, showing } from './lib.mjs';

const root = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': showing(ENTRIES, 'await hindscope.ready;'),
  'manual.html': html('manual.mjs'),
  'manual.mjs': `${eachWasm((entry, name) => `import ${entry}Address from '${name}?url';`)}
${showing(MANUAL, eachWasm((entry) => `await ${entry}.init(fetch(${entry}Address));`))}`,
});
const quiet = { root, logLevel: 'warn', configFile: false };

for (const page of ['index.html', 'manual.html']) {
  test(`build: ${page}`, async (t) => {
    const folder = join(root, 'dist', page);
    await build({ ...quiet, build: { outDir: folder, rollupOptions: { input: join(root, page) } } });
    const wasm = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.wasm'));
    assert.equal(wasm.length, Object.keys(WASM).length, `${wasm}`);
    assertAnswer(await answerOfPage(t, { folder, path: page }));
  });
}

// As it comes, and with the one setting that the README has for unusual folders.
const settings = { 'as it comes': {}, 'with the package excluded': { optimizeDeps: { exclude: ['hindscope'] } } };
for (const [name, setting] of Object.entries(settings)) {
  test(`development server, ${name}`, async (t) => {
    const server = await createServer({ ...quiet, ...setting, server: { host: '127.0.0.1', port: 0 } });
    t.after(() => server.close());
    await server.listen();
    const [url] = server.resolvedUrls.local;
    const usual = /\[vite\]|^WebSocket ws:\/\/127\.0\.0\.1:/;
    for (const path of ['', 'manual.html']) assertAnswer(await answerOfPage(t, { url, path, usual }));
  });
}
