// Strict verdicts are those of ajv, record by record and finding by finding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, compareNative } from '../differential/compare.mjs';
import { given } from '../faces.mjs';
import { imported } from './package.mjs';

const { validate } = await imported();
const count = Number(process.env.HINDSCOPE_COUNT ?? 20_000);

test(`${count} mutants are judged as ajv judges them`, () => {
  const { differences, valid } = compare(validate, { count });
  assert.deepEqual(differences, []);
  // The comparison would be empty if all were valid, or none.
  assert.ok(valid > count / 20 && valid < (count * 19) / 20, `${valid} of ${count} are valid`);
});

test('so are the files of an episodic memory, and schemas of users', () => {
  const each = Math.ceil(count / 20);
  const { differences, valid } = compareNative(given('HINDSCOPE_VERDICTS'), { count: each });
  assert.deepEqual(differences, []);
  for (const [name, n] of Object.entries(valid)) assert.ok(n > each / 20 && n < (each * 19) / 20, `${name}: ${n} of ${each} are valid`);
});
