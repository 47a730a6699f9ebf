// Every way in, what is asked before anything is read, and what is said while and after reading.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PAGE_FOLDER, copiedBy, dropPaths, openPage, slowWorker, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

const record = (iteration, loop = 'ralph-opening', more = {}) => JSON.stringify({
  loop_id: loop,
  iteration,
  timestamp: `2026-03-01T09:${String(iteration % 60).padStart(2, '0')}:00Z`,
  evaluator_output: { passed: false, reward_signal: 0.25 },
  self_reflection: { reflection_text: `Attempt ${iteration} failed.` },
  ...more,
});
const lines = (count, loop) => Array.from({ length: count }, (_, n) => `${record(n, loop)}\n`).join('');

/** Says what is asked, once it is. */
async function asked(page) {
  const dialog = page.locator('#intake[open]');
  await dialog.waitFor();
  return dialog;
}

test('a second drop asks: cancel, add, and for all of the tab', async (t) => {
  const folder = await tempFolder(t, {
    'a.jsonl': lines(2, 'loop-a'), 'b.jsonl': lines(2, 'loop-b'), 'c.jsonl': lines(2, 'loop-c'),
  });
  const { at, page } = await start(t);
  await at.drop([path.join(folder, 'a.jsonl')]);
  await dropPaths(page, [path.join(folder, 'b.jsonl')]);
  let dialog = await asked(page);
  assert.match(await dialog.textContent(), /^Open 1 file.*Add to the file that is open now, or replace what is open\?/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Add', 'Add is the default');
  await page.keyboard.press('Escape');
  await page.locator('#intake[open]').waitFor({ state: 'detached' });
  // The browser reports a closed dialog a moment later.
  await at.status.filter({ hasText: 'Nothing was opened.' }).waitFor({ state: 'attached' });
  await dropPaths(page, [path.join(folder, 'b.jsonl')]);
  dialog = await asked(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await at.view('Runs');
  await page.locator('.count-line', { hasText: 'All 2 runs' }).waitFor();
  // It is remembered; the same bytes count once.
  await dropPaths(page, [path.join(folder, 'c.jsonl'), path.join(folder, 'a.jsonl')]);
  await page.locator('.count-line', { hasText: 'All 3 runs' }).waitFor();
  assert.equal(await page.locator('#intake[open]').count(), 0);
  await at.view('Findings');
  await page.locator('.finding-filters select').first().selectOption({ label: 'source/duplicate (1)' });
  await page.locator('.finding-row .rule', { hasText: 'source/duplicate' }).waitFor();
});

test('a drag of files shows the overlay without a flicker, of text or a link never', async (t) => {
  const { at, page } = await start(t);
  const shown = await page.evaluate(async () => {
    const overlay = document.querySelector('.overlay');
    const seen = [];
    new MutationObserver(() => seen.push(overlay.classList.contains('shown')))
      .observe(overlay, { attributes: true, attributeFilter: ['class'] });
    const turn = () => new Promise((done) => setTimeout(done, 20));
    const drag = (transfer) => (type, target) => {
      target.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    };
    const files = new DataTransfer();
    files.items.add(new File(['{}'], 'a.json'));
    const send = drag(files);
    const [a, b] = [document.querySelector('.target'), document.querySelector('h1')];
    // As browsers do it: the next element is entered before the last is left.
    send('dragenter', a);
    await turn();
    for (let n = 0; n < 5; n += 1) {
      send('dragenter', b); send('dragleave', a); send('dragover', b); await turn();
      send('dragenter', a); send('dragleave', b); send('dragover', a); await turn();
    }
    const during = [...seen];
    send('dragleave', a);
    await turn();
    const after = seen.slice(during.length);
    const others = [];
    for (const [kind, data] of [['text/plain', 'hello'], ['text/uri-list', 'http://127.0.0.1:9/']]) {
      const transfer = new DataTransfer();
      transfer.setData(kind, data);
      const text = drag(transfer);
      for (const type of ['dragenter', 'dragover']) text(type, a);
      await turn();
      others.push(overlay.classList.contains('shown'));
      const drop = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
      a.dispatchEvent(drop);
      others.push(!drop.defaultPrevented);
    }
    return { during, after, others };
  });
  assert.deepEqual(shown, { during: [true], after: [false], others: [false, false, false, false] });
  // A link that a person drops, by the browser itself.
  const session = await page.context().newCDPSession(page);
  const data = { items: [{ mimeType: 'text/uri-list', data: 'http://127.0.0.1:9/' }], dragOperationsMask: 1 };
  const url = page.url();
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  assert.equal(page.url(), url);
  await at.sample('tasks');
});

test('what is pasted opens, and stays in a field where one has the focus', async (t) => {
  const { at, page, context } = await start(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = (text) => page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await copy(lines(2, 'loop-pasted'));
  await page.keyboard.press('Control+v');
  await page.getByRole('heading', { name: 'loop-pasted' }).waitFor();
  await at.view('Files');
  assert.match(await at.sources.first().textContent(), /pasted 1/);
  await at.view('Runs');
  await copy('into the field');
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+v');
  assert.equal(await page.getByRole('searchbox').inputValue(), 'into the field');
  assert.equal(await page.locator('#intake[open]').count(), 0);
  // Files on the clipboard.
  await at.view('Files');
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'copied.jsonl'));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
  }, lines(1, 'loop-copied'));
  await (await asked(page)).getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'loop-copied' }).waitFor();
  // And by hand.
  await at.view('Files');
  await page.getByRole('button', { name: 'Paste text' }).click();
  await page.getByRole('textbox', { name: 'Text to open' }).fill(record(7, 'loop-typed'));
  await page.locator('#paste').getByRole('button', { name: 'Open' }).click();
  await (await asked(page)).getByRole('button', { name: 'Add' }).click();
  await at.view('Runs');
  await page.locator('.count-line', { hasText: 'All 2 runs' }).waitFor();
  await at.view('Files');
  await at.sources.filter({ hasText: 'pasted 2' }).waitFor();
});

