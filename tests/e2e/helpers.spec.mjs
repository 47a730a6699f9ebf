// A large file of lines is read by several workers; nobody sees who read what.

import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import { PAGE_FOLDER, dropPaths, eventually, newPage, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RECORDS = 10_000;
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

/** The files are there until all tests are done. */
const whole = { after };
/** 40 MB, the last line without its break. */
const LARGE = path.join(await tempFolder(whole, { 'large.jsonl': [...lines(RECORDS)].join('\n') }), 'large.jsonl');

/**
 * Before the page: how many processors the machine has, and what each worker does first. The worker
 * tells which helpers it starts and ends, and how many bytes it reads itself.
 */
const prepare = (processors, first = '') => (context) =>
  context.addInitScript(([processors, first]) => {
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

/** All that the views of what is open say, which must be what is `wanted`, if anything is. */
async function told(at, wanted, what) {
  const told = {};
  for (const view of ['Files', 'Findings', 'Runs']) {
    await at.view(view);
    await at.page.locator(view === 'Runs' ? '.runs-grid .row-link' : view === 'Files' ? '.open-list' : '.finding-row').first().waitFor();
    // What is judged bit by bit is at its end.
    if (view === 'Findings') await at.page.getByText(/Insight judged for \d+ runs\./).first().waitFor();
    const selector = view === 'Runs' ? '.runs-grid' : 'main';
    if (!wanted) told[view] = await settled(at.page, selector);
    else await eventually(async () => assert.equal(await at.page.locator(selector).first().innerText(), wanted[view], what));
  }
  return told;
}

/** Opens files on a machine with so many processors: which helpers were started, and what the worker read itself. */
async function opened(t, files, processors, first) {
  const { page } = await openPage(t, { prepare: prepare(processors, first) });
  const at = await new HindscopePage(page).ready();
  await at.drop([files].flat());
  return { at, ...await page.evaluate(() => ({ started: globalThis.started, read: globalThis.read })) };
}

/** The large file as one worker reads it, which others are held against. */
let reference;
function alone(t) {
  reference ??= opened(t, LARGE, 1).then(async ({ at, ...rest }) => ({ ...rest, told: await told(at) }));
  return reference;
}

test('a large file is the same whoever reads it', async (t) => {
  const own = await alone(t);
  assert.deepEqual(own.started, [], 'one processor needs no helper');
  assert.deepEqual((await opened(t, LARGE, 2)).started, [], 'one helper would gain nothing');
  assert.match(own.told.Files, /10,000 records kept/);
  assert.match(own.told.Findings, /jsonl\/bad-line/);
  for (const processors of [3, 4]) {
    const { at, started, read } = await opened(t, LARGE, processors, SLOW);
    assert.deepEqual(started, Array(processors - 1).fill('helper'));
    assert.ok(read < own.read - 3_000_000, `the worker read ${read} of ${own.read} bytes itself`);
    await told(at, own.told, `${processors} processors`);
  }
});

test('files of a folder share their helpers', async (t) => {
  const all = [...lines(RECORDS)];
  const half = all.length / 2;
  const folder = await tempFolder(t, { 'a.jsonl': all.slice(0, half).join('\n'), 'b.jsonl': all.slice(half).join('\n') });
  const files = ['a.jsonl', 'b.jsonl'].map((name) => path.join(folder, name));
  const own = await opened(t, files, 1);
  const wanted = await told(own.at);
  const { at, started, read } = await opened(t, files, 3, SLOW);
  assert.deepEqual(started, ['helper', 'helper']);
  assert.ok(read < own.read - 3_000_000, `the worker read ${read} of ${own.read} bytes itself`);
  await told(at, wanted);
});

test('one helper is enough for a file that is long enough', async (t) => {
  const long = '{"trial_number":1,"loop_id":"long","outcome":"failure","reflection":"Too fast."}'.replace('Too', PADDING.repeat(9));
  const folder = await tempFolder(t, { 'long.jsonl': `${long}\n`.repeat(Math.ceil((130 << 20) / long.length)) });
  const { started, read } = await opened(t, path.join(folder, 'long.jsonl'), 2, SLOW);
  assert.deepEqual(started, ['helper']);
  assert.ok(read < 100 << 20, `the worker read ${read} bytes itself`);
});

test('a helper that dies, or never comes, is not missed', async (t) => {
  const own = await alone(t);
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
    const { at, started } = await opened(t, LARGE, 3, first);
    assert.equal(started.length, /cannot be started/.test(what) ? 0 : 2, what);
    await told(at, own.told, what);
  }
});

test('cancelling ends helpers, too, and what was read is kept', async (t) => {
  // Slow enough to be cancelled.
  const { page } = await openPage(t, { prepare: prepare(3, `{
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      for (const until = performance.now() + 300; performance.now() < until;);
      return read.call(this, blob);
    };
  }`) });
  const at = await new HindscopePage(page).ready();
  await dropPaths(page, [LARGE]);
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
  const own = await alone(t);
  const { page, context } = await newPage(t, 'null', { offline: true });
  await prepare(3)(context);
  await page.goto(pathToFileURL(path.join(PAGE_FOLDER, 'viewer.html')).href);
  const at = await new HindscopePage(page).ready();
  await at.drop([LARGE]);
  assert.deepEqual(await page.evaluate(() => globalThis.started), ['helper', 'helper']);
  await told(at, own.told);
});
