// How fast the page is, in Chromium: opening, long lists, the chart, keys, memory.
//
//   node tests/bench/page.mjs [--json] [--only open,long,…] [--mb 91] [--records 1000000]
//                             [--points 100000] [--files 10000] [--runs 200] [--tasks 200]
//                             [--rounds 3]
//
//   open      JSON Lines: first rows, all of it, tasks, memory; beside JSON.parse in a worker
//   million   records that are a run each: opening, the End key, scrolling
//   chart     a run of so many points: drawing, hover, zoom, pan; j from iteration to iteration
//   files     a folder of so many files, dropped and picked: tasks
//   compare   so many runs compared: tasks
//   tree      an episodic memory of so many tasks (the full size is 10,000), picked
//
// It needs a built page (`cargo xtask build page`; HINDSCOPE_PAGE names another), and
// `cargo xtask bench page` builds it first. Each figure is the best of its rounds, since whatever
// else the machine does only makes it worse. Nothing judges them.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PAGE_FOLDER, ROOT, holdPaths, launch, serveFolder } from '../e2e/chromium.mjs';
import { HindscopePage } from '../e2e/page.mjs';
import { history } from './generate.mjs';
import { longRun, manyFiles, manyRuns, trials } from './scenes.mjs';
import { ACTIONS, ATTEMPTS, writeTree } from './tree.mjs';
import { clock, moved, noteTasks, pressed, redrawn, scrolled } from './watch.mjs';

const text = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: text('open,million,chart,files,compare,tree'),
    mb: text('91'),
    records: text('1000000'),
    points: text('100000'),
    files: text('10000'),
    runs: text('200'),
    tasks: text('200'),
    rounds: text('3'),
  },
});
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
/** So long a hand holds files over the page, at least. */
const HELD_MS = 500;
/** What a worker may take at most, in MB: all that 32 bits can say, nearly. */
const MOST_MEMORY = 4200;
/** On a machine that does other things too, a million records take a while. */
const PATIENCE_MS = 300_000;
const number = (name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`bench: --${name} takes a whole number`);
  process.exit(2);
};
const COUNT = Object.fromEntries(['mb', 'records', 'points', 'files', 'runs', 'tasks', 'rounds'].map((name) => [name, number(name)]));

const scenes = { open, million, chart, files, compare, tree };
const wanted = values.only.split(',');
const unknown = wanted.find((name) => !(name in scenes));
if (unknown !== undefined) {
  console.error(`bench: there is no ${unknown}; there are ${Object.keys(scenes).join(', ')}`);
  process.exit(2);
}

const server = await serveFolder(PAGE_FOLDER);
const rows = [];
try {
  for (const name of wanted) await scenes[name]();
} finally {
  await server.close();
}
if (values.json) console.log(JSON.stringify(rows, null, 2));

/** A figure, printed at once: what is aimed at is said beside it, and met or missed. */
function report(scene, name, value, unit, aim) {
  const shown = Number(value.toPrecision(3));
  const isMet = aim && (aim.most === undefined ? shown >= aim.least : shown <= aim.most);
  rows.push({ scene, name, value: shown, unit, ...(aim && { ...aim, met: isMet }) });
  if (values.json) return;
  const goal = aim ? `${aim.most === undefined ? `at least ${aim.least}` : `at most ${aim.most}`}${isMet ? '' : '  MISSED'}` : '';
  console.log(`${scene.padEnd(8)} ${name.padEnd(36)} ${String(shown).padStart(8)} ${unit.padEnd(9)} ${goal}`);
}

/** The longest task of the page's own thread: judged by what it needed of the processor. */
function tellTask(scene, name, { task, work }, most = 50) {
  report(scene, `${name}: longest task needs`, work, 'ms', { most });
  report(scene, `${name}: longest task took`, task, 'ms');
}

/** Rounds, each with a browser of its own: the best value of each figure. `isHigh` figures are best
 * when they are large. */
async function best(round, isHigh = []) {
  let best;
  for (let at = 0; at < COUNT.rounds; at += 1) {
    const browser = await launch();
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(server.url);
      const found = await round(await new HindscopePage(page).ready(), browser);
      best ??= found;
      for (const [name, value] of Object.entries(found)) {
        best[name] = (isHigh.includes(name) ? Math.max : Math.min)(best[name], value);
      }
    } finally {
      await browser.close();
    }
  }
  return best;
}

/** Opens by a drop, and says when: the drop, the first rows, the frame behind them, all of it. The page notes
 * that itself, since to ask it meanwhile takes the time that is measured. */
