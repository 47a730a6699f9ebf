// What is open can be taken away as a file: all runs that are shown, or one of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

/** Chooses a form from the menu; gives the path of the download, under its own name, and its text. */
async function taken(t, at, form) {
  const waits = at.page.waitForEvent('download');
  await at.page.getByRole('button', { name: /^Export / }).click();
  await at.page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: form }).click();
  const download = await waits;
  const file = path.join(await tempFolder(t), download.suggestedFilename());
  await download.saveAs(file);
  return { file, name: download.suggestedFilename(), text: await readFile(file, 'utf8') };
}

/** What the list of runs says, row by row. */
async function rows(at) {
  await at.runKeys();
  return at.runs.locator('.row:not(.head)').allInnerTexts();
}

test('a history of all runs opens again and shows the same', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  const before = await rows(at);
  // Findings about records are made of the records, so these go in.
  await page.getByRole('button', { name: /^Export / }).click();
  await page.getByRole('group', { name: 'What goes in' }).getByRole('checkbox', { name: 'Records' }).check();
  await page.keyboard.press('Escape');
  const { file, name, text } = await taken(t, at, /^History/);
  assert.match(name, /^hindscope-3-runs-\d{4}-\d\d-\d\d\.hindscope\.jsonl$/);
  assert.ok(text.trim().split('\n').every((line) => JSON.parse(line)));
  assert.equal(await at.status.textContent(), `Exported as ${name}.`);
  await at.drop([file]);
  await at.view('Runs');
  assert.match(await at.heading.textContent(), /^3 runs$/);
  assert.deepEqual(await rows(at), before);
});

test('a CSV has a row for each iteration of the runs that the filter leaves', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  const all = await taken(t, at, /^CSV/);
  assert.match(all.name, /^hindscope-3-runs-.*\.csv$/);
  await at.filterRuns('ralph-duration-parser');
  await page.locator('.count-line', { hasText: 'Showing 1 of 3 runs' }).waitFor();
  const one = await taken(t, at, /^CSV/);
  assert.match(one.name, /^hindscope-ralph-duration-parser-2026-03-02-\d{4}-.*\.csv$/);
  await at.openRun('ralph-duration-parser-2026-03-02', 'Attempts');
  const count = Number(await at.iterations.getAttribute('aria-rowcount')) - 1;
  const begins = (text) => text.split('\r\n').filter((line) => line.includes('ralph-duration-parser-2026-03-02'));
  assert.equal(begins(one.text).length, count);
  assert.deepEqual(begins(all.text), begins(one.text));
});

test('a run is written in every form', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.openRun('ralph-duration-parser-2026-03-02');
  const forms = page.getByRole('list', { name: 'Formats', includeHidden: true }).locator('button');
  // The viewer copy is among them: the single file lies beside the page.
  assert.equal(await forms.count(), 9);
  const analytics = await taken(t, at, /^Analytics CSV/);
  assert.match(analytics.name, /^hindscope-ralph-duration-parser.*\.csv$/);
  const report = await taken(t, at, /^Markdown/);
  assert.match(report.name, /\.md$/);
  assert.match(report.text, /^# /m);
  const written = await taken(t, at, /^HTML report/);
  assert.match(written.text, /default-src 'none'/);
  assert.doesNotMatch(written.text, /<script/);
  for (const form of [/^JSON: iterations/, /^JSON: findings/, /^JSON: explanation/]) {
    const { name, text } = await taken(t, at, form);
    assert.match(name, /^hindscope-ralph-duration-parser.*\.json$/);
    assert.ok(JSON.parse(text));
  }
  await at.drop([analytics.file]);
  await at.inspector.locator('.verdict').waitFor();
});

test('the menu is used with keys, and goes away when it is left', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.openRun('ralph-duration-parser-2026-03-02');
  const button = page.getByRole('button', { name: 'Export this run' });
  const isOpen = () => button.getAttribute('aria-expanded');
  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await isOpen(), 'true');
  await page.keyboard.press('Tab');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^History/);
  await page.keyboard.press('Escape');
  assert.equal(await isOpen(), 'false');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'export-button');
  assert.match(at.hash(), /^#\/run\//, 'the key closes the menu and nothing else');
  await page.keyboard.press('Space');
  assert.equal(await isOpen(), 'true');
  await at.heading.click();
  assert.equal(await isOpen(), 'false');
  const waits = page.waitForEvent('download');
  await button.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.match((await waits).suggestedFilename(), /\.hindscope\.jsonl$/);
});

