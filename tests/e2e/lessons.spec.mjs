// What a run teaches: the cards of its overview, its errors and its lessons. What the page draws is
// held against the explanation that it exports, which is the core's own answer.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { eventually, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUN = '#/run/ralph-session-cache-2026-03-05';
const STEP = '[data-section="What changed in this step"]';
/** The step card of the selected iteration, against the one before. */
const against = (page, number) => page.locator(`${STEP} .fold-note`, { hasText: new RegExp(`^against ${number}$`) });
const WARNINGS = '.warnings';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

async function stuck(t, options) {
  const started = await start(t, options);
  await started.at.sample('stuck');
  await started.at.goto(`${RUN}/i`);
  await started.page.locator(WARNINGS).waitFor();
  return started;
}

/** The explanation as the core gives it. */
async function explanation(t, at) {
  const waits = at.page.waitForEvent('download');
  await at.page.getByRole('button', { name: 'Export this run' }).click();
  await at.page.getByRole('button', { name: /^JSON: explanation/ }).click();
  const file = path.join(await tempFolder(t), 'explanation.json');
  await (await waits).saveAs(file);
  const whole = JSON.parse(await readFile(file, 'utf8'));
  const found = find(whole);
  assert.ok(found, 'the export holds an explanation');
  return found;
}

function find(value) {
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value.lessons) && Array.isArray(value.changes)) return value;
  return Object.values(value).map(find).find(Boolean);
}

/** The state of each cell of a grid, row by row: the letters as they are drawn. */
function cells(page, part = '.errors') {
  return page.locator(`${part} .wide-row`).evaluateAll((rows) =>
    rows.map((row) => ({
      name: row.querySelector('.wide-name').textContent,
      sentence: row.querySelector('.wide-name').getAttribute('aria-label'),
      cells: [...row.querySelectorAll('.wide-cell')].map((cell) => cell.textContent.trim()),
    })),
  );
}

test('the step card has every change that the core names', async (t) => {
  const { at, page } = await stuck(t);
  const { changes } = await explanation(t, at);
  for (const number of [2, 4, 6, 8, 9]) {
    await at.goto(`${RUN}/i/${number}`);
    await against(page, number === 8 ? 6 : number - 1).waitFor();
    const own = changes.filter((change) => change.number === number);
    const count = (kind) => own.filter((change) => change.kind === kind).length;
    const text = await page.locator(STEP).innerText();
    if (number !== 8) {
      const sentence = `${count('error-cleared')} cleared, ${count('error-new')} new, ${count('error-persisting')} persisting`;
      assert.ok(text.includes(sentence), `${number}: ${sentence} is not in ${text}`);
    }
    for (const change of own.filter(({ kind }) => ['file-new', 'file-again', 'lesson-new'].includes(kind))) {
      assert.ok(text.includes(change.text), `${number}: ${change.text}`);
    }
    assert.ok(text.includes('none is shown to be the cause'));
  }
  // Over the lost reward the step begins at 6, and says so.
  await at.goto(`${RUN}/i/8`);
  await against(page, 6).waitFor();
  assert.match(await page.locator(STEP).innerText(), /\+0\.010 over a gap of 1/);
  // A stated change that is wrong stands beside the right one.
  await at.goto(`${RUN}/i/9`);
  await page.locator(STEP, { hasText: '−0.120 (file: −0.100)' }).waitFor();
  await at.goto(`${RUN}/i/1`);
  await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
  await page.locator(STEP).waitFor({ state: 'detached' });
});