test('files that the system opens with the installed app', async (t) => {
  const { at, page } = await start(t, {
    prepare: (context) => context.addInitScript(() => {
      Object.defineProperty(window, 'launchQueue', {
        value: { setConsumer: (consumer) => { window.launched = consumer; } },
      });
    }),
  });
  await page.evaluate((text) => {
    const handle = (name, text) => ({ kind: 'file', name, getFile: async () => new File([text], name) });
    const gone = { kind: 'file', name: 'gone.jsonl', getFile: async () => { throw new DOMException('gone', 'NotFoundError'); } };
    window.launched({ files: [handle('launched.jsonl', text), gone] });
  }, lines(1, 'loop-launched'));
  await page.getByRole('heading', { name: 'loop-launched' }).waitFor();
  await at.view('Files');
  await at.sources.filter({ hasText: 'launched.jsonl' }).waitFor();
  await at.sources.filter({ hasText: 'gone.jsonl' }).filter({ hasText: 'moved or deleted' }).waitFor();
});

test('while files are read, each says how far it is and what it is', async (t) => {
  const folder = await tempFolder(t, {
    'in/a.jsonl': lines(3),
    'in/model.pkl': new Uint8Array([0x80, 0x04, 0x95, 9, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x05, 104, 101, 108, 108, 111, 0x94, 0x2e]),
    'in/notes.md': '# Notes\n\nNothing to see here.\n',
  });
  const big = Array.from({ length: 60 }, (_, part) => lines(800, `loop-${part}`)).join('');
  await writeFile(path.join(folder, 'in/z.jsonl'), big);
  const { at, page } = await start(t);
  await page.evaluate(() => {
    window.seen = new Map();
    window.said = [];
    const look = () => {
      for (const line of document.querySelectorAll('.reading-file')) {
        const name = line.querySelector('.reading-path').textContent;
        if (!window.seen.has(name)) window.seen.set(name, new Set());
        window.seen.get(name).add(line.textContent);
      }
      const said = document.querySelector('p.spoken').textContent;
      if (said && window.said.at(-1) !== said) window.said.push(said);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await at.drop([path.join(folder, 'in')]);
  const seen = await page.evaluate(() => Object.fromEntries([...window.seen].map(([name, texts]) => [name, [...texts]])));
  const one = (name, pattern) => assert.ok(seen[name]?.some((text) => pattern.test(text)), `${name}: ${JSON.stringify(seen[name])}`);
  one('in/a.jsonl', /ready.*, 3 records$/);
  one('in/model.pkl', /refused.*pickle.*Why$/);
  one('in/notes.md', /raw.*Why$/);
  one('in/z.jsonl', /\d+ %.*, [\d,]+ records$/);
  const said = await page.evaluate(() => window.said);
  assert.equal(said[0], 'Opening.');
  assert.ok(said.some((text) => /^(25|50|75) per cent read\.$/.test(text)), said.join(' '));
  assert.match(said.at(-1), /^4 files open: 61 runs/);
});

/** A page for which files called trace.jsonl have 14 GB, whatever they have, and that counts reads. */
async function withLargeFile(t, text = lines(9000), hash = '') {
  const prepare = (context) => context.addInitScript(() => {
    const { get } = Object.getOwnPropertyDescriptor(Blob.prototype, 'size');
    Object.defineProperty(Blob.prototype, 'size', {
      get() { return this.name === 'trace.jsonl' ? 14e9 : get.call(this); },
    });
    window.reads = 0;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function post(...message) {
      window.reads += 1;
      return postMessage.apply(this, message);
    };
  });
  const { at, page } = await start(t, { hash, prepare });
  const folder = await tempFolder(t, { 'trace.jsonl': text });
  // Where a link waits for its run there is no picker.
  if (hash) await dropPaths(page, [path.join(folder, 'trace.jsonl')]);
  else await page.locator('#choose-files').setInputFiles(path.join(folder, 'trace.jsonl'));
  return { at, page, dialog: await asked(page) };
}

test('what is too big is asked about before the first byte is read', async (t) => {
  const { at, page, dialog } = await withLargeFile(t);
  assert.match(
    await dialog.textContent(),
    /trace\.jsonl is 14 GB; its index needs about 3\.5 GB and this tab can hold about 2\.1 GB\.Open the first {2}records, choose runs, or cancel\? Nothing has been read yet\./,
  );
  assert.equal(await dialog.getByRole('spinbutton').inputValue(), '500000');
  assert.equal(await page.evaluate(() => window.reads), 0, 'the worker has heard nothing');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('#intake[open]').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => window.reads), 0);
  assert.equal(await at.sources.count(), 0);
});

test('the first records of what is too big', async (t) => {
  const { at, page, dialog } = await withLargeFile(t);
  await dialog.getByRole('spinbutton').fill('1000');
  await dialog.getByRole('button', { name: 'Open the first records' }).click();
  const notice = at.notices.filter({ hasText: 'as asked. The rest was not read.' });
  await notice.waitFor();
  const [, count] = /the first ([\d,]+) records/.exec(await notice.textContent());
  const kept = Number(count.replaceAll(',', ''));
  assert.ok(kept >= 1000 && kept < 1040, `${kept} records`);
  await at.view('Files');
  assert.match(await page.locator('.open-list').textContent(), new RegExp(`${count} records kept`));
});

test('chosen runs of what is too big, and of the one that a link asks for', async (t) => {
  const text = lines(300, 'loop-auth') + lines(500, 'loop-cache') + lines(20, 'loop-retry');
  const { at, page, dialog } = await withLargeFile(t, text);
  const field = dialog.getByLabel('Only runs with this in their name');
  // It can be pressed, and says by that what is missing.
  await dialog.getByRole('button', { name: 'Open these runs' }).click({ force: true });
  assert.equal(await field.evaluate((input) => input === document.activeElement), true, 'it asks which');
  await field.fill('AUTH, retry');
  await dialog.getByRole('button', { name: 'Open these runs' }).click();
  await at.read();
  await at.goto('#/runs');
  assert.deepEqual(await at.runKeys(), ['loop-auth', 'loop-retry']);
  await at.goto('#/findings?rule=source%2Fleft-out');
  await at.findings.filter({ hasText: '500 records were left out, because only these runs were requested' }).waitFor();
});

test('the run of a link is proposed where not everything can be opened', async (t) => {
  const text = lines(300, 'loop-auth') + lines(20, 'loop-retry');
  const { at, page, dialog } = await withLargeFile(t, text, '#/run/loop-retry/i/3');
  assert.equal(await dialog.getByLabel('Only runs with this in their name').inputValue(), 'loop-retry');
  await dialog.getByRole('button', { name: 'Open these runs' }).click();
  await at.inspector.locator('.verdict').waitFor();
  await page.getByRole('heading', { name: 'loop-retry' }).waitFor();
});

test('reading ends when no memory is left, and keeps what was indexed', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': lines(1000, 'loop-a'), 'b.jsonl': lines(200000, 'loop-b') });
  const { at, page, context } = await start(t, { hash: '?memory=16' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // The estimate, a quarter of 40 MB, is below the limit; what is needed is not.
  await dropPaths(page, [path.join(folder, 'a.jsonl'), path.join(folder, 'b.jsonl')]);
  const notice = at.notices.filter({ hasText: /^Reading stopped at [\d,]+ records: no memory left\. What was indexed is still here\./ });
  await notice.waitFor();
  assert.match(
    await copiedBy(page, () => notice.getByRole('button', { name: 'Copy details' }).click()),
    /^hindscope 0\.1\.0\ncode: memory-limit\nplace: \w\.jsonl$/,
  );
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-a', 'loop-b']);
  assert.equal(await page.locator('.notice.bad').count(), 0);
});

test('a reader that the browser gives no memory is missed, and started again', async (t) => {
  const { page, heard, server } = await openPage(t);
  // The same program, with a memory that cannot grow.
  await page.route(/worker.*_bg\.wasm$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: withoutGrowth(await response.body()) });
  });
  await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister()))));
  await page.goto(server.url);
  const at = await new HindscopePage(page).ready();
  const folder = await tempFolder(t, { 'a.jsonl': lines(60000) });
  await dropPaths(page, [path.join(folder, 'a.jsonl')]);
  const notice = at.notices.filter({ hasText: /^The reader stopped at [\d,]+ records?, after [\d.]+ \w+ of [\d.]+ MB: the browser gave it no more memory, or ended it\. What was indexed is lost; your files are as they were\./ });
  await notice.waitFor();
  await page.unroute(/worker.*_bg\.wasm$/);
  await notice.getByRole('button', { name: 'Start again with the same files' }).click();
  await page.getByRole('heading', { name: 'ralph-opening' }).waitFor();
  heard.console.length = 0;
  heard.errors.length = 0;
});

