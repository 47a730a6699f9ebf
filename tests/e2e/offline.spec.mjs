// After one visit the page works without a network, a newer build never mixes with an older one,
// and nothing but the app's own files is kept.

import assert from 'node:assert/strict';
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PAGE_FOLDER, newPage, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

/** The page below a folder of its host, visited once, with everything kept. */
async function visited(t, folder) {
  const opened = await openPage(t, { folder, mount: '/some/where/' });
  const at = await new HindscopePage(opened.page).ready();
  await opened.page.evaluate(() => navigator.serviceWorker.ready.then((kept) => new Promise((done) => {
    if (kept.active.state === 'activated') done();
    else kept.active.addEventListener('statechange', () => kept.active.state === 'activated' && done());
  })));
  return { ...opened, at };
}

test('after one visit everything works offline, viewer copies too, and only files of the app are kept', async (t) => {
  const { at, page, context, server } = await visited(t);
  await context.setOffline(true);
  await server.close();
  await page.reload();
  await at.ready();
  await at.sample('improving');
  assert.match(await at.heading.textContent(), /^3 runs$/);
  const waits = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export / }).click();
  await page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: /^Viewer copy/ }).click();
  const file = path.join(await tempFolder(t), 'copy.html');
  await (await waits).saveAs(file);
  const copy = await newPage(t, 'null', { offline: true });
  await copy.page.goto(pathToFileURL(file).href);
  const inside = await (await new HindscopePage(copy.page).ready()).read();
  assert.match(await inside.heading.textContent(), /^3 runs$/);
  const folder = await tempFolder(t, { 'secret.jsonl': '{"iteration":1,"self_reflection":{"reflection_text":"A secret."}}\n' });
  await at.drop([path.join(folder, 'secret.jsonl')]);
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const entries = [];
    for (const name of names) {
      for (const request of await (await caches.open(name)).keys()) entries.push(request.url);
    }
    return { names, entries };
  });
  assert.equal(kept.names.length, 1);
  // The single file is the page once more: what is kept of it is its frame.
  const own = (await readdir(PAGE_FOLDER)).filter((name) => !['index.html', 'sw.js', 'THIRD-PARTY.txt', 'viewer.html'].includes(name));
  assert.ok(own.some((name) => /^viewer-\w+\.txt$/.test(name)), own.join());
  const home = `${server.origin}/some/where/`;
  assert.deepEqual(kept.entries.sort(), [home, ...own.map((name) => home + name)].sort());
});

/** A copy of the page, and a way to make it another build. */
async function site(t) {
  const folder = await tempFolder(t);
  await cp(PAGE_FOLDER, folder, { recursive: true });
  const [, build] = /const BUILD = '(\w+)'/.exec(await readFile(path.join(folder, 'sw.js'), 'utf8'));
  const rebuild = async (name, next) => {
    const file = path.join(folder, name);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(build, next));
  };
  return { folder, build, rebuild };
}

const buildOf = (page) => page.locator('meta[name=hindscope-build]').getAttribute('content');

test('a newer build asks, and is whole', async (t) => {
  const { folder, build, rebuild } = await site(t);
  const { at, page } = await visited(t, folder);
  assert.equal(await buildOf(page), build);
  await page.reload();
  await at.ready();
  await rebuild('sw.js', 'newer');
  await rebuild('index.html', 'newer');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((kept) => kept.update()));
  const notice = at.notices.filter({ hasText: 'A newer version of hindscope is ready.' });
  await notice.waitFor();
  assert.equal(await buildOf(page), build, 'until it is asked for, nothing changes');
  await page.reload();
  await at.ready();
  assert.equal(await buildOf(page), build, 'not even when the page is loaded again');
  await Promise.all([page.waitForEvent('load'), notice.getByRole('button', { name: 'Load it' }).click()]);
  await at.ready();
  assert.equal(await buildOf(page), 'newer');
  await at.sample('tasks');
});

test('page and service worker of two builds are not kept together', async (t) => {
  const { folder, build, rebuild } = await site(t);
  const { at, page } = await visited(t, folder);
  await page.reload();
  await at.ready();
  await rebuild('sw.js', 'newer');
  await page.evaluate(() => navigator.serviceWorker.getRegistration()
    .then((kept) => kept.update())
    .then((kept) => new Promise((done) => {
      const worker = kept.installing;
      if (!worker) done();
      else worker.addEventListener('statechange', () => worker.state === 'redundant' && done());
    }))
    .catch(() => {}));
  await page.reload();
  await at.ready();
  assert.equal(await buildOf(page), build);
  assert.equal(await at.notices.count(), 0);
});