test('each warning has its rule, its reason and its evidence', async (t) => {
  const { at, page } = await stuck(t);
  const { findings } = await explanation(t, at);
  const areas = /^(stuck|oscillation|regression|budget|drift|plateau|stop|best)\/|^error\/came-back$/;
  const wanted = findings.filter(({ rule }) => areas.test(rule));
  assert.ok(wanted.length > 6);
  await page.locator(WARNINGS).getByRole('button', { name: /^Show all/ }).click();
  const shown = await page.locator('.warning .rule').allTextContents();
  assert.deepEqual([...shown].sort(), wanted.map(({ rule }) => rule).sort());
  const one = page.locator('.warning', { hasText: 'stuck/repeated-reflection' });
  assert.match(await one.innerText(), /3 reflections in a row say the same: 10, 11 and 12\./);
  assert.match(await one.innerText(), /3 in a row/);
  assert.deepEqual(await one.locator('.number').allTextContents(), ['10', '11', '12']);
  await one.getByRole('button', { name: 'Why' }).click();
  assert.match(await one.innerText(), /apart from case, spaces, punctuation and a label/);
  await one.getByRole('button', { name: 'Evidence' }).click();
  const places = await one.locator('.evidence .place').allTextContents();
  assert.deepEqual(places, ['stuck.jsonl:10', 'stuck.jsonl:11', 'stuck.jsonl:12']);
  assert.equal(await one.getByRole('button', { name: 'Why' }).getAttribute('aria-expanded'), 'false');
  await one.locator('.warning-foot .number').first().click();
  await page.getByRole('heading', { name: 'Iteration 10', exact: true }).waitFor();
  assert.match(at.hash(), /\/i\/10$/);
});

test('a run without warnings is quiet', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  await at.goto('#/run/env_0/i');
  await page.locator('.no-warnings').waitFor();
  assert.equal(await page.locator(WARNINGS).count(), 0);
});

test('facts say where they come from, and what the file says instead', async (t) => {
  const { at, page } = await stuck(t);
  const { trajectory } = await explanation(t, at);
  await page.locator('.facts', { hasText: 'Learning rate' }).waitFor();
  const facts = Object.fromEntries(await page.locator('.facts dl > div').evaluateAll((rows) =>
    rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').innerText.trim()]),
  ));
  assert.match(facts.Trajectory, new RegExp(`^${trajectory.class}: ${trajectory.up} up, ${trajectory.down} down, ${trajectory.flat} level`));
  assert.match(facts.Best, new RegExp(`^${trajectory.best} ${trajectory.bestReward.toFixed(3)}`));
  assert.match(facts.Selected, new RegExp(`^${trajectory.selected} .* by highest_quality_verified`));
  assert.match(facts.Final, new RegExp(`^${trajectory.last} ${trajectory.lastReward.toFixed(3)}`));
  assert.match(facts['Last instead of selected'], /^−0\.260/);
  assert.ok(facts['Learning rate'].startsWith(`+${trajectory.learningRate.toFixed(3)}`));
  assert.equal(facts['First attempt'], '2026-03-05 10:23:00 +01:00');
  assert.match(facts['Window Ω'], /^3, recorded$/);

  const folder = await tempFolder(t, { 'iteration-analytics.json': JSON.stringify({
    loop_id: 'ralph-declared', task: 'Count', total_iterations: 3, best_iteration: 1, total_tokens: 999,
    iterations: [40, 90, 60].map((score, n) => ({
      iteration_number: n + 1, quality_score: score, timestamp: `2026-01-0${n + 1}T00:00:00Z`,
      ...(n < 2 ? { tokens_used: 100 } : {}),
    })),
  }) });
  await at.drop([path.join(folder, 'iteration-analytics.json')]);
  await page.locator('.facts', { hasText: 'Tokens' }).waitFor();
  const text = await page.locator('.facts').innerText();
  assert.match(text, /at least 200 \(2 of 3 iterations say\)/);
});

