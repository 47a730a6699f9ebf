// Links: whoever opens one sees what its sender saw, or reads what differs.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { eventually, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const record = (iteration, reward, loop = 'ralph-linked') =>
  JSON.stringify({
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:0${iteration}:00Z`,
    actor_output: { actions: [], rationale: 'Close.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests', reward_signal: reward },
    self_reflection: { reflection_text: `Attempt ${iteration} failed.`, lessons_learned: [`close ${iteration % 2}`] },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });

/** Two runs, so that there is something to compare. */
const two = (reward) => history(reward) + history(reward / 2, 'ralph-other');

const history = (reward, loop) => [0, 1, 2, 3].map((n) => record(n, reward, loop)).join('\n') + '\n';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { at, page, ...rest };
}

/** What `y` copies. */
async function copied(page) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.keyboard.press('y');
  await page.locator('p.spoken', { hasText: 'Link copied.' }).waitFor();
  return eventually(async () => {
    const link = await page.evaluate(() => navigator.clipboard.readText());
    if (!URL.canParse(link)) throw new Error(`no link was copied, but ${JSON.stringify(link)}`);
    return link;
  });
}

const VIEWS = [
  ['#/run/ralph-linked/i/2?later=kept', '.verdict'],
  ['#/run/ralph-linked/window/3?omega=2', '.window-summary[data-at="3"]'],
  ['#/run/ralph-linked/findings?level=info&mute=rm%2Ffuture', '.finding-filters'],
  ['#/run/ralph-linked/lessons/2?mode=grid', '.wide-row'],
  ['#/run/ralph-linked/i/2?zoom=1..2', '.chart-caption'],
  ['#/runs?sort=-last&q=linked&outcome=failure', '.runs-grid .row-link'],
  ['#/findings?level=warning&by=rule&mute=rm%2Ffuture&q=x', '.finding-filters'],
  ['#/findings?show=damage', '.findings-count'],
  ['#/compare?runs=ralph-linked,ralph-other&base=ralph-other&align=end', '#compare-table tbody tr'],
  ['#/compare?runs=ralph-linked,ralph-other&mode=grid&later=kept', '.compare-grid'],
  ['#/search?q=failed', '.hit'],
  ['#/run/ralph-linked/errors/2?zoom=1..2', '.learn-tab'],
];

test('a link from every view restores it once its file is there', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': two(0.2) });
  const first = await start(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await first.at.drop([path.join(folder, 'a.jsonl')]);
  for (const [hash, shows] of VIEWS) {
    await first.at.goto(hash);
    await first.page.locator(shows).first().waitFor();
    const link = new URL(await copied(first.page));
    assert.match(link.hash, /[?&]src=a\.jsonl(:|%3A)[0-9a-f]{16}/);
    const other = await start(t, { hash: link.hash });
    await other.page.getByText(/Open “a\.jsonl” again, or its folder, to see /).waitFor();
    await other.at.drop([path.join(folder, 'a.jsonl')]);
    await other.page.locator(shows).first().waitFor();
    assert.equal(other.at.hash(), link.hash, 'nothing of the link is lost');
    assert.equal(await other.page.locator('.link-notice').count(), 0);
    await other.context.close();
  }
});

test('the same run with other content is shown, and said to be another', async (t) => {
  const folder = await tempFolder(t, { 'a.jsonl': history(0.2), 'b/a.jsonl': history(0.4) });
  const first = await start(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await first.at.drop([path.join(folder, 'a.jsonl')]);
  await first.at.goto('#/run/ralph-linked/i/1');
  await first.page.locator('.verdict').waitFor();
  const link = new URL(await copied(first.page));
  const other = await start(t, { hash: link.hash });
  await other.at.drop([path.join(folder, 'b/a.jsonl')]);
  await other.page.getByText('The open file has a run of that name but other content.').waitFor();
  await other.at.inspector.locator('.verdict').waitFor();
  await other.page.locator('.link-notice').getByRole('button', { name: 'Dismiss' }).click();
  await other.page.locator('.link-notice').waitFor({ state: 'detached' });
});
