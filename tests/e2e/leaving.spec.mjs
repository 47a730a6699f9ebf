// Leaving a view while something is under way: a value that was typed and not entered, an answer of the worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, slowWorker, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

/** A sample, in the view of its runs. */
async function sample(t, name) {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.sample(name);
  const [key] = await at.runKeys();
  return { at, page, key };
}

for (const label of ['First iteration shown', 'Last iteration shown']) {
  test(`what was typed and not entered goes with its view: ${label}`, async (t) => {
    const { at, page, key } = await sample(t, 'improving');
    await at.openRun(key);
    const before = at.hash();
    await page.keyboard.press('3');
    await page.waitForURL(/\/errors$/);
    await page.getByRole('textbox', { name: label }).click();
    await page.keyboard.type('2');
    await page.goBack();
    // The field is another one by then.
    await page.waitForFunction(() => document.activeElement === document.body);
    assert.equal(at.hash(), before);
  });
}

test('what was chosen in an open list goes with its view', async (t) => {
  const { at, page } = await sample(t, 'improving');
  const before = at.hash();
  await at.view('Findings');
  const select = page.locator('.finding-filters select').first();
  await select.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.goBack();
  await select.waitFor({ state: 'detached' });
  await at.runKeys();
  assert.equal(at.hash(), before);
});

test('what was typed is entered by Enter, and by going to another field', async (t) => {
  const { at, page, key } = await sample(t, 'improving');
  await at.openRun(key);
  await page.keyboard.press('3');
  const [first, last] = ['First iteration shown', 'Last iteration shown'].map((name) => page.getByRole('textbox', { name }));
  await first.fill('2');
  await first.press('Enter');
  await page.waitForURL(/zoom=2\.\./);
  await last.fill('3');
  await first.focus();
  await page.waitForURL(/zoom=2\.\.3/);
});

test('an answer for a view that has gone is dropped', async (t) => {
  const record = {
    loop_id: 'ralph-long',
    iteration: 1,
    evaluator_output: { passed: false },
    self_reflection: { reflection_text: 'Too long.' },
    notes: 'n'.repeat(3 << 20),
  };
  const folder = await tempFolder(t, { 'long.jsonl': `${JSON.stringify(record)}\n` });
  const { page } = await openPage(t, { prepare: slowWorker });
  const at = await new HindscopePage(page).ready();
  await at.drop([`${folder}/long.jsonl`]);
  await at.inspector.getByRole('button', { name: /^Raw/ }).click();
  const copy = at.inspector.getByRole('button', { name: 'Copy raw record' });
  await copy.click();
  await at.goto('#/runs');
  await copy.waitFor({ state: 'detached' });
  await at.runKeys();
  // The worker answers in turn.
  await at.openRun('ralph-long');
});
