// The rows of a large file are shown while it is read.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertQuiet, dropPaths, openPage, slowWorker, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUNS = 40;
const TEXT = 'One change per attempt makes the next failure readable. '.repeat(70);

/** 30 MB of lines, of 40 runs. */
async function large(t) {
  const line = (n) => JSON.stringify({
    loop_id: `ralph-${String(n % RUNS).padStart(2, '0')}`,
    iteration: Math.floor(n / RUNS),
    timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
    evaluator_output: { passed: n % 12 === 11, reward_signal: (n % 97) / 97 },
    self_reflection: { reflection_text: TEXT },
  });
  const folder = await tempFolder(t, { 'large.jsonl': Array.from({ length: 7000 }, (_, n) => line(n)).join('\n') });
  return path.join(folder, 'large.jsonl');
}

/**
 * A page that notes how many runs it hears of while files are read, and what it shows then: the list, and rows
 * in it. With `isSlow` the worker takes its time.
 */
async function watched(t, { isSlow = false, hash = '' } = {}) {
  const prepare = async (context) => {
    if (isSlow) await slowWorker(context);
    await context.addInitScript(notes);
  };
  const { page, heard } = await openPage(t, { hash, prepare });
  return { page, heard, at: await new HindscopePage(page).ready() };
}

/** Runs in the page: notes what it hears and shows. */
function notes() {
  globalThis.announced = [];
  const heard = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    ...heard,
    set(hear) {
      heard.set.call(this, hear && ((event) => {
        if (event.data?.SoFar) globalThis.announced.push(event.data.SoFar.runs);
        hear.call(this, event);
      }));
    },
  });
  globalThis.rowsWhileReading = 0;
  new MutationObserver(() => {
    if (document.querySelector('.runs-grid')) globalThis.announcedBefore ??= globalThis.announced.length;
    if (!document.querySelector('.strip')) return;
    globalThis.rowsWhileReading = Math.max(globalThis.rowsWhileReading, document.querySelectorAll('.runs-grid .row-link').length);
  }).observe(document, { subtree: true, childList: true });
}

test('rows are shown while reading goes on, and all of them at the end', async (t) => {
  const { page, at, heard } = await watched(t, { isSlow: true });
  await at.drop([await large(t)]);
  const { rows, announced } = await page.evaluate(() => ({ rows: globalThis.rowsWhileReading, announced: globalThis.announced }));
  assert.ok(rows > 0, `runs as they were announced: ${announced}`);
  assert.match(await at.heading.innerText(), /^40 runs$/);
  assertQuiet(heard);
});

test('the list is there before its first runs, and nothing in it moves down when they come', async (t) => {
  const { page, at } = await watched(t);
  await page.evaluate(() => {
    globalThis.tops = [];
    new MutationObserver(() => {
      const list = document.querySelector('.vlist');
      const top = list && Math.round(list.getBoundingClientRect().top - document.querySelector('.main').getBoundingClientRect().top);
      if (list && globalThis.tops.at(-1) !== top && document.querySelector('.strip')) globalThis.tops.push(top);
    }).observe(document.querySelector('.app'), { subtree: true, childList: true, characterData: true });
  });
  await at.drop([await large(t)]);
  const { announcedBefore, announced, tops } = await page.evaluate(() => ({ announcedBefore: globalThis.announcedBefore, announced: globalThis.announced, tops: globalThis.tops }));
  assert.equal(announcedBefore, 0, `runs as they were announced: ${announced}`);
  assert.equal(tops.length, 1, `the list stood at ${tops}`);
});

test('a large file with one run ends at that run, and one without any at the start', async (t) => {
  const { page, at } = await watched(t);
  const line = (n) => JSON.stringify({
    loop_id: 'only', iteration: n, evaluator_output: { passed: false, reward_signal: 0.5 }, self_reflection: { reflection_text: TEXT },
  });
  const folder = await tempFolder(t, {
    'one.jsonl': Array.from({ length: 4500 }, (_, n) => line(n)).join('\n'),
    'none.bin': Buffer.alloc(17_000_000, 7),
  });
  await at.drop([path.join(folder, 'one.jsonl')]);
  assert.match(at.hash(), /^#\/run\/only/);
  await page.goBack();
  assert.match(at.hash(), /^(#\/)?$/, 'the list of one run is no step');
  await page.reload();
  await at.ready();
  await dropPaths(page, [path.join(folder, 'none.bin')]);
  await page.getByRole('heading', { name: 'Open more' }).waitFor();
  assert.match(at.hash(), /^#\/$/);
  await page.getByText('none.bin').first().waitFor();
});

test('a second run that comes late is shown while reading goes on', async (t) => {
  const { page, at } = await watched(t, { isSlow: true });
  const line = (loop, iteration) => JSON.stringify({
    loop_id: loop, iteration, evaluator_output: { passed: false, reward_signal: 0.5 }, self_reflection: { reflection_text: TEXT },
  });
  // The first look sees one run, of which nobody knows whether it stays the only one.
  const text = Array.from({ length: 12_000 }, (_, n) => line(n < 4000 ? 'first' : 'second', n % 4000 + (n >= 8000 ? 4000 : 0))).join('\n');
  const folder = await tempFolder(t, { 'late.jsonl': text });
  await at.drop([path.join(folder, 'late.jsonl')]);
  const { rows, announced } = await page.evaluate(() => ({ rows: globalThis.rowsWhileReading, announced: globalThis.announced }));
  assert.equal(announced[0], 1, `runs as they were announced: ${announced}`);
  assert.equal(rows, 2, `runs as they were announced: ${announced}`);
  assert.match(await at.heading.innerText(), /^2 runs$/);
});

test('a list in another order is shown while reading goes on, too', async (t) => {
  const { page, at } = await watched(t, { isSlow: true, hash: '#/runs?sort=-last' });
  await at.drop([await large(t)]);
  assert.ok(await page.evaluate(() => globalThis.rowsWhileReading) > 0);
  assert.match(await at.runs.locator('[aria-sort=descending]').innerText(), /^Reward/);
});
