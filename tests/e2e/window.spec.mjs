// The window scrubber: its numbers are the core's, at each iteration and for each rule.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { imported } from '../npm/package.mjs';
import { FIXTURES, copiedBy, openPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const FOLDER = path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry');
const RUN = '#/run/ralph-token-expiry';

/** The same records, asked of the npm package. */
async function oracle() {
  const { openHistory } = await imported();
  const history = openHistory(FOLDER);
  const [view] = history.runs();
  return { history, run: history.run(view.id) };
}

async function start(t) {
  const { page } = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  const at = await new HindscopePage(page).ready();
  await at.drop([FOLDER]);
  return { at, page };
}

/** What the page says of the window that is chosen. */
async function shown(page, at, rule) {
  await page.waitForFunction(([at, omega, policy]) => {
    const summary = document.querySelector(`.window-summary[data-at="${at}"]`);
    const now = document.querySelector('.omega-value')?.textContent;
    const menu = document.querySelector('.policy select')?.value;
    return summary && (omega === undefined || now === String(omega)) && menu === policy
      && summary.dataset.rule === `${omega ?? ''} ${policy}`;
  }, [at, rule.omega, rule.policy ?? 'fifo']);
  return page.evaluate(() => {
    const block = (name) => [...document.querySelectorAll('.window-summary > div')]
      .find((div) => div.querySelector('dt').textContent.startsWith(name));
    const numbers = (name) => [...(block(name)?.querySelectorAll('.number') ?? [])].map((it) => Number(it.textContent));
    return { held: numbers('Could have seen'), evicted: numbers('Pushed out'), later: Number(block('Not yet').querySelector('dd').textContent) };
  });
}

test('windows at each iteration, for each Ω and policy, equal the core', async (t) => {
  const { run } = await oracle();
  const { at, page } = await start(t);
  const next = Number(run.columns().numbers.at(-1)) + 1;
  const rules = [
    ...Array.from({ length: 11 }, (_, omega) => ({ omega })),
    { policy: 'recency', omega: 3 },
    { policy: 'relevance_weighted', omega: 3 },
  ];
  for (const rule of rules) {
    for (const n of rule.policy || rule.omega === 3 ? [...run.columns().numbers].map(Number).concat(next) : [1, 7, next]) {
      const query = new URLSearchParams(Object.entries(rule).map(([k, v]) => [k, String(v)]));
      await at.goto(`${RUN}/window/${n}?${query}`);
      const view = run.window(n, rule);
      const numbers = (refs) => refs.map((ref) => ref.number);
      assert.deepEqual(
        await shown(page, n, rule),
        { held: numbers(view.held), evicted: numbers(view.evicted), later: view.later },
        `${JSON.stringify(rule)} at ${n}`,
      );
    }
  }
});

test('each layout is the core\'s text, byte for byte', async (t) => {
  const { run } = await oracle();
  const { at, page } = await start(t);
  const window = run.window(9, { omega: 3 });
  for (const layout of ['plain', 'aiwg-template', 'aiwg-guide', 'aiwg-memory', 'reflexion-alfworld', 'episodic']) {
    await at.goto(`${RUN}/window/9?omega=3&layout=${layout}`);
    const wanted = window.render(layout);
    await page.waitForFunction((text) => document.querySelector('.rendered .text')?.textContent.startsWith(text), wanted.slice(0, 12));
    const text = await copiedBy(page, () => page.getByRole('button', { name: 'Copy window text' }).click());
    await page.getByText('Copied', { exact: true }).first().waitFor();
    assert.equal(text, wanted, layout);
  }
});

test('the scrubber is a slider: keys, buttons, words', async (t) => {
  const { at, page } = await start(t);
  await at.goto(`${RUN}/window/9?omega=3`);
  const slider = page.getByRole('slider', { name: 'Window at iteration' });
  const says = (text) => page.waitForFunction((text) => document.querySelector('[role=slider].slider')?.getAttribute('aria-valuetext') === text, text);
  await says('iteration 9 of 12, 3 reflections in window');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await says('iteration 10 of 12, 3 reflections in window');
  assert.match(at.hash(), /\/window\/10\?omega=3$/);
  await page.keyboard.press('Home');
  await says('iteration 1 of 12, 0 reflections in window');
  await page.keyboard.press('End');
  await says('iteration 13 of 12, 3 reflections in window');
  await page.getByRole('heading', { name: 'Before the next attempt, 13' }).waitFor();
  await page.getByRole('button', { name: 'Previous iteration' }).click();
  await page.getByRole('heading', { name: 'When iteration 12 began' }).waitFor();
  await page.getByRole('button', { name: 'First iteration' }).click();
  await page.getByRole('heading', { name: 'When iteration 1 began' }).waitFor();
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + box.width * (8 / 12), box.y + box.height / 2);
  await page.getByRole('heading', { name: 'When iteration 9 began' }).waitFor();
});

