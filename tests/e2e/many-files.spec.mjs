// Ten thousand small files: they open without the page standing still, and their list is as long as
// the window is high.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hurry, openPage, slowWorker, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const LOOPS = 1000;
const EACH = 10;
/** A task of the page's own thread above this is felt as a stall, in milliseconds. How many there were is reported and
 * not judged: a busy machine stops the page whatever it does, and `cargo xtask bench page` says what a task needs. */
const STALL_MS = 50;
/** The page must be free for other work this often while it lists, and again while the worker reads. */
const TURNS = 20;
/** The same machine may take this long over what takes six seconds when it is quiet. */
const PATIENCE_MS = 200_000;

function record(loop, iteration) {
  return JSON.stringify({
    loop_id: `ralph-${loop}`,
    iteration,
    timestamp: `2026-03-01T09:${String(iteration).padStart(2, '0')}:00Z`,
    actor_output: { actions: [], rationale: 'Try again.' },
    evaluator_output: { passed: iteration === EACH, verification_type: 'unit_tests', reward_signal: iteration / EACH },
    self_reflection: { reflection_text: `Attempt ${iteration} of ${loop} met a stale cache.` },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(iteration, 3) },
  });
}

const many = Object.fromEntries(
  Array.from({ length: LOOPS * EACH }, (_, at) => {
    const [loop, iteration] = [Math.floor(at / EACH), (at % EACH) + 1];
    return [`many/loop-${loop}/${String(iteration).padStart(3, '0')}.json`, record(loop, iteration)];
  }),
);

/** Notes tasks of the page's own thread that take long, when the page says what it does, and how often it was free
 * meanwhile. */
async function watch(page) {
  page.setDefaultTimeout(PATIENCE_MS);
  await page.evaluate((stall) => {
    globalThis.seen = { tasks: [], marks: {}, headlines: [], turns: { listing: 0, reading: 0 } };
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) {
        if (duration >= stall) seen.tasks.push([Math.round(startTime), Math.round(duration)]);
      }
    }).observe({ entryTypes: ['longtask'] });
    const look = () => {
      const text = document.querySelector('.strip-text strong')?.textContent;
      if (text && seen.headlines.at(-1) !== text) {
        seen.headlines.push(text);
        seen.phase = /^Looking/.test(text) ? 'listing' : 'reading';
        seen.marks[seen.phase] ??= performance.now();
      }
    };
    const turn = () => {
      if (seen.phase) seen.turns[seen.phase] += 1;
      setTimeout(turn);
    };
    turn();
    // What the browser does with a picker before the page hears of it is none of the page's.
    addEventListener('change', () => { seen.from = performance.now(); }, { capture: true });
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, STALL_MS);
}

async function opened(page) {
  await page.waitForFunction(
    () => / open: /.test(document.querySelector('p.spoken[role=status]')?.textContent ?? ''),
  );
  await page.locator('.strip').waitFor({ state: 'detached' });
  await page.evaluate(() => { seen.phase = undefined; });
  await page.locator('.runs-grid .row-link').first().waitFor();
  return page.evaluate(() => performance.now());
}

async function reportTasks(t, page, what, start, end) {
  const { tasks: all, from, marks, headlines, turns } = await page.evaluate(() => seen);
  const tasks = all.filter(([begun, took]) => from === undefined || begun + took > from);
  if (from !== undefined) {
    // The event comes at the end of the task that the browser worked in.
    tasks.forEach((task) => { if (task[0] < from) task[1] = Math.round(task[0] + task[1] - from); });
  }
  const ms = (from, to) => (from === undefined || to === undefined ? 'none' : `${Math.round(to - from)} ms`);
  t.diagnostic(
    `${what}: ${ms(start, end)}; listing ${ms(marks.listing, marks.reading)}, reading ${ms(marks.reading, end)}; ` +
      `${tasks.length} tasks over ${STALL_MS} ms${tasks.map(([, took]) => ` ${took}`).join()}; ${headlines.length} headlines; ` +
      `turns ${turns.listing} and ${turns.reading}`,
  );
  assert.ok(turns.listing >= TURNS && turns.reading >= TURNS, `the page was free ${turns.listing} and ${turns.reading} times`);
  return headlines;
}

