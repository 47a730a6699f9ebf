// Compare: runs over each other, in rows and in numbers; what they share; two of them side by side.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const THREE = 'ralph-duration-parser-2026-03-02,ralph-retry-client-2026-03-03,ralph-csv-export-2026-03-04';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

async function improving(t, query = '', options) {
  const got = await start(t, options);
  await got.at.sample('improving');
  await got.at.goto(`#/compare?runs=${THREE}${query}`);
  await got.page.getByRole('heading', { name: 'Compare 3 runs' }).waitFor();
  return got;
}

const table = (page) => page.locator('#compare-table tbody tr');

function record(loop, iteration, { reward, passed = false, error, action = 'src/a.rs', lesson } = {}) {
  return {
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:${String(iteration).padStart(2, '0')}:00Z`,
    actor_output: {
      actions: [{ type: 'code_modification', description: 'Edit', file_path: action }],
      rationale: 'Close.',
    },
    evaluator_output: {
      passed,
      verification_type: 'manual',
      ...(reward === undefined ? {} : { reward_signal: reward }),
      errors: error ? [{ type: 'type_error', message: error }] : [],
    },
    self_reflection: {
      reflection_text: `Attempt ${iteration} of ${loop}.`,
      ...(lesson ? { lessons_learned: [lesson] } : {}),
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(iteration + 1, 3) },
  };
}

async function drop(t, files) {
  const folder = await tempFolder(t, Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      `in/${name}`,
      Array.isArray(content) ? content.map((one) => JSON.stringify(one)).join('\n') + '\n' : content,
    ]),
  ));
  const got = await start(t);
  await got.at.drop([path.join(folder, 'in')]);
  return got;
}

test('without marks it says how to mark, and one run is too few', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.view('Compare');
  await page.getByText('No run is marked.').waitFor();
  await at.goto('#/compare?runs=ralph-retry-client-2026-03-03');
  await page.getByText('One run is marked. A comparison needs two.').waitFor();
});

test('three runs: lines, numbers against a baseline, and another baseline', async (t) => {
  const { at, page } = await improving(t);
  await page.locator('.compare-lines .chart canvas').first().waitFor();
  assert.equal(await page.locator('.legend-item').count(), 3);
  const first = await table(page).allTextContents();
  assert.match(first.at(-1), /a ralph-duration-parser.*base/, 'the baseline is last');
  assert.match(first[0], /worse than base/, 'regressions are first');
  await page.getByLabel('Baseline').selectOption({ label: 'b ralph-retry-client-2026-03-03' });
  await page.waitForFunction(() => /base=ralph-retry/.test(location.hash));
  await page.locator('#compare-table tbody tr').last().filter({ hasText: 'ralph-retry-client' }).waitFor();
  const rows = await table(page).allTextContents();
  assert.doesNotMatch(rows.find((row) => /duration-parser/.test(row)), /worse than base/);
});

test('the chart speaks by keyboard, and is a table as well', async (t) => {
  const { page } = await improving(t);
  const slider = page.getByRole('slider', { name: /Reward, reported/ });
  await slider.focus();
  await page.keyboard.press('Home');
  const text = await slider.getAttribute('aria-valuetext');
  assert.match(text, /^attempt 1: a \d\.\d{3}, b \d\.\d{3}, c \d\.\d{3}$/);
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  const cells = await page.locator('#compare-values tbody tr').first().locator('td').allTextContents();
  const spoken = text.replace(/^.*?: /, '').split(', ').map((part) => part.slice(2));
  assert.deepEqual(cells.map((cell) => cell.split(' ')[0]), spoken);
  // A missing reward is said, not written as zero.
  const values = await page.locator('#compare-values').textContent();
  assert.match(values, /none/);
});

test('runs of other series have their own panel, and runs without rewards only outcomes', async (t) => {
  const { at, page } = await drop(t, {
    'a.jsonl': [record('ralph-one', 0, { reward: 0.2 }), record('ralph-one', 1, { reward: 0.8 })],
    'b.jsonl': [record('ralph-two', 0, { reward: 0.4 }), record('ralph-two', 1, { reward: 0.3 })],
    'env/env_results_trial_0.json': JSON.stringify([{ name: 'env_0', memory: [], is_success: false }]),
    'env/env_results_trial_1.json': JSON.stringify([{ name: 'env_0', memory: ['x'], is_success: true }]),
  });
  await at.goto('#/compare?runs=ralph-one,ralph-two,env_0');
  await page.locator('.compare-lines').nth(1).waitFor();
  const heads = await page.locator('.compare-lines h2').allTextContents();
  assert.equal(heads.length, 2);
  assert.match(heads[0], /^Reward, reported$/);
  assert.match(heads[1], /derived.*reward\/derive-verdict/);
  const rows = await table(page).allTextContents();
  assert.match(rows.find((row) => /env_0/.test(row)), /n\/a/, 'unlike series are not subtracted');
  assert.match(rows[0], /ralph-two.*−0\.500/);
  await page.getByLabel('Series').selectOption('reported');
  await page.waitForFunction(() => document.querySelectorAll('.compare-lines').length === 1);
});

test('aligning by end and by number moves runs, and is part of the link', async (t) => {
  const { page } = await improving(t, '&align=end');
  assert.equal(await page.getByLabel('Align').inputValue(), 'end');
  const slider = page.getByRole('slider', { name: /Reward, reported/ });
  await slider.focus();
  await page.keyboard.press('End');
  assert.match(await slider.getAttribute('aria-valuetext'), /^end 0: /);
  await page.getByLabel('Align').selectOption('number');
  await page.waitForFunction(() => /align=number/.test(location.hash));
});

test('what runs share, and where two first differ', async (t) => {
  const { at, page } = await drop(t, {
    'a.jsonl': [
      record('ralph-one', 0, { reward: 0.2, error: 'mismatched types' , lesson: 'Run the failing test first.' }),
      record('ralph-one', 1, { reward: 0.4, error: 'unknown field' }),
      record('ralph-one', 2, { reward: 0.9, passed: true }),
    ],
    'b.jsonl': [
      record('ralph-two', 0, { reward: 0.2, error: 'mismatched types', lesson: 'run the failing test first' }),
      record('ralph-two', 1, { reward: 0.3, action: 'src/b.rs', error: 'borrowed value' }),
    ],
  });
  await at.goto('#/compare?runs=ralph-one,ralph-two');
  const shared = page.locator('.shared');
  await shared.getByText('In all 2').first().waitFor();
  await page.getByText('First difference: attempt 2, action 1:').waitFor();
  const text = await shared.textContent();
  assert.match(text, /In all 2.*mismatched types/s);
  assert.match(text, /Only in a ralph-one.*unknown field/s);
  assert.match(text, /Only in b ralph-two.*borrowed value/s);
  assert.match(await shared.locator('> div').nth(1).textContent(), /In all 2.*Run the failing test first|In all 2.*run the failing test first/s);
  const differs = await page.locator('.first-difference').textContent();
  assert.match(differs, /code_modification src\/b\.rs \| code_modification src\/a\.rs/);
  // The pair stands where they differ, and moves together.
  const sides = page.locator('.pair-side');
  await sides.nth(0).getByText('iteration 1').waitFor();
  await sides.nth(1).getByText('iteration 1').waitFor();
  await page.keyboard.press('k');
  await sides.nth(0).getByText('iteration 0').waitFor();
  await sides.nth(1).getByText('iteration 0').waitFor();
  assert.match(at.hash(), /at=1/);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await sides.getByText('This run has no iteration here.').waitFor();
  const rows = await table(page).allTextContents();
  assert.match(rows[0], /b ralph-two.*worse than base/);
});

test('beyond eight, runs are rows of a grid', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  await page.getByRole('button', { name: 'Mark all 12' }).click();
  await page.locator('.compare-button', { hasText: 'Compare 12' }).click();
  const grid = page.getByRole('grid', { name: 'Runs by attempt' });
  await grid.waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '13');
  assert.equal(await page.locator('.compare-row').count(), 13);
  assert.equal(await page.getByRole('button', { name: 'Lines', exact: true }).isDisabled(), true);
  await grid.locator('a').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement.id === 'compare-row-11');
  const row = page.locator('.compare-row', { has: page.getByRole('link', { name: 'env_3', exact: true }) });
  assert.match(await row.locator('.cells').textContent(), /^F+P?$/);
});

test('two hundred runs are compared, and more cannot be marked', async (t) => {
  const tasks = (trial) => JSON.stringify(Array.from({ length: 260 }, (_, at) => ({
    name: `env_${at}`, memory: trial ? ['Try.'] : [], is_success: trial > at % 4,
  })));
  const { at, page } = await drop(t, Object.fromEntries(
    [0, 1, 2, 3].map((trial) => [`env_results_trial_${trial}.json`, tasks(trial)]),
  ));
  await page.getByRole('button', { name: 'Mark the first 200' }).click();
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
    }).observe({ type: 'longtask' });
  });
  await page.locator('.compare-button', { hasText: 'Compare 200' }).click();
  await page.getByRole('heading', { name: 'Compare 200 runs' }).waitFor();
  await page.locator('.compare-row').nth(200).waitFor();
  await page.getByText(/Errors and stuck loops are read for the first 50 of 200 runs/).waitFor();
  t.diagnostic(`longest task with 200 runs: ${await page.evaluate(() => Math.round(window.longest))} ms`);
  assert.equal(await table(page).count(), 200);
  await page.goBack();
  await at.runKeys();
  await page.keyboard.press('End');
  await page.locator('.row.active .row-link', { hasText: 'env_259' }).waitFor();
  await page.keyboard.press('x');
  await page.waitForFunction(() => /as many as can be compared/.test(document.querySelector('.spoken[role=status]')?.textContent));
  await page.locator('.compare-button', { hasText: 'Compare 200' }).waitFor();
});

const cells = (within, selector) =>
  within.locator(selector).evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));

test('several experiments: those that are ticked are compared with the first', async (t) => {
  const trial = (solved, more = {}) => JSON.stringify(Array.from({ length: 10 }, (_, at) => ({ name: `env_${at}`, memory: [], is_success: at < solved, ...more })));
  const { at, page } = await drop(t, {
    'a/env_results_trial_0.json': trial(4),
    'b/env_results_trial_0.json': trial(9),
    'c/env_results_trial_0.json': trial(2),
    'd/env_results_trial_0.json': JSON.stringify([{ name: 'other_1', memory: [], is_success: true }]),
  });
  await at.view('Compare');
  const panel = page.getByRole('region', { name: 'Experiments', exact: true });
  await panel.getByText('no task with the same name').waitFor();
  await panel.getByRole('checkbox', { name: /d$/ }).click();
  await panel.getByText(/After one attempt each, \S*a solved 4 of the 10 tasks that all have/).waitFor();
  const table = panel.locator('#experiments-table tbody tr');
  const texts = (await table.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
  assert.deepEqual(texts.map((text) => / (\d+ of 10) /.exec(text)?.[1]), ['4 of 10', '9 of 10', '2 of 10', undefined]);
  assert.match(texts[1], /\+50\.0/);
  await panel.getByRole('checkbox', { name: /c$/ }).click();
  await panel.getByText(/5 tasks were solved by \S*b only/).waitFor();
  assert.equal(await panel.locator('#unlike-table tbody tr').count(), 5);
  assert.equal(await panel.getByRole('checkbox', { name: /a$/ }).isDisabled(), true, 'two are the least');
});

test('two experiments over the same tasks', async (t) => {
  const trial = (solved) => JSON.stringify(Array.from({ length: 10 }, (_, at) => ({
    name: `env_${at}`, memory: [], is_success: at < solved,
  })));
  const { at, page } = await drop(t, {
    'base/env_results_trial_0.json': trial(4),
    'base/env_results_trial_1.json': trial(5),
    'memory/env_results_trial_0.json': trial(4),
    'memory/env_results_trial_1.json': trial(8),
  });
  await at.view('Compare');
  const panel = page.getByRole('region', { name: 'Experiments', exact: true });
  await panel.getByText(/After 2 attempts each, \S*base solved 5 of the 10 tasks that both have; \S*memory solved 8: \+30\.0 points \(.+\), p = 0\.25, which may be chance\. 3 tasks were solved by \S*memory only\./).waitFor();
  assert.deepEqual(await cells(panel, '.four tbody tr'), [['5', '3'], ['0', '2']]);
  assert.deepEqual(await cells(panel.getByRole('region', { name: 'What retries solved' }), 'tbody tr'), [['1 of 6', '4 of 6']]);
  const rows = panel.locator('#unlike-table tbody tr');
  assert.deepEqual(await rows.allInnerTexts().then((rows) => rows.map((row) => row.replace(/\s+/g, ' ').trim())),
    ['env_5 F F F P', 'env_6 F F F P', 'env_7 F F F P']);
  await panel.getByLabel('Compared with').selectOption({ label: await panel.getByLabel('Compared with').locator('option', { hasText: 'memory' }).textContent() });
  await panel.getByText(/\S*memory solved 8 of the 10 tasks that both have; \S*base solved 5: \u221230\.0 points/).waitFor();
  await panel.getByLabel('Attempts of each task').selectOption('1');
  await panel.getByText(/After one attempt each, \S*memory solved 4 of the 10 tasks that both have; \S*base solved 4: 0\.0 points/).waitFor();
  assert.match(at.hash(), /experiments=.*&attempts=1/);
  assert.equal(await rows.count(), 0);
  // What is said of the runs is the comparison, too.
  await at.view('Runs');
  await page.getByRole('link', { name: /3 tasks were solved by \S*memory only/ }).click();
  await panel.waitFor();
});

test('the link restores the comparison, and says what is not open', async (t) => {
  const { page } = await improving(
    t, ',ralph-gone&base=ralph-csv-export-2026-03-04&mode=grid&pair=ralph-retry-client-2026-03-03,ralph-csv-export-2026-03-04&at=2',
  );
  await page.getByText('Not among the open runs: ralph-gone.').waitFor();
  await page.locator('.compare-grid').waitFor();
  await page.locator('#compare-table tbody tr').last().filter({ hasText: 'csv-export' }).waitFor();
  await page.locator('.pair-side').nth(0).getByText(/retry-client/).waitFor();
  await page.locator('.pair-steps', { hasText: 'attempt 2' }).waitFor();
});

test('narrow: one below the other, nothing sideways', async (t) => {
  const { at, page } = await improving(t, '', { viewport: { width: 320, height: 640 }, hasTouch: true });
  await page.locator('.pair-side').first().waitFor();
  assert.equal(await at.scrollsSideways(), false);
});