test('provenance, tokens, budget, and the life of each reflection', async (t) => {
  const { run } = await oracle();
  const { at, page } = await start(t);
  await at.goto(`${RUN}/window/9`);
  await page.locator('.window-summary[data-at="9"]').waitFor();
  assert.match(await page.locator('.omega-origin').textContent(), /^recorded in .*009\.json:1$/);
  await page.keyboard.press('-');
  await page.waitForFunction(() => /configured here/.test(document.querySelector('.omega-origin')?.textContent));
  await page.getByRole('button', { name: /^back to \d+ recorded/ }).click();
  await page.waitForFunction(() => /recorded in/.test(document.querySelector('.omega-origin')?.textContent));

  await at.goto(`${RUN}/window/9?omega=3`);
  await page.waitForFunction(() => document.querySelector('.window-summary')?.dataset.rule === '3 fifo');
  const rows = await page.locator('.life-table tbody tr').evaluateAll((rows) =>
    rows.map((row) => `${row.querySelector('th').textContent} ${[...row.querySelectorAll('td [aria-hidden]')].map((it) => it.textContent || ' ').join('')}|${row.querySelector('.fate').textContent}`));
  assert.equal(rows[0], '1 \u25cf==#\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7|out after 4');
  assert.equal(rows[5], '6      \u25cf==#\u00b7\u00b7\u00b7\u00b7|leaves after 9');
  const tokens = run.window(9, { omega: 3, tokenBudget: 100_000 }).tokens;
  assert.match(await page.locator('.window-summary .cost dd').textContent(), new RegExp(`^${tokens} tokens \\(estimate`));

  const small = run.window(9, { omega: 3, tokenBudget: 30 });
  await page.getByLabel('Token budget').fill('30');
  await page.keyboard.press('Enter');
  await page.waitForFunction((count) => document.querySelectorAll('.held-one').length === count, small.held.length);
  assert.match(at.hash(), /budget=30/);
  await at.goto(`${RUN}/window/9?omega=0`);
  await page.waitForFunction(() => document.querySelector('.window-summary .never dd')?.textContent === '1\u201312');
});

test('what records say stands beside what is computed', async (t) => {
  const { run } = await oracle();
  const { at, page } = await start(t);
  for (const n of [5, 9, 10]) {
    const injected = run.injected(n);
    await at.goto(`${RUN}/window/${n}`);
    await page.locator(`.window-summary[data-at="${n}"]`).waitFor();
    const saw = page.locator('.window-summary .saw');
    assert.equal(await saw.count(), injected.isComputed ? 0 : 1, `iteration ${n}`);
    const rules = await page.locator('.window-notes .rule').allTextContents();
    assert.deepEqual(rules, injected.notes.map((note) => note.rule), `iteration ${n}`);
  }
  await at.goto(`${RUN}/window/9?omega=1&text=difference`);
  await page.locator('.word-diff del').first().waitFor();
  assert.match(await page.locator('.word-diff').textContent(), /\[-/);
  await page.getByRole('button', { name: 'Stored' }).click();
  assert.match(at.hash(), /text=stored/);
});
