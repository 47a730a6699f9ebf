// What the page shows when its worker cannot start, or when the page itself meets a bug.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { eventually, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

test('the page says that the browser could not start a worker', async (t) => {
  const { page } = await openPage(t, {
    prepare: (context) => context.addInitScript(() => {
      window.Worker = class {
        constructor() {
          throw new Error('refused');
        }
      };
    }),
  });
  const alert = page.getByRole('alert').getByText('The browser could not start a worker.');
  await alert.waitFor();
  await page.locator('[data-sample=improving]').click();
  await alert.waitFor();
  assert.equal(await page.locator('.strip').count(), 0, 'nothing is waited for');
});

/** A page whose worker can send it an invalid message, which is a bug, and a way to make it meet that. */
async function breakable(t, prepare = () => {}) {
  const { page, heard } = await openPage(t, {
    prepare: async (context) => {
      await context.addInitScript(() => {
        window.Worker = class extends Worker {
          constructor(...given) {
            super(...given);
            window.sendNonsense = () => this.dispatchEvent(new MessageEvent('message', { data: 7 }));
          }
        };
      });
      await prepare(context);
    },
  });
  const at = await new HindscopePage(page).ready();
  const banner = page.locator('.fatal');
  const meetBug = async () => {
    await page.evaluate(() => window.sendNonsense()).catch(() => {});
    await banner.waitFor();
  };
  /** Loads the page again by the banner's button; what was thrown before was meant. */
  const reload = async () => {
    await Promise.all([page.waitForEvent('load'), banner.getByRole('button', { name: 'Reload' }).click()]);
    await at.ready();
    assert.ok(heard.errors.length > 0);
    heard.errors.length = 0;
  };
  return { page, at, heard, banner, meetBug, reload };
}

test('the page says that it met a bug, and keeps what is open', async (t) => {
  const { page, at, heard, banner, meetBug } = await breakable(t);
  await at.sample('improving');
  const keys = await at.runKeys();
  await at.view('Findings');
  for (const label of ['Findings', 'Runs']) {
    await at.view(label);
    await meetBug();
    const report = await banner.locator('.code').textContent();
    assert.match(report, new RegExp(`^web/src/browser/messages\\.rs:\\d+:\\d+, at #/${label.toLowerCase()}, after click on ${label}.*: `));
    assert.doesNotMatch(report, /\n|https?:|wasm-function/, 'no stack of the glue');
    await banner.getByRole('button', { name: 'Close' }).click();
    await banner.waitFor({ state: 'detached' });
  }
  assert.deepEqual(await at.runKeys(), keys);
  // They are meant here.
  assert.ok(heard.errors.length > 0);
  heard.errors.length = 0;
});

test('after a bug the page is loaded again where it was, with its sample', async (t) => {
  const { page, at, banner, meetBug, reload } = await breakable(t);
  await at.sample('improving');
  await at.goto('#/run/ralph-duration-parser-2026-03-02/i/2');
  const heading = page.getByRole('heading', { name: 'ralph-duration-parser-2026-03-02', exact: true });
  await heading.waitFor();
  await meetBug();
  await banner.getByText('It comes back to this place, with the sample.').waitFor();
  await reload();
  await heading.waitFor();
  assert.equal(at.hash(), '#/run/ralph-duration-parser-2026-03-02/i/2');
});

const log = (loop) => [1, 2, 3].map((number) => `${JSON.stringify({ loop_id: loop, trial_number: number, outcome: 'failure', reflection: `What attempt ${number} of ${loop} taught.` })}\n`).join('');

test('after a bug files are offered again for once, where the browser has handles', async (t) => {
  const folder = await tempFolder(t, { 'runs/a.jsonl': log('loop-a'), 'runs/b.jsonl': log('loop-b') });
  const { page, at, banner, meetBug, reload } = await breakable(t);
  const kept = () => page.evaluate(async () => [
    ...(await indexedDB.databases()).map(({ name }) => name), ...Object.keys(sessionStorage), ...Object.keys(localStorage),
  ]);
  const again = page.getByRole('button', { name: /^Open again: runs\/ \(2 files, / });
  await at.drop([path.join(folder, 'runs')]);
  await at.openRun('loop-b');
  await meetBug();
  await banner.getByText(/It comes back to this place, and offers to open runs\/ \(2 files, .*\) again\./).waitFor();
  assert.deepEqual(await kept(), [], 'nothing is kept before the button is pressed');
  await reload();
  await again.waitFor();
  await eventually(async () => assert.deepEqual(await kept(), [], 'nor after the page was loaded'));
  await again.click();
  await at.inspector.locator('.verdict').waitFor();
  assert.equal(at.hash(), '#/run/loop-b');
  await at.view('Runs');
  assert.deepEqual(await at.runKeys(), ['loop-a', 'loop-b']);
  await page.reload();
  await at.ready();
  assert.equal(await again.count(), 0);
});

test('after a bug the page says what has to be opened again, where there are no handles', async (t) => {
  const folder = await tempFolder(t, { 'b.jsonl': log('loop-b') });
  const { page, at, banner, meetBug, reload } = await breakable(t, (context) => context.addInitScript(() => {
    delete window.FileSystemHandle;
    delete DataTransferItem.prototype.getAsFileSystemHandle;
  }));
  await at.drop([path.join(folder, 'b.jsonl')]);
  await page.getByRole('heading', { name: 'loop-b', exact: true }).waitFor();
  const hash = at.hash();
  await meetBug();
  await banner.getByText('It comes back to this place. You will have to open b.jsonl anew.').waitFor();
  await reload();
  await page.getByText('The page was loaded again after a bug. Open b.jsonl again to see loop-b.').waitFor();
  assert.equal(at.hash(), hash);
  assert.equal(await page.getByText('This link needs').isVisible(), false);
  await at.drop([path.join(folder, 'b.jsonl')]);
  await at.inspector.locator('.verdict').waitFor();
  assert.equal(at.hash(), hash);
});

test('the page is loaded again by the browser alone where its own program has stopped', async (t) => {
  const { page, at, meetBug, reload } = await breakable(t);
  await at.sample('improving');
  await at.view('Findings');
  await meetBug();
  // The program ends here, before it loads the page again itself.
  await page.evaluate(() => {
    Object.defineProperty(window, 'sessionStorage', { get() { throw new WebAssembly.RuntimeError('unreachable'); } });
  });
  await reload();
  await at.findings.first().waitFor();
});