for (const hash of ['#/runs', '#/run/ralph-duration-parser-2026-03-02']) {
  test(`the open menu fits into 320 pixels: ${hash}`, async (t) => {
    const { at, page } = await start(t, { viewport: { width: 320, height: 640 } });
    await at.sample('improving');
    await at.goto(hash);
    await page.getByRole('button', { name: /^Export / }).click();
    const box = await page.getByRole('list', { name: 'Formats' }).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
    assert.equal(await at.scrollsSideways(), false);
  });
}

test('sizes are shown before, and ticks say what goes in: output does not at first', async (t) => {
  const record = (iteration) => JSON.stringify({
    loop_id: 'ralph-a', iteration, timestamp: '2026-03-01T09:12:00Z',
    actor_output: { actions: [], rationale: 'Try.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests', results: [{ tool: 'pytest', status: 'fail', exit_code: 1, stdout: `printed ${'x'.repeat(5000)}` }] },
    self_reflection: { reflection_text: 'The file /home/ann/shop/a.py was not saved.' },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
    // No field of an attempt holds it: only records as written do.
    trace: 'y'.repeat(3000),
  });
  const text = `${record(1)}\n${record(2)}\n`;
  const folder = await tempFolder(t, { 'x/run.jsonl': text });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'x')]);
  const open = () => page.getByRole('button', { name: 'Export this run' }).click();
  const tick = (name) => page.getByRole('group', { name: 'What goes in' }).getByRole('checkbox', { name });
  const size = (name) => page.locator('.export-list button', { hasText: new RegExp(`^${name}`) }).locator('.export-size');
  /** A size with its unit, to a tenth, as bytes. */
  const bytes = async (name) => {
    await size(name).filter({ hasText: /\d/ }).waitFor();
    const [, number, unit] = /^([\d.]+) (bytes|KB)$/.exec(await size(name).textContent());
    return Number(number) * (unit === 'KB' ? 1000 : 1);
  };
  /** Chooses the history, whose size was shown, in the menu that is open. */
  const history = async () => {
    const shown = await bytes('History');
    const waits = page.waitForEvent('download');
    await page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: /^History/ }).click();
    const written = await readFile(await (await waits).path(), 'utf8');
    assert.ok(Math.abs(written.length - shown) <= Math.max(50, shown / 15), `${written.length} bytes, ${shown} shown`);
    return written;
  };
  /** Does what changes the size of the history. */
  const weighed = async (change) => {
    await bytes('History');
    const before = await size('History').textContent();
    await change();
    await page.waitForFunction((before) => (document.querySelector('.export-size')?.textContent ?? before) !== before, before);
  };
  await open();
  const ticked = async () => Promise.all(['Output', 'Tasks', 'Absolute', 'Records', 'Texts'].map((name) => tick(name).isChecked()));
  assert.deepEqual(await ticked(), [false, true, true, false, true]);
  await page.locator('.export-ticks label', { hasText: 'Records as written' }).filter({ hasText: '17 KB, with all above' }).waitFor();
  let written = await history();
  assert.ok(!written.includes('printed') && written.includes('/home/ann/shop'), written);
  await open();
  await weighed(() => tick('Output').check());
  await tick('Absolute').uncheck();
  written = await history();
  assert.ok(written.includes('printed x') && !written.includes('/home/ann'), written.slice(0, 900));
  assert.ok(written.includes('\u2026/a.py') && JSON.parse(written.split('\n')[0]).leftOut.includes('originals'));

  // Records hold everything, and the ticks say so.
  await open();
  await weighed(() => tick('Records').check());
  assert.deepEqual(await ticked(), [true, true, true, true, true]);
  assert.ok(await tick('Output').isDisabled() && await tick('Absolute').isDisabled());
  const [head, ...lines] = (await history()).trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(head.leftOut, undefined);
  assert.deepEqual(lines.map(({ raw }) => raw), text.trim().split('\n'));
});

test('a file that became shorter ends the export with its name', async (t) => {
  const { writeFile } = await import('node:fs/promises');
  const record = (iteration) => JSON.stringify({ loop_id: 'ralph-a', iteration, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'No.' } });
  const folder = await tempFolder(t, { 'x/run.jsonl': `${record(1)}\n${record(2)}\n` });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'x')]);
  await page.getByRole('button', { name: 'Export this run' }).waitFor();
  await writeFile(path.join(folder, 'x/run.jsonl'), 'gone\n');
  await page.getByRole('button', { name: 'Export this run' }).click();
  await page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: /^History/ }).click();
  await at.notices.filter({ hasText: /run\.jsonl.* cannot be exported: / }).waitFor();
});