test('a dropped folder of ten thousand files opens without a stall', async (t) => {
  const folder = await tempFolder(t, many);
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await watch(page);
  const start = await page.evaluate(() => performance.now());
  const drop = at.drop([`${folder}/many`]);
  const end = await opened(page);
  await drop;
  const headlines = await reportTasks(t, page, 'drop', start, end);
  // How far it has come is said in files and in bytes, more than once.
  const reading = headlines.filter((text) => /^[\d,]+ of 10,000 files · [\d.]+ .B of [\d.]+ .B · /.test(text));
  assert.ok(reading.length >= 2, headlines.join('\n'));
  assert.equal((await at.runKeys())[0], 'ralph-0');

  await at.view('Files');
  await at.sources.first().waitFor();
  const rows = await at.sources.count();
  assert.ok(rows > 0 && rows < 200, `${rows} rows in the document`);
  await page.locator('.main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await at.sources.filter({ hasText: 'many/loop-999/010.json' }).waitFor();
  await reportTasks(t, page, 'with the list of files', start, await page.evaluate(() => performance.now()));
});

test('so do ten thousand files that are a group each', async (t) => {
  const row = (n) => ({ task_id: `T/${n}`, prompt: 'def f():', entry_point: 'f', is_solved: n % 2 === 0, reflections: ['No.'], implementations: ['a', 'b'], solution: 'b' });
  const files = Array.from({ length: 10_000 }, (_, n) => [`rows/${n}.jsonl`, `${JSON.stringify(row(n))}\n`]);
  const folder = await tempFolder(t, Object.fromEntries(files));
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await watch(page);
  const start = await page.evaluate(() => performance.now());
  const drop = at.drop([`${folder}/rows`]);
  const end = await opened(page);
  await drop;
  await reportTasks(t, page, 'a group each', start, end);
  assert.equal(await page.locator('.groups tbody tr').count(), 100);
  assert.match(await page.locator('.groups').textContent(), /9,900 smaller groups are not listed/);
});

test('a picked folder does, too', async (t) => {
  const folder = await tempFolder(t, many);
  const { page } = await openPage(t);
  await new HindscopePage(page).ready();
  await watch(page);
  const start = await page.evaluate(() => performance.now());
  const picking = page.locator('#choose-folder').setInputFiles(`${folder}/many`);
  const end = await opened(page);
  await picking;
  await reportTasks(t, page, 'picker', await page.evaluate(() => seen.from), end);
});

test('the first runs of a long file are there long before its last', async (t) => {
  const RUNS = 2100;
  const padding = 'It failed for the same reason as before. '.repeat(90);
  const line = (run, iteration) => {
    const one = JSON.parse(record(run, iteration));
    one.self_reflection.reflection_text += padding;
    return JSON.stringify(one);
  };
  const lines = Array.from({ length: RUNS * EACH }, (_, at) => line(Math.floor(at / EACH), (at % EACH) + 1));
  const folder = await tempFolder(t, { 'long.jsonl': lines.join('\n') });
  const { page } = await openPage(t, { prepare: slowWorker });
  const at = await new HindscopePage(page).ready();
  await page.evaluate(() => {
    globalThis.early = { rows: 0, titles: [] };
    const look = () => {
      const title = document.querySelector('#heading')?.textContent;
      if (!document.querySelector('.strip') || !/so far$/.test(title ?? '')) return;
      if (early.titles.at(-1) !== title) early.titles.push(title);
      early.rows = Math.max(early.rows, document.querySelectorAll('.runs-grid .row-link').length);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const drop = at.drop([`${folder}/long.jsonl`]);
  // Rows were there while the file was read, and their count grew.
  await page.waitForFunction(() => early.rows > 0 && early.titles.length > 1);
  await hurry(page);
  await drop;
  const { titles } = await page.evaluate(() => early);
  t.diagnostic(titles.join(', '));
  const counts = titles.map((title) => Number(/^([\d,]+) runs? so far$/.exec(title)?.[1].replaceAll(',', '')));
  assert.ok(counts[0] > 1 && counts[0] < RUNS / 4, titles.join(', '));
  assert.ok(counts.every((count, at) => at === 0 || count > counts[at - 1]), titles.join(', '));
  // What is there at the end is all of it, and it is where the reader was taken.
  assert.equal(at.hash(), '#/runs');
  assert.equal(await at.heading.textContent(), '2,100 runs');
  assert.match(await at.status.textContent(), /^1 file open: 2,100 runs, 21,000 reflections/);
  // On a busy machine the list is shorter than the heading says for a moment.
  await page.locator(`.runs-grid [aria-rowcount="${RUNS + 1}"], .runs-grid[aria-rowcount="${RUNS + 1}"]`).waitFor();
  await page.keyboard.press('End');
  await page.locator('.row.active .row-link', { hasText: `ralph-${RUNS - 1}` }).waitFor();
  await at.openRun(`ralph-${RUNS - 1}`);
  await page.getByRole('heading', { name: 'Iteration 10', exact: true }).waitFor();
});
