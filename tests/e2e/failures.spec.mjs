// What the page shows when its worker cannot start, or when the page itself meets a bug.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './lib.mjs';
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

test('the page says that it met a bug, and keeps what is open', async (t) => {
  // An invalid message.
  const { page, heard } = await openPage(t, {
    prepare: (context) => context.addInitScript(() => {
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          window.sendNonsense = () => this.dispatchEvent(new MessageEvent('message', { data: 7 }));
        }
      };
    }),
  });
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  const keys = await at.runKeys();
  await at.view('Findings');
  const banner = page.locator('.fatal');
  for (const label of ['Findings', 'Runs']) {
    await at.view(label);
    await page.evaluate(() => window.sendNonsense()).catch(() => {});
    await banner.getByText(new RegExp(`^At #/${label.toLowerCase()}, after click on ${label}.*: panicked at web/src/browser/messages.rs`)).waitFor();
    await banner.getByRole('button', { name: 'Close' }).click();
    await banner.waitFor({ state: 'detached' });
  }
  assert.deepEqual(await at.runKeys(), keys);
  // They are meant here.
  assert.ok(heard.errors.length > 0);
  heard.errors.length = 0;
});
