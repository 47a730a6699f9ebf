// Failure categories in the list of runs: looked for once they matter, sorted, filtered, grouped,
// and honest about what was not looked at.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { hurry, openPage, slowWorker, tempFolder } from './lib.mjs';
import { COLOUR_RULES, HindscopePage } from './page.mjs';

const WIDE = { viewport: { width: 1440, height: 900 } };

function record(loop, iteration, category) {
  return JSON.stringify({
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:0${iteration % 10}:00Z`,
    actor_output: { actions: [], rationale: 'Close.' },
    evaluator_output: { passed: false, verification_type: 'manual' },
    self_reflection: {
      reflection_text: `Attempt ${iteration} of ${loop} failed.`,
      ...(category ? { credit_assignment: { failure_category: category } } : {}),
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });
}

const run = (loop, ...categories) =>
  categories.map((category, at) => `${record(loop, at + 1, category)}\n`).join('');

// Counted by hand: the category that most reflections give, how many, of how many that give any. Of
// a tie the schema's order decides, in which an edge case comes before a logic error.
const FILES = {
  'in/a.jsonl': run('ralph-a', 'logic_error', 'edge_case_miss', null, 'logic_error', 'logic_error'),
  'in/b.jsonl': run('ralph-b', 'logic_error', 'edge_case_miss', 'edge_case_miss', 'logic_error'),
  'in/c.jsonl': run('ralph-c', null, null),
  'in/d.jsonl': run('ralph-d', 'hallucination'),
  'in/e.jsonl': run('ralph-e', ...Array(5).fill('logic_error')),
  'in/f.jsonl': run('ralph-f', 'race_condition'),
};
const COUNTED = {
  'ralph-a': 'logic_error3 of 4',
  'ralph-b': 'edge_case_miss2 of 4',
  'ralph-c': 'no failure category',
  'ralph-d': 'hallucination1 of 1',
  'ralph-e': 'logic_error5 of 5',
  'ralph-f': 'race_condition1 of 1',
};

async function start(t, options, files = FILES) {
  const folder = path.join(await tempFolder(t, files), 'in');
  const { page } = await openPage(t, { ...WIDE, ...options });
  const at = await new HindscopePage(page).ready();
  await at.drop([folder]);
  await at.goto('#/runs');
  await at.runKeys();
  return { at, page, folder };
}

async function toggle(page) {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Failure category', exact: true }).click();
  await page.keyboard.press('Escape');
}

/** Cells of the column by run, once none of them waits. */
async function cells(page) {
  await page.waitForFunction(() => {
    const cells = [...document.querySelectorAll('.runs-grid .c-category[role=gridcell]')];
    return cells.length > 0 && !cells.some((cell) => /yet/.test(cell.textContent));
  });
  return Object.fromEntries(await page.locator('.runs-grid .row:has(.row-link)').evaluateAll((rows) =>
    rows.map((row) => [row.querySelector('.row-link').textContent, row.querySelector('.c-category').textContent])));
}

const keys = (page, wanted) => page.waitForFunction(
  (wanted) => [...document.querySelectorAll('.row-link')].map((link) => link.textContent.at(-1)).join('') === wanted,
  wanted,
);
const said = (page, text) => page.locator('.count-line').filter({ hasText: text }).waitFor();

test('the column says which category most reflections give, and how many do', async (t) => {
  const { at, page, folder } = await start(t);
  assert.equal(await page.locator('.c-category').count(), 0, 'only on demand');
  await toggle(page);
  assert.deepEqual(await cells(page), COUNTED);
  const cell = (name) => at.runs.locator('.row', { hasText: name }).locator('.c-category');
  assert.equal(await cell('ralph-a').locator('[title]').getAttribute('title'),
    'logic_error: 3 of 4 reflections that give a category (aggregate/categories)');
  assert.equal(await cell('ralph-c').locator('.spoken').textContent(), 'no failure category');
  assert.equal((await cell('ralph-c').locator('.spoken').boundingBox()).width, 1, 'said, not shown');
  const head = page.getByRole('columnheader', { name: /Failure category/ }).getByRole('button');
  assert.match(await head.getAttribute('title'), /aggregate\/categories/);
  assert.equal(await page.locator('.looked').count(), 0, 'all were looked at');
  // As many runs of what is opened next are news as well.
  await at.drop([folder]);
  await at.goto('#/runs');
  assert.deepEqual(await cells(page), COUNTED);
  await page.reload();
  await at.ready();
  await at.drop([folder]);
  await at.goto('#/runs');
  assert.deepEqual(await cells(page), COUNTED, 'the choice of columns is kept');
});

test('it sorts as the schema lists categories, the most frequent first, none last', async (t) => {
  const { at, page } = await start(t);
  await toggle(page);
  const head = page.getByRole('columnheader', { name: /Failure category/ });
  await head.getByRole('button').click();
  await keys(page, 'dbeafc');
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.match(at.hash(), /sort=category/);
  // From the keyboard, the other way round.
  await head.getByRole('button').press('Enter');
  await keys(page, 'feabdc');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
});

test('the filter knows categories without the column, and underlines what it does not know', async (t) => {
  const { at, page } = await start(t);
  await at.filterRuns('category:LOGIC');
  await keys(page, 'ae');
  await said(page, 'Showing 2 of 6 runs; 4 hidden by filters');
  await page.locator('.fold-note', { hasText: 'success 0 %' }).waitFor();
  await at.filterRuns('-category:logic');
  await keys(page, 'bcdf');
  await at.filterRuns('category:race iter:1');
  await keys(page, 'f');
  const wrong = (text) => page.locator('.query-mirror .wrong').filter({ hasText: text }).waitFor({ state: 'attached' });
  await at.filterRuns('category:');
  await wrong(/^category:$/);
  await at.filterRuns('category:race error:x');
  await wrong(/^error:x$/);
  assert.match(await page.locator('.query-error').textContent(), /list of runs cannot be filtered/);
  await keys(page, 'f');
  // A link to it.
  await at.goto('#/runs?q=category%3Aedge');
  await keys(page, 'b');
});

test('runs stand below their categories', async (t) => {
  const { at, page } = await start(t);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'failure category' });
  await page.locator('.heading-button', { hasText: 'logic_error' }).waitFor();
  assert.match(at.hash(), /by=category/);
  await page.locator('.heading-button', { hasText: 'so far' }).first().waitFor({ state: 'detached' });
  const headings = await page.locator('.heading-button').allTextContents();
  assert.deepEqual(headings.map((text) => text.replace(/, .*/, '')), [
    'hallucination1 run', 'edge_case_miss1 run', 'logic_error2 runs', 'race_condition1 run',
    'no failure category1 run',
  ]);
  await page.locator('.heading-button', { hasText: 'logic_error' }).click();
  await keys(page, 'dbfc');
});

test('what cannot be read is not taken for a run without a category', async (t) => {
  // One reflection is compared with none, so its file has not been read before.
  const { at, page, folder } = await start(t, {}, { ...FILES, 'in/g.jsonl': run('ralph-g', 'logic_error') });
  await rm(path.join(folder, 'g.jsonl'));
  await toggle(page);
  const unread = 'not looked at: its reflections are too long together, or cannot be read';
  assert.deepEqual(await cells(page), { ...COUNTED, 'ralph-g': `?${unread}` });
  assert.equal(await at.runs.locator('.row', { hasText: 'ralph-g' }).locator('.none').getAttribute('title'), unread);
  await page.locator('.looked', {
    hasText: 'Failure categories of 6 of 7 runs; the other 1 is too long, or cannot be read.',
  }).waitFor();
  await at.filterRuns('-category:logic');
  await keys(page, 'bcdf');
});

test('runs that were judged are not read once more', async (t) => {
  const { at, page, folder } = await start(t);
  await at.goto('#/findings');
  await page.locator('.findings-count', { hasText: 'Checked 6 runs for problems.' }).waitFor();
  await rm(folder, { recursive: true });
  await at.goto('#/runs');
  await toggle(page);
  assert.deepEqual(await cells(page), COUNTED);
});

test('of many runs those in sight are known first, and counts say so far', async (t) => {
  const words = ['logic_error', 'other', null];
  const text = Array.from({ length: 21_000 }, (_, at) => record(`ralph-${at}`, 1, words[at % 3]) + '\n').join('');
  const { at, page } = await start(t, { prepare: slowWorker }, { 'in/many.jsonl': text });
  await toggle(page);
  await page.locator('.looked', { hasText: /^Failure categories of [\d,]+ of 21,000 runs so far\.$/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await page.locator('.row.active .row-link', { hasText: 'ralph-20999' }).waitFor();
  await page.waitForFunction(() => {
    const known = document.querySelector('.row.active .c-category')?.textContent === 'no failure category';
    return known && / so far/.test(document.querySelector('.looked')?.textContent);
  });
  await at.filterRuns('category:other');
  await said(page, / of 21,000 runs so far; [\d,]+ hidden by filters/);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('category');
  await page.locator('.heading-button', { hasText: /other.*so far/ }).waitFor();
  await hurry(page);
  await said(page, 'Showing 7,000 of 21,000 runs; 14,000 hidden by filters');
  await page.locator('.looked').waitFor({ state: 'detached' });
  await page.locator('.heading-button', { hasText: /^other7,000 runs(?! so far)/ }).waitFor();
});

test('axe finds nothing in the column', async (t) => {
  const { at, page, folder } = await start(t, { hasAxe: true });
  await rm(path.join(folder, 'd.jsonl'));
  await toggle(page);
  await cells(page);
  assert.deepEqual(await at.violations(), []);
  await at.goto('#/runs?by=category&sort=category');
  await page.locator('.heading-button', { hasText: 'not looked at' }).waitFor();
  assert.deepEqual(await at.violations(), []);
  for (const media of [{ colorScheme: 'dark' }, { forcedColors: 'active' }]) {
    await page.emulateMedia(media);
    assert.deepEqual(await at.violations(COLOUR_RULES), [], JSON.stringify(media));
  }
});

test('where there is little room the column leaves, and headings stay', async (t) => {
  const { at, page, folder } = await start(t, { viewport: { width: 320, height: 640 }, hasAxe: true });
  await page.evaluate(() => localStorage.setItem('hindscope.columns', '"category"'));
  await page.reload();
  await at.ready();
  await at.drop([folder]);
  await at.goto('#/runs?by=category');
  await page.locator('.heading-button', { hasText: 'logic_error' }).waitFor();
  assert.equal(await page.locator('.c-category').count(), 0);
  assert.equal(await at.scrollsSideways(), false);
  assert.deepEqual(await at.violations(), []);
});
