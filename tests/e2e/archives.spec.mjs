// Archives on the page: dropped or picked, they open like the folders they hold.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { filesOf, gzip, tar, zip } from '../archives.mjs';
import { FIXTURES, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUNS = path.join(FIXTURES, 'reflexion/2023/alfworld');
const LINE = Buffer.from('{"trial_number":1,"loop_id":"packed","outcome":"failure","reflection":"Too fast."}\n');

/** Writes archives and drops them. */
async function dropped(t, archives) {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  const folder = await tempFolder(t);
  const paths = Object.keys(archives).map((name) => path.join(folder, name));
  for (const [name, bytes] of Object.entries(archives)) await writeFile(path.join(folder, name), bytes);
  await at.drop(paths);
  return { at, page };
}

const packers = { 'a.zip': zip, 'b.zip': (files) => zip(files, { method: 0 }), 'c.tar': tar, 'd.tgz': (files) => gzip(tar(files)) };

for (const [name, pack] of Object.entries(packers)) {
  test(`${name} gives what its folder gives, and records are read again`, async (t) => {
    const { at, page } = await dropped(t, { [name]: pack(filesOf(RUNS)) });
    assert.match(await at.heading.textContent(), /^5 runs$/);
    assert.deepEqual(await at.curve(), [[1, 2, 4, 5]]);
    await at.openRun('env_3');
    assert.match(await at.inspector.textContent(), new RegExp(`${name.replace('.', '\\.')}/alfworld/env_results_trial_3\\.json`));
  });
}

test('entries are listed with their reasons', async (t) => {
  const change = (entry, name) => (name === 'secret.jsonl' ? { ...entry, flags: 1 } : entry);
  const files = [['log.jsonl', LINE], ['secret.jsonl', LINE], ['inner.zip', zip([['a', LINE]])], ['notes.txt', Buffer.from('Just text.\n')]];
  const { at, page } = await dropped(t, { 'mixed.zip': zip(files, { change }), 'log.jsonl.gz': gzip(LINE) });
  await at.view('Files');
  await at.sources.first().waitFor();
  const sources = await at.sources.allTextContents();
  const of = (name) => sources.find((text) => text.includes(name)) ?? assert.fail(`${name} is not among ${sources}`);
  assert.match(of('mixed.zip/secret.jsonl'), /encrypted/);
  assert.match(of('mixed.zip/inner.zip'), /zip archive inside another archive/);
  assert.match(of('mixed.zip/log.jsonl'), /1 kept/);
  assert.ok(of('mixed.zip/notes.txt'));
  assert.equal(sources.filter((text) => text.includes('log.jsonl')).length, 2);
  await page.getByRole('button', { name: 'Show text' }).first().click();
  await page.getByText('Just text.').waitFor();
});
