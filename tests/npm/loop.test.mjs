// Every case of the reflection loop over the built package: the shared ones, which lie beside the
// clone, and the project's own.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import * as adapter from '../loop/adapter.mjs';
import { difference } from '../loop/compare.mjs';
import { isMissing, path, read, sharedCases } from '../loop/shared.mjs';
import { checkSteps } from '../loop/steps.mjs';
import { coreResult, inCoreNames } from './corenames.mjs';

const hindscope = inCoreNames(adapter.hindscope);

/** What came of a case, in the names of the core. */
async function played({ op, input }) {
  const { result, ...outcome } = await adapter[op](input);
  return result === undefined ? outcome : { ...outcome, result: coreResult(result) };
}

async function allHold(cases) {
  const failed = [];
  for (const one of cases) {
    const found = difference(one, await played(one));
    if (found) failed.push(`${one.id}: ${found}`);
  }
  assert.deepEqual(failed, [], `${failed.length} of ${cases.length}`);
}

test('the shared cases hold', { skip: isMissing && `there is no ${path}` }, async () => {
  await allHold(sharedCases());
});

const own = join(root, 'tests/fixtures/loop');
for (const name of readdirSync(own).filter((name) => name.endsWith('.jsonl')).sort()) {
  test(`own cases hold, step by step, and with a snapshot before each: ${name}`, () => {
    const failed = read(join(own, name)).flatMap((one) => checkSteps(hindscope, one) ?? []);
    assert.deepEqual(failed, []);
  });
}

test('a case that does not hold is reported', async () => {
  const input = { generator: { script: [{ return: 'text' }] }, evaluator: { type: 'schema', schema: { type: 'string' } } };
  const outcome = await played({ op: 'loop', input });
  const expected = (expect) => difference({ expect }, outcome);
  assert.equal(expected({ result: { success: true }, calls: { generate: 1 } }), undefined);
  assert.match(expected({ result: { success: false } }), /success/);
  assert.match(expected({ result: { reflection_history: [] } }), /reflection_history/);
  assert.match(expected({ calls: { generate: 2 } }), /generate/);
  assert.match(expected({ absent: ['result'] }), /result is there/);
  assert.match(expected({ trace: [] }), /calls/);
  assert.match(expected({ error: { type: 'config' } }), /error/);
  assert.match(expected({ result: { result: { $contains: 'no' } } }), /result/);
});
