// The first rows of a large file come early: the page is ready for them, and asks nothing for them.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertQuiet, dropPaths, openPage, tempFolder } from './lib.mjs';
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
 * A page that notes what it sends to its worker, how many rows of lists it makes, and which titles it has.
 * Messages by the names in `lost` are not sent.
 */
async function watched(t, { lost = [], processors = 2, hash = '' } = {}) {
  const prepare = (context) => context.addInitScript(([lost, processors]) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => processors });
    globalThis.sent = [];
    globalThis.made = 0;
    globalThis.seen = [];
    const name = (message) => (typeof message === 'string' ? message : message?.Ask ? Object.keys(message.Ask.query)[0] : Object.keys(message ?? {})[0]);
    const send = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      globalThis.sent.push(name(message));
      if (!lost.includes(name(message))) send.call(this, message, ...rest);
    };
    globalThis.told = [];
    const heard = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
    Object.defineProperty(Worker.prototype, 'onmessage', {
      ...heard,
      set(hear) {
        heard.set.call(this, hear && ((event) => {
          if (event.data?.SoFar) globalThis.told.push(event.data.SoFar.summary.runs);
          hear.call(this, event);
        }));
      },
    });
    const set = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function (name, value) {
      globalThis.made += Number(String(value) === 'row-link');
      set.call(this, name, value);
    };
    new MutationObserver(() => {
      for (const here of [document.title, document.querySelector('.runs-grid') && 'grid']) {
        if (here && !globalThis.seen.includes(here)) globalThis.seen.push(here);
      }
      if (document.querySelector('.runs-grid')) globalThis.toldBefore ??= globalThis.told.length;
      if (document.querySelector('.runs-grid .row-link')) globalThis.sentBefore ??= [...globalThis.sent];
    }).observe(document, { subtree: true, childList: true });
  }, [lost, processors]);
  const { page, heard } = await openPage(t, { hash, prepare });
  return { page, heard, at: await new HindscopePage(page).ready() };
}

test('the list of runs is made ready where nobody sees it', async (t) => {
  const { page, heard } = await watched(t);
  await page.waitForFunction(() => globalThis.made === 3);
  await page.waitForTimeout(500);
  assert.deepEqual(await page.evaluate(() => globalThis.seen), ['hindscope']);
  assert.deepEqual(await page.evaluate(() => globalThis.sent), [], 'the worker is asked nothing for it');
  assert.equal(await page.locator('#heading').innerText(), 'Open run histories');
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
  assertQuiet(heard);
});

for (const processors of [2, 8]) {
  test(`the first rows need no question, with ${processors} processors`, async (t) => {
    const { page, at, heard } = await watched(t, { processors });
    await at.drop([await large(t)]);
    const { before, all } = await page.evaluate(() => ({ before: globalThis.sentBefore, all: globalThis.sent }));
    assert.ok(!before.includes('Runs') && !before.includes('Summary'), before.join());
    assert.ok(all.includes('Shown'));
    assert.ok(all.includes('Runs'), 'all of them are asked for at the end');
    assert.match(await at.heading.innerText(), /^40 runs$/);
    assertQuiet(heard);
  });
}

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
  const { toldBefore, told, tops } = await page.evaluate(() => ({ toldBefore: globalThis.toldBefore, told: globalThis.told, tops: globalThis.tops }));
  assert.equal(toldBefore, 0, `runs as they were told: ${told}`);
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

test('a second run that comes late needs no question either', async (t) => {
  const { page, at } = await watched(t);
  const line = (loop, iteration) => JSON.stringify({
    loop_id: loop, iteration, evaluator_output: { passed: false, reward_signal: 0.5 }, self_reflection: { reflection_text: TEXT },
  });
  // The first look sees one run, of which nobody knows whether it stays the only one.
  const text = Array.from({ length: 12_000 }, (_, n) => line(n < 4000 ? 'first' : 'second', n % 4000 + (n >= 8000 ? 4000 : 0))).join('\n');
  const folder = await tempFolder(t, { 'late.jsonl': text });
  await dropPaths(page, [path.join(folder, 'late.jsonl')]);
  await page.locator('.runs-grid .row-link').first().waitFor();
  const { before, told } = await page.evaluate(() => ({ before: globalThis.sentBefore, told: globalThis.told }));
  assert.equal(told[0], 1, `runs as they were told: ${told}`);
  assert.ok(!before.includes('Runs'), before.join());
  await at.read();
  assert.match(await at.heading.innerText(), /^2 runs$/);
});

test('a list in another order asks for its own first rows', async (t) => {
  const { page, at } = await watched(t, { hash: '#/runs?sort=-last' });
  await at.drop([await large(t)]);
  assert.ok((await page.evaluate(() => globalThis.sentBefore)).includes('Runs'));
  assert.match(await at.runs.locator('[aria-sort=descending]').innerText(), /^Reward/);
});

test('a page that never says that it shows runs is not waited for', async (t) => {
  const { page, at } = await watched(t, { lost: ['Shown'] });
  await dropPaths(page, [await large(t)]);
  await at.read();
  assert.match(await at.heading.innerText(), /^40 runs$/);
  assert.ok((await page.evaluate(() => globalThis.sent)).includes('Shown'));
});
