// The screen of a run: all reflections in one column with what is new marked, the verdict and the attempts above
// it. What is new is held against a count of its own.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { SHARED, eventually, needsShared, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const FIRST = 'I was stuck in a loop with the tomato, so next time I will open the fridge first.';
const SECOND = 'In this room I was stuck in a loop with the tomato. Next time I will look around for a knife.';
/** Six attempts: the second text stands three times in a row, which is a stuck stretch; then something new, and a success. */
const TEXTS = [FIRST, SECOND, SECOND, SECOND, 'Ask for help instead of doing the same again and again today.', null];

const record = (key, iteration, text, passed = false) => JSON.stringify({
  loop_id: key, iteration, evaluator_output: { passed }, actor_output: {},
  ...(text ? { self_reflection: { reflection_text: text } } : {}),
});
const run = (key, texts) => texts.map((text, at) => record(key, at + 1, text, at + 1 === texts.length && text === null)).join('\n') + '\n';

async function opened(t, files, options) {
  const folder = await tempFolder(t, files);
  const { page, ...rest } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  await at.drop(Object.keys(files).map((name) => path.join(folder, name)));
  return { at, page, ...rest };
}

const items = (page) => page.locator('.told-item');
const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Words of `text` that stand in no sequence of three that an earlier text has. */
function newWords(text, earlier) {
  const sequences = (words) => words.slice(2).map((_, at) => words.slice(at, at + 3).join(' '));
  const known = new Set(earlier.flatMap((other) => sequences(wordsOf(other))));
  const words = wordsOf(text);
  const isNew = words.map(() => true);
  sequences(words).forEach((it, at) => { if (known.has(it)) isNew.fill(false, at, at + 3); });
  return words.filter((_, at) => isNew[at]);
}

test('all reflections stand in one column, and what no earlier one said is marked', async (t) => {
  const { at, page } = await opened(t, { 'a.jsonl': run('ralph-told', TEXTS) });
  await items(page).first().waitFor();
  assert.equal(await page.locator('.tab[aria-current]').textContent(), 'Reflections');
  // Two that say the same again take one line.
  assert.equal(await items(page).count(), 4);
  assert.match(await items(page).nth(2).innerText(), /3[\s\S]*4[\s\S]*Word for word the reflection of 2\.\s+At least one of them in memory at attempts 4 to 6\./);
  const marked = (await items(page).nth(1).locator('ins.new').allTextContents()).flatMap(wordsOf);
  const expected = newWords(SECOND, [FIRST]);
  assert.ok(expected.length > 3 && expected.length < wordsOf(SECOND).length);
  assert.deepEqual(marked, expected);
  const note = await items(page).nth(1).locator('.note').textContent();
  assert.equal(note, `${expected.length} of ${wordsOf(SECOND).length} words are new. In memory at attempts 3 to 5. The next attempt failed, too.`);
  assert.match(await items(page).nth(0).locator('.note').textContent(), new RegExp(`^All ${wordsOf(FIRST).length} words are new\\.`));
  assert.equal(await items(page).nth(0).locator('ins.new').count(), 0, 'a mark on everything marks nothing');
  assert.match(await items(page).nth(3).locator('.note').textContent(), /The next attempt succeeded\.$/);
  // Each number leads to its attempt, which stands beside it.
  await items(page).nth(3).locator('.number').first().click();
  await page.getByRole('heading', { name: 'Iteration 5', exact: true }).waitFor();
  assert.match(at.hash(), /\/reflections\/5$/);
  assert.equal(await page.locator('.told-item[aria-current]').count(), 1);
});

test('the header says where it was stuck, and the run opens there', async (t) => {
  const { at, page } = await opened(t, { 'a.jsonl': run('ralph-told', TEXTS) });
  await items(page).first().waitFor();
  const says = await page.locator('.run-page > .headline').textContent();
  assert.match(says, /^Stuck from 2 to 4: the same reflection, every attempt failed\. Solved at 6\.$/);
  await page.getByRole('heading', { name: 'Iteration 2', exact: true }).waitFor();
  assert.equal(at.hash(), '#/run/ralph-told');
  const stuck = page.locator('.told-item.stuck');
  assert.equal(await stuck.count(), 2, '2, and 3 with 4');
  assert.equal(await page.locator('.stuck-says').textContent(), 'Stuck from 2 to 4: the same reflection, every attempt failed.');
  const cells = page.locator('.strip-cell');
  assert.deepEqual(await cells.allTextContents(), ['F', 'F', 'F', 'F', 'F', 'S'].map((letter, n) => (n === 5 ? 'P' : letter)));
  assert.deepEqual(await page.locator('.strip-cell.stuck').evaluateAll((all) => all.map((it) => it.getAttribute('aria-label'))),
    [2, 3, 4].map((n) => `Attempt ${n}: failure, stuck`));
  await cells.nth(5).click();
  await page.getByRole('heading', { name: 'Iteration 6', exact: true }).waitFor();
  assert.equal(await page.locator('.strip-cell[aria-current]').getAttribute('aria-label'), 'Attempt 6: success');
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: 'Iteration 5', exact: true }).waitFor();
  assert.match(at.hash(), /\/reflections\/5$/);
});

