// First light: a newcomer drops real runs on the page and sees whether they learned. And whatever
// else is dropped, the page says what it is, keeps what can be read, and stays alive.

import assert from 'node:assert/strict';
import { chmod, open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { SHARED, dropPaths, holdPaths, needsShared, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const NARROW = { viewport: { width: 320, height: 640 }, hasTouch: true };

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

/** A valid reflection-memory record, with what a test wants to be different. */
function record(iteration, { reward = 0.2 + iteration * 0.1, text, ...more } = {}) {
  return {
    loop_id: 'ralph-fixture',
    iteration,
    timestamp: `2026-03-01T09:${String(iteration).padStart(2, '0')}:00Z`,
    actor_output: {
      actions: [{ type: 'other', description: 'Try again' }],
      rationale: 'The last attempt was close.',
    },
    evaluator_output: { passed: false, verification_type: 'unit_tests', reward_signal: reward },
    self_reflection: { reflection_text: text ?? `Attempt ${iteration} failed for reason ${iteration}.` },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(iteration + 1, 3) },
    ...more,
  };
}

const lines = (...records) => records.map((record) => JSON.stringify(record)).join('\n') + '\n';

test('a sample is one click away', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  assert.equal(at.hash(), '#/runs');
  assert.match(await at.heading.textContent(), /^3 runs$/);
  assert.equal((await at.runKeys()).length, 3);
  await at.openRun('ralph-duration-parser-2026-03-02');
  assert.equal(await page.title(), 'ralph-duration-parser-2026-03-02 - hindscope');
  assert.match(await at.inspector.locator('.verdict').textContent(), /success/);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'Iteration 3', exact: true }).waitFor();
  assert.match(at.hash(), /\/reflections\/3$/);
  assert.match(await at.reflection().textContent(), /^Two changes in one step was one too many/);
  await page.locator('.action.failing').waitFor();
  assert.match(await page.locator('.attempt-headline').textContent(), /^Failed.*The next attempt improved the reward by 0\.25\.$/);
});

test('a sample opens from the address, without a request after the load', async (t) => {
  const { at, page } = await start(t, { hash: '?sample=tasks' });
  await at.read();
  const after = [];
  page.on('request', (request) => after.push(request.url()));
  assert.match(await at.heading.textContent(), /^12 runs$/);
  assert.deepEqual(await at.curve(), [[5, 8, 9, 10, 11]]);
  assert.deepEqual(after, []);
});

test('a stated change that is wrong is shown beside the right one', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.goto('#/run/ralph-retry-client-2026-03-03/i/5');
  await page.getByRole('heading', { name: 'Iteration 5', exact: true }).waitFor();
  assert.match(await at.inspector.locator('.verdict').textContent(), /0\.000 \(file: \+0\.050\)/);
});

test('a missing reward is a gap, and never zero', async (t) => {
  const { at, page } = await start(t);
  await at.sample('improving');
  await at.openRun('ralph-csv-export-2026-03-04', 'Attempts');
  await page.keyboard.press('d');
  const rows = await page.locator('#run-table .row:not(.head)').allTextContents();
  assert.equal(rows.length, 6);
  assert.match(rows[2], /no reward/);
  assert.doesNotMatch(rows[2], /0\.000/);
});

