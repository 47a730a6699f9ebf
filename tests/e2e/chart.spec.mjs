// The chart of a run: exact, whole by keyboard, quick with a hundred thousand points, and taken
// away as a picture or a page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FIXTURES, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

const GAP = '#/run/ralph-csv-export-2026-03-04/i/2';

/** A record of reflection memory; without a reward it has none. */
function record(loop, iteration, reward, passed = false) {
  return JSON.stringify({
    loop_id: loop,
    iteration,
    evaluator_output: { passed, verification_type: 'unit_tests', ...(reward === null ? {} : { reward_signal: reward }) },
    self_reflection: { reflection_text: 'Try again.' },
  });
}

/** A run with rewards as given. */
async function dropRun(t, at, rewards, first = 1) {
  const lines = rewards.map((reward, position) => record('ralph-made', position + first, reward));
  const folder = await tempFolder(t, { 'made/loop.jsonl': lines.join('\n') });
  await at.drop([path.join(folder, 'made')]);
  // At its last attempt.
  await at.goto(`#/run/ralph-made/i/${rewards.length + first - 1}`);
  await at.page.locator('.run-plot canvas').waitFor();
}

/** Waits until the address says so. */
const atHash = (page, pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);

const readout = (page) => page.locator('#chart-readout').textContent();

/** How many pixels of a column of the chart are about as blue as the line. */
function blue(page, x, from, to) {
  return page.evaluate(([x, from, to]) => {
    const canvas = document.querySelector('.run-plot canvas');
    const ratio = canvas.width / canvas.clientWidth;
    // A copy is read: Chromium complains about a canvas that is read again and again.
    const copy = new OffscreenCanvas(1, to - from).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, Math.round(x * ratio), from * ratio, 1, (to - from) * ratio, 0, 0, 1, to - from);
    const { data } = copy.getImageData(0, 0, 1, to - from);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const [r, g, b] = data.slice(at, at + 3);
      if (r < 60 && g < 130 && b > 130) count += 1;
    }
    return count;
  }, [x, from, to]);
}

test('a missing reward is a hole in the line, said in words, and never zero', async (t) => {
  const { at, page } = await start(t, { colorScheme: 'light' });
  await dropRun(t, at, [0.2, 0.6, null, 0.7, 0.9]);
  await page.keyboard.press('Home');
  const width = await page.locator('.run-plot').evaluate((element) => element.clientWidth);
  const slot = (width - 74) / 5;
  const middle = (position) => Math.round(58 + slot * (position + 0.5));
  assert.ok(await blue(page, middle(0) + slot / 2, 20, 180) > 0, 'the line is drawn');
  for (const x of [middle(1) + slot * 0.7, middle(2), middle(3) - slot * 0.7]) {
    assert.equal(await blue(page, x, 26, 172), 0, 'nothing is drawn across the hole');
  }
  await page.locator('.run-plot').hover({ position: { x: middle(2), y: 90 } });
  assert.equal(await readout(page), 'Iteration 3: failure, no reward');
  await page.locator('.run-plot').hover({ position: { x: middle(3), y: 90 } });
  assert.equal(await readout(page), 'Iteration 4: failure, reward 0.700 (+0.100), gap of 1');
});

test('the table has what the chart has', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.goto('#/run/ralph-retry-client-2026-03-03/i/5');
  await at.inspector.locator('.verdict').waitFor();
  assert.match(await readout(page), /file says \+0\.050/);
  await page.keyboard.press('d');
  const table = page.getByRole('table', { name: 'Reward, reported' });
  const heads = await table.getByRole('columnheader').allTextContents();
  assert.deepEqual(heads.map((head) => head.trim()), ['Iteration', 'Outcome', 'Reward', 'Origin', 'Change', 'File says', 'Errors', 'Findings']);
  const row = table.locator('.row.active');
  const cells = await row.getByRole('cell').allTextContents();
  assert.equal(await row.getByRole('rowheader').textContent(), '5');
  assert.deepEqual(cells.slice(2, 5), ['reported', '0.000', '+0.050']);
  assert.equal(await table.getAttribute('aria-rowcount'), String((await table.locator('.row').count())));
});

