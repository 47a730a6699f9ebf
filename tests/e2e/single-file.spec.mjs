// The single file: from a disk, without a request, and copies of it with runs inside.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { PAGE_FOLDER, newPage, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const FILE = path.join(PAGE_FOLDER, 'viewer.html');

/** A file from a disk, in a context without network, and all requests it makes. */
async function fromDisk(t, file) {
  assert.ok(existsSync(file), `${file} is missing: \`cargo xtask build single\` makes it`);
  const { page, context } = await newPage(t, 'null', { offline: true });
  const requests = [];
  context.on('request', (request) => requests.push(request.url()));
  t.after(() => {
    const others = requests.filter((url) => !/^(blob|data):/.test(url));
    assert.deepEqual(others, [pathToFileURL(file).href], 'it asks for itself and for nothing else');
  });
  await page.goto(pathToFileURL(file).href);
  const at = await new HindscopePage(page).ready();
  return { at, page, context };
}

test('it opens from a disk and reads files there', async (t) => {
  const { at, page } = await fromDisk(t, FILE);
  await at.sample('improving');
  assert.match(await at.heading.textContent(), /^3 runs$/);
  await at.openRun('ralph-duration-parser-2026-03-02');
  const folder = await tempFolder(t, { 'a.jsonl': '{"iteration":1,"self_reflection":{"reflection_text":"From a disk."}}\n' });
  await at.drop([path.join(folder, 'a.jsonl')]);
  await page.locator('.reflection-text').filter({ hasText: 'From a disk.' }).waitFor();
  // Entries of a folder cannot be walked there, handles can.
  await at.drop([folder]);
  await page.locator('.reflection-text').filter({ hasText: 'From a disk.' }).waitFor();
  await at.view('Files');
  await at.sources.filter({ hasText: `${path.basename(folder)}/a.jsonl` }).waitFor();
  assert.equal(await page.getByLabel('Remember the files in this browser').count(), 0, 'all pages from a disk would share it');
  await page.locator('#choose-folder').setInputFiles(folder);
  await page.locator('#intake[open]').waitFor();
  await at.answer('Replace');
  await page.locator('.reflection-text').filter({ hasText: 'From a disk.' }).waitFor();
});

test('its policy names each script and allows no connection', async () => {
  const html = await readFile(FILE, 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html);
  assert.equal(
    policy.replaceAll(/'sha256-[\w+/=]+'/g, 'HASH'),
    "default-src 'none'; script-src 'wasm-unsafe-eval' HASH HASH; style-src HASH; img-src data: blob:; connect-src 'none'; worker-src blob:; base-uri 'none'; form-action 'none'",
  );
});

test('a viewer copy holds the runs that were shown, and opens with them', async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  await at.filterRuns('ralph-duration-parser');
  await page.locator('.count-line', { hasText: 'Showing 1 of 3 runs' }).waitFor();
  const waits = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Export / }).click();
  await page.getByRole('list', { name: 'Formats' }).getByRole('button', { name: /^Viewer copy/ }).click();
  const download = await waits;
  assert.match(download.suggestedFilename(), /^hindscope-ralph-duration-parser-2026-03-02-[\d-]+\.html$/);
  const file = path.join(await tempFolder(t), download.suggestedFilename());
  await download.saveAs(file);

  const copy = await fromDisk(t, file);
  await copy.at.read();
  // Nothing but what is inside differs from the single file, if both are packed alike.
  const parts = async (file) => {
    const text = await readFile(file, 'utf8');
    return text.replace(/(id="hindscope-data" data-name=")[^"]*(">)[^<]*/, '$1$2')
      .replace(/(id="(?:page|reader)-wasm">)([^<]+)/g, (_, id, packed) => id + createHash('sha256').update(gunzipSync(Buffer.from(packed, 'base64'))).digest('hex'));
  };
  assert.ok((await parts(file)) === (await parts(FILE)), 'the copy is the single file');
  await copy.page.getByRole('heading', { name: 'ralph-duration-parser-2026-03-02', exact: true }).waitFor();
  await copy.at.view('Files');
  assert.match(await copy.at.sources.first().textContent(), /improving\.jsonl/);
});
