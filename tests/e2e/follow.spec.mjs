// Files that are read again: at a press, each second while they are followed, and on the next visit. The files are
// those of the disk, dropped as a person drops them: the browser itself makes their handles.

import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { eventually, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const record = (loop, number) => `${JSON.stringify({
  loop_id: loop, trial_number: number, outcome: 'failure', reflection: `What attempt ${number} of ${loop} taught. ${'It took a while. '.repeat(12)}`,
})}\n`;
const log = (loop, attempts) => Array.from({ length: attempts }, (_, at) => record(loop, at + 1)).join('');

async function start(t, files) {
  const folder = await tempFolder(t, files);
  const opened = await openPage(t);
  const { page } = opened;
  const at = await new HindscopePage(page).ready();
  const file = (name) => path.join(folder, name);
  const facts = (text) => page.locator('.run-head').filter({ hasText: text }).waitFor();
  return { ...opened, at, file, facts, drop: (...names) => at.drop(names.map(file)) };
}

/** Presses a key that reads again, and gives what the page says of it. */
async function again(at) {
  const notice = at.notices.first();
  if (await notice.count()) await notice.getByRole('button', { name: 'Dismiss' }).click();
  await at.page.keyboard.press('r');
  await notice.waitFor();
  return notice.locator('p').textContent();
}

const follow = (at) => at.page.keyboard.press('F');
const followed = (at) => at.page.locator('.followed');

test('what has grown is read again, and what is looked at stays', async (t) => {
  const { at, page, file, facts, drop } = await start(t, { 'log.jsonl': log('loop-a', 30), 'other.jsonl': log('loop-b', 2) });
  await drop('log.jsonl', 'other.jsonl');
  await at.openRun('loop-a');
  const hash = at.hash();
  const list = page.locator('#split-left');
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.locator('#told-20').waitFor();
  await list.evaluate((list) => { list.scrollTop = 700; });
  const scrolled = () => at.inspector.evaluate((inspector) => inspector.closest('[data-scroller]').scrollTop);
  await at.inspector.evaluate((inspector) => { inspector.closest('[data-scroller]').scrollTop = 60; });
  assert.equal(await scrolled(), 60);
  const current = await page.locator('.strip-cell[aria-current]').getAttribute('title');
  assert.equal(await again(at), 'Nothing has changed in 2 files.');
  await appendFile(file('log.jsonl'), record('loop-a', 31));
  assert.equal(await again(at), 'Read again: 1 of 2 files changed.');
  await facts('31 iterations');
  await page.locator('#told-31').waitFor();
  assert.equal(at.hash(), hash);
  assert.equal(await list.evaluate((list) => list.scrollTop), 700);
  assert.equal(await scrolled(), 60);
  assert.equal(await page.locator('.strip-cell[aria-current]').getAttribute('title'), current);
});

test('while files are followed new attempts come in, menus stay open, and nothing is shown as loading', async (t) => {
  const { at, page, file, facts, drop } = await start(t, { 'runs/a.jsonl': log('loop-a', 3), 'runs/b.jsonl': log('loop-b', 2) });
  await drop('runs');
  await at.openRun('loop-b');
  await page.evaluate(() => {
    globalThis.strips = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) globalThis.strips += node.classList?.contains('strip') ? 1 : 0;
    }).observe(document.querySelector('.app'), { childList: true });
  });
  await follow(at);
  await followed(at).filter({ hasText: 'Following: 2 files, no change yet' }).waitFor();
  const menu = page.getByRole('button', { name: 'Export this run' });
  await menu.click();
  await appendFile(file('runs/b.jsonl'), record('loop-b', 3));
  await facts('3 iterations');
  assert.equal(await menu.getAttribute('aria-expanded'), 'true', 'the menu of the run is still open');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await followed(at).filter({ hasText: /Following: 2 files, last change \d\d:\d\d:\d\d/ }).waitFor();
  await mkdir(file('runs/sub'));
  await writeFile(file('runs/sub/c.jsonl'), log('loop-c', 2));
  await followed(at).filter({ hasText: 'Following: 3 files' }).waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 1, 'the list of keys is still open');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => globalThis.strips), 0);
  assert.equal(at.hash(), '#/run/loop-b');
  await at.view('Runs');
  await eventually(async () => assert.deepEqual(await at.runKeys(), ['loop-a', 'loop-b', 'loop-c']));
  await rm(file('runs/a.jsonl'));
  await at.notices.filter({ hasText: 'runs/a.jsonl is gone and shown no more: moved or deleted.' }).waitFor();
  await eventually(async () => assert.deepEqual(await at.runKeys(), ['loop-b', 'loop-c']));
  await followed(at).click();
  assert.equal(await followed(at).count(), 0);
});

