// What is said first: sentences of counts above the runs and at the head of a run, and where they lead.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const WIDE = { viewport: { width: 1440, height: 900 } };

function record(loop, iteration, passed, text) {
  return JSON.stringify({
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:0${iteration % 10}:00Z`,
    actor_output: { actions: [], rationale: 'Close.' },
    evaluator_output: { passed, verification_type: 'manual' },
    self_reflection: { reflection_text: text },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });
}

/** A loop, an attempt for each letter: `F` or `P`, with the plan that its reflection names. */
const run = (loop, attempts) =>
  attempts.split(' ').map(([outcome, plan], at) => `${record(loop, at + 1, outcome === 'P', `Plan ${plan}: look at part ${plan} before the rest of it.`)}\n`).join('');

async function start(t, files) {
  const folder = path.join(await tempFolder(t, files), 'in');
  const { page } = await openPage(t, WIDE);
  const at = await new HindscopePage(page).ready();
  await at.drop([folder]);
  await at.goto('#/runs');
  await at.runKeys();
  return { at, page };
}

const FILES = {
  'in/a.jsonl': run('ralph-a', 'Pa'),
  'in/b.jsonl': run('ralph-b', 'Fa Fb Fb Fb Pc'),
  'in/c.jsonl': run('ralph-c', 'Fa Fa Fa'),
  'in/d.jsonl': run('ralph-d', 'Fa Pb'),
};

test('the runs say what they came to, and the stuck ones are a click away', async (t) => {
  const { at, page } = await start(t, FILES);
  const says = '3 of 4 runs were solved, 1 of them at the first attempt. 2 got stuck, 1 of them before it was solved. '
    + 'Of the 3 that were left, the first retry solved 1, later ones 1.';
  await page.locator('.runs .headline').filter({ hasText: says }).waitFor();
  const verdicts = () => page.locator('.runs-grid .c-verdict[role=gridcell]').allTextContents();
  await page.locator('.verdict-text.stuck').first().waitFor();
  assert.deepEqual(await verdicts(), [
    'Solved at the first attempt.',
    'Stuck from 2 to 4: the same reflection, every attempt failed. Solved at 5.',
    'Stuck from 1 to 3: the same reflection, every attempt failed. Not solved after 3 attempts.',
    'Solved at 2.',
  ]);
  await page.locator('.headline a', { hasText: '2 got stuck' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.runs-grid .row-link').length === 2);
  assert.deepEqual(await at.runKeys(), ['ralph-b', 'ralph-c']);
  await page.locator('.runs .headline').filter({ hasText: '2 got stuck, 1 of them before it was solved.' }).waitFor();
  await at.goto('#/runs?sort=-verdict');
  // Two that were stuck for three attempts each stand before the others, in the order of the files.
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('.runs-grid .row-link'), (link) => link.textContent.trim()).join() === 'ralph-b,ralph-c,ralph-a,ralph-d');
});

test('a run says where it was stuck, and leads there', async (t) => {
  const { at, page } = await start(t, FILES);
  await at.openRun('ralph-b');
  const headline = page.locator('.run-page > .headline');
  assert.equal(await headline.textContent(), 'Stuck from 2 to 4: the same reflection, every attempt failed. Solved at 5.');
  await headline.locator('a', { hasText: 'Stuck from 2 to 4' }).click();
  await page.waitForFunction(() => /\/2$/.test(location.hash));
  await headline.locator('a', { hasText: 'Solved at 5' }).click();
  await page.waitForFunction(() => /\/5$/.test(location.hash));
});

test('a second experiment with the same tasks takes the place of none', async (t) => {
  const first = run('task-1', 'Fa Pb');
  const second = run('task-1', 'Fa Fb Fc');
  const folder = await tempFolder(t, { 'z-first/a.jsonl': first, 'a-second/a.jsonl': second });
  const { page } = await openPage(t, WIDE);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(folder, 'z-first')]);
  const headline = page.locator('.run-page > .headline');
  await headline.filter({ hasText: 'Solved at 2.' }).waitFor();
  const before = at.hash();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'In Compare' }).waitFor();
  await at.drop([path.join(folder, 'a-second')], undefined, 'Add');
  await page.locator('.run-head .fact', { hasText: 'z-first' }).waitFor();
  assert.equal(await headline.textContent(), 'Solved at 2.');
  assert.equal(at.hash(), before);
  await page.getByRole('button', { name: 'In Compare' }).waitFor();
  await at.goto('#/runs');
  await at.runKeys();
  const rows = await at.runs.locator('.row').allTextContents();
  assert.equal(rows.filter((text) => text.includes('task-1')).length, 2);
  // Where both are named beside each other, each says where it is from.
  await page.getByRole('button', { name: 'Unmark' }).click();
  await page.getByRole('button', { name: 'Mark all 2' }).click();
  await page.locator('.compare-button').click();
  for (const name of ['task-1 (a-second)', 'task-1 (z-first)']) await page.locator('.legend-item', { hasText: name }).first().waitFor();
});