test('reflections are judged quietly, and confidence only with enough pairs', async (t) => {
  const { at, page } = await stuck(t);
  const { calibration, reflections } = await explanation(t, at);
  const fold = page.getByRole('button', { name: /^Reflection quality/ });
  const weak = reflections.filter(({ marks }) => marks.length > 0).length;
  assert.match(await fold.innerText(), new RegExp(`${weak} of ${reflections.length} reflections ha(s|ve) a weakness`));
  await fold.click();
  const sure = page.locator('.sure');
  assert.ok(calibration.correlation !== undefined);
  assert.ok((await sure.innerText()).includes(
    `Correlation ${calibration.correlation.toFixed(2).replace('-', '−')} over ${calibration.pairs} pairs.`,
  ));
  assert.equal(await sure.locator('tbody tr').count(), calibration.pairs);
});

test('the grid of errors is what the core found', async (t) => {
  const { at, page } = await stuck(t);
  const { errors } = await explanation(t, at);
  await at.goto(`${RUN}/errors`);
  await page.locator('.wide-row').first().waitFor();
  const rows = await cells(page);
  assert.equal(rows.length, errors.length);
  for (const error of errors) {
    const row = rows.find(({ name }) => name === error.signature);
    const drawn = (mark) => row.cells.flatMap((cell, at) => (cell === mark ? [at + 1] : []));
    assert.deepEqual(drawn('N'), [error.seen[0]], error.signature);
    assert.deepEqual(drawn('R'), error.cameBack, error.signature);
    assert.deepEqual(
      row.cells.flatMap((cell, at) => ('N=R'.includes(cell) && cell ? [at + 1] : [])),
      error.seen,
    );
    assert.equal(row.cells[6], '?', 'the list of 7 is not known');
    for (const number of error.cleared) assert.equal(row.cells[number - 1], '·');
  }
  const timeout = rows.find(({ name }) => name.startsWith('timeout|'));
  assert.match(timeout.sentence, /: first 1, cleared 3, back 6; seen in 10 iterations, still open$/);
  const back = errors.filter(({ cameBack }) => cameBack.length > 0).length;
  assert.match(await page.locator('.errors .learn-head').innerText(), new RegExp(`5 signatures, ${back} came back`));

  // Sorting and the filter are in the address.
  await page.getByRole('button', { name: 'newest' }).click();
  assert.match(at.hash(), /sort=newest/);
  await page.waitForFunction(() => /lock was/.test(document.querySelector('.errors .wide-row .wide-name')?.textContent));
  await page.getByRole('checkbox', { name: 'still open' }).check();
  assert.match(at.hash(), /show=open/);
  await page.waitForFunction(() => document.querySelectorAll('.errors .wide-row').length === 2);
});

test('a grid is used with keys, and a cell selects its iteration everywhere', async (t) => {
  const { at, page } = await stuck(t);
  await at.goto(`${RUN}/errors/5`);
  await page.locator('.wide-row').first().waitFor();
  const grid = page.getByRole('grid', { name: 'Errors by iteration' });
  assert.equal(await grid.getAttribute('aria-rowcount'), '6');
  assert.equal(await grid.getAttribute('aria-colcount'), '15');
  // Each number stands above its own letters, that of the selected iteration too.
  const lefts = (selector) => page.locator(selector).evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
  assert.deepEqual(await lefts('.errors .wide-col'), await lefts('.errors .wide-row[aria-rowindex="2"] .wide-cell'));
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const active = () => page.evaluate(() => {
    const cursor = document.getElementById(document.querySelector('[role=grid].wide-grid').getAttribute('aria-activedescendant'));
    return [cursor.getAttribute('aria-colindex'), cursor.closest('[role=row]').getAttribute('aria-rowindex')];
  });
  assert.deepEqual(await active(), ['7', '3']);
  assert.match(at.hash(), /errors\/5$/, 'moving is not selecting');
  await page.keyboard.press('Enter');
  assert.match(at.hash(), /errors\/6$/);
  await page.getByRole('heading', { name: 'Iteration 6', exact: true }).waitFor();
  await page.keyboard.press('Control+End');
  assert.deepEqual(await active(), ['15', '6']);
  await page.locator('.errors .wide-row').first().locator('.wide-cell').nth(3).click();
  assert.match(at.hash(), /errors\/4$/);
  assert.match(await page.locator('.errors .original').innerText(), /As it was written first/);
  await page.keyboard.press('2');
  await page.locator(STEP).waitFor();
  assert.match(at.hash(), /\/i\/4$/);
});

