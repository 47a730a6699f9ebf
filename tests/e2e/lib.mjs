// What every browser test stands on: the built page, opened for one test in the browser of its file.
//
// import { test } from 'node:test';
// import { openPage, dropPaths } from './lib.mjs';
//
// test('a folder opens', async (t) => {
//   const { page } = await openPage(t);
//   await dropPaths(page, ['/path/to/a/folder']);
//   …
// });
//
// openPage closes everything when the test ends, and fails the test if the page has printed to
// the console, thrown, or asked another origin for anything.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after } from 'node:test';
import { PAGE_FOLDER, assertQuiet, launch, listen, serveFolder } from './chromium.mjs';

export * from './chromium.mjs';

/** A script that waits in a page for what never comes has no limit of its own; a test has this, unless it says more. */
const LIMIT_MS = 300_000;

/** How long tests wait for something that a quiet machine shows at once. */
const PATIENCE_MS = 120_000;

/** The browser of this file of tests, once one of them needs it, and the servers of its pages by folder and mount. */
let browser;
const servers = new Map();

after(async () => {
  await (await browser)?.close();
  for (const server of servers.values()) await (await server).close();
});

/**
 * One browser serves all tests of a file: starting it takes longer than most of them. If it is closed
 * or crashes, the next test gets another one.
 */
function sharedBrowser() {
  browser ??= launch().then((started) => started.on('disconnected', () => { browser = undefined; }));
  return browser;
}

function sharedServer(folder, mount) {
  const key = `${mount ?? ''} ${folder}`;
  if (!servers.has(key)) servers.set(key, serveFolder(folder, { mount }));
  return servers.get(key);
}

/**
 * An empty page in a context of its own, which shares no storage, cache or service worker with other
 * tests, and which is closed when the test ends.
 *
 * When the test ends, the page must have been quiet (see `listen`); a test that provokes noise on
 * purpose takes what it expects out of `heard` before it ends. `origin` is the one that the page may
 * ask. `limit` is how many milliseconds the test may take, and `options` go to Playwright's `newContext` (`viewport`, `colorScheme`, `offline`, …).
 */
export async function newPage(t, origin, { limit = LIMIT_MS, ...options } = {}) {
  const running = await sharedBrowser();
  const context = await running.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const heard = listen(page, origin);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    running.close();
  }, limit);
  t.after(async () => {
    clearTimeout(timer);
    // The page reports its own bugs to people: where one was, not only that it was.
    const bug = page.locator('.fatal');
    if (await bug.count().catch(() => 0)) heard.errors.push(await bug.innerText());
    await context.close();
    assert.ok(!isLate, `the test took more than ${limit / 60_000} minutes, so its page was closed`);
    assertQuiet(heard);
  });
  return { page, context, heard };
}

/**
 * Opens the built page, or that of another folder, and hands it to one test, as `newPage` does.
 *
 * `mount` is the path below which the page lies, `hash` the part of the address the page keeps its
 * state in, `hasAxe` brings in what `HindscopePage.violations` asks, and `prepare` is given the context
 * before it loads the page.
 */
export async function openPage(t, { folder = PAGE_FOLDER, mount, hash = '', hasAxe = false, prepare, ...options } = {}) {
  assert.ok(
    existsSync(path.join(folder, 'index.html')),
    `${folder} holds no page: \`cargo xtask build page\` makes it`,
  );
  const server = await sharedServer(folder, mount);
  const { page, context, heard } = await newPage(t, server.origin, options);
  if (hasAxe) await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  await prepare?.(context);
  await page.goto(server.url + hash);
  return { page, context, server, heard };
}

/** Where a page says that its worker is slow no more. */
const HURRY = 'hindscope-test-hurry';

/**
 * Makes the worker of a page slow, so that tests see what stands there while it goes on, however fast or busy
 * the machine is: it reads 10,000 bytes in a millisecond at most, and before each reading rests eleven times as
 * long as it worked since the last one, up to 3 s. It looks at what it has a tenth of its time at most: with a
 * shorter rest, all would be read before the second look.
 */
export async function slowWorker(context) {
  const prelude = `{
    const still = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    let isSlow = true;
    new BroadcastChannel('${HURRY}').onmessage = () => { isSlow = false; };
    let last = performance.now();
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      if (isSlow) Atomics.wait(still, 0, 0, Math.max(blob.size / 10_000, Math.min((performance.now() - last) * 11, 3000)));
      const bytes = read.call(this, blob);
      last = performance.now();
      return bytes;
    };
  }\n`;
  await context.addInitScript((prelude) => {
    const Plain = globalThis.Blob;
    globalThis.Blob = class extends Plain {
      constructor(parts, options) {
        super(options?.type === 'text/javascript' ? [prelude, ...parts] : parts, options);
      }
    };
  }, prelude);
}

/** Ends what `slowWorker` did. */
export const hurry = (page) => page.evaluate((name) => new BroadcastChannel(name).postMessage(''), HURRY);

/**
 * What a press copies. The clipboard is empty before it: what the page says of copying may still be
 * about the copy before.
 */
export async function copiedBy(page, press) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await press();
  const copied = await page.waitForFunction(() => navigator.clipboard.readText(), undefined, { polling: 25 });
  return copied.jsonValue();
}

/** Repeats a check until it passes. One that never does fails as it did last. */
export async function eventually(check) {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await new Promise((again) => setTimeout(again, 20));
  }
}