test('134 tasks of ALFWorld over 15 trials', needsShared(), async (t) => {
  const { at, page } = await start(t);
  await at.drop([path.join(SHARED, 'reflexion/alfworld_reflexion')]);
  assert.equal(at.hash(), '#/runs');
  assert.match(await at.heading.textContent(), /^134 runs$/);
  assert.deepEqual(await at.curve(), [
    [84, 103, 111, 113, 117, 118, 123, 126, 128, 129, 130, 130, 131, 133, 134],
  ]);
  assert.match(await page.locator('.runs-head').textContent(), /15 files.*200 reflections/);
  // Numbers are ordered as numbers.
  assert.deepEqual((await at.runKeys()).slice(0, 3), ['env_0', 'env_1', 'env_2']);

  await page.locator('.sort', { hasText: 'Iter.' }).click();
  await page.waitForFunction(() => document.querySelector('.runs-grid .row-link')?.textContent === 'env_22');
  await at.openRun('env_22');
  await at.goto('#/run/env_22/window/4');
  await page.getByRole('heading', { name: 'When iteration 4 began' }).waitFor();
  assert.deepEqual(await at.held(4), [1, 2, 3]);
  await page.getByRole('button', { name: 'Larger window' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.held-one').length === 4);
  assert.deepEqual(await at.held(4), [0, 1, 2, 3]);
  assert.match(at.hash(), /omega=4/);
  assert.match(await page.locator('.omega').textContent(), /configured/);
  const text = await page.locator('.rendered .text').textContent();
  assert.match(text, /\[0\] failure: /);
});

test('two experiments have a line each', needsShared(), async (t) => {
  const { at } = await start(t);
  await at.drop([
    path.join(SHARED, 'reflexion/alfworld_reflexion'),
    path.join(SHARED, 'reflexion/alfworld_base'),
  ]);
  assert.deepEqual(await at.curve(), [
    [84, 94, 97, 98, 100, 101, 101],
    [84, 103, 111, 113, 117, 118, 123, 126, 128, 129, 130, 130, 131, 133, 134],
  ]);
});

test('the last of many runs is reached with one key, and filters count', async (t) => {
  const tasks = Array.from({ length: 3000 }, (_, at) => ({
    name: `env_${at}`, memory: at % 3 ? [] : [' I went to the wrong room.'], is_success: at % 3 !== 0,
  }));
  const folder = await tempFolder(t, { 'many/env_results_trial_0.json': JSON.stringify(tasks) });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'many')]);
  assert.match(await at.heading.textContent(), /^3,000 runs$/);
  await page.keyboard.press('End');
  await page.locator('.row.active .row-link', { hasText: 'env_2999' }).waitFor();
  assert.ok((await at.runKeys()).length < 120, 'only rows in sight exist');
  await page.keyboard.press('Home');
  await page.locator('.row.active .row-link', { hasText: /^env_0$/ }).waitFor();
  await page.getByLabel('Outcome').selectOption('failure');
  await page.getByText('Showing 1,000 of 3,000 runs; 2,000 hidden by filters').waitFor();
  await at.filterRuns('env_299');
  // Of 299, 2990 to 2999, those that 3 divides: 2991, 2994, 2997.
  await page.getByText('Showing 3 of 3,000 runs; 2,997 hidden by filters').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.runs-grid .row-link').length === 3);
  assert.deepEqual(await at.runKeys(), ['env_2991', 'env_2994', 'env_2997']);
});

// Each gives findings or one clear message with a place and a way on; everything readable is kept.
const BAD = [
  {
    name: 'an empty file',
    files: { 'empty.json': '' },
    says: /empty/i,
    runs: 0,
  },
  {
    name: 'a binary file',
    files: { 'run.bin': new Uint8Array(Array.from({ length: 512 }, (_, at) => (at * 37) % 256)) },
    says: /binary|not text|text/i,
    runs: 0,
  },
  {
    name: 'a last line that was cut',
    files: { 'cut.jsonl': lines(record(0), record(1)) + JSON.stringify(record(2)).slice(0, 200) },
    rules: ['jsonl/truncated-last-line'],
    place: /cut\.jsonl:3:/,
    iterations: 2,
  },
  {
    name: 'a broken line in the middle',
    files: { 'middle.jsonl': lines(record(0)) + '{"loop_id": nope}\n' + lines(record(1)) },
    rules: ['jsonl/bad-line'],
    place: /middle\.jsonl:2:\d+/,
    iterations: 2,
  },
  {
    name: 'a byte order mark',
    files: { 'bom.jsonl': '\ufeff' + lines(record(0), record(1)) },
    rules: ['text/bom'],
    iterations: 2,
  },
  {
    name: 'lines that end in CRLF',
    files: { 'crlf.jsonl': lines(record(0), record(1)).replaceAll('\n', '\r\n') },
    iterations: 2,
  },
  {
    name: 'NaN where a number should be',
    files: { 'nan.jsonl': lines(record(0), record(1)).replace('"reward_signal":0.2', '"reward_signal":NaN') },
    rules: ['json/non-finite'],
    iterations: 2,
  },
  {
    name: 'UTF-16',
    files: { 'utf16.jsonl': Buffer.from('\ufeff' + lines(record(0), record(1)), 'utf16le') },
    rules: ['text/utf16'],
    iterations: 2,
  },
  {
    name: 'valid JSON that is no history',
    files: { 'other.json': '{"hello": "world", "list": [1, 2, 3]}' },
    says: /none of the properties that identify a format/,
    runs: 0,
  },
  {
    name: 'two files with the same iteration',
    files: {
      '000.json': JSON.stringify(record(0, { text: 'One account of it.' })),
      '000-copy.json': JSON.stringify(record(0, { text: 'Another account of it.' })),
      '001.json': JSON.stringify(record(1)),
    },
    rules: ['series/duplicate-iteration'],
    iterations: 2,
  },
];