test('the whole chart works by keyboard', async (t) => {
  const { at, page } = await start(t);
  await dropRun(t, at, Array.from({ length: 40 }, (_, n) => n / 40));
  const slider = page.getByRole('slider', { name: 'Iteration' });
  await slider.focus();
  await page.keyboard.press('Home');
  assert.equal(await slider.getAttribute('aria-valuenow'), '1');
  assert.match(await slider.getAttribute('aria-valuetext'), /^Iteration 1: failure, reward 0\.000/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.match(await slider.getAttribute('aria-valuetext'), /^Iteration 3: failure, reward 0\.050 \(\+0\.025\)/);
  await page.keyboard.press('+');
  await atHash(page, /zoom=\d+\.\.\d+/);
  assert.match(await page.locator('#chart-caption').textContent(), /^\d+ of 40 iterations in sight$/);
  const [, first, last] = /zoom=(\d+)\.\.(\d+)/.exec(at.hash());
  assert.ok(Number(first) <= 3 && Number(last) >= 3 && last - first < 22, at.hash());
  await page.keyboard.press('End');
  await atHash(page, /zoom=\d+\.\.40/);
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.hash.includes('zoom'));
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'inspector');
  await slider.focus();
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'heading');
  // Steps from elsewhere are said aloud.
  await page.keyboard.press('k');
  await page.waitForFunction(() => /^Iteration 39: /.test(document.querySelector('p.spoken')?.textContent));
});

test('a stretch that is marked is shown larger, and the address brings it back', async (t) => {
  const { at, page } = await start(t);
  await dropRun(t, at, Array.from({ length: 60 }, (_, n) => (n % 10) / 10));
  const box = await page.locator('.run-plot').boundingBox();
  const x = (share) => box.x + 58 + (box.width - 74) * share;
  await page.mouse.move(x(0.25), box.y + 80);
  await page.mouse.down();
  await page.mouse.move(x(0.5), box.y + 90, { steps: 4 });
  assert.equal(await page.locator('.brush').count(), 1);
  await page.mouse.up();
  await atHash(page, /zoom=1\d\.\.3\d/);
  assert.equal(await page.locator('.brush').count(), 0);
  const zoomed = at.hash();
  const caption = await page.locator('#chart-caption').textContent();
  await page.getByRole('button', { name: 'Show the whole run' }).click();
  await page.waitForFunction(() => !location.hash.includes('zoom'));
  await at.goto(zoomed);
  await page.waitForFunction((text) => document.querySelector('#chart-caption')?.textContent === text, caption);
  // A click on the strip below moves it.
  const strip = page.locator('.whole');
  const length = (await strip.boundingBox()).width;
  await strip.click({ position: { x: length - 4, y: 12 } });
  await atHash(page, /zoom=\d+\.\.60/);
});

test('the line is drawn where the zoom has it', async (t) => {
  const { at, page } = await start(t, { colorScheme: 'light' });
  await dropRun(t, at, Array.from({ length: 60 }, () => 0.5));
  await page.keyboard.press('Home');
  await at.goto(`${at.hash().split('?')[0]}?zoom=1..6`);
  await page.locator('.chart-caption', { hasText: '6 of 60 iterations in sight' }).waitFor();
  const slot = ((await page.locator('.run-plot').evaluate((element) => element.clientWidth)) - 74) / 6;
  // Between two points there is nothing but the line.
  for (const between of [2, 3, 4, 5]) {
    const x = Math.round(58 + slot * between);
    await page.waitForFunction(() => !document.querySelector('.strip'));
    assert.ok(await blue(page, x, 20, 180) > 0, `between ${between} and the next`);
  }
});