/** A wasm whose memory may grow by a hundred pages only. */
function withoutGrowth(bytes) {
  const number = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7, at += 1) {
      value += (bytes[at] & 0x7f) * 2 ** shift;
      if (bytes[at] < 0x80) return [value, at + 1];
    }
  };
  const leb = (value) => {
    const out = [];
    for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value & 0x7f) | 0x80);
    return [...out, value];
  };
  for (let at = 8; at < bytes.length;) {
    const [length, body] = number(at + 1);
    if (bytes[at] !== 5) { at = body + length; continue; }
    const [least] = number(body + 2);
    const section = [1, 1, ...leb(least), ...leb(least + 100)];
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([5, ...leb(section.length), ...section]), bytes.subarray(body + length)]);
  }
  throw new Error('no memory in this wasm');
}

test('names of files are kept only where that was asked for, and everything can be forgotten', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': lines(1), 'runs/b.jsonl': lines(1, 'loop-b') });
  const { at, page } = await start(t);
  const stored = () => page.evaluate(() => Object.keys(localStorage).sort());
  await at.drop([path.join(folder, 'a.jsonl')]);
  assert.deepEqual(await stored(), [], 'nothing by itself');
  await at.view('Files');
  await page.locator('.safety summary').click();
  await page.getByRole('checkbox', { name: 'Remember the names of files I open' }).check();
  await at.drop([path.join(folder, 'runs')]);
  await at.view('Files');
  if (!(await page.locator('.safety[open]').count())) await page.locator('.safety summary').click();
  assert.deepEqual(await page.locator('.recent li').allTextContents(), ['runs']);
  assert.equal(await page.evaluate(() => localStorage['hindscope.recent']), '["runs"]');
  await page.getByRole('button', { name: /^Theme/ }).click();
  assert.deepEqual(await stored(), ['hindscope.recent', 'hindscope.theme']);
  await page.getByRole('button', { name: 'Forget everything' }).click();
  assert.deepEqual(await stored(), []);
  assert.equal(await page.locator('.recent').count(), 0);
  await page.waitForFunction(async () => (await caches.keys()).length === 0);
});

