// Vite 7 without any configuration: the development server, which bundles dependencies ahead, and
// the build.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build, createServer } from 'vite';
import { answerOfPage, assertAnswer, consumer, html, showing } from './lib.mjs';

const root = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': showing('hindscope', 'await hindscope.ready;'),
  'slim.html': html('slim.mjs'),
  'slim.mjs': `import address from 'hindscope/hindscope.wasm?url';
${showing('hindscope/slim', 'await hindscope.init(fetch(address));')}`,
});
const quiet = { root, logLevel: 'warn', configFile: false };

for (const page of ['index.html', 'slim.html']) {
  test(`build: ${page}`, async (t) => {
    const folder = join(root, 'dist', page);
    await build({ ...quiet, build: { outDir: folder, rollupOptions: { input: join(root, page) } } });
    const wasm = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.wasm'));
    assert.equal(wasm.length, 1, `${wasm}`);
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
    for (const path of ['', 'slim.html']) assertAnswer(await answerOfPage(t, { url, path, usual }));
  });
}
