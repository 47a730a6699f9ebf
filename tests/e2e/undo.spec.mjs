// Adding, replacing and closing files, each undone; a log that has grown; names where experiments share tasks.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const record = (loop, number) => `${JSON.stringify({
  loop_id: loop, trial_number: number, outcome: number > 3 ? 'success' : 'failure', reflection: `What attempt ${number} of ${loop} taught.`,
})}\n`;
const log = (loop, attempts) => Array.from({ length: attempts }, (_, at) => record(loop, at + 1)).join('');
const trial = (solved) => JSON.stringify(['env_0', 'env_1'].map((name) => ({ name, memory: [`Look first in ${name}.`], is_success: solved })));

async function start(t, files) {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  const folder = await tempFolder(t, files);
  const drop = (name, way) => at.drop([path.join(folder, name)], undefined, way);
  const keys = async () => {
    await at.view('Runs');
    return at.runKeys();
  };
  return { at, page, folder, drop, keys, bar: at.notices.filter({ has: page.getByRole('button', { name: 'Undo' }) }) };
}

/** Presses a button that reads files again, and waits until they are read. */
async function again(at, button) {
  const before = await at.opened();
  await button.click();
  await at.page.waitForFunction((before) => document.querySelector('.app').dataset.opened !== before, before);
  await at.page.locator('.strip').waitFor({ state: 'detached' });
}

const undo = (at, bar) => again(at, bar.getByRole('button', { name: 'Undo' }));

test('what was added is taken back, and the run that is open stays', async (t) => {
  const { at, page, drop, keys, bar } = await start(t, { 'a.jsonl': log('loop-a', 3), 'b.jsonl': log('loop-b', 2) });
  await drop('a.jsonl');
  assert.equal(await bar.count(), 0, 'nothing was open before');
  const hash = at.hash();
  await drop('b.jsonl', 'Add');
  await bar.filter({ hasText: 'Added b.jsonl.' }).waitFor();
  assert.equal(at.hash(), hash);
  assert.deepEqual(await keys(), ['loop-a', 'loop-b']);
  await at.goto(hash);
  await undo(at, bar);
  assert.equal(await bar.count(), 0, 'it is undone');
  assert.equal(at.hash(), hash);
  await page.getByRole('heading', { name: 'loop-a' }).waitFor();
  assert.deepEqual(await keys(), ['loop-a']);
});

test('what was replaced comes back, and two steps are undone one by one', async (t) => {
  const { at, drop, keys, page, bar } = await start(t, { 'a.jsonl': log('loop-a', 3), 'b.jsonl': log('loop-b', 2), 'c.jsonl': log('loop-c', 2) });
  await drop('a.jsonl');
  await drop('b.jsonl', 'Add');
  await drop('c.jsonl', 'Replace');
  await bar.filter({ hasText: 'Closed 2 files for c.jsonl.' }).waitFor();
  assert.deepEqual(await keys(), ['loop-c']);
  await page.locator('.row-link', { hasText: 'loop-c' }).click();
  await undo(at, bar);
  assert.equal(at.hash(), '#/run/loop-a', 'where the reader was');
  assert.deepEqual(await keys(), ['loop-a', 'loop-b']);
  await at.view('Files');
  await again(at, page.getByRole('button', { name: 'Undo: Added b.jsonl.' }));
  assert.deepEqual(await keys(), ['loop-a']);
});

test('one file is closed, an archive with all that is in it, and everything', async (t) => {
  const { at, page, folder, drop, keys, bar } = await start(t, { 'a.jsonl': log('loop-a', 3), 'in/b.jsonl': log('loop-b', 2), 'in/c.jsonl': log('loop-c', 2) });
  assert.equal(spawnSync('tar', ['-czf', 'in.tgz', 'in'], { cwd: folder }).status, 0);
  await drop('a.jsonl');
  await drop('in.tgz', 'Add');
  assert.deepEqual(await keys(), ['loop-a', 'loop-b', 'loop-c']);
  await at.view('Files');
  await again(at, at.sources.filter({ hasText: 'c.jsonl' }).getByRole('button', { name: 'Close in.tgz' }));
  await bar.filter({ hasText: 'Closed in.tgz.' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.source').length === 1);
  assert.deepEqual(await keys(), ['loop-a']);
  await undo(at, bar);
  assert.deepEqual(await keys(), ['loop-a', 'loop-b', 'loop-c']);
  await at.view('Files');
  await again(at, at.sources.filter({ hasText: 'a.jsonl' }).getByRole('button', { name: 'Close this file' }));
  assert.deepEqual(await keys(), ['loop-b', 'loop-c']);
  await at.view('Files');
  await again(at, page.getByRole('button', { name: 'Close all files' }));
  await page.getByRole('heading', { name: 'Open run histories' }).waitFor();
  assert.equal(await at.sources.count(), 0);
  await undo(at, bar);
  assert.deepEqual(await keys(), ['loop-b', 'loop-c']);
});

test('a log that is dropped again once it has grown is the same log', async (t) => {
  const { at, page, drop } = await start(t, { 'log.jsonl': log('loop-a', 3), 'now/log.jsonl': log('loop-a', 5) });
  await drop('log.jsonl');
  await at.goto('#/run/loop-a/i/2');
  await at.inspector.waitFor();
  await drop('now/log.jsonl', 'Add');
  assert.equal(at.hash(), '#/run/loop-a/i/2');
  await page.locator('.run-head').filter({ hasText: '5 iterations' }).waitFor();
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-a']);
});

test('where experiments share their tasks every name has its experiment, and the open run stays', async (t) => {
  const { at, page, drop } = await start(t, { 'base/env_results_trial_0.json': trial(false), 'memory/env_results_trial_0.json': trial(true) });
  await drop('base');
  await at.goto('#/run/env_0');
  await page.getByRole('heading', { name: 'env_0' }).waitFor();
  await drop('memory', 'Add');
  assert.equal(at.hash(), '#/run/env_0');
  await page.locator('.run-head').filter({ hasText: 'base' }).waitFor();
  await at.goto('#/search?q=Look');
  const heads = page.locator('.hit-head');
  await heads.nth(3).waitFor();
  const names = (await heads.allTextContents()).join(' ');
  for (const name of ['env_0 (base)', 'env_0 (memory)', 'env_1 (base)', 'env_1 (memory)']) assert.ok(names.includes(name), `${name} in ${names}`);
});