test('a tour with files open asks nobody for anything', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': lines(30) });
  const { at, page, context } = await start(t);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The worker of the page may still be loading.
  await page.waitForLoadState('networkidle');
  const after = [];
  context.on('request', (request) => after.push(request.url()));
  await at.drop([path.join(folder, 'a.jsonl')]);
  for (const hash of ['#/runs', '#/findings', '#/', '#/run/ralph-opening/i/3', '#/run/ralph-opening/window/3']) {
    await at.goto(hash);
    await at.heading.waitFor();
  }
  // The browser itself asks for the icon of the tab again, and gets what is kept.
  assert.deepEqual(after.filter((url) => !url.startsWith('blob:') && !/\/icon-\w+\.svg$/.test(url)), []);
});

test('the policy refuses what the page never does', async (t) => {
  const html = await readFile(path.join(PAGE_FOLDER, 'index.html'), 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html);
  assert.equal(
    policy,
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'",
  );
  const { page, heard } = await start(t);
  const inWorker = await page.evaluate(async () => {
    window.violations = [];
    addEventListener('securitypolicyviolation', (event) => window.violations.push(event.effectiveDirective));
    const other = 'http://127.0.0.1:9/';
    await fetch(other).catch(() => {});
    await new Promise((done) => {
      const request = new XMLHttpRequest();
      request.onerror = done;
      request.open('GET', other);
      request.send();
    });
    try { new WebSocket('ws://127.0.0.1:9/'); } catch { /* some throw, some only report */ }
    navigator.sendBeacon(other, 'x');
    await new Promise((done) => { const image = new Image(); image.onerror = done; image.src = other; });
    const worker = new Worker(URL.createObjectURL(new Blob([
      `fetch('${other}').then(() => postMessage('went'), () => postMessage('refused'))`,
    ])));
    return new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
  });
  await page.waitForFunction(() => window.violations.length >= 5);
  assert.deepEqual(await page.evaluate(() => window.violations), ['connect-src', 'connect-src', 'connect-src', 'connect-src', 'img-src']);
  assert.equal(inWorker, 'refused');
  // Chromium names each refusal in the console, and a request that it refused as one.
  heard.console.length = 0;
  heard.foreign.length = 0;
});

