// Paper: one column, light, everything open, lists written out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import path from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import { ROOT, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUN = 'ralph-duration-parser-2026-03-02';

test('a run is printed in one light column, with what was folded', async (t) => {
  const { page } = await openPage(t, { colorScheme: 'dark' });
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  await at.goto(`#/run/${RUN}/i/3`);
  await at.inspector.locator('.verdict').waitFor();
  const folded = () => page.locator('.fold.closed .fold-button').allTextContents();
  const closed = await folded();
  assert.ok(closed.length > 0, 'something is folded on the screen');
  assert.equal(await page.locator('.print-only').isVisible(), false);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.waitForFunction(() => document.querySelectorAll('.fold.closed').length === 0);
  assert.match(await page.locator('.print-only').textContent(), /^Begins in improving\.jsonl, digest [0-9a-f]{16}$/);
  const seen = await page.evaluate(() => {
    const left = document.querySelector('.run-left').getBoundingClientRect();
    const right = document.querySelector('.run-right').getBoundingClientRect();
    return {
      ground: getComputedStyle(document.body).backgroundColor,
      isBelow: right.top >= left.bottom,
      buttons: [...document.querySelectorAll('button:not(.fold-button, .sort)')].filter((b) => b.offsetParent).length,
      rows: document.querySelectorAll('.iteration-grid .vrow').length,
      numbers: document.querySelectorAll('.iteration-grid .row-link').length,
    };
  });
  assert.equal(seen.ground, 'rgb(255, 255, 255)');
  assert.ok(seen.isBelow, 'one column');
  assert.equal(seen.buttons, 0);
  assert.equal(seen.rows, seen.numbers);
  const folder = path.join(ROOT, 'target/shots');
  await mkdir(folder, { recursive: true });
  const pdf = await page.pdf({ format: 'A4' });
  await writeFile(path.join(folder, 'run.pdf'), pdf);
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g) ?? [];
  assert.ok(pages.length >= 2, `${pages.length} pages: nothing is cut off at the first`);
  await page.emulateMedia({ media: 'screen' });
  // Parts that came in the meantime may be folded, too.
  await page.waitForFunction((closed) => {
    const now = [...document.querySelectorAll('.fold.closed .fold-button')].map((button) => button.textContent);
    return closed.every((title) => now.includes(title));
  }, closed);
});

test('charts are printed as SVG: black on white, distinct without colour', async (t) => {
  const { page } = await openPage(t, { colorScheme: 'dark' });
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  await at.goto(`#/run/${RUN}/i/3`);
  await page.locator('.run-plot canvas').waitFor();
  assert.equal(await page.locator('.print-chart svg').count(), 0, 'not on a screen');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const chart = page.locator('.run-chart .print-chart svg');
  await chart.waitFor();
  assert.equal(await page.locator('.run-plot').isVisible(), false);
  const { width } = await page.locator('.run-chart').boundingBox();
  const box = await chart.boundingBox();
  assert.ok(box.width > 300 && box.width <= width && box.height > 150, `${box.width} of ${width}`);
  const seen = await chart.evaluate((svg) => ({
    texts: [...svg.querySelectorAll('text')].map((text) => text.textContent),
    line: svg.querySelectorAll('polyline.ink-accent').length,
    colours: [...new Set([...svg.querySelectorAll('.line:not(.ink-line, .ink-background)')]
      .map((line) => getComputedStyle(line).stroke))],
  }));
  for (const text of ['1.0', '0.5', '0.0', '1', 'best, selected, final', 'iteration']) assert.ok(seen.texts.includes(text), `${text} in ${seen.texts}`);
  assert.ok(seen.line > 0, 'the rewards are a line');
  assert.deepEqual(seen.colours, ['rgb(0, 0, 0)']);
  await page.emulateMedia({ media: 'screen' });
  await page.waitForFunction(() => document.querySelectorAll('.print-chart svg').length === 0);
  await page.locator('.run-plot canvas').waitFor();

  await at.goto(`#/compare?runs=${RUN},ralph-retry-client-2026-03-03`);
  await page.locator('.compare-lines canvas').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const lines = page.locator('.compare-lines .print-chart svg').first();
  await lines.waitFor();
  const dashes = await lines.evaluate((svg) =>
    [...svg.querySelectorAll('polyline[stroke-width="2"]')].map((line) => line.getAttribute('stroke-dasharray')));
  assert.ok(new Set(dashes).size > 1, `lines differ: ${dashes}`);
});

test('the dialog of the browser prints the charts as SVG too', async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  await at.goto(`#/run/${RUN}/i/3`);
  await page.locator('.run-plot canvas').waitFor();
  const drawn = await page.evaluate(async () => {
    dispatchEvent(new Event('beforeprint'));
    // The browser takes its picture as soon as the listeners are done.
    await Promise.resolve();
    await new Promise((done) => queueMicrotask(done));
    return document.querySelectorAll('.run-chart .print-chart svg').length;
  });
  assert.equal(drawn, 1);
});

test('lists are written out up to 200 rows, and longer ones after a question', async (t) => {
  const record = (n) => JSON.stringify({
    loop_id: `ralph-${String(n).padStart(4, '0')}`, iteration: 1,
    evaluator_output: { passed: n % 2 === 0 }, self_reflection: { reflection_text: 'x' },
  });
  const folder = await tempFolder(t, { 'a/a.jsonl': Array.from({ length: 260 }, (_, n) => record(n)).join('\n') });
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await page.evaluate(() => {
    window.print = () => {
      window.printed = document.querySelectorAll('.runs-grid .row-link').length;
    };
  });
  await at.drop([path.join(folder, 'a')]);
  await at.goto('#/runs');
  await at.runKeys();
  await page.keyboard.press('Control+p');
  await page.getByText('The list has 260 rows').waitFor();
  await page.getByRole('button', { name: 'The first 200', exact: true }).click();
  await page.waitForFunction(() => window.printed !== undefined);
  assert.equal(await page.evaluate(() => window.printed), 200);
  await page.evaluate(() => { delete window.printed; });
  await page.keyboard.press('Control+p');
  await page.getByRole('button', { name: 'All 260', exact: true }).click();
  await page.waitForFunction(() => window.printed !== undefined);
  assert.equal(await page.evaluate(() => window.printed), 260);
  await page.waitForFunction(() => document.querySelectorAll('.runs-grid .row-link').length < 120);
  assert.equal(await page.evaluate(() => document.documentElement.hasAttribute('data-print')), false);
});
