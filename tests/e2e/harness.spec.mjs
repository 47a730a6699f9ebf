// The harness itself: an ear that never hears anything, or a drop that only looks like one, would
// make every other test in this folder worthless.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { dropPaths, holdPaths, openPage, tempFolder } from './lib.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<div id="zone"></div><script src="page.js"></script><link rel="stylesheet" href="page.css">`;
const STYLE = 'html, body { margin: 0 } #zone { margin-top: 1200px; height: 200px }';
const SCRIPT = `
const walk = async (entry, out) => {
  if (entry.isFile) {
    const file = await new Promise((yes, no) => entry.file(yes, no));
    out.push([entry.fullPath, await file.slice(0, 3).text(), file.size]);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((yes, no) => reader.readEntries(yes, no));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, out);
  }
};
window.events = [];
for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  addEventListener(type, (event) => {
    event.preventDefault();
    if (events.at(-1)?.type !== type) events.push({ type, on: event.target.id });
  });
}
addEventListener('drop', async (event) => {
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
  const out = [];
  for (const entry of entries) await walk(entry, out);
  window.dropped = out.sort();
});`;

const site = (t, more = {}) =>
  tempFolder(t, { 'index.html': PAGE, 'page.js': SCRIPT, 'page.css': STYLE, ...more });

test('files and folders arrive as from a file manager', async (t) => {
  const folder = await site(t);
  const runs = await tempFolder(t, { 'runs/a.json': '{"a":1}', 'runs/deep/b.jsonl': '[]', 'c.txt': 'see' });
  const { page } = await openPage(t, { folder });
  await dropPaths(page, [path.join(runs, 'runs'), path.join(runs, 'c.txt')]);
  await page.waitForFunction(() => window.dropped);
  assert.deepEqual(await page.evaluate(() => window.dropped), [
    ['/c.txt', 'see', 3],
    ['/runs/a.json', '{"a', 7],
    ['/runs/deep/b.jsonl', '[]', 2],
  ]);
});

test('a drop can be aimed at an element, even one that has to be scrolled to', async (t) => {
  const folder = await site(t);
  const { page } = await openPage(t, { folder });
  await dropPaths(page, [path.join(folder, 'page.js')], '#zone');
  await page.waitForFunction(() => window.dropped);
  assert.equal(await page.evaluate(() => events.at(-1).on), 'zone');
});

test('what is held over the page can be taken away again', async (t) => {
  const folder = await site(t);
  const { page } = await openPage(t, { folder });
  const held = await holdPaths(page, [path.join(folder, 'page.js')]);
  await held.leave();
  await page.waitForFunction(() => events.at(-1)?.type === 'dragleave');
  assert.equal(await page.evaluate(() => window.dropped), undefined);
});

test('noise of every kind is heard', async (t) => {
  const folder = await site(t, {
    'worker.js': 'console.log("from the worker"); fetch("http://127.0.0.1:9/worker").catch(() => {});',
    'noise.js': `
      console.info('words');
      fetch('missing.json');
      fetch('http://127.0.0.1:9/elsewhere').catch(() => {});
      new Worker('worker.js');
      setTimeout(() => { throw new Error('late'); });
      Promise.reject(new Error('lost'));`,
  });
  const { page, heard } = await openPage(t, { folder });
  await page.addScriptTag({ url: 'noise.js' });
  const all = () => JSON.stringify(heard);
  const expected = ['info: words', 'from the worker', '404', '9/elsewhere', '9/worker', 'late', 'lost'];
  for (let tries = 0; tries < 50 && !expected.every((word) => all().includes(word)); tries += 1) {
    await page.waitForTimeout(100);
  }
  for (const word of expected) assert.ok(all().includes(word), `${word} is missing in ${all()}`);
  for (const kind of ['console', 'errors', 'foreign', 'failed']) {
    assert.notEqual(heard[kind].length, 0, kind);
    heard[kind].length = 0;
  }
});