test('a stretch of iterations is marked by hand, by key and by number, and the chart has it too', async (t) => {
  const { at, page } = await stuck(t);
  const { errors } = await explanation(t, at);
  await at.goto(`${RUN}/errors/5`);
  const rows = page.locator('.errors .wide-row');
  await rows.first().waitFor();
  const grid = page.getByRole('grid', { name: 'Errors by iteration' });
  const head = page.locator('.errors .learn-head [role=status]');
  const within = (from, to) => errors.filter(({ seen }) => seen.some((n) => n >= from && n <= to)).length;

  // By hand: from one cell to another, which selects nothing.
  const cell = (column) => rows.nth(1).locator('.wide-cell').nth(column);
  await cell(2).hover();
  await page.mouse.down();
  await cell(4).hover();
  await cell(3).hover();
  assert.equal(await page.locator('.wide-marked').count(), 1);
  await page.mouse.up();
  await head.filter({ hasText: `${within(3, 4)} of 5 signatures, in iterations 3 to 4` }).waitFor();
  assert.match(at.hash(), /errors\/5\?.*zoom=3\.\.4/);
  assert.equal(await grid.getAttribute('aria-colcount'), '3');
  await page.waitForFunction((count) => document.querySelectorAll('.errors .wide-row').length === count, within(3, 4));
  const drawn = await cells(page);
  for (const { seen, signature } of errors) {
    const row = drawn.find(({ name }) => name === signature);
    assert.equal(row !== undefined, seen.includes(3) || seen.includes(4), signature);
    row?.cells.forEach((mark, index) => {
      assert.equal('N=R'.includes(mark) && mark !== '', seen.includes(index + 3), `${signature} at ${index + 3}`);
    });
  }
  await rows.first().locator('.wide-cell').nth(1).click();
  assert.match(at.hash(), /errors\/4/, 'the second cell is iteration 4');

  // The chart shows the same stretch, and gives it back.
  await page.keyboard.press('2');
  await page.locator('.chart-caption', { hasText: '2 of 14 iterations in sight' }).or(
    page.locator('.chart-caption', { hasText: '3 of 14 iterations in sight' })).waitFor();
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.hash.includes('zoom='));
  await page.keyboard.press('3');
  await page.waitForFunction(() => document.querySelectorAll('.errors .wide-row').length === 5);

  // By key, from the cursor on.
  await grid.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.locator('p.spoken', { hasText: 'Iterations 4 to 6 marked. Enter shows only them.' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.wide-marked').count(), 0);
  assert.match(at.hash(), /errors\/4$/, 'Esc leaves the mark and not the run');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /zoom=\d+\.\.14/.test(location.hash));

  // By number.
  await page.getByLabel('First iteration shown').fill('1');
  await page.getByLabel('First iteration shown').press('Enter');
  await page.waitForFunction(() => !location.hash.includes('zoom='));
  await page.getByLabel('Last iteration shown').fill('2');
  await page.getByLabel('Last iteration shown').press('Enter');
  await head.filter({ hasText: 'in iterations 1 to 2' }).waitFor();
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await head.filter({ hasText: '5 signatures, ' }).waitFor();
  assert.doesNotMatch(at.hash(), /zoom=/);
});