test('a stretch filters the list and the table, and is cleared by hand, by key and by address', async (t) => {
  const { at, page } = await start(t);
  await dropRun(t, at, Array.from({ length: 60 }, (_, n) => n / 60));
  const listed = () => at.iterations.locator('.row-link').allTextContents();
  const status = page.locator('.iteration-panel [role=status]');
  const rows = async () => Number(await at.iterations.getAttribute('aria-rowcount')) - 1;
  const said = (text) => status.filter({ hasText: text }).waitFor();
  await said(/^60$/);
  const clear = page.getByRole('button', { name: 'Show all', exact: true });
  assert.ok(await clear.isDisabled(), 'there is nothing to clear');

  // By hand, in the chart. The last iteration is selected, and not among them.
  const box = await page.locator('.run-plot').boundingBox();
  const x = (share) => box.x + 58 + (box.width - 74) * share;
  await page.mouse.move(x(0.26), box.y + 80);
  await page.mouse.down();
  await page.mouse.move(x(0.49), box.y + 90, { steps: 4 });
  await page.mouse.up();
  await atHash(page, /zoom=16\.\.30/);
  await said('15 of 60; 60, selected, is not among them');
  assert.equal(await rows(), 15);
  const numbers = Array.from({ length: 15 }, (_, n) => String(n + 16));
  assert.deepEqual((await listed()).sort((a, b) => a - b), numbers);
  assert.equal(await at.iterations.locator('.row-link[tabindex="0"]').count(), 1, 'Tab reaches the list');
  await at.iterations.getByRole('link', { name: 'Iteration 20', exact: true }).click();
  await page.waitForFunction(() => location.hash.includes('/i/20?'));
  await said(/^15 of 60$/);
  assert.equal(await at.iterations.locator('.row[aria-selected=true]').getAttribute('aria-rowindex'), '6');
  const link = at.hash();

  // The same as a table.
  await page.keyboard.press('d');
  assert.equal(await page.locator('#run-table').getAttribute('aria-rowcount'), '16');
  assert.equal(await page.locator('#run-table [role=rowheader]').first().textContent(), '16');
  await page.locator('#run-table .row').nth(3).click();
  await page.waitForFunction(() => location.hash.includes('/i/18?'));
  await page.keyboard.press('d');

  // By key: a number is written, and what is shown is cleared.
  const last = page.getByLabel('Last iteration shown');
  await last.focus();
  await last.fill('18');
  await page.keyboard.press('Enter');
  await atHash(page, /zoom=16\.\.18/);
  await said(/^3 of 60$/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.hash.includes('zoom'));
  await said(/^60$/);
  assert.equal(await rows(), 60);

  // The address brings it back, and Errors shares it.
  await at.goto(link);
  await said(/^15 of 60$/);
  await page.keyboard.press('3');
  await page.waitForFunction(() => /errors\/20\?zoom=16\.\.30/.test(location.hash));
  await page.keyboard.press('2');
  await said(/^15 of 60$/);
});

test('points are another unit of the same numbers', async (t) => {
  const { at, page } = await start(t);
  await dropRun(t, at, [0.2, 0.555]);
  await page.getByRole('button', { name: 'Points' }).click();
  await atHash(page, /unit=points/);
  assert.equal(await readout(page), 'Iteration 2: failure, reward 55.5 (+35.5), best and selected and final');
  assert.match(await page.locator('.legend').textContent(), /B best 2 \(55\.5\)/);
  await page.keyboard.press('d');
  assert.match(await page.locator('#run-table').textContent(), /55\.5/);
});

test('a derived reward says so wherever it stands', async (t) => {
  const { at, page } = await start(t);
  await at.sample('tasks');
  await at.openRun('env_3', 'Attempts');
  await page.locator('.run-plot canvas').waitFor();
  const rule = 'reward/derive-verdict';
  assert.match(await page.locator('#chart-title').textContent(), new RegExp(`derived ${rule}`));
  assert.match(await page.locator('.legend').textContent(), new RegExp(`derived ${rule}`));
  assert.match(await readout(page), new RegExp(`derived reward .* by ${rule}`));
  await page.keyboard.press('d');
  const table = await page.locator('#run-table').textContent();
  assert.match(table, /derived/);
  assert.match(table, new RegExp(rule));
});

test('other series of a run are chosen by name and never join its own', async (t) => {
  const { at, page } = await start(t);
  await at.drop([path.join(FIXTURES, 'aiwg/2026.4/episodic-tree')]);
  await at.openRun('task-lantern', 'Attempts');
  const choice = page.getByRole('combobox', { name: 'Series' });
  await choice.selectOption('completion_percent');
  await atHash(page, /series=completion_percent/);
  await page.waitForFunction(() => /^completion_percent, /.test(document.querySelector('#chart-title')?.textContent));
  await choice.selectOption('');
  await page.waitForFunction(() => /^Reward, /.test(document.querySelector('#chart-title')?.textContent));
});

