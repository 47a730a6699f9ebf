// What a reflection loop leaves behind, dropped on the page: its run, its attempts, what it learned.
// tests/npm/loop-history.test.mjs holds that a loop writes this file.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RECORDS = fileURLToPath(new URL('../loop/records.jsonl', import.meta.url));

test('the records of a loop are a run', async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.resolve(RECORDS)]);
  // A history of one run opens at that.
  await at.goto('#/runs');
  assert.deepEqual(await at.runKeys(), ['ralph-profile-of-ada']);
  await at.openRun('ralph-profile-of-ada');
  assert.match(await at.inspector.locator('.verdict').textContent(), /success/);

  await at.goto('#/run/ralph-profile-of-ada/i/1');
  await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
  assert.match(await at.inspector.locator('.verdict').textContent(), /failure.*0\.800/s);
  assert.match(await at.reflection().textContent(), /^An email needs an @ sign\./);

  await at.goto('#/run/ralph-profile-of-ada/window/2');
  await page.getByRole('heading', { name: 'When iteration 2 began' }).waitFor();
  assert.deepEqual(await at.held(2), [0, 1]);
  assert.match(await page.locator('.omega').textContent(), /recorded/);
  assert.match(await page.locator('.rendered .text').textContent(), /both keys are required/);
});