test('lessons of any two iterations', async (t) => {
  const { at, page } = await stuck(t);
  const { lessons } = await explanation(t, at);
  await at.goto(`${RUN}/errors/2?mode=sets`);
  await page.locator('.lesson-set').first().waitFor();
  const of = (number, state) => lessons.filter((row) => row.number === number && row.state === state);
  for (const number of [2, 5, 9]) {
    await at.goto(`${RUN}/errors/${number}?mode=sets`);
    await page.locator('.between .number', { hasText: new RegExp(`^${number}$`) }).first().waitFor();
    for (const state of ['new', 'returned', 'reworded', 'kept', 'dropped']) {
      const set = page.locator('.lesson-set', { has: page.getByRole('heading', { name: new RegExp(`^${state} `) }) });
      await eventually(async () => assert.equal(await set.locator('li').count(), of(number, state).length, `${number} ${state}`));
    }
  }
  await at.goto(`${RUN}/errors/2?mode=sets`);
  const reworded = page.locator('.lesson-set', { hasText: 'reworded' });
  await eventually(async () => {
    assert.match(await reworded.innerText(), /Check the size before insert_session\(\) adds\{\+ a session\}/);
    assert.match(await reworded.innerText(), /word overlap 0\.\d\d, since 1/);
  });
  assert.equal(await reworded.locator('ins').count(), 1);

  const pick = (name) => page.locator('.pick', { hasText: new RegExp(`^${name}`) }).locator('select');
  await pick('from').selectOption('1');
  await pick('to').selectOption('9');
  await page.waitForFunction(() => /errors\/9\?.*from=1/.test(location.hash));
  const dropped = page.locator('.lesson-set', { hasText: 'dropped' });
  await eventually(async () => {
    assert.match(await dropped.innerText(), /Run one failing test before all of them\s+last seen at 2/);
  });

  await page.getByRole('button', { name: 'Two, word by word' }).click();
  assert.match(at.hash(), /mode=words/);
  assert.ok((await page.locator('.lesson-words').innerText()).includes('{+'));

  await page.getByRole('button', { name: 'All attempts' }).click();
  await page.locator('.lessons .wide-row').first().waitFor();
  const grid = await cells(page, '.lessons');
  for (const row of grid) {
    for (const [column, cell] of row.cells.entries()) {
      if (cell === 'N') assert.ok(of(column + 1, 'new').length > 0);
    }
  }
  assert.equal(grid.flatMap(({ cells }) => cells).filter((cell) => cell === 'R').length,
    lessons.filter(({ state }) => state === 'returned').length);
});

test('what recurs and what was taken up is evidence, and said to be', async (t) => {
  const { at, page } = await stuck(t);
  const { patterns, uptakes } = await explanation(t, at);
  await at.goto(`${RUN}/lessons`);
  await page.locator('.pattern').first().waitFor();
  const taken = uptakes.filter(({ takenUp }) => takenUp !== undefined);
  assert.ok(patterns.length > 0 && taken.length > 0);
  assert.equal(await page.locator('.pattern').count(), patterns.length + taken.length);
  const fold = page.locator('.fold', { hasText: 'Taken up' });
  assert.match(await fold.innerText(), new RegExp(`${taken.length} of ${uptakes.length} lessons`));
  assert.match(await fold.innerText(), /no proof that one led to the other/);
});

test('the divider is moved with keys and stays', async (t) => {
  const { at, page } = await stuck(t);
  const divider = page.getByRole('separator', { name: 'Divider' });
  assert.equal(await divider.getAttribute('aria-valuenow'), '52');
  const width = () => page.locator('.run-left').evaluate((left) => left.clientWidth);
  const before = await width();
  await divider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await divider.getAttribute('aria-valuenow'), '48');
  assert.ok((await width()) < before - 20);
  const box = await divider.boundingBox();
  await page.mouse.move(box.x + 4, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 150, 400);
  await page.mouse.up();
  const dragged = Number(await divider.getAttribute('aria-valuenow'));
  assert.ok(dragged > 55, String(dragged));
  await page.reload();
  assert.equal(Number(await page.getByRole('separator').getAttribute('aria-valuenow')), dragged);
});

