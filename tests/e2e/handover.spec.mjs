// Another page hands files over: the example of the documentation does, and what nobody asked for
// is not heard.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT, openPage, serveFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

/** The example of docs/handover.html, which has opened the page in a window of its own. */
async function handedOver(t) {
  const { context, server } = await openPage(t);
  const docs = await serveFolder(path.join(ROOT, 'docs'));
  t.after(() => docs.close());
  const sender = await context.newPage();
  // All that is said to the sender, whole.
  await sender.addInitScript(() => {
    window.heard = [];
    addEventListener('message', ({ data }) => window.heard.push(data));
  });
  await sender.goto(`${docs.url}handover.html`);
  await sender.locator('#address').fill(server.url);
  const opens = context.waitForEvent('page');
  await sender.locator('#open').click();
  const page = await opens;
  const at = await new HindscopePage(page).ready();
  const offer = page.locator('.notice.offer');
  await offer.waitFor();
  const state = (text) => sender.waitForFunction((text) => document.querySelector('#state')?.value === text, text);
  return { at, page, sender, offer, state, origin: docs.origin };
}

test('files of the opener are asked about, opened, and not spoken of', async (t) => {
  const { at, page, sender, offer, state, origin } = await handedOver(t);
  const text = await offer.locator('p').textContent();
  assert.match(text, /^http:\/\/127\.0\.0\.1:\d+ offers 2 files \(\d+ bytes\)\. Open them\? They stay in this tab\. Title: Job 4711$/);
  assert.ok(text.startsWith(origin));
  assert.equal(await at.sources.count(), 0, 'nothing is read before the answer');
  await offer.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { name: 'Iteration 2', exact: true }).waitFor();
  assert.match(at.hash(), /^#\/run\/job-4711\/i\/2/);
  await state('opened');
  await at.view('Files');
  assert.match(await at.sources.nth(1).textContent(), /job-4711\/last\.jsonl/);
  const heard = await sender.evaluate(() => window.heard);
  const [ready, ...rest] = heard.filter((data, at) => data.type !== 'hindscope/ready' || at === 0);
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'core/js/npm/package.json'), 'utf8'));
  assert.deepEqual(ready, { type: 'hindscope/ready', version });
  assert.deepEqual(rest, [{ type: 'hindscope/opened' }]);
});

test('an offer can be refused, and a second one waits for nobody', async (t) => {
  const { at, page, sender, offer, state } = await handedOver(t);
  // The sender's script holds the window; a second offer goes the same way.
  await page.evaluate(() => {
    window.opener.postMessage('asks nothing', '*');
  });
  await offer.getByRole('button', { name: 'Refuse' }).click();
  await state('refused: declined');
  assert.equal(await offer.count(), 0);
  assert.equal(await at.sources.count(), 0);
  assert.equal(await sender.locator('#state').textContent(), 'refused: declined');
});

test('malformed offers are refused with a code, and a frame is heard by its parent only', async (t) => {
  const { server, context } = await openPage(t);
  const docs = await serveFolder(path.join(ROOT, 'docs'));
  t.after(() => docs.close());
  const parent = await context.newPage();
  await parent.goto(`${docs.url}handover.html`);
  const codes = await parent.evaluate(async (address) => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((done) => { frame.onload = done; });
    frame.src = address;
    document.body.append(frame);
    await loaded;
    const answers = [];
    // A slow frame has more than one ping to answer; what comes late is no answer to an offer.
    const next = (isReady) => new Promise((done) => {
      addEventListener('message', function heard({ data }) {
        if ((data.type === 'hindscope/ready') !== isReady) return;
        removeEventListener('message', heard);
        done(data);
      });
    });
    addEventListener('message', ({ data }) => answers.push(data));
    let ready = null;
    while (!ready) {
      const answer = next(true);
      frame.contentWindow.postMessage({ type: 'hindscope/ping' }, '*');
      ready = await Promise.race([answer, new Promise((done) => setTimeout(done, 200))]);
    }
    const say = (message) => {
      const answer = next(false);
      frame.contentWindow.postMessage({ type: 'hindscope/open', ...message }, '*');
      return answer;
    };
    const codes = [];
    for (const files of [undefined, [], [{}], [{ name: 'a', data: 1 }], [{ name: '', data: 'x' }]]) {
      codes.push((await say({ files })).code);
    }
    frame.contentWindow.postMessage({ type: 'hindscope/open', files: [{ name: 'a.json', data: '{}' }] }, '*');
    codes.push((await say({ files: [{ name: 'b.json', data: new TextEncoder().encode('{}').buffer }] })).code);
    // A message from a frame beside it is heard by nobody.
    const stranger = document.createElement('iframe');
    stranger.srcdoc = `<script>
      addEventListener('message', ({ data }) => parent.postMessage(data, '*'));
      parent.frames[0].postMessage({ type: 'hindscope/ping' }, '*');
      parent.postMessage({ type: 'sent' }, '*');
    </script>`;
    const before = answers.length;
    const sent = next(false);
    document.body.append(stranger);
    await sent;
    // What is asked behind its message is answered behind it, and what it would hear is passed on before `last`.
    await say({});
    const last = next(false);
    stranger.contentWindow.postMessage({ type: 'last' }, '*');
    await last;
    return { codes, more: answers.slice(before).map(({ type }) => type) };
  }, server.url);
  assert.deepEqual(codes.codes, ['bad-message', 'no-files', 'bad-message', 'bad-message', 'bad-message', 'busy']);
  assert.deepEqual(codes.more, ['sent', 'hindscope/refused', 'last']);
  await parent.frameLocator('iframe').first().locator('.notice.offer').waitFor();
});
