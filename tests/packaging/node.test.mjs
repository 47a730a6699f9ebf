// Node: both module systems, alone and in one process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRIES, MANUAL, REQUIRED, assertAnswer, consumer, eachWasm, printing, run, write } from './lib.mjs';

const bytes = (name) => `readFileSync(createRequire(import.meta.url).resolve('${name}'))`;
const BYTES = bytes('hindscope/hindscope.wasm');
const EARLY = "if (early(hindscope) !== 'not-ready') throw new Error('an entry has started something');";
const IMPORTS = "import { readFileSync } from 'node:fs';\nimport { createRequire } from 'node:module';\n";

const cwd = consumer({
  'import.mjs': printing(ENTRIES),
  'require.cjs': `const entries = ${REQUIRED};
import('./probe.mjs').then(async ({ joined, probe }) => {
  const { default: fixtures } = await import('./fixtures.mjs');
  console.log(await probe(joined(...entries), fixtures));
});`,
  'manual.mjs': IMPORTS + printing(MANUAL, `${EARLY}
${eachWasm((entry, name) => `await ${entry}.init(Promise.resolve(${bytes(name)}));`)}`),
  'manual-sync.mjs': IMPORTS + printing(MANUAL, `${EARLY}
${eachWasm((entry, name) => `${entry}.initSync(new WebAssembly.Module(${bytes(name)}));`)}`),
});

// Node 20 requires ES modules from 20.19 on, and the package must not need it.
const OLD = process.allowedNodeEnvironmentFlags.has('--experimental-require-module')
  ? ['--no-experimental-require-module']
  : [];

for (const file of ['import.mjs', 'manual.mjs', 'manual-sync.mjs']) {
  test(file, async () => assertAnswer(await run('node', [file], { cwd })));
}

test('require.cjs, where ES modules cannot be required', async () => {
  assertAnswer(await run('node', [...OLD, 'require.cjs'], { cwd }));
});

test('import and require meet in one class and one wasm, and manual entries with them', async () => {
  write(cwd, {
    'both.mjs': `import { createRequire } from 'node:module';
import * as imported from 'hindscope';
import * as history from 'hindscope/history';
import * as manual from 'hindscope/manual';
const require = createRequire(import.meta.url);
const required = require('hindscope');
const requiredManual = require('hindscope/manual');
await manual.init('no wasm, and none is needed any more');
await manual.ready;
const one = (name) => new Set([imported[name], required[name], manual[name], requiredManual[name]]).size === 1;
try {
  new required.ReflectionWindow({ omega: 11 });
} catch (error) {
  console.log(error instanceof imported.HindscopeError, error instanceof history.HindscopeError);
}
console.log(['HindscopeError', 'ReflectionWindow', 'validate'].every(one), history.OUTCOMES === require('hindscope/history').OUTCOMES);
console.log(manual.validate({}).usable);`,
  });
  assert.equal(await run('node', [...OLD, 'both.mjs'], { cwd }), 'true true\ntrue true\nfalse');
});

test('what is no wasm is refused, and the next attempt counts', async () => {
  write(cwd, {
    'refused.mjs': `${IMPORTS}import { createServer } from 'node:http';
import { HindscopeError, init, initSync, validate } from 'hindscope/manual';
const wasm = ${BYTES};
const server = createServer(({ url }, response) => {
  if (url === '/gone.wasm') response.writeHead(404).end();
  else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
  // With no type: streaming would refuse it.
  else response.writeHead(200).end(wasm);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const at = (path) => new URL(path, 'http://127.0.0.1:' + server.address().port);
const tries = {
  nothing: () => init(),
  text: () => init('hindscope.wasm'),
  bytes: () => init(Uint8Array.of(1, 2, 3)),
  rejected: () => init(Promise.reject(new Error('no'))),
  gone: () => init(at('gone.wasm')),
  goneResponse: () => init(fetch(at('gone.wasm'))),
  page: () => init(at('page')),
  file: () => init(new URL(import.meta.url)),
  sync: async () => initSync({}),
  early: async () => validate({}),
};
for (const [name, call] of Object.entries(tries)) {
  const error = await call().then(() => 'nothing was thrown', (error) => error);
  console.log(name, error instanceof HindscopeError, error.code);
}
await init(at('page')).catch(({ message, details }) => console.log(message.replace(/\\d+\\/page/, 'PORT/page'), 'path' in details));
await Promise.all([init(at('hindscope.wasm')), init(fetch(at('hindscope.wasm')))]);
console.log(validate({}).usable);
server.close();
server.closeAllConnections();`,
  });
  const printed = await run('node', ['refused.mjs'], { cwd });
  assert.deepEqual(printed.split('\n'), [
    ...['nothing', 'text', 'bytes', 'rejected', 'gone', 'goneResponse', 'page', 'file', 'sync'].map((name) => `${name} true unreadable-input`),
    'early true not-ready',
    'Cannot start the wasm from http://127.0.0.1:PORT/page: the server answered with an HTML page true',
    'false',
  ]);
});

test('a start that comes second changes nothing', async () => {
  write(cwd, {
    'second.mjs': `${IMPORTS}import { ReflectionWindow, init, initSync } from 'hindscope/manual';
const wasm = ${BYTES};
const later = (end, value) => new Promise((...ends) => setTimeout(ends[end], 50, value));
const late = [init(wasm), init(later(0, wasm)), init(later(1, new Error('no')))];
// The first is compiling by now.
for (let turn = 0; turn < 10; turn += 1) await undefined;
initSync(wasm);
const window = new ReflectionWindow({ omega: 1 });
window.push({ iteration: 5, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Kept.' } });
await Promise.all(late);
console.log(window.render());`,
  });
  assert.equal(await run('node', ['second.mjs'], { cwd }), '[5] failure: Kept.\n');
});