for (const bad of BAD) {
  test(`bad input: ${bad.name}`, async (t) => {
    const folder = await tempFolder(
      t,
      Object.fromEntries(Object.entries(bad.files).map(([name, text]) => [`drop/${name}`, text])),
    );
    const { at, page } = await start(t);
    await at.drop([path.join(folder, 'drop')]);
    if (bad.runs === 0) {
      assert.equal(at.hash(), '#/', 'without runs, the files and what is wrong with them are shown');
      assert.match(await at.sources.first().textContent(), bad.says);
      await page.getByText('Nothing here is a history that hindscope knows').waitFor();
    } else {
      assert.match(at.hash(), /^#\/run\//, 'the only run is shown at once');
      await at.inspector.locator('.verdict').waitFor();
      // Everything readable is kept.
      await at.inspector.locator('.steps .quiet', { hasText: new RegExp(`of ${bad.iterations}$`) }).waitFor();
    }
    if (bad.rules) {
      await at.goto('#/findings');
      await at.findings.first().waitFor();
      const rules = await at.rules();
      for (const rule of bad.rules) assert.ok(rules.includes(rule), `${rule} is among ${rules}`);
      if (bad.place) {
        const finding = at.findings.filter({ hasText: bad.rules[0] }).first();
        assert.match(await finding.textContent(), bad.place);
      }
    }
    // The page is alive: the next thing works.
    await at.goto('#/');
    await at.sample('tasks');
    assert.match(await at.heading.textContent(), /^12 runs$/);
  });
}

test('bad input: a folder with one unreadable file', async (t) => {
  const folder = await tempFolder(t, {
    'runs/000.json': JSON.stringify(record(0)),
    'runs/001.json': JSON.stringify(record(1)),
    'runs/002.json': JSON.stringify(record(2)),
  });
  const unreadable = path.join(folder, 'runs/001.json');
  const { at, page } = await start(t);
  // Root may read everything: for root the file is gone after the folder was listed.
  if (process.getuid?.() === 0) {
    await page.evaluate(() => {
      const gone = new Promise((resolve) => { window.goOn = resolve; });
      addEventListener('drop', (event) => {
        const folder = event.dataTransfer.items[0].webkitGetAsEntry();
        const reader = Object.getPrototypeOf(folder.createReader());
        const list = reader.readEntries;
        reader.readEntries = function (yes, no) {
          list.call(this, (entries) => {
            window.isListed = true;
            gone.then(() => yes(entries));
          }, no);
        };
      }, { capture: true, once: true });
    });
    await dropPaths(page, [path.join(folder, 'runs')]);
    await page.waitForFunction(() => window.isListed);
    await rm(unreadable);
    await page.evaluate(() => window.goOn());
  } else {
    await chmod(unreadable, 0);
    await dropPaths(page, [path.join(folder, 'runs')]);
  }
  await at.inspector.locator('.verdict').waitFor();
  await at.tab('Attempts');
  assert.equal(await at.iterations.getAttribute('aria-rowcount'), '3', 'the other two are shown');
  await at.goto('#/');
  const row = at.sources.filter({ hasText: '001.json' });
  await row.waitFor();
  assert.match(await row.textContent(), /NotFoundError|NotReadableError/);
  await at.goto('#/findings');
  await at.findings.first().waitFor();
  assert.ok((await at.rules()).includes('source/unreadable'));
});

test('bad input: 3 GB of zeros are over at once', async (t) => {
  const folder = await tempFolder(t, { 'drop/ok.jsonl': lines(record(0), record(1)) });
  const huge = path.join(folder, 'drop/zeros.jsonl');
  const file = await open(huge, 'w');
  await file.truncate(3 * 1024 ** 3);
  await file.close();
  const { at } = await start(t);
  const begun = performance.now();
  await at.drop([path.join(folder, 'drop')]);
  t.diagnostic(`read in ${Math.round(performance.now() - begun)} ms`);
  await at.inspector.locator('.verdict').waitFor();
  await at.goto('#/');
  const row = at.sources.filter({ hasText: 'zeros.jsonl' });
  await row.waitFor();
  assert.match(await row.textContent(), /refused|raw/);
});

test('bad input: hostile text stays text', async (t) => {
  const text = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202etxt\u0000 [a](javascript:1)';
  const folder = await tempFolder(t, {
    'drop/<b>x</b>.jsonl': lines(record(0, { text, task_description: text }), record(1, { text })),
  });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'drop')]);
  await at.inspector.locator('.reflection-text').waitFor();
  assert.equal(await page.locator('main img, main script, main b:has-text("x")').count(), 0);
  assert.match(await at.reflection().textContent(), /<script>document\.title=2<\/script>U\+202Etxt/);
  assert.match(await page.title(), /^ralph-fixture/);
});

