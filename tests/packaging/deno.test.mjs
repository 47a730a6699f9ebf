// Deno, with the package in node_modules.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { APART, ENGINES, ENTRIES, KEEPING, KEPT_APART, MANUAL, addPackage, assertAnswer, consumer, eachWasm, printing, run, runtime } from './lib.mjs';

test('Deno', async (t) => {
  const deno = runtime(t, 'deno');
  if (!deno) return;
  const cwd = consumer({
    'main.mjs': printing(ENTRIES),
    'manual.mjs': printing(MANUAL, eachWasm((entry, _, path) => `await ${entry}.init(new URL('node_modules/hindscope/${path}', import.meta.url));`)),
    'both.mjs': `import { createRequire } from 'node:module';
import { HindscopeError } from 'hindscope';
import { openHistory } from 'hindscope/history';
import * as manual from 'hindscope/manual';
const required = createRequire(import.meta.url)('hindscope');
console.log(required.HindscopeError === HindscopeError, manual.HindscopeError === HindscopeError);
console.log(openHistory('.').sources().length > 10);`,
    'keep.mjs': KEEPING,
    'apart.mjs': APART,
  });
  for (const engine of ENGINES) addPackage(cwd, engine);
  const env = { ...process.env, DENO_DIR: join(cwd, '.deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  // Python starts for many seconds where others work beside it.
  const go = (file, allowed = ['--allow-read=.']) => run(deno, ['run', '--no-prompt', '--cached-only', ...allowed, file], { cwd, env, timeout: 300_000 });
  assertAnswer(await go('main.mjs'));
  assertAnswer(await go('manual.mjs'));
  assert.equal(await go('both.mjs'), 'true true\ntrue');
  assert.equal(await go('keep.mjs', ['--allow-read', '--allow-write', '--allow-sys']), 'Sort it.');
  assert.equal(await go('apart.mjs', ['--allow-read', '--allow-sys']), KEPT_APART);
});
