// The types say what the package does: a consumer compiles under --strict, and what must not
// compile does not.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { project, tsc, types } from './package.mjs';
import { recordTypes } from './records.mjs';

const consumer = project();
const installed = types(join(consumer, 'node_modules/hindscope'));
const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022'];
const modules = { nodenext: ['--module', 'nodenext'], bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'] };

cpSync(join(root, 'tests/npm/consumer.ts'), join(consumer, 'consumer.ts'));

for (const [name, module] of Object.entries(modules)) {
  test(`a consumer compiles: ${name}`, () => {
    const { stdout, status } = spawnSync(tsc, ['--noEmit', ...flags, ...module, 'consumer.ts'], {
      cwd: consumer,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });
}

test('types of the command line compile in both kinds of modules', () => {
  const text = `import type { RefusalCode, StatsAnswer } from 'hindscope/cli/answers';
import type { Finding } from 'hindscope';
export const code: RefusalCode = 'unknown-command';
export function rules(answer: StatsAnswer): readonly string[] { return answer.runs.map(({ key }) => key); }
// @ts-expect-error: no such code, so nothing here is any
export const wrong: RefusalCode = 'no-such-code';
export const findings: readonly Finding[] = [];
`;
  for (const name of ['answers.cts', 'answers.mts']) {
    writeFileSync(join(consumer, name), text);
    const { stdout, status } = spawnSync(tsc, ['--noEmit', ...flags, ...modules.nodenext, name], { cwd: consumer, encoding: 'utf8' });
    assert.equal(status, 0, `${name}: ${stdout}`);
  }
});

test('and runs', () => {
  execFileSync(tsc, [...flags, ...modules.nodenext, '--outDir', 'out', 'consumer.ts'], { cwd: consumer });
  const printed = execFileSync('node', ['out/consumer.js'], { cwd: consumer, encoding: 'utf8' });
  assert.equal(printed, 'types agree\n');
});

test('types of records are those of their schemas', () => {
  const file = join(root, 'core/js/npm/contract/records.d.ts');
  const written = recordTypes();
  if (process.env.HINDSCOPE_BLESS === '1') writeFileSync(file, written);
  assert.equal(readFileSync(file, 'utf8'), written, 'HINDSCOPE_BLESS=1 writes it anew');
});

test('nothing is any', () => {
  // Comments and literals may say it.
  const code = installed.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').replaceAll(/'[^'\n]*'/g, '');
  assert.doesNotMatch(code, /\bany\b|\benum\b/);
});