test('a second drop replaces, or adds where it is let go', async (t) => {
  const folder = await tempFolder(t, {
    'a/run.jsonl': lines(record(0), record(1)),
    'b/env_results_trial_0.json': JSON.stringify([{ name: 'env_0', memory: [], is_success: true }]),
  });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'a')]);
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['ralph-fixture']);
  // The overlay says that a drop opens; what becomes of what is open is asked then.
  const held = await holdPaths(page, [path.join(folder, 'b')]);
  await page.locator('.overlay.shown').waitFor();
  await held.leave();
  await at.drop([path.join(folder, 'b')]);
  await page.getByRole('heading', { name: 'env_0' }).waitFor();
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['env_0']);
  await at.drop([path.join(folder, 'a')], undefined, 'Add');
  await page.locator('.count-line', { hasText: 'All 2 runs' }).waitFor();
  // Pickers ask too.
  await at.view('Files');
  await page.locator('#choose-files').setInputFiles(path.join(folder, 'a/run.jsonl'));
  await page.locator('#intake[open]').waitFor();
  await at.answer('Replace');
  await page.getByRole('heading', { name: 'ralph-fixture' }).waitFor();
  await at.view('Files');
  await page.locator('#choose-folder').setInputFiles(path.join(folder, 'b'));
  await page.locator('#intake[open]').waitFor();
  await at.answer('Add');
  await at.view('Runs');
  await page.locator('.count-line', { hasText: 'All 2 runs' }).waitFor();
});

test('a file picker and a folder picker', async (t) => {
  const folder = await tempFolder(t, { 'runs/a.jsonl': lines(record(0), record(1)) });
  const { at, page } = await start(t);
  await page.locator('#choose-folder').setInputFiles(path.join(folder, 'runs'));
  await at.inspector.locator('.verdict').waitFor();
  await at.goto('#/');
  assert.match(await at.sources.first().textContent(), /runs\/a\.jsonl/);
});

test('a drop anywhere never leaves the page, and text opens no overlay', async (t) => {
  const { at, page } = await start(t);
  const url = page.url();
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'hello');
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  });
  assert.equal(await page.locator('.overlay.shown').count(), 0);
  assert.equal(page.url(), url);
  await at.sample('tasks');
});

test('a theme that is chosen in one tab is that of all tabs', async (t) => {
  const { at, page, context, server } = await start(t);
  const other = await context.newPage();
  await other.goto(server.url);
  await new HindscopePage(other).ready();
  const theme = (page, name) => page.waitForFunction((name) => document.documentElement.dataset.theme === name, name);
  await at.heading.focus();
  for (const name of ['light', 'dark', undefined]) {
    await page.keyboard.press('t');
    await theme(page, name);
    await theme(other, name);
  }
  // And the other way round: the second tab took the theme up, and goes on from it.
  await other.keyboard.press('t');
  await theme(page, 'light');
});

test('the theme is chosen, kept, and drawn', async (t) => {
  const { at, page } = await start(t, { colorScheme: 'light' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const button = page.getByRole('button', { name: /^Theme/ });
  await button.click();
  assert.equal(await button.getAttribute('aria-label'), 'Theme: light');
  assert.equal(await ground(), light);
  await button.click();
  assert.equal(await button.getAttribute('aria-label'), 'Theme: dark');
  assert.notEqual(await ground(), light);
  await page.reload();
  await at.ready();
  assert.notEqual(await ground(), light, 'it is kept');
});

for (const [name, hash, ready] of [
  ['the first view', '#/', '.target'],
  ['runs', '#/runs', '.runs-grid .row-link'],
  ['a run', '#/run/ralph-duration-parser-2026-03-02/i/3', '.reflection-text'],
  ['a window', '#/run/ralph-duration-parser-2026-03-02/window/5', '.rendered'],
  ['findings', '#/findings', '.finding-row'],
]) {
  test(`nothing scrolls sideways at 320 pixels: ${name}`, async (t) => {
    const { at, page } = await start(t, NARROW);
    await at.sample('improving');
    await at.goto(hash);
    await page.locator(ready).first().waitFor();
    assert.equal(await at.scrollsSideways(), false);
  });
}

test('reading can be cancelled, and what was read stays', async (t) => {
  const folder = await tempFolder(t, { 'drop/a.jsonl': lines(record(0), record(1)) });
  const big = path.join(folder, 'drop/z.jsonl');
  const parts = Array.from({ length: 150 }, (_, part) =>
    lines(...Array.from({ length: 2000 }, (_, at) =>
      record(at % 20, { loop_id: `ralph-big-${part}-${Math.floor(at / 20)}` }))));
  await writeFile(big, parts.join(''));
  const { at, page } = await start(t);
  // Pressed as soon as the first file is read and the second is not.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const strip = document.querySelector('.strip');
      if (!strip?.textContent.startsWith('1 of 2 files')) return;
      observer.disconnect();
      strip.querySelector('button').click();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await dropPaths(page, [path.join(folder, 'drop')]);
  await page.getByText('Reading was cancelled. What was read is kept and shown.').waitFor();
  await at.view('Runs');
  await at.filterRuns('ralph-fixture');
  await at.runs.getByRole('link', { name: 'ralph-fixture', exact: true }).waitFor();
});
