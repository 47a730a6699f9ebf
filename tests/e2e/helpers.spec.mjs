// A large file of lines is read by several workers; nobody sees who read what.

import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { PAGE_FOLDER, assertQuiet, dropPaths, launch, listen, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RECORDS = 10_000;
/** On a machine that does other things too, insight takes its time. */
const PATIENCE_MS = 120_000;
const PADDING = 'One change per attempt makes the next failure readable. '.repeat(70);

/** Records of runs that go on through the file, with what is odd here and there. */
function* lines(count) {
  for (let n = 0; n < count; n += 1) {
    const passed = n % 12 === 11;
    yield JSON.stringify({
      loop_id: `ralph-${String(n % 40).padStart(2, '0')}`,
      iteration: Math.floor(n / 40),
      timestamp: new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString(),
      evaluator_output: { passed, reward_signal: (n % 97) / 97 },
      self_reflection: { reflection_text: `Attempt ${n}, größer 😀: ${PADDING}`, ...(n % 50 === 7 && { confidence: 2 }) },
      previous_reflections_used: n > 40 ? [Math.floor(n / 40) - 1] : [],
    });
    if (n % 700 === 699) yield `{"iteration": ${n}, "cut":`;
    if (n % 900 === 899) yield '{"some":"object"}';
  }
}

/** 40 MB, the last line without its break. */
async function large(t) {
  const folder = await tempFolder(t, { 'large.jsonl': [...lines(RECORDS)].join('\n') });
  return path.join(folder, 'large.jsonl');
}

/**
 * Before the page: how many processors the machine has, and what each worker does first. The worker
 * tells which helpers it starts and ends, and how many bytes it reads itself.
 */
async function prepare(context, processors, first = '') {
  await context.addInitScript(([processors, first]) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => processors });
    globalThis.started = [];
    globalThis.ended = 0;
    globalThis.read = 0;
    new BroadcastChannel('helpers').onmessage = ({ data: { started, ended, read } }) => {
      if (started) globalThis.started.push(started);
      globalThis.ended += ended ?? 0;
      globalThis.read += read ?? 0;
    };
    const Plain = globalThis.Blob;
    const prelude = `{
      const Plain = self.Worker;
      const channel = new BroadcastChannel('helpers');
      self.Worker = class extends Plain {
        constructor(address, options) { super(address, options); channel.postMessage({ started: options.name }); }
        terminate() { super.terminate(); channel.postMessage({ ended: 1 }); }
      };
      const read = FileReaderSync.prototype.readAsArrayBuffer;
      FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
        if (self.name !== 'helper') channel.postMessage({ read: blob.size });
        return read.call(this, blob);
      };
      ${first}
    }\n`;
    globalThis.Blob = class extends Plain {
      constructor(parts, options) {
        super(options?.type === 'text/javascript' ? [prelude, ...parts] : parts, options);
      }
    };
  }, [processors, first]);
}

/**
 * The worker is held up by each large read, without work for the processor, once helpers have been started: so
 * they have their share however busy the machine is. Between two reads it hears of them, without which the
 * browser does not go on to start them.
 */
const SLOW = `if (self.name !== 'helper') {
  const still = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
  const Plain = self.Worker;
  let wait = 0;
  self.Worker = class extends Plain {
    constructor(...of) { super(...of); wait = 1000; }
  };
  const read = FileReaderSync.prototype.readAsArrayBuffer;
  FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
    if (wait > 0 && blob.size > 2_000_000) Atomics.wait(still, 0, 0, wait);
    return read.call(this, blob);
  };
}`;

/** What stands there, once that changes no more. */
async function settled(page, selector) {
  const read = () => page.locator(selector).first().innerText();
  for (let text = await read(), same = 0; ;) {
    await page.waitForTimeout(250);
    const now = await read();
    same = now === text ? same + 1 : 0;
    if (same === 4) return now;
    text = now;
  }
}

/** All that the views of what is open say. */
async function told(at) {
  const told = {};
  for (const view of ['Files', 'Findings', 'Runs']) {
    await at.view(view);
    await at.page.locator(view === 'Runs' ? '.runs-grid .row-link' : view === 'Files' ? '.open-list' : '.finding-row').first().waitFor();
    // What is judged bit by bit is at its end.
    if (view === 'Findings') await at.page.getByText(/Insight judged for \d+ runs\./).first().waitFor();
    told[view] = await settled(at.page, view === 'Runs' ? '.runs-grid' : 'main');
  }
  return told;
}

async function opened(t, files, processors, first) {
  const { page, context, heard } = await openPage(t);
  page.setDefaultTimeout(PATIENCE_MS);
  await prepare(context, processors, first);
  await page.reload();
  const at = await new HindscopePage(page).ready();
  await at.drop([files].flat());
  const { started, read } = await page.evaluate(() => ({ started: globalThis.started, read: globalThis.read }));
  return { at, page, heard, started, read, told: await told(at) };
}

