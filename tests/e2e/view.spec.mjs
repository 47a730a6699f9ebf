// `hindscope view`: the page that the command line serves, with a history in it.

import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, eventually, newPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';
import { viewed } from './viewed.mjs';

/** The page at an address that the command line has printed; it must stay quiet. */
async function opened(t, args) {
  const { line: address, end } = await viewed(t, args);
  const { page, heard } = await newPage(t, new URL(address).origin);
  t.after(async () => assert.equal((await end()).status, 0));
  await page.goto(address);
  return { page, heard, end, at: await new HindscopePage(page).ready() };
}

test('the runs of a folder are there', async (t) => {
  const { at, page } = await opened(t, [path.join(FIXTURES, 'reflexion/2023/alfworld')]);
  await at.read();
  assert.match(await at.heading.textContent(), /^5 runs$/);
  await at.openRun('env_3');
  await at.goto('#/run/env_3/i/0');
  await page.locator('.reflection-text').filter({ hasText: 'I looked for the lamp on the desk.' }).waitFor();
});

test('one run opens at once', async (t) => {
  const { at, page } = await opened(t, ['--run', 'task-lantern', path.join(FIXTURES, 'aiwg/2026.4/episodic-tree')]);
  await at.read();
  await page.getByRole('heading', { name: 'task-lantern', exact: true }).waitFor();
});

test('the empty page takes files', async (t) => {
  const { at } = await opened(t, ['--empty']);
  await at.drop([path.join(FIXTURES, 'aiwg/2026.1/two-loops.jsonl')]);
  assert.match(await at.heading.textContent(), /^2 runs$/);
});

const attempt = (loop, number) => `${JSON.stringify({ loop_id: loop, trial_number: number, outcome: 'failure', reflection: `What attempt ${number} taught.` })}\n`;

test('what grows while a loop is running is shown', async (t) => {
  const folder = await tempFolder(t, { 'a?b #1.jsonl': attempt('loop-x', 1) });
  const runs = path.join(folder, 'runs');
  await mkdir(runs);
  const { at, page, heard, end } = await opened(t, ['--follow', runs, path.join(folder, 'a?b #1.jsonl')]);
  const followed = page.locator('.followed');
  await followed.filter({ hasText: 'Following: 1 file, no change yet' }).waitFor();
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-x']);
  await mkdir(path.join(runs, 'ä %2F'));
  await writeFile(path.join(runs, 'ä %2F', 'one.jsonl'), attempt('loop-a', 1) + attempt('loop-a', 2));
  await followed.filter({ hasText: 'Following: 2 files, last change' }).waitFor();
  await eventually(async () => assert.deepEqual((await at.runKeys()).sort(), ['loop-a', 'loop-x']));
  await at.openRun('loop-a');
  await appendFile(path.join(runs, 'ä %2F', 'one.jsonl'), attempt('loop-a', 3));
  await page.locator('.run-head').filter({ hasText: '3 iterations' }).waitFor();
  await page.reload();
  await page.locator('.run-head').filter({ hasText: '3 iterations' }).waitFor();
  await followed.waitFor();
  await rm(path.join(runs, 'ä %2F'), { recursive: true });
  await at.notices.filter({ hasText: 'runs/ä %2F/one.jsonl is gone and shown no more' }).waitFor();
  await end();
  await at.notices.filter({ hasText: 'Following ended. runs cannot be read: `hindscope view` does not run any more.' }).waitFor();
  assert.equal(await followed.count(), 0);
  assert.ok(heard.console.every((line) => line.includes('ERR_CONNECTION_REFUSED')), heard.console.join('\n'));
  heard.console.length = 0;
});

test('a folder that is followed may be empty at first', async (t) => {
  const folder = await tempFolder(t);
  const { at, page } = await opened(t, ['--follow', folder]);
  await at.notices.filter({ hasText: `${path.basename(folder)} holds no files yet.` }).waitFor();
  await writeFile(path.join(folder, 'first.jsonl'), attempt('loop-a', 1));
  await page.getByRole('heading', { name: 'loop-a', exact: true }).waitFor();
  assert.equal(await at.notices.count(), 0);
});
