// The same page in Firefox: it opens a sample and files, draws the chart, steps through a run, and follows files.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { needsFirefox, startFirefox } from './firefox.mjs';
import { PAGE_FOLDER, serveFolder, tempFolder } from './lib.mjs';
import { viewed } from './viewed.mjs';

async function start(t, hash = '') {
  const server = await serveFolder(PAGE_FOLDER);
  t.after(() => server.close());
  return { firefox: await opened(t, server.url + hash), server };
}

async function opened(t, address) {
  const firefox = await startFirefox(t);
  await firefox.goto(address);
  await firefox.until(() => document.querySelector('#heading'));
  return firefox;
}

/** Nothing was printed, and nobody else was asked. */
function assertQuiet({ firefox, server }) {
  assert.deepEqual(firefox.heard.console, []);
  const foreign = firefox.heard.requests.filter((url) => !url.startsWith(server.origin) && !/^(blob|data|about):/.test(url));
  assert.deepEqual(foreign, []);
}

/** Pixels of the chart that something was drawn on. */
const ink = (firefox) => firefox.until(() => {
  const canvas = document.querySelector('.run-plot canvas');
  if (!canvas?.width) return 0;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let drawn = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) drawn += 1;
  return drawn;
});

const iteration = (firefox, number) =>
  firefox.until((title) => document.querySelector('.inspector h2')?.textContent === title, `Iteration ${number}`);

test('Firefox opens a sample by its link, draws it, and steps through a run', needsFirefox(), async (t) => {
  const page = await start(t, '?sample=improving');
  const { firefox } = page;
  await firefox.until(() => document.querySelectorAll('.runs-grid .row-link').length === 3);
  await firefox.click('.runs-grid .row-link');
  await firefox.until(() => document.querySelector('.inspector .verdict'));
  await firefox.evaluate(() => { location.hash += '/i'; });
  assert.ok(await ink(firefox) > 500, 'the chart has ink');
  const at = async () => (await firefox.evaluate(() => location.hash)).match(/\/i\/(\d+)/)?.[1];
  await firefox.press('g');
  await firefox.press('g');
  await iteration(firefox, 0);
  const first = await firefox.evaluate(() => document.querySelector('.reflection-text')?.textContent);
  await firefox.press('j');
  await iteration(firefox, 1);
  assert.equal(await at(), '1');
  await firefox.until((first) => {
    const text = document.querySelector('.reflection-text')?.textContent;
    return text && text !== first;
  }, first);
  await firefox.press('k');
  await iteration(firefox, 0);
  assert.equal(await at(), '0');
  await firefox.press('w');
  await firefox.until(() => document.querySelector('.window-summary'));
  assertQuiet(page);
});

test('Firefox opens files of its picker, the good part of a broken one too', needsFirefox(), async (t) => {
  const page = await start(t);
  const { firefox } = page;
  const record = (n) => JSON.stringify({
    loop_id: 'ralph-firefox',
    iteration: n,
    evaluator_output: { passed: n === 9, verification_type: 'unit_tests', reward_signal: n / 10 },
    self_reflection: { reflection_text: `<b>Attempt ${n}</b> met a stale cache.` },
  });
  const lines = Array.from({ length: 9 }, (_, at) => record(at + 1));
  lines[4] = lines[4].slice(0, 40);
  const folder = await tempFolder(t, { 'loop.jsonl': lines.join('\n'), 'notes.md': '# Nothing in it\n' });
  await firefox.setFiles('#choose-files', ['loop.jsonl', 'notes.md'].map((name) => path.join(folder, name)));
  await firefox.until(() => document.querySelector('.inspector .verdict'));
  await firefox.evaluate(() => { location.hash += '/i'; });
  await iteration(firefox, 9);
  assert.ok(await ink(firefox) > 500, 'the chart has ink');
  assert.match(await firefox.evaluate(() => document.querySelector('.reflection-text').textContent), /<b>Attempt 9<\/b>/);
  assert.match(await firefox.evaluate(() => document.body.innerText), /Kept 8 of 9 records; 1 could not be read/);
  await firefox.press('k');
  await iteration(firefox, 8);
  assertQuiet(page);
});

test('Firefox follows the files of `hindscope view --follow`', needsFirefox(), async (t) => {
  const attempt = (number) => `${JSON.stringify({ loop_id: 'loop-a', trial_number: number, outcome: 'failure', reflection: `Lesson ${number}.` })}\n`;
  const folder = await tempFolder(t, { 'runs/loop.jsonl': attempt(1) + attempt(2) });
  const { line: address } = await viewed(t, ['--follow', path.join(folder, 'runs')]);
  const firefox = await opened(t, address);
  const shows = (count) => firefox.until((count) => document.querySelector('.run-head')?.innerText.includes(count), count);
  await shows('2 iterations');
  await appendFile(path.join(folder, 'runs/loop.jsonl'), attempt(3));
  await shows('3 iterations');
  assertQuiet({ firefox, server: new URL(address) });
});
