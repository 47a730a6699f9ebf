// Bun: both module systems.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APART, ENGINES, ENTRIES, KEEPING, KEPT_APART, MANUAL, addPackage, assertAnswer, consumer, eachWasm, printing, run, runtime } from './lib.mjs';

test('Bun', async (t) => {
  const bun = runtime(t, 'bun');
  if (!bun) return;
  const cwd = consumer({
    'main.mjs': printing(ENTRIES),
    'manual.mjs': printing(MANUAL, eachWasm((entry, _, path) => `await ${entry}.init(Bun.file('node_modules/hindscope/${path}').arrayBuffer());`)),
    'both.mjs': `import { HindscopeError } from 'hindscope';
import { openHistory } from 'hindscope/history';
import * as manual from 'hindscope/manual';
import required from './required.cjs';
console.log(required.HindscopeError === HindscopeError, manual.HindscopeError === HindscopeError);
console.log(import.meta.resolve('hindscope').split('/').at(-1), openHistory('.').sources().length > 10);`,
    'keep.mjs': KEEPING,
    'apart.mjs': APART,
    'required.cjs': "module.exports = require('hindscope');",
  });
  for (const engine of ENGINES) addPackage(cwd, engine);
  const env = { ...process.env, HOME: cwd, DO_NOT_TRACK: '1' };
  // Python starts for many seconds where others work beside it.
  const go = (file) => run(bun, ['--no-install', file], { cwd, env, timeout: 300_000 });
  assertAnswer(await go('main.mjs'));
  assertAnswer(await go('manual.mjs'));
  assert.equal(await go('both.mjs'), 'true true\nnode.mjs true');
  assert.equal(await go('keep.mjs'), 'Sort it.');
  assert.equal(await go('apart.mjs'), KEPT_APART);
});