test('following pauses while the page is hidden, and ends with a reason when the file goes', async (t) => {
  const { at, page, file, facts, drop } = await start(t, { 'log.jsonl': log('loop-a', 3) });
  await drop('log.jsonl');
  await page.evaluate(() => {
    globalThis.asked = 0;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => { globalThis.asked += 1; return true; } });
  });
  await follow(at);
  await appendFile(file('log.jsonl'), record('loop-a', 4));
  await page.waitForFunction(() => globalThis.asked > 2);
  await facts('3 iterations');
  await page.evaluate(() => delete document.hidden);
  await facts('4 iterations');
  await rm(file('log.jsonl'));
  await at.notices.filter({ hasText: 'Following ended. log.jsonl cannot be read: it was moved or deleted' }).waitFor();
  assert.equal(await followed(at).count(), 0);
  await facts('4 iterations');
  assert.match(await again(at), /^log\.jsonl cannot be read/);
});

test('a file that was closed stays closed, and what cannot be read again is not offered', async (t) => {
  const { at, page, file, drop } = await start(t, { 'runs/a.jsonl': log('loop-a', 3), 'runs/b.jsonl': log('loop-b', 2) });
  await at.sample('improving');
  await at.view('Files');
  await page.getByText('What is open cannot be read again').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Read again' }).count(), 0);
  await drop('runs');
  await at.view('Files');
  await at.sources.filter({ hasText: 'runs/a.jsonl' }).getByRole('button', { name: 'Close this file' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.source').length === 1);
  await appendFile(file('runs/b.jsonl'), record('loop-b', 3));
  await page.getByRole('button', { name: 'Read again' }).click();
  await at.notices.filter({ hasText: 'Read again: 1 of 1 file changed.' }).waitFor();
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-b']);
});

test('the files are opened again on the next visit, if that was asked for, and can be forgotten', async (t) => {
  const { at, page, file, facts, drop } = await start(t, { 'runs/a.jsonl': log('loop-a', 3), 'runs/b.jsonl': log('loop-b', 2) });
  const kept = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const button = page.getByRole('button', { name: /^Open again: runs\/ \(2 files, .*B\)$/ });
  await drop('runs');
  assert.deepEqual(await kept(), [], 'nothing is kept without being asked for');
  await at.view('Files');
  await page.locator('.safety summary').click();
  const tick = page.getByLabel('Remember the files in this browser');
  await tick.check();
  await eventually(async () => assert.deepEqual(await kept(), ['hindscope']));
  await appendFile(file('runs/b.jsonl'), record('loop-b', 3));
  await at.goto('#/run/loop-b');
  await page.reload();
  await button.click();
  await facts('3 iterations');
  assert.equal(at.hash(), '#/run/loop-b');
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-a', 'loop-b']);
  await appendFile(file('runs/a.jsonl'), record('loop-a', 4));
  assert.equal(await again(at), 'Read again: 1 of 2 files changed.');
  await page.reload();
  await page.getByRole('button', { name: 'Forget', exact: true }).click();
  assert.equal(await button.count(), 0);
  await eventually(async () => assert.deepEqual(await kept(), []));
  await page.reload();
  await at.ready();
  await drop('runs');
  await eventually(async () => assert.deepEqual(await kept(), ['hindscope'], 'the setting stays'));
  await page.reload();
  await page.getByRole('link', { name: 'hindscope, open files' }).click();
  await button.waitFor();
  await page.locator('.safety summary').click();
  await tick.uncheck();
  assert.equal(await button.count(), 0);
  await eventually(async () => assert.deepEqual(await kept(), []));
});

test('a file that handles do not show is opened all the same, and what it was dropped with is not read again', async (t) => {
  const { at, page, drop } = await start(t, { 'runs/a.jsonl': log('loop-a', 2), 'runs/2026-03-02T09:06.jsonl': log('loop-b', 1) });
  await drop('runs');
  assert.deepEqual((await at.runKeys()).sort(), ['loop-a', 'loop-b']);
  await at.view('Files');
  await page.getByText('only if no name in them holds one of').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Read again' }).count(), 0);
});