test('runs that lack what a tab is about say so', async (t) => {
  const { at, page } = await start(t);
  const one = { loop_id: 'ralph-one', iteration: 1, evaluator_output: { passed: false }, actor_output: {} };
  const folder = await tempFolder(t, { 'one.jsonl': JSON.stringify(one) + '\n' });
  await at.drop([path.join(folder, 'one.jsonl')]);
  await at.inspector.locator('.verdict').waitFor();
  await at.goto('#/run/ralph-one/errors');
  await page.locator('.empty', { hasText: 'No iteration of this run has a list of errors' }).waitFor();
  await at.goto('#/run/ralph-one/lessons');
  await page.locator('.empty', { hasText: 'No reflection of this run has a lesson' }).waitFor();
});

test('ten thousand iterations: only what is in sight exists', async (t) => {
  const { at, page } = await start(t);
  const line = (n) => JSON.stringify({
    loop_id: 'ralph-long', iteration: n, actor_output: { actions: [{ type: 'other', description: 'Try' }] },
    evaluator_output: {
      passed: false, reward_signal: (n % 50) / 100,
      errors: n % 3 ? [{ type: 'timeout', message: `after ${n} ms` }] : [],
    },
    self_reflection: { reflection_text: `Attempt ${n}.`, lessons_learned: [`Lesson of group ${Math.floor(n / 100)}`] },
  });
  const text = Array.from({ length: 10_000 }, (_, n) => line(n + 1)).join('\n');
  const folder = await tempFolder(t, { 'long.jsonl': text });
  await at.drop([path.join(folder, 'long.jsonl')]);
  await at.goto('#/run/ralph-long/errors/10000');
  await page.locator('.wide-row').first().waitFor();
  assert.ok((await page.locator('.errors .wide-cell').count()) < 200);
  await page.locator('.errors .wide-cell').last().waitFor();
  const grid = page.getByRole('grid', { name: 'Errors by iteration' });
  assert.equal(await grid.getAttribute('aria-colcount'), '10001');
  await grid.focus();
  await page.keyboard.press('Home');
  await grid.locator('.wide-cell[aria-label="1: first seen"]').waitFor();
  await page.keyboard.press('End');
  await grid.locator('.wide-cell[aria-label^="10000:"]').waitFor();
  // The lessons are a grid of their own, with a cursor of its own.
  await page.getByRole('grid', { name: 'Lessons by iteration' }).locator('.wide-cell.cursor').waitFor();
  const ids = await page.locator('.wide-cell.cursor').evaluateAll((cells) => cells.map(({ id }) => id));
  assert.deepEqual(ids, ['cursor-errors-by-iteration', 'cursor-lessons-by-iteration']);
  assert.equal(await grid.getAttribute('aria-activedescendant'), ids[0]);
  await at.goto('#/run/ralph-long/i/10000');
  await page.locator('.warnings').waitFor();
});

for (const viewport of [{ width: 320, height: 640 }, { width: 800, height: 900 }, { width: 1440, height: 900 }]) {
  test(`nothing scrolls sideways but the grids: ${viewport.width}`, async (t) => {
    const { at, page } = await stuck(t, { viewport });
    for (const [hash, shows] of [
      [`${RUN}/i/6`, '.inspector .verdict'], [`${RUN}/errors/6`, '.wide-row'], [`${RUN}/lessons/9?mode=sets`, '.lesson-set'],
      [`${RUN}/lessons/9?mode=grid`, '.wide-row'], [`${RUN}/lessons/9?mode=words`, '.lesson-words'],
    ]) {
      await at.goto(hash);
      await page.locator(shows).first().waitFor();
      assert.equal(await at.scrollsSideways(), false, hash);
    }
    const isNarrow = viewport.width < 1024;
    await at.goto(`${RUN}/i/6`);
    await page.locator('.inspector .verdict').waitFor();
    const [left, right] = await Promise.all(['.run-chart', '.inspector'].map((part) => page.locator(part).boundingBox()));
    assert.equal(right.y > left.y + left.height, isNarrow, 'below where it is not wide');
  });
}
