// What works with the built page in Chromium, tests or not: a plain static server for it, the browser,
// drops as a person makes them, and an ear for everything a clean page never says.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export { serveFolder } from '../../web/serve.mjs';

/** The workspace's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The built page; `cargo xtask build page` makes it. */
export const PAGE_FOLDER = process.env.HINDSCOPE_PAGE ?? path.join(ROOT, 'target/www');

/** Histories written for the project. */
export const FIXTURES = path.join(ROOT, 'tests/fixtures');

/** Real histories beside the clone, or null. */
export const SHARED = sharedData();

function sharedData() {
  const folder = process.env.HINDSCOPE_SHARED ?? path.join(ROOT, '../shared/data');
  return existsSync(folder) ? folder : null;
}

/**
 * Options for a test that needs the real histories: it says why it skips where there are none.
 *
 * test('134 tasks', needsShared(), async (t) => { … });
 */
export function needsShared() {
  return SHARED ? {} : { skip: 'the real histories (../shared/data) are not on this machine' };
}

/** Starts Chromium with a profile of its own that goes away with it. */
export function launch() {
  const executablePath = process.env.HINDSCOPE_CHROMIUM ?? '/usr/bin/chromium';
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // Nothing but this machine has an address, so a test cannot pass thanks to the network.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ];
  // Chromium refuses to run as root inside of its own sandbox, and containers run as root.
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath, args, headless: true });
}

/**
 * Collects what a page must never do: print to the console, throw, ask another origin, or ask its
 * own for something that is not there. Call it before the page is loaded.
 */
export function listen(page, origin) {
  const heard = { console: [], errors: [], foreign: [], failed: [] };
  page.on('console', (message) => {
    const { url, lineNumber } = message.location();
    heard.console.push(`${message.type()}: ${message.text()} (${url}:${lineNumber + 1})`);
  });
  page.on('pageerror', (error) => heard.errors.push(String(error?.stack ?? error)));
  page.on('crash', () => heard.errors.push('the page crashed'));
  page.on('request', (request) => {
    const url = new URL(request.url());
    // blob: and data: stay inside of the page.
    if (!['blob:', 'data:'].includes(url.protocol) && url.origin !== origin) {
      heard.foreign.push(`${request.method()} ${request.url()}`);
    }
  });
  page.on('websocket', (socket) => heard.foreign.push(`WebSocket ${socket.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) heard.failed.push(`${response.status()} ${response.url()}`);
  });
  return heard;
}

/** Fails unless everything `listen` collected is empty. */
export function assertQuiet(heard) {
  assert.deepEqual(
    heard,
    { console: [], errors: [], foreign: [], failed: [] },
    'the page must not print, throw, or reach for anything that is not its own',
  );
}

/**
 * Drops files and folders on the page, or on one element of it, as a person's file manager does:
 * the browser itself makes the entries, so folders can be walked and `File`s read in slices.
 */
export async function dropPaths(page, paths, selector) {
  const held = await holdPaths(page, paths, selector);
  await held.drop();
}

/**
 * Holds files and folders over the page without letting go yet, and returns how to let go
 * (`drop`) and how to go away with them (`leave`).
 */
export async function holdPaths(page, paths, selector) {
  const files = paths.map((file) => path.resolve(file));
  for (const file of files) assert.ok(existsSync(file), `${file} does not exist`);
  const over = await middle(page, selector);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const send = (type, at = over) =>
    session.send('Input.dispatchDragEvent', { type, ...at, data });
  await send('dragEnter');
  await send('dragOver');
  return {
    drop: () => send('drop').finally(() => session.detach()),
    // dragCancel ends the drag without an event for the page; moving out of it is what a person does.
    leave: () => send('dragOver', { x: -5, y: -5 }).finally(() => session.detach()),
  };
}

async function middle(page, selector) {
  if (selector === undefined) {
    return page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 }));
  }
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  assert.ok(box, `${selector} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * A folder with the given files, gone after the test: `{ 'a/b.json': '{}', 'c.bin': bytes }`.
 */
export async function tempFolder(t, files = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'hindscope-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}
