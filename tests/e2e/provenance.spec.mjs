// Where a run comes from, what opens here, and what derived rewards look like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

test('a run names its files and lines, and shows its records', async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.sample('tasks');
  await at.openRun('env_3', 'Attempts');
  await page.getByRole('button', { name: /^Where it comes from/ }).click();
  const files = page.locator('.files-of-run li');
  assert.equal(await files.count(), 5);
  await files.nth(1).getByRole('button', { name: 'line 19' }).click();
  await files.nth(1).locator('.text').waitFor();
  assert.match(await files.nth(1).locator('.text').textContent(), /"name": "env_3"/);
  await files.nth(1).getByRole('link').click();
  const card = page.getByRole('region', { name: 'Chosen file' });
  await card.locator('.source').waitFor();
  assert.match(await card.textContent(), /env_results_trial_1\.json[\s\S]*Taken for that because/);
  await card.getByRole('button', { name: 'Close' }).click();
  await card.waitFor({ state: 'detached' });
  assert.equal(at.hash(), '#/');
});

test('derived rewards say so wherever they stand', async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.sample('tasks');
  await at.runKeys();
  const row = at.runs.locator('.row', { hasText: 'env_3' }).first();
  assert.match(await row.locator('.c-last').textContent(), /derived/);
  await at.openRun('env_3', 'Attempts');
  assert.match(await page.locator('.run-head').textContent(), /best 1\.000 at 2 derived/);
  assert.match(await page.locator('#chart-title').textContent(), /Reward, derived reward\/derive-verdict/);
  assert.match(await page.locator('.readout').textContent(), /derived reward 1\.000/);
  assert.equal(await at.iterations.getByRole('columnheader', { name: 'Reward, derived' }).count(), 1);
  assert.match(await at.inspector.locator('.verdict').textContent(), /reward 1\.000 derived reward\/derive-verdict/);
  await page.keyboard.press('k');
  await at.inspector.getByText('2nd of 3').waitFor();
  await page.locator('.attempt-headline', { hasText: 'The next attempt succeeded.' }).waitFor();
});

test('a reward that is written in another form is said in that form as well', async (t) => {
  const record = (n, reward) => JSON.stringify({
    loop_id: 'ralph-scaled', iteration: n,
    evaluator_output: { passed: false, reward_signal: reward },
    self_reflection: { reflection_text: 'Close it.' },
  });
  const folder = await tempFolder(t, { 'a.jsonl': [record(1, 0.5), record(2, 62)].join('\n') });
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([`${folder}/a.jsonl`]);
  await at.goto('#/run/ralph-scaled/i/2');
  await page.locator('.chart-readout', { hasText: 'reward 0.620, written 62' }).waitFor();
  await at.inspector.getByText('reported as 62').waitFor();
  await page.keyboard.press('k');
  await page.locator('.chart-readout', { hasText: 'Iteration 1: failure, reward 0.500' }).waitFor();
  assert.doesNotMatch(await page.locator('.chart-readout').textContent(), /written/);
});

test('what opens here is folded, and lists every format', async (t) => {
  const { page } = await openPage(t);
  await new HindscopePage(page).ready();
  const opens = page.locator('.opens');
  assert.equal(await opens.getAttribute('open'), null);
  await opens.locator('summary').click();
  const ids = await opens.locator('.format .kind').allTextContents();
  assert.ok(ids.length >= 30 && ids.includes('env-results'), ids.join());
  assert.equal(new Set(ids).size, ids.length);
});

test('names of files are text and nothing else', async (t) => {
  const record = { iteration: 1, loop_id: 'ralph-a', evaluator_output: { passed: false }, self_reflection: { reflection_text: 'No.' } };
  const folder = await tempFolder(t, { 'x/<img src=x onerror=alert(1)>.json': JSON.stringify(record) });
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([`${folder}/x`]);
  await page.getByRole('button', { name: /^Where it comes from/ }).click();
  const link = page.locator('.files-of-run').getByRole('link');
  assert.equal(await link.textContent(), 'x/<img src=x onerror=alert(1)>.json');
  assert.equal(await page.locator('.main img').count(), 0);
  await link.click();
  await page.getByRole('region', { name: 'Chosen file' }).locator('.source').waitFor();
  assert.equal(await page.locator('.main img').count(), 0);
});