test('a large file is the same whoever reads it', async (t) => {
  const file = await large(t);
  const alone = await opened(t, file, 1);
  assert.deepEqual(alone.started, [], 'one processor needs no helper');
  assert.deepEqual((await opened(t, file, 2)).started, [], 'one helper would gain nothing');
  assert.match(alone.told.Files, /10,000 records kept/);
  assert.match(alone.told.Findings, /jsonl\/bad-line/);
  for (const processors of [3, 4]) {
    const { started, read, told } = await opened(t, file, processors, SLOW);
    assert.deepEqual(started, Array(processors - 1).fill('helper'));
    assert.ok(read < alone.read - 3_000_000, `the worker read ${read} of ${alone.read} bytes itself`);
    assert.deepEqual(told, alone.told, `${processors} processors`);
  }
});

test('files of a folder share their helpers', async (t) => {
  const all = [...lines(RECORDS)];
  const half = all.length / 2;
  const folder = await tempFolder(t, { 'a.jsonl': all.slice(0, half).join('\n'), 'b.jsonl': all.slice(half).join('\n') });
  const files = ['a.jsonl', 'b.jsonl'].map((name) => path.join(folder, name));
  const alone = await opened(t, files, 1);
  const { started, read, told } = await opened(t, files, 3, SLOW);
  assert.deepEqual(started, ['helper', 'helper']);
  assert.ok(read < alone.read - 3_000_000, `the worker read ${read} of ${alone.read} bytes itself`);
  assert.deepEqual(told, alone.told);
});

test('one helper is enough for a file that is long enough', async (t) => {
  const long = '{"trial_number":1,"loop_id":"long","outcome":"failure","reflection":"Too fast."}'.replace('Too', PADDING.repeat(9));
  const folder = await tempFolder(t, { 'long.jsonl': `${long}\n`.repeat(Math.ceil((130 << 20) / long.length)) });
  const { page, context } = await openPage(t);
  await prepare(context, 2, SLOW);
  await page.reload();
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(folder, 'long.jsonl')]);
  const { started, read } = await page.evaluate(() => ({ started: globalThis.started, read: globalThis.read }));
  assert.deepEqual(started, ['helper']);
  assert.ok(read < 100 << 20, `the worker read ${read} bytes itself`);
});

test('a helper that dies, or never comes, is not missed', async (t) => {
  const file = await large(t);
  const alone = await opened(t, file, 1);
  const deaths = {
    'it cannot be started': `if (self.name !== 'helper') self.Worker = class { constructor() { throw new Error('none'); } };`,
    'it breaks as it begins': `if (self.name === 'helper') throw new Error('broken');`,
    'it breaks as it reads': `if (self.name === 'helper') {
      let count = 0;
      const read = FileReaderSync.prototype.readAsArrayBuffer;
      FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
        count += 1;
        if (count === 2) setTimeout(() => { throw new Error('broken'); });
        if (count > 2) for (;;);
        return read.call(this, blob);
      };
    }`,
    'it cannot read': `if (self.name === 'helper') {
      FileReaderSync.prototype.readAsArrayBuffer = () => { throw new DOMException('gone', 'NotReadableError'); };
    }`,
  };
  for (const [what, first] of Object.entries(deaths)) {
    const { started, told } = await opened(t, file, 3, first);
    assert.equal(started.length, /cannot be started/.test(what) ? 0 : 2, what);
    assert.deepEqual(told, alone.told, what);
  }
});

test('cancelling ends helpers, too, and what was read is kept', async (t) => {
  const file = await large(t);
  const { page, context } = await openPage(t);
  // Slow enough to be cancelled.
  await prepare(context, 3, `{
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      for (const until = performance.now() + 300; performance.now() < until;);
      return read.call(this, blob);
    };
  }`);
  await page.reload();
  const at = await new HindscopePage(page).ready();
  await dropPaths(page, [file]);
  await page.waitForFunction(() => globalThis.started.length === 2);
  await page.waitForTimeout(300);
  await page.locator('.strip').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Reading was cancelled. What was read is kept and shown.').waitFor();
  await at.read();
  assert.equal(await page.evaluate(() => globalThis.ended), 2);
  await at.view('Files');
  const kept = Number(/([\d,]+) records kept/.exec(await page.locator('.open-list').innerText())[1].replaceAll(',', ''));
  assert.ok(kept > 0 && kept < RECORDS, `${kept} kept`);
});

test('helpers read for the single file, too', async (t) => {
  const file = await large(t);
  const alone = await opened(t, file, 1);
  const browser = await launch();
  const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 800 } });
  await prepare(context, 3);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const heard = listen(page, 'null');
  t.after(() => browser.close());
  await page.goto(pathToFileURL(path.join(PAGE_FOLDER, 'viewer.html')).href);
  const at = await new HindscopePage(page).ready();
  await at.drop([file]);
  assert.deepEqual(await page.evaluate(() => globalThis.started), ['helper', 'helper']);
  assert.deepEqual(await told(at), alone.told);
  assertQuiet(heard);
});