/** 20 MB: from 16 MB on, the list of runs is shown while files are read. */
test('a page that is loaded again while it reads says that nothing is open', async (t) => {
  const folder = await tempFolder(t, { 'large.jsonl': Array.from({ length: 16_000 }, (_, n) => `${record(n, 'loop-large', { note: 'x'.repeat(1000) })}\n`).join('') });
  const { at, page } = await start(t, { prepare: slowWorker });
  await dropPaths(page, [path.join(folder, 'large.jsonl')]);
  await page.locator('.strip').waitFor();
  await page.waitForFunction(() => location.hash === '#/runs');
  await page.reload();
  await page.locator('.advice', { hasText: 'Nothing is open. When a page is loaded again' }).waitFor();
  assert.equal(at.hash(), '#/runs');
  assert.equal(await page.locator('.strip').count(), 0);
  assert.equal(await at.heading.textContent(), 'Open run histories');
});

test('a view that is loaded again without its files says so, asks for them, and is there once they are', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': lines(2, 'loop-a'), 'b.jsonl': lines(2, 'loop-b') });
  const files = ['a.jsonl', 'b.jsonl'].map((name) => path.join(folder, name));
  const { at, page } = await start(t);
  await at.drop(files);
  for (const [view, there] of [['Runs', '.count-line'], ['Findings', '.finding-filters']]) {
    await at.view(view);
    const address = page.url();
    await page.reload();
    await page.locator('.advice', { hasText: 'Nothing is open. When a page is loaded again' }).waitFor();
    assert.equal(page.url(), address);
    await page.locator('#choose-files').setInputFiles(files);
    await page.locator(there).first().waitFor();
    assert.equal(page.url(), address, 'the address leads where it led');
  }
});
