// The list of runs: filters that count, orders that keep what is missing last, headings that fold,
// marks, columns, and what the runs shown come to.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, eventually, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

const count = (page) => page.locator('.count-line');
const said = (page, text) => count(page).filter({ hasText: text }).waitFor();

function record(loop, iteration, reward, more = {}) {
  return {
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:0${iteration}:00Z`,
    actor_output: { actions: [{ type: 'other', description: 'Try' }], rationale: 'Close.' },
    evaluator_output: {
      passed: false,
      verification_type: 'manual',
      ...(reward === null ? {} : { reward_signal: reward }),
    },
    self_reflection: { reflection_text: `Attempt ${iteration} of ${loop} failed.` },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(iteration + 1, 3) },
    ...more,
  };
}

const lines = (...records) => records.map((record) => JSON.stringify(record)).join('\n') + '\n';

async function drop(t, files, options) {
  const folder = await tempFolder(t, Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`in/${name}`, text]),
  ));
  const got = await start(t, options);
  await got.at.drop([path.join(folder, 'in')]);
  return got;
}

test('filters add up, say what they hide, and are part of the link', async (t) => {
  const { at, page, server } = await start(t);
  await at.sample('tasks');
  await said(page, 'All 12 runs');
  await page.getByLabel('Outcome').selectOption('failure');
  await said(page, 'Showing 1 of 12 runs; 11 hidden by filters');
  // It stays where a pointer finds it.
  await page.getByLabel('Outcome').click({ trial: true });
  await page.getByLabel('Outcome').selectOption('');
  await page.getByRole('combobox', { name: 'Finding' }).selectOption('none');
  const quiet = await page.locator('.count-line').textContent();
  await page.getByRole('combobox', { name: 'Finding' }).selectOption('any');
  await page.waitForFunction((before) => (document.querySelector('.count-line')?.textContent ?? before) !== before, quiet);
  assert.match(at.hash(), /finding=any/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await said(page, 'All 12 runs');
  await at.filterRuns('env_3');
  await said(page, 'Showing 1 of 12 runs; 11 hidden by filters');
  await at.filterRuns('no such run');
  await page.getByText('No run fits these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await said(page, 'All 12 runs');
});

test('the link of a filtered list restores it', async (t) => {
  const { at, page } = await start(t, { hash: '?sample=tasks#/runs?outcome=failure&by=outcome&sort=-iterations' });
  await at.read();
  await at.goto('#/runs?outcome=failure&by=outcome&sort=-iterations');
  await said(page, 'Showing 1 of 12 runs; 11 hidden by filters');
  assert.equal(await page.getByLabel('Outcome').inputValue(), 'failure');
  assert.equal(await page.getByRole('combobox', { name: 'Group by' }).inputValue(), 'outcome');
  assert.equal(await page.locator('[aria-sort=descending]').innerText().then((text) => text.trim().slice(0, 5)), 'Iter.');
});

test('a missing reward is last in both directions', async (t) => {
  const { at, page } = await drop(t, {
    'a.jsonl': lines(record('ralph-low', 0, 0.1), record('ralph-low', 1, 0.2)),
    'b.jsonl': lines(record('ralph-none', 0, null, { evaluator_output: { verification_type: 'manual' } })),
    'c.jsonl': lines(record('ralph-top', 0, 0.9)),
  });
  const ordered = async (state, keys) => {
    await page.locator('.sort', { hasText: 'Reward' }).click();
    await page.locator(`.c-last[aria-sort=${state}]`).waitFor();
    await eventually(async () => assert.deepEqual(await at.runKeys(), keys));
  };
  assert.deepEqual(await at.runKeys(), ['ralph-low', 'ralph-none', 'ralph-top'], 'no order by reward');
  await ordered('descending', ['ralph-top', 'ralph-low', 'ralph-none']);
  await ordered('ascending', ['ralph-low', 'ralph-top', 'ralph-none']);
  assert.match(await at.runs.locator('.row').nth(3).textContent(), /none/);
  assert.doesNotMatch(await at.runs.locator('.row').nth(3).textContent(), /0\.000/);
  // Low does not mean missing.
  await page.getByRole('combobox', { name: 'Reward' }).selectOption('low');
  await said(page, 'Showing 1 of 3 runs; 2 hidden by filters');
});

test('headings count their runs, fold them, and say so in the address', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('outcome');
  const headings = page.locator('.heading-button');
  await headings.first().waitFor();
  assert.match(await headings.first().textContent(), /success.*11 runs/);
  assert.equal(await at.runs.getAttribute('aria-rowcount'), String(12 + 2 + 1));
  await headings.first().click();
  await page.waitForFunction(() => document.querySelector('.runs-grid')?.getAttribute('aria-rowcount') === '4');
  assert.match(at.hash(), /closed=success/);
  assert.equal(await headings.first().getAttribute('aria-expanded'), 'false');
  await said(page, 'All 12 runs');
  // Right unfolds, left folds.
  await headings.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.runs-grid')?.getAttribute('aria-rowcount') === '15');
  assert.doesNotMatch(at.hash(), /closed/);
});

test('runs are marked with x, with their boxes, and compared', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.runKeys();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.locator('.compare-button', { hasText: 'Compare 1' }).waitFor();
  await page.getByRole('checkbox', { name: /Mark ralph-retry-client/ }).click();
  await page.locator('.compare-button', { hasText: 'Compare 2' }).click();
  await page.getByRole('heading', { name: 'Compare 2 runs' }).waitFor();
  assert.match(at.hash(), /runs=ralph-[a-z-]+2026[\d-]+,ralph-/);
  await page.goBack();
  await page.getByRole('checkbox', { checked: true }).first().waitFor();
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 2, 'marks stay');
  await page.getByRole('button', { name: 'Unmark' }).click();
  await page.getByRole('button', { name: 'Mark all 3' }).click();
  await page.locator('.compare-button', { hasText: 'Compare 3' }).waitFor();
});

test('one tab stop, and keys that reach everything in the list', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  await at.runKeys();
  const stops = await at.runs.locator('[tabindex="0"]').count();
  assert.equal(stops, 1);
  const focused = () => page.evaluate(() => document.activeElement.id);
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.activeElement.id === 'run-row-0');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement.id === 'run-row-11');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'run-mark-11');
  await page.keyboard.press('Space');
  await page.locator('.compare-button', { hasText: 'Compare 1' }).waitFor();
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'run-row-11');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.activeElement.id === 'run-row-0');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'run-head-0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /sort=-iterations/.test(location.hash));
});

test('columns are chosen, kept, and leave where there is no room', async (t) => {
  const { at, page } = await start(t, { viewport: { width: 1440, height: 900 } });
  await at.sample('improving');
  const titles = () => page.locator('.runs-grid .head .sort').allTextContents();
  const plain = async () => (await titles()).map((text) => text.replace(/[↑↓]/g, '').trim());
  assert.deepEqual(await plain(), ['Run', 'Iter.', 'Outcome', 'Reward', 'Trend', 'Verdict', 'Find.', 'Source']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Best', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Duration', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Trajectory', exact: true }).click();
  assert.deepEqual((await plain()).slice(4, 7), ['Best', 'Trajectory', 'Duration']);
  await page.keyboard.press('Escape');
  await at.goto('#/');
  await page.reload();
  await at.read();
  await at.runKeys();
  assert.deepEqual((await plain()).slice(4, 7), ['Best', 'Trajectory', 'Duration']);
  const first = await at.runs.locator('.row').nth(1).textContent();
  assert.match(first, /1\.000.*improving/s);
  await page.setViewportSize({ width: 900, height: 700 });
  await page.waitForFunction(() => document.querySelectorAll('.runs-grid .head .sort').length < 10);
  assert.equal(await at.scrollsSideways(), false);
});

test('tokens and cost are summed where records have them, and blank where nobody says', async (t) => {
  const header = 'iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status';
  const csv = (...rows) => [header, ...rows.map(([tokens, cost], at) =>
    `${at + 1},2026-03-07T10:0${at}:00Z,${40 + at},${at},${tokens},${cost},1000,failed`)].join('\n') + '\n';
  const { at, page } = await drop(t, {
    'dear.csv': csv([700000, 1.25], [534567, 0.0425]),
    'half.csv': csv([900, ''], ['', '']),
    'silent.csv': csv(['', ''], ['', '']),
  });
  await at.goto('#/runs');
  await at.runKeys();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Tokens', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Cost, $', exact: true }).click();
  await page.keyboard.press('Escape');
  const row = (name) => at.runs.locator('.row', { hasText: name }).first();
  const cell = async (name, nth) => {
    const one = row(name).getByRole('gridcell').nth(nth);
    return [await one.textContent(), await one.locator('.number-text').count()
      ? await one.locator('.number-text').getAttribute('title') : null];
  };
  const titles = (await page.locator('.runs-grid .head [role=columnheader]').allTextContents())
    .map((text) => text.replace(/[↑↓]/g, '').trim());
  const [tokens, cost] = [titles.indexOf('Tokens'), titles.indexOf('Cost, $')];
  assert.ok(tokens > 0 && cost === tokens + 1, titles.join());
  assert.deepEqual(await cell('dear', tokens), ['1,234,567', '1234567 tokens']);
  assert.deepEqual(await cell('dear', cost), ['1.29', '1.2925 US dollars']);
  assert.deepEqual(await cell('half', tokens), ['≥ 900', 'at least 900 tokens: 1 of 2 iterations say']);
  assert.deepEqual(await cell('half', cost), ['', null]);
  assert.deepEqual(await cell('silent', tokens), ['', null]);
  const aligned = await row('dear').getByRole('gridcell').nth(tokens)
    .evaluate((cell) => [getComputedStyle(cell).textAlign, getComputedStyle(cell).justifyContent]);
  assert.ok(aligned.some((value) => /right|end/.test(value)), aligned.join());
  // Sorted either way, what nobody recorded is last.
  const sort = page.getByRole('columnheader', { name: /Tokens/ }).getByRole('button');
  for (const [hash, first] of [[/sort=-tokens/, 'dear'], [/sort=tokens/, 'half']]) {
    await sort.click();
    await page.waitForFunction(([source]) => new RegExp(source).test(location.hash), [hash.source]);
    await page.waitForFunction((name) =>
      document.querySelector('.runs-grid .row-link')?.textContent.includes(name), first);
    assert.match((await at.runKeys()).at(-1), /silent/);
  }
  await at.openRun(await row('dear').locator('.row-link').textContent(), 'Attempts');
  await page.locator('.facts dd', { hasText: '1,234,567' }).waitFor();
  await page.locator('.facts dd', { hasText: '1.29 US dollars' }).waitFor();
});

test('a run that runs and is silent for a day is stale', async (t) => {
  const { at } = await start(t);
  await at.drop([path.join(FIXTURES, 'aiwg/2026.2/launcher-registry.json')]);
  await at.goto('#/runs');
  await at.runs.locator('.row-link').first().waitFor();
  assert.match(await at.runs.locator('.row').nth(1).textContent(), /running.*\(stale\)/);
});

test('the summary is of the runs shown', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  const fold = page.locator('.summary .fold-button');
  await page.locator('.headline', { hasText: /^11 of 12 tasks were solved, 5 of them at the first attempt\./ }).waitFor();
  await fold.filter({ hasText: 'success 92 %' }).waitFor();
  assert.equal(await fold.getAttribute('aria-expanded'), 'true', 'open from ten runs on');
  const rows = await page.locator('#attempts-table tbody tr').allTextContents();
  assert.match(rows[0], /^11255\s*42 %|^1\s*12\s*5\s*42 %/);
  await page.getByLabel('Outcome').selectOption('failure');
  await fold.filter({ hasText: 'success 0 %' }).waitFor();
  await page.locator('.headline', { hasText: /^(Stuck from .*\. )?Not solved after 5 attempts\.$/ }).waitFor();
  assert.deepEqual(await at.curve(), [[0, 0, 0, 0, 0]]);
});

test('few runs have their summary folded, with the numbers in a line', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  const fold = page.locator('.summary .fold-button');
  assert.equal(await fold.getAttribute('aria-expanded'), 'false');
  await fold.filter({ hasText: /success (33|67) %/ }).waitFor();
  await fold.click();
  await page.locator('#attempts-table').waitFor();
  await page.locator('.categories li').first().waitFor();
});

test('damage is named below the list, with the way to its findings', async (t) => {
  const { at, page } = await drop(t, {
    'cut.jsonl': lines(record('ralph-cut', 0, 0.2)) + '{"loop_id": nope}\n',
  });
  await at.goto('#/runs');
  await page.locator('.damage-line').waitFor();
  assert.match(await page.locator('.damage-line').textContent(), /cut\.jsonl: 1 of 2 records could not be read\. Show it/);
  await page.getByRole('link', { name: 'Show it' }).click();
  await at.findings.first().waitFor();
  assert.match(at.hash(), /#\/findings\?source=.*cut\.jsonl/);
});

test('the last of a hundred thousand rows is reached with one key', async (t) => {
  const tasks = Array.from({ length: 100_000 }, (_, at) => ({ name: `env_${at}`, memory: [], is_success: at % 3 !== 0 }));
  const { at, page } = await drop(t, { 'env_results_trial_0.json': JSON.stringify(tasks) });
  assert.match(await at.heading.textContent(), /^100,000 runs$/);
  await at.runKeys();
  await page.keyboard.press('End');
  await page.locator('.row.active .row-link', { hasText: 'env_99999' }).waitFor();
  assert.equal(await at.runs.locator('.row.active').getAttribute('aria-rowindex'), '100001');
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('outcome');
  await page.locator('.heading-button').first().waitFor();
  assert.ok((await page.locator('.runs-grid .row').count()) < 120, 'only rows in sight exist');
});

test('what goes by too fast to be seen is not filled, and what is there at the end is', async (t) => {
  const tasks = Array.from({ length: 20_000 }, (_, at) => ({ name: `env_${at}`, memory: [], is_success: at % 3 !== 0 }));
  const { page } = await drop(t, { 'env_results_trial_0.json': JSON.stringify(tasks) });
  await said(page, 'All 20,000 runs');
  // Counts lines that are filled while the list is scrolled; the first steps say nothing about speed yet.
  const scroll = (pixels) => page.evaluate(async (pixels) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let filled = 0;
    const count = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) filled += Number(Boolean(node.querySelector?.('.row-link')));
    });
    for (let step = 0; step < 40; step += 1) {
      if (step === 4) count.observe(document.querySelector('.vlist'), { subtree: true, childList: true });
      document.querySelector('.main').scrollBy(0, pixels);
      await frame();
    }
    count.disconnect();
    return filled;
  }, pixels);
  // The clock of the page stands still, so that a slow machine scrolls as fast as any.
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
  });
  assert.equal(await scroll(4000), 0, 'lines that were filled, and gone with the next frame');
  assert.equal(await page.locator('.runs-grid .row-link').count(), 0, 'lines that are filled before the list is at rest');
  await page.evaluate(() => {
    delete performance.now;
  });
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('.runs-grid .row:not(.head)')];
    return rows.length > 20 && rows.every((row) => row.querySelector('.row-link')?.textContent === `env_${row.getAttribute('aria-rowindex') - 2}`);
  });
  // A busy machine may need more than one try.
  await eventually(async () => assert.ok((await scroll(60)) > 20, 'slow lines are filled as they come'));
});

test('narrow: two lines a run, boxes to mark, nothing sideways', async (t) => {
  const { at, page } = await start(t, { viewport: { width: 320, height: 640 }, hasTouch: true });
  await at.sample('improving');
  await at.runKeys();
  assert.equal(await at.scrollsSideways(), false);
  await page.getByRole('checkbox').first().click();
  await page.locator('.compare-button', { hasText: 'Compare 1' }).waitFor();
});

test('what is clicked as soon as it is in sight stays under the pointer', async (t) => {
  for (const height of [400, 500]) {
    const { at, page } = await start(t, { viewport: { width: 390, height } });
    await at.sample('tasks');
    // Far below, so that it is scrolled to and clicked within a frame.
    await at.runs.locator('.row-link').nth(3).click();
    await page.waitForFunction(() => location.hash.startsWith('#/run/'));
  }
});