test('a hundred thousand points: the caption counts, a spike is drawn, keys work', async (t) => {
  const { at, page } = await start(t, { colorScheme: 'light' });
  // An unoptimised build reads them for half a minute.
  page.setDefaultTimeout(120_000);
  const rewards = Array.from({ length: 100_000 }, (_, n) => (n === 43_210 ? 0 : 0.9));
  await dropRun(t, at, rewards);
  await page.waitForFunction(() => /Drawing/.test(document.querySelector('#chart-caption')?.textContent));
  const caption = await page.locator('#chart-caption').textContent();
  const [, drawn] = /^Drawing ([\d,]+) of 100,000 points$/.exec(caption) ?? assert.fail(caption);
  assert.ok(Number(drawn.replace(',', '')) < 5000, caption);
  await page.keyboard.press('Home');
  const width = await page.locator('.run-plot').evaluate((element) => element.clientWidth);
  const x = 58 + (width - 74) * (43_210.5 / 100_000);
  const around = [];
  for (let shift = -2; shift <= 2; shift += 1) around.push(await blue(page, x + shift, 100, 174));
  assert.ok(Math.max(...around) > 40, `the spike reaches down: ${around}`);
  await page.locator('.run-plot').hover({ position: { x, y: 170 } });
  assert.match(await readout(page), /^Iteration 43211: failure, reward 0\.000 \(−0\.900\)/);
  await page.keyboard.press('End');
  await page.waitForFunction(() => /^Iteration 100000: /.test(document.querySelector('.chart-slider')?.getAttribute('aria-valuetext')));
  await page.keyboard.press('+');
  await page.waitForFunction(() => /in sight/.test(document.querySelector('#chart-caption')?.textContent));
});

test('no chart is left behind', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  for (let visit = 0; visit < 30; visit += 1) {
    await at.goto(GAP);
    await page.locator('.run-plot canvas').waitFor();
    await at.goto('#/findings');
    await page.locator('.finding-list').waitFor();
  }
  assert.equal(await page.locator('.chart canvas').count(), 0);
});

/** The file that a press of a button gives. */
async function saved(t, page, press) {
  const waits = page.waitForEvent('download');
  await press();
  const download = await waits;
  const file = path.join(await tempFolder(t), download.suggestedFilename());
  await download.saveAs(file);
  return { file, name: download.suggestedFilename(), bytes: await readFile(file) };
}

test('the chart is saved as SVG, and as PNG of twice its size', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.goto(`${GAP}?zoom=1..4&unit=points`);
  await page.locator('.run-plot canvas').waitFor();
  const save = (name) => page.getByRole('group', { name: 'Save the chart' }).getByRole('button', { name }).click();
  const svg = await saved(t, page, () => save('SVG'));
  assert.match(svg.name, /^hindscope-ralph-csv-export-2026-03-04-\d{4}-\d\d-\d\d\.svg$/);
  const text = svg.bytes.toString();
  assert.match(text, /4 of 6 iterations\. Rewards are points, 0 to 100\./);
  assert.doesNotMatch(text, /<script|href=|url\(|<image/);
  const [, width, height] = /width="(\d+)" height="([\d.]+)"/.exec(text);
  const png = await saved(t, page, () => save('PNG'));
  assert.equal(png.name, svg.name.replace(/svg$/, 'png'));
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  assert.equal(png.bytes.readUInt32BE(16), 2 * Number(width));
  assert.equal(png.bytes.readUInt32BE(20), Math.ceil(2 * Number(height)));
});

test('a report opens from disk: styled, silent, and without a request', async (t) => {
  const { at, page, context } = await start(t);
  const hostile = '</pre></style><script>alert(1)</script><img src="https://example.org/x.png" onerror="alert(2)">';
  const lines = [1, 2].map((n) => record(`ralph-${hostile}`, n, n / 4).replace('Try again.', JSON.stringify(hostile).slice(1, -1)));
  const folder = await tempFolder(t, { 'made/loop.jsonl': lines.join('\n') });
  await at.drop([path.join(folder, 'made')]);
  const report = await saved(t, page, async () => {
    await page.getByRole('button', { name: /^Export this run/ }).click();
    await page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: /^HTML report/ }).click();
  });
  const other = await context.newPage();
  const said = [];
  other.on('console', (message) => said.push(message.text()));
  other.on('pageerror', (error) => said.push(String(error)));
  other.on('dialog', (dialog) => said.push(dialog.message()));
  const asked = [];
  other.on('request', (request) => asked.push(request.url()));
  const address = pathToFileURL(report.file).href;
  await other.goto(address);
  assert.deepEqual(asked, [address]);
  assert.equal(await other.locator('script, img, link, iframe, object, [onerror], [style]').count(), 0);
  assert.equal(await other.locator('figure svg').count(), 1);
  assert.equal(await other.locator('pre').first().textContent(), hostile);
  // The style has the hash that its policy names.
  assert.equal(await other.locator('dl div').first().evaluate((element) => getComputedStyle(element).display), 'flex');
  await other.emulateMedia({ colorScheme: 'dark' });
  const ground = () => other.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), 'rgb(18, 23, 28)');
  await other.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  assert.deepEqual(said, []);
});