test('another tab begins at its beginning, however far the column was scrolled', async (t) => {
  const texts = Array.from({ length: 60 }, (_, n) => `Attempt ${n + 1} went wrong for reason ${n * 7} of its own.`);
  const { at, page } = await opened(t, { 'a.jsonl': run('ralph-long', texts) });
  const scrolled = () => page.locator('#split-left').evaluate((left) => left.scrollTop);
  await eventually(async () => assert.ok(await scrolled() > 0, 'the last attempt is in sight'));
  await at.tab('Attempts');
  await page.locator('.run-plot').first().waitFor();
  await eventually(async () => assert.equal(await scrolled(), 0));
});

test('texts are shown plain, or only what is new, and copied plain', async (t) => {
  const { at, page, context } = await opened(t, { 'a.jsonl': run('ralph-told', TEXTS) });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await items(page).first().waitFor();
  await page.getByRole('button', { name: 'Plain' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.told-item').length === 5);
  assert.match(at.hash(), /show=plain/);
  assert.equal(await page.locator('ins.new').count(), 0);
  await page.getByRole('button', { name: 'Copy reflections' }).click();
  await page.getByRole('button', { name: 'Copy reflections' }).filter({ hasText: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, TEXTS.slice(0, 5).map((text, n) => `[${n + 1}] ${text}\n`).join('\n'));
  await page.getByRole('button', { name: 'Only what is new' }).click();
  await page.locator('.only-new').first().waitFor();
  const pieces = await items(page).nth(1).locator('.only-new li').allTextContents();
  assert.deepEqual(pieces.flatMap(wordsOf), newWords(SECOND, [FIRST]));
});

test('a run without reflections begins with its attempts, and one attempt has no chart', async (t) => {
  const { at, page } = await opened(t, { 'a.jsonl': run('ralph-mute', [undefined, undefined]), 'b.jsonl': run('ralph-one', [FIRST]) });
  await at.openRun('ralph-mute');
  assert.equal(await page.locator('.tab[aria-current]').textContent(), 'Attempts');
  assert.equal(await page.locator('.tab', { hasText: 'Reflections' }).count(), 0);
  await page.locator('.run-plot').first().waitFor();
  await at.goto('#/run/ralph-one');
  await page.locator('.run-head h1', { hasText: 'ralph-one' }).waitFor();
  await eventually(async () => assert.equal(await at.reflection().textContent(), FIRST));
  await page.locator('.facts').waitFor();
  for (const gone of ['.attempt-strip', '.run-chart', '.told-item']) assert.equal(await page.locator(gone).count(), 0, gone);
  assert.ok((await page.locator('.inspector').boundingBox()).width > 1100, 'it has the width of the page');
});

test('of a long run, the part with the selected attempt is drawn', async (t) => {
  const texts = Array.from({ length: 1000 }, (_, n) => `Attempt ${n + 1} went wrong for reason ${n * 7} of its own.`);
  const { at, page } = await opened(t, { 'a.jsonl': run('ralph-long', texts) });
  await at.goto('#/run/ralph-long/reflections/500');
  await page.locator('#told-500').waitFor();
  assert.equal(await items(page).count(), 192);
  assert.ok((await page.locator('.strip-cell').count()) <= 60);
  await page.locator('.edge', { hasText: 'Later ones, from' }).locator('a').click();
  await page.locator('#told-577').waitFor();
  await page.locator('#told-500').waitFor({ state: 'detached' });
  // It is in sight, once it is there.
  await eventually(async () => {
    const box = await page.locator('#told-577').boundingBox();
    assert.ok(box.y > 100 && box.y < 800, `it stands at ${box.y}`);
  });
  assert.match(await page.locator('.told-item[aria-current]').textContent(), /577/);
});

test('on a narrow page a number leads down to its attempt', async (t) => {
  const { page, at } = await opened(t, { 'a.jsonl': run('ralph-told', TEXTS) }, { viewport: { width: 390, height: 800 } });
  await items(page).first().waitFor();
  assert.equal(await at.scrollsSideways(), false);
  await items(page).nth(3).locator('.number').first().click();
  await page.getByRole('heading', { name: 'Iteration 5', exact: true }).waitFor();
  await eventually(async () => {
    const box = await page.locator('#inspector').boundingBox();
    assert.ok(box.y < 800, `the attempt begins at ${box.y}`);
  });
});

test('ALFWorld: why the hardest task failed each time, and what was in memory at attempt 9, in 8 clicks', needsShared(), async (t) => {
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(SHARED, 'reflexion/alfworld_reflexion')]);
  let clicks = 0;
  const click = async (target) => {
    clicks += 1;
    await target.click();
  };
  await click(page.locator('.sort', { hasText: 'Iter.' }));
  await page.waitForFunction(() => document.querySelector('.runs-grid .row-link')?.textContent === 'env_22');
  await click(at.runs.getByRole('link', { name: 'env_22', exact: true }));
  await items(page).first().waitFor();
  // Why each attempt failed: all reflections are there.
  const listed = await page.locator('.told-head .number').allTextContents();
  assert.deepEqual(listed.map(Number), Array.from({ length: 14 }, (_, n) => n));
  await click(page.getByRole('link', { name: 'Attempt 9: failure, stuck' }));
  await page.getByRole('heading', { name: 'Iteration 9', exact: true }).waitFor();
  await click(at.inspector.getByRole('button', { name: /^In memory when it began/ }));
  await page.locator('.inspector .held-one').first().waitFor();
  assert.equal(await page.locator('.inspector .held-one').count(), 3);
  t.diagnostic(`${clicks} clicks`);
  assert.ok(clicks <= 8, `${clicks} clicks`);
});