async function timed(at, browser, paths) {
  const longest = await noteTasks(at.page, browser);
  await at.page.evaluate(() => {
    const times = { app: document.querySelector('.app') };
    globalThis.benchTimes = times;
    times.opened = times.app.dataset.opened;
    addEventListener('drop', () => { times.drop = performance.now(); }, { capture: true });
    const look = () => {
      if (times.drop === undefined) return;
      if (times.rows === undefined && document.querySelector('.runs-grid .row-link')) {
        times.rows = performance.now();
        requestAnimationFrame(() => setTimeout(() => { times.seen = performance.now(); }));
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    times.done = new Promise((done) => {
      new MutationObserver((_, observer) => {
        if (times.app.dataset.opened === times.opened) return;
        times.end = performance.now();
        observer.disconnect();
        done();
      }).observe(times.app, { attributes: true });
    });
  });
  const held = await holdPaths(at.page, paths);
  // A hand is slower.
  await at.page.waitForTimeout(HELD_MS);
  const done = at.page.evaluate(() => benchTimes.done);
  await held.drop();
  await done;
  const { drop, rows, seen, end } = await at.page.evaluate(() => {
    const { drop, rows, seen, end } = benchTimes;
    return { drop, rows, seen, end };
  });
  await at.read();
  const { took: task, needed: work } = await longest(drop);
  return { whole: end - drop, rows: (rows ?? end) - drop, seen: (seen ?? end) - drop, task, work };
}

/** Memory of the process that shows the page, in bytes: what it still holds after a simulated shortage of
 * memory (`own`), and the most that it had before (`peak`). 0 where the system does not say. */
async function memory(page, browser) {
  const of = (status, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const most = (name) => Math.max(0, ...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    try {
      return of(readFileSync(`/proc/${id}/status`, 'utf8'), name);
    } catch {
      return 0;
    }
  }));
  const peak = most('VmHWM');
  const own = await page.context().newCDPSession(page);
  await own.send('Memory.simulatePressureNotification', { level: 'critical' });
  await page.waitForTimeout(2000);
  return { own: most('RssAnon'), peak };
}

/** What people would do: a worker that takes the file, reads it as text and parses each line. */
async function parsed(browser, file) {
  const page = await browser.newPage();
  await page.setContent('<input type=file>');
  await page.locator('input').setInputFiles(file);
  const took = await page.evaluate(() => new Promise((done, failed) => {
    const code = `onmessage = async ({ data: file }) => {
      const text = await file.text();
      let records = 0;
      for (let from = 0; from < text.length;) {
        const end = text.indexOf('\\n', from) === -1 ? text.length : text.indexOf('\\n', from);
        if (end > from) records += JSON.parse(text.slice(from, end)) ? 1 : 0;
        from = end + 1;
      }
      postMessage(records);
    };`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onerror = (event) => failed(new Error(event.message));
    const begun = performance.now();
    worker.onmessage = () => done(performance.now() - begun);
    worker.postMessage(document.querySelector('input').files[0]);
  }));
  await page.close();
  return took;
}

async function open() {
  const { file, bytes } = history(COUNT.mb, FOLDER);
  const found = await best(async (at, browser) => {
    const before = await memory(at.page, browser);
    const times = await timed(at, browser, [file]);
    const after = await memory(at.page, browser);
    return { ...times, own: after.own - before.own, peak: after.peak - before.own, peer: await parsed(browser, file) };
  });
  report('open', `${COUNT.mb} MB`, found.whole, 'ms');
  report('open', 'JSON.parse in a worker', found.peer, 'ms');
  report('open', 'times as fast as JSON.parse', found.peer / found.whole, '×');
  report('open', 'first rows', found.rows, 'ms', { most: 300 });
  report('open', 'first rows on the screen', found.seen, 'ms');
  tellTask('open', 'drop to done', found);
  if (found.peak > 0) {
    report('open', 'memory kept, share of the file', found.own / bytes.length, '', { most: 0.25 });
    report('open', 'memory at most, share of the file', found.peak / bytes.length, '');
  }
}

async function million() {
  const file = await manyRuns(COUNT.records, FOLDER);
  const last = `ralph-${String(COUNT.records).padStart(7, '0')}`;
  const found = await best(async (at, browser) => {
    const { page } = at;
    const times = await timed(at, browser, [file]);
    // The list that is there first is that of what was read first.
    await page.getByText(`All ${COUNT.records.toLocaleString('en')} runs`).waitFor();
    const before = await clock(page);
    await page.keyboard.press('End');
    await page.locator('.row.active .row-link', { hasText: last }).waitFor();
    const end = (await clock(page)) - before;
    await page.keyboard.press('Home');
    await page.locator('.row.active .row-link', { hasText: 'ralph-0000001' }).waitFor();
    const slow = await scrolled(page, 60);
    const fast = await scrolled(page, 2000);
    return { ...times, end, slow: slow.perSecond, fast: fast.perSecond, bare: fast.bare };
  }, ['slow', 'fast']);
  report('million', `${COUNT.records} runs`, found.whole, 'ms');
  report('million', 'first rows', found.rows, 'ms');
  tellTask('million', 'drop to done', found);
  report('million', 'End key to the last row', found.end, 'ms');
  report('million', 'scrolling two rows a frame', found.slow, 'frames/s', { least: 50 });
  report('million', 'scrolling two screens a frame', found.fast, 'frames/s', { least: 50 });
  report('million', 'of these with a row still to come', found.bare, '');
}

async function chart() {
  const file = await longRun(COUNT.points, FOLDER);
  const found = await best(async (at, browser) => {
    const { page } = at;
    const times = await timed(at, browser, [file]);
    await page.evaluate(() => { location.hash = location.hash.replace(/^(#\/run\/[^/?]+)$/, '$1/i'); });
    await page.waitForFunction(() => /Drawing/.test(document.querySelector('#chart-caption')?.textContent ?? ''));
    await page.waitForTimeout(1500);
    const drawn = await redrawn(page);
    const hover = await moved(page, browser, 'hover');
    const zoom = await moved(page, browser, 'zoom');
    const pan = await moved(page, browser, 'pan');
    await page.keyboard.press('Home');
    await page.waitForTimeout(300);
    const keys = await pressed(page, 'j', 40);
    return {
      task: times.task, work: times.work, drawn: drawn.median, hover: hover.perSecond, zoom: zoom.perSecond, pan: pan.perSecond,
      hoverNeeds: hover.needs, zoomNeeds: zoom.needs, panNeeds: pan.needs, ...keys,
    };
  }, ['hover', 'zoom', 'pan']);
  tellTask('chart', `${COUNT.points} points`, found);
  report('chart', 'drawn anew', found.drawn, 'ms', { most: 100 });
  for (const kind of ['hover', 'zoom', 'pan']) {
    report('chart', kind, found[kind], 'frames/s', { least: 50 });
    report('chart', `${kind}: a frame needs`, found[`${kind}Needs`], 'ms', { most: 20 });
  }
  report('chart', 'j: key to paint', found.paint, 'ms', { most: 50 });
  report('chart', 'j: key to paint, slowest twentieth', found.paint95, 'ms');
  report('chart', 'j: key to the next iteration', found.answer, 'ms', { most: 50 });
  report('chart', 'j: the same, slowest twentieth', found.answer95, 'ms');
}

/** Opens a folder by the picker, and says how long it took from the moment that the picker was done. */
async function pick(at, browser, folder) {
  const { page } = at;
  const longest = await noteTasks(page, browser);
  await page.evaluate(() => addEventListener('change', () => { globalThis.benchFrom = performance.now(); }, { capture: true }));
  const picking = page.locator('#choose-folder').setInputFiles(folder, { timeout: PATIENCE_MS });
  await page.waitForFunction(() => / open: /.test(document.querySelector('p.spoken[role=status]')?.textContent ?? ''), undefined, { timeout: 2 * PATIENCE_MS });
  await picking;
  await at.read();
  const from = await page.evaluate(() => benchFrom);
  const whole = (await clock(page)) - from;
  const { took: task, needed: work } = await longest(from);
  return { whole, task, work };
}

async function files() {
  const folder = await manyFiles(COUNT.files, FOLDER);
  const dropped = await best((at, browser) => timed(at, browser, [folder]));
  const picked = await best((at, browser) => pick(at, browser, folder));
  report('files', `${COUNT.files} files dropped`, dropped.whole, 'ms');
  tellTask('files', 'dropped', dropped);
  report('files', `${COUNT.files} files picked`, picked.whole, 'ms');
  tellTask('files', 'picked', picked);
}

async function compare() {
  const folder = await trials(COUNT.runs + 60, FOLDER);
  const found = await best(async (at, browser) => {
    const { page } = at;
    await at.drop([folder]);
    await page.getByRole('button', { name: `Mark the first ${COUNT.runs}` }).click();
    const longest = await noteTasks(page, browser);
    const begun = await clock(page);
    await page.locator('.compare-button').click();
    await page.locator('.compare-row').nth(COUNT.runs).waitFor();
    const whole = (await clock(page)) - begun;
    await page.getByText(/Errors and stuck loops are read for the first/).waitFor();
    await page.waitForTimeout(500);
    const { took: task, needed: work } = await longest(begun);
    return { whole, task, work };
  });
  report('compare', `${COUNT.runs} runs`, found.whole, 'ms');
  tellTask('compare', 'marked to compared', found, 100);
}

async function tree() {
  const folder = path.join(FOLDER, `memory-${COUNT.tasks}`);
  if (!existsSync(path.join(folder, 'index/by-agent.json'))) await writeTree(folder, COUNT.tasks);
  const found = await best(async (at, browser) => {
    // More than this the page would ask about first.
    await at.page.goto(`${server.url}?memory=${MOST_MEMORY}`);
    await at.ready();
    const before = await memory(at.page, browser);
    const times = await pick(at, browser, folder);
    const rows = await at.page.getByText(`${COUNT.tasks.toLocaleString('en')} runs`).count();
    if (rows === 0) throw new Error('not all tasks are there');
    const after = await memory(at.page, browser);
    return { ...times, own: after.own - before.own, peak: after.peak - before.own };
  });
  const actions = COUNT.tasks * ATTEMPTS * ACTIONS;
  report('tree', `${COUNT.tasks} tasks, ${actions} actions`, found.whole, 'ms');
  report('tree', 'of that for an action', (1000 * found.whole) / actions, 'µs');
  tellTask('tree', 'picked', found);
  if (found.peak > 0) {
    report('tree', 'memory kept for an action', found.own / actions, 'bytes');
    report('tree', 'memory at most', found.peak / 1e6, 'MB');
  }
}
