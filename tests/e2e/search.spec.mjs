// Everything that is open can be searched, and what is found is one key away.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

const line = (run, number, text) => JSON.stringify({
  loop_id: run,
  iteration: number,
  evaluator_output: { passed: number === 3, reward_signal: number / 10 },
  self_reflection: { reflection_text: text },
});

/** Two runs of three iterations, and a file without a history. */
const small = (t) => tempFolder(t, {
  'logs/a.jsonl': [
    line('pay-retry', 1, 'The Timeout was swallowed, and the timeout came back.'),
    line('pay-retry', 2, 'Raise the limit; flaky.'),
    line('pay-retry', 3, 'A null check was missing.'),
    line('auth', 1, 'Nothing but a timeout.'),
    line('auth', 2, 'A <b>bold</b> guess.'),
    line('auth', 3, 'Done.'),
  ].join('\n') + '\n',
  'notes.txt': 'first line\nanother timeout here\n',
});

const field = (page) => page.getByRole('textbox', { name: 'Search everything that is open' });

async function searched(page, query) {
  await field(page).fill(query);
  // What was found before stays until the first answer comes.
  const status = page.locator(`.search-status[data-text=${JSON.stringify(query)}]`);
  await status.locator('.search-progress', { hasText: 'finished' }).waitFor();
}

async function open(t, hash = '#/search') {
  const { at, page, ...rest } = await start(t);
  await at.drop([path.join(await small(t), 'logs'), path.join(await small(t), 'notes.txt')]);
  await at.goto(hash);
  await field(page).waitFor();
  return { at, page, ...rest };
}

const counts = (page) => page.locator('.search-counts').textContent();
const hits = (page) => page.locator('.hit').allInnerTexts();

test('hits are grouped by run, marked and counted', async (t) => {
  const { at, page } = await open(t);
  await searched(page, 'timeout');
  assert.equal(await counts(page), '3 matches in 2 runs');
  assert.deepEqual(await page.locator('.hit-head a').allTextContents(), ['auth', 'pay-retry', 'notes.txt']);
  assert.deepEqual(await page.locator('.hit mark').allTextContents(), ['timeout', 'Timeout', 'timeout', 'timeout']);
  assert.equal(await at.scrollsSideways(), false);
  await searched(page, 'bold');
  assert.equal(await page.locator('.hit b').count(), 0, 'text of a file is never markup');
  assert.match((await hits(page))[0], /<b>bold<\/b>/);
  await searched(page, 'outcome:failure reward>0.15');
  assert.equal(await counts(page), '2 matches in 2 runs');
});

test('a mistake is underlined and what was found stays', async (t) => {
  const { page } = await open(t);
  await searched(page, 'timeout');
  const before = await hits(page);
  await field(page).fill('timeout rewrd<0.5');
  await page.locator('.query-mirror .wrong', { hasText: 'rewrd' }).waitFor({ state: 'attached' });
  assert.match(await page.locator('.query-error').textContent(), /Unknown field .rewrd./);
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await hits(page), before);
  await field(page).fill('timeout reward<0.15');
  await page.locator('.search-counts', { hasText: '2 matches in 2 runs' }).waitFor();
  assert.equal(await page.locator('.query-mirror .wrong').count(), 0);
});

test('n and N step through hits, in the list and in runs', async (t) => {
  const { at, page } = await open(t);
  await searched(page, 'timeout');
  await page.locator('#heading').focus();
  await page.keyboard.press('n');
  await page.locator('.hit[aria-current]', { hasText: 'Nothing but' }).waitFor();
  assert.match(at.hash(), /hit=1/);
  await page.keyboard.press('n');
  await page.locator('.hit[aria-current]', { hasText: 'swallowed' }).waitFor();
  await page.locator('.hit[aria-current]').click();
  await at.inspector.locator('.reflection-text mark').first().waitFor();
  assert.match(at.hash(), /^#\/run\/pay-retry\/i\/1\?.*q=timeout/);
  assert.deepEqual(await at.inspector.locator('.reflection-text mark').allTextContents(), ['Timeout', 'timeout']);
  await page.keyboard.press('N');
  await page.waitForFunction(() => location.hash.startsWith('#/run/auth/i/1'));
});

test('what is not ticked is not searched, and no match says so', async (t) => {
  const { at, page } = await open(t);
  await searched(page, 'reflection_text');
  await page.locator('.no-match', { hasText: 'Not searched: output, raw' }).waitFor();
  await page.getByRole('checkbox', { name: 'raw' }).check();
  await page.locator('.search-counts', { hasText: '6 matches in 2 runs' }).waitFor();
  assert.match(at.hash(), /in=task,.*raw/);
});

test('a link restores the search', async (t) => {
  const { page } = await open(t, '#/search?q=timeout&in=reflection&hit=2');
  await page.locator('.search-counts', { hasText: '2 matches in 2 runs' }).waitFor();
  await page.locator('.hit[aria-current]', { hasText: 'swallowed' }).waitFor();
  assert.equal(await field(page).inputValue(), 'timeout');
  assert.equal(await page.getByRole('checkbox', { name: 'errors' }).isChecked(), false);
});

test('a slash searches from any view, and Ctrl+F in a run stays in it until it is pressed twice', async (t) => {
  const { at, page } = await open(t, '#/search');
  await at.goto('#/runs');
  await at.runs.waitFor();
  await page.locator('#heading').focus();
  await page.keyboard.press('/');
  // On a busy machine the field has the focus a moment later.
  await page.waitForFunction(() => document.activeElement?.matches('input'));
  await page.keyboard.type('timeout');
  await page.keyboard.press('Enter');
  await page.locator('.search-counts', { hasText: '3 matches in 2 runs' }).waitFor();
  await at.goto('#/run/pay-retry');
  await at.inspector.locator('.verdict').waitFor();
  // Listening begins before the key: a press may overtake a question to the page.
  await page.evaluate(() => {
    window.stopped = [];
    addEventListener('keydown', (event) => {
      if (event.key === 'f') setTimeout(() => window.stopped.push(event.defaultPrevented));
    });
  });
  await page.keyboard.press('Control+f');
  await page.waitForFunction(() => document.activeElement?.id === 'search-query');
  assert.match(at.hash(), /^#\/search\?.*run=pay-retry/);
  await page.keyboard.press('Control+f');
  await page.waitForFunction(() => window.stopped.length === 2);
  assert.deepEqual(
    await page.evaluate(() => window.stopped), [true, false], 'the second is the browser\'s own',
  );
  await searched(page, 'timeout');
  assert.equal(await counts(page), '1 match in 1 run');
});

test('hits stream in, a new query ends the old one, and Cancel keeps what was found', async (t) => {
  const { at, page } = await start(t);
  const text = 'The retry loop swallowed the error, so the test saw a success. '.repeat(20);
  const lines = Array.from({ length: 24_000 }, (_, n) => line(`run-${n % 40}`, n + 1, `${text} ${n}`));
  const folder = await tempFolder(t, { 'big.jsonl': lines.join('\n') + '\n' });
  await at.drop([path.join(folder, 'big.jsonl')]);
  await at.goto('#/search');
  await field(page).fill('swallowed');
  await page.locator('.hit').first().waitFor();
  assert.match(await page.locator('.search-progress').textContent(), /searching/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.search-progress', { hasText: 'cancelled' }).waitFor();
  assert.ok((await hits(page)).length > 0);
  await field(page).fill('swallowed 23999');
  await page.locator('.search-progress', { hasText: 'finished' }).waitFor();
  assert.equal(await counts(page), '1 match in 1 run');
});
