// `hindscope view`: the page that the command line serves, with a history in it.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, newPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';
import { viewed } from './viewed.mjs';

/** The page at an address that the command line has printed; it must stay quiet. */
async function opened(t, args) {
  const { line: address, end } = await viewed(t, args);
  const { page } = await newPage(t, new URL(address).origin);
  t.after(async () => assert.equal((await end()).status, 0));
  await page.goto(address);
  return { page, at: await new HindscopePage(page).ready() };
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
