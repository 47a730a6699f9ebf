// The iteration inspector: every field of a record, exact bytes, and a step that does not wait.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, copiedBy, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

async function start(t, options) {
  const { page, ...rest } = await openPage(t, { permissions: ['clipboard-read', 'clipboard-write'], ...options });
  return { at: await new HindscopePage(page).ready(), page, ...rest };
}

const LINES = Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n');

/** A record with every field. */
function full(iteration, more = {}) {
  return {
    loop_id: 'ralph-full', iteration, timestamp: `2026-03-01T09:${10 + iteration}:00+05:30`, task_description: 'Make it work.',
    actor_output: {
      actions: [
        { type: 'code_modification', description: 'Keep the kind', file_path: 'src/client.rs',
          changes: { additions: 1, deletions: 1, diff: '--- a/src/client.rs\n+++ b/src/client.rs\n@@ -8,3 +8,3 @@\n fn go() {\n-    return Ok(value);\n+    return Err(value);\n }\n' } },
        { type: 'test_execution', description: 'Run it', command: 'vitest run' },
      ],
      rationale: 'It was close.', strategy: 'small steps', files_modified: ['src/client.rs'],
    },
    evaluator_output: {
      passed: false, verification_type: 'unit_tests', reward_signal: 0.2 + iteration / 10,
      results: [{ tool: 'vitest', status: 'fail', exit_code: 101, stdout: `\u001b[31mred\u001b[0m\n${LINES}`, stderr: 'e'.repeat(300_000) }],
      errors: [{ type: 'timeout', message: `after ${iteration * 7} ms`, file: 'src/client.rs', line: 88, severity: 'error', stack_trace: 'at a\nat b' }],
    },
    self_reflection: {
      reflection_text: LINES, credit_assignment: { root_cause: 'timeout mapped to Ok', failure_category: 'logic_error', failing_action_indices: [0] },
      causal_reasoning: 'It was swallowed.', actionable_insights: ['Keep the error kind.'], lessons_learned: ['Do not map errors away.'], confidence: 0.7,
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
    previous_reflections_used: iteration > 1 ? [iteration - 1] : [],
    ...more,
  };
}

const jsonl = (...records) => records.map((record) => JSON.stringify(record)).join('\n') + '\n';

async function opened(t, files, options) {
  const folder = await tempFolder(t, Object.fromEntries(Object.entries(files).map(([name, text]) => [`drop/${name}`, text])));
  const all = await start(t, options);
  await all.at.drop([path.join(folder, 'drop')]);
  await all.at.inspector.locator('.verdict').waitFor();
  return { ...all, folder };
}

test('every field of a full record is shown, in order, and none is invented', async (t) => {
  const { at, page } = await opened(t, { 'full.jsonl': jsonl(full(1), full(2), full(3)) });
  await at.goto('#/run/ralph-full/i/2');
  await page.getByRole('heading', { name: 'Iteration 2', exact: true }).waitFor();
  await page.locator('.error-history').waitFor();
  const text = await at.inspector.textContent();
  const order = ['The next attempt', 'Used, as the record says', 'timeout mapped to Ok', 'logic_error', 'Keep the error kind.', 'Keep the kind', 'src/client.rs:88', 'exit 101'];
  const places = order.map((word) => text.indexOf(word));
  assert.ok(places.every((place) => place >= 0), `${order.filter((_, n) => places[n] < 0)} is missing`);
  assert.deepEqual(places, [...places].sort((a, b) => a - b), 'the order is fixed');
  assert.match(text, /Failed with 1 error, .*The next attempt improved the reward by 0\.1\./);
  assert.match(await page.locator('.used').textContent(), /says 1; this attempt improved: yes/);
  assert.match(await page.locator('.error-history').textContent(), /timeout\|after <n> ms first 1; seen at 1\u20133/);
  assert.match(await page.locator('.error-history a').getAttribute('href'), /\/errors\/2/);
  // The action that is blamed is marked, and tied to the error and the check.
  assert.match(await page.locator('.action.failing').textContent(), /failing/);
  await page.locator('#action-0 .tied .jump', { hasText: 'error timeout' }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'error-0');
  await page.locator('#action-1 .tied .jump', { hasText: 'vitest' }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'check-0');

  await page.getByRole('button', { name: /^Show empty fields/ }).click();
  const empty = await page.locator('.empty-fields').textContent();
  assert.match(empty, /related reflections, .*usage/);
  assert.doesNotMatch(empty, /root cause|confidence|actions,/);
  assert.doesNotMatch(text, /undefined|null|NaN/);
});

test('long text folds with a count, output in two steps, and codes are a switch', async (t) => {
  const { at, page } = await opened(t, { 'full.jsonl': jsonl(full(1)) });
  assert.match(await at.reflection().textContent(), /line 39$/);
  await page.getByRole('button', { name: 'Show all: 50 more lines, 400 bytes' }).click();
  assert.match(await at.reflection().textContent(), /line 89$/);
  const out = page.locator('.output').nth(0);
  assert.doesNotMatch(await out.textContent(), /ESC/);
  await out.getByRole('button', { name: '2 terminal codes' }).click();
  assert.match(await out.locator('.text').textContent(), /^ESC\[31mredESC\[0m/);
  // 300 KB of one line: first 64 KB, then what is here, then all of it.
  const err = page.locator('.output').nth(1);
  assert.equal((await err.locator('.text').textContent()).length, 65_536);
  await page.locator('.shortened').getByRole('button', { name: 'Get all of it' }).click();
  await page.locator('.shortened').waitFor({ state: 'detached' });
  await err.locator('.more').click();
  assert.equal((await err.locator('.text').textContent()).length, 300_000);
});

test('diffs read without colour, side by side when wanted', async (t) => {
  const { page } = await opened(t, { 'full.jsonl': jsonl(full(1)) });
  const lines = await page.locator('#action-0 .diff .line').allTextContents();
  assert.deepEqual(lines.slice(4, 6), ['-    return Ok(value);', '+    return Err(value);']);
  assert.deepEqual(await page.locator('#action-0 .diff u').allTextContents(), ['Ok', 'Err']);
  await page.getByRole('button', { name: 'Side by side' }).click();
  const row = page.locator('.diff-table tr', { hasText: 'return Ok' });
  assert.equal(await row.locator('td').nth(0).textContent(), '9');
  assert.match(await row.locator('td').nth(3).textContent(), /^\+ {4}return Err/);
});

test('raw bytes equal the file\'s, with both ends of their place', async (t) => {
  const text = `${JSON.stringify(full(1))}\n${JSON.stringify(full(2)).replace('"Make it work."', '"\u00e9\u{1d11e}"')}\n`;
  const { at, page } = await opened(t, { 'two.jsonl': text });
  await at.goto('#/run/ralph-full/i/2');
  await page.getByRole('heading', { name: 'Iteration 2', exact: true }).waitFor();
  await at.inspector.getByRole('button', { name: /^Raw/ }).click();
  const line = text.split('\n')[1];
  const start = Buffer.byteLength(text.split('\n')[0]) + 1;
  const end = start + Buffer.byteLength(line);
  const place = await page.locator('.raw .place').textContent();
  assert.ok(place.includes(`two.jsonl  2:1 to 2:${line.length + 1}  bytes ${start}\u2013${end}`), place);
  await at.inspector.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.waitForFunction((length) => document.querySelector('.raw-text')?.textContent.length === length, line.length);
  const raw = await copiedBy(page, () => at.inspector.getByRole('button', { name: 'Copy raw record' }).click());
  await page.getByText('Copied', { exact: true }).first().waitFor();
  assert.equal(raw, line);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    at.inspector.getByRole('button', { name: 'Save the bytes of this record' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'two-2.jsonl');
  assert.deepEqual(await readFile(await download.path()), Buffer.from(line));
  await at.inspector.getByRole('button', { name: 'Pretty' }).click();
  assert.match(await page.locator('.raw-text').textContent(), /^\{\n {2}"loop_id": "ralph-full",/);
  await at.inspector.getByRole('button', { name: 'Strict verdict' }).click();
  assert.match(await page.locator('.verdict-of').textContent(), /alid by the schema reflection-memory/);
});

test('a record above 4 MiB is shown from both ends', async (t) => {
  const huge = full(1, { notes: 'n'.repeat(5 << 20), last_member: 'the end' });
  const { at, page } = await opened(t, { 'huge.json': JSON.stringify(huge) });
  await at.inspector.getByRole('button', { name: /^Raw/ }).click();
  await at.inspector.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.getByText(/between the two ends are not shown; Save has them/).waitFor();
  assert.match(await page.locator('.raw-text').nth(1).textContent(), /"last_member":"the end"\}$/);
});

test('records that disagree stand side by side', async (t) => {
  const other = full(1);
  other.self_reflection.credit_assignment.failure_category = 'edge_case_miss';
  const { page } = await opened(t, { 'a.json': JSON.stringify(full(1)), 'b.json': JSON.stringify(other) });
  const row = page.locator('.conflicts dl > div', { hasText: 'Category' });
  await row.waitFor();
  assert.deepEqual(await row.locator('.conflict-value .text').allTextContents(), ['edge_case_miss', 'logic_error'], 'the one that leads first');
  assert.match(await row.locator('.place').nth(0).textContent(), /b\.json:1:1$/);
});

test('times keep their offset until another zone is wanted', async (t) => {
  const { page } = await opened(t, { 'full.jsonl': jsonl(full(1)), }, { timezoneId: 'America/New_York' });
  const time = page.locator('.verdict .time');
  assert.equal(await time.textContent(), '2026-03-01T09:11:00+05:30');
  await page.getByRole('button', { name: 'UTC', exact: true }).click();
  assert.equal(await time.textContent(), '2026-03-01T03:41:00.000Z');
  await page.getByRole('button', { name: 'local', exact: true }).click();
  assert.match(await time.textContent(), /Feb 28, 2026.*10:41:00\sPM EST/);
  assert.equal(await page.evaluate(() => localStorage.getItem('hindscope.clock')), '"local"');
});

test('copies are text, Markdown and JSON of what was written', async (t) => {
  const { page } = await opened(t, { 'full.jsonl': jsonl(full(1, { self_reflection: { reflection_text: 'Look ```first``` <b>.\u202e' } })) });
  const clip = async (name) => {
    const text = await copiedBy(page, () => page.getByRole('button', { name, exact: true }).click());
    await page.getByText('Copied', { exact: true }).first().waitFor();
    await page.locator('.steps h2').click();
    return text;
  };
  assert.equal(await clip('Copy reflection as text'), 'Look ```first``` <b>.\u202e');
  assert.match(await clip('Copy reflection as Markdown'), /^### Reflection, iteration 1\n\n````text\nLook ```first```/);
  assert.equal(JSON.parse(await clip('Copy reflection as JSON')).text, 'Look ```first``` <b>.\u202e');
  assert.match(await clip('Copy iteration as Markdown'), /^## Iteration 1\n\nfailure, reward 0\.300 reported\n/);
  const json = JSON.parse(await clip('Copy iteration as JSON'));
  assert.deepEqual([json.iteration.number, json.details.actions.length], [1, 2]);
});

test('j and k keep section, scroll and folding, and do not wait', async (t) => {
  const { at, page } = await opened(t, { 'many.jsonl': jsonl(...Array.from({ length: 40 }, (_, n) => full(n + 1))) });
  await at.goto('#/run/ralph-full/i/20');
  await page.getByRole('heading', { name: 'Iteration 20', exact: true }).waitFor();
  await at.inspector.getByRole('button', { name: /^Actions/ }).click();
  const top = () => page.evaluate(() => document.querySelector('[data-section=Errors]').getBoundingClientRect().top);
  await page.evaluate(() => {
    const scroller = document.querySelector('.run-right');
    const section = document.querySelector('[data-section=Errors]');
    scroller.scrollTop += section.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 12;
  });
  const before = await top();
  const times = [];
  for (let n = 21; n < 33; n += 1) {
    times.push(await page.evaluate((wanted) => new Promise((resolve) => {
      const begun = performance.now();
      const look = () => {
        const is = document.querySelector('.steps h2')?.textContent === `Iteration ${wanted}`
          && document.querySelector('.inspector .error-head ~ .text')?.textContent === `after ${wanted * 7} ms`;
        if (is) requestAnimationFrame(() => resolve(performance.now() - begun));
        else requestAnimationFrame(look);
      };
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }));
      look();
    }), n));
  }
  times.sort((a, b) => a - b);
  // Taken beside other tests: these times mean nothing by themselves.
  t.diagnostic(`key to painted iteration: median ${times[6].toFixed(0)} ms, worst ${times.at(-1).toFixed(0)} ms`);
  // Whole pixels only: the browser rounds, too, when a note comes in above.
  assert.ok(Math.abs((await top()) - before) < 4, 'the section stands where it stood');
  assert.equal(await at.inspector.getByRole('button', { name: /^Actions/ }).getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('f');
  assert.match(at.hash(), /full=1/);
  assert.equal(await page.locator('.run-left').isVisible(), false);
  await page.keyboard.press('f');
  assert.equal(await page.locator('.run-left').isVisible(), true);
});

test('the records of a run: place, raw form, findings', async (t) => {
  const { at, page } = await start(t);
  await at.drop([path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry')]);
  await at.goto('#/run/ralph-token-expiry/data/9');
  const grid = page.getByRole('grid', { name: 'Records' });
  await grid.locator('.row.active', { hasText: '009.json:1:1' }).waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '13');
  const whole = await readFile(path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry/009.json'), 'utf8');
  await page.waitForFunction((text) => text.startsWith(document.querySelector('.chosen-record .raw-text')?.textContent ?? '?'), whole);
  const counted = await grid.locator('.row.active .c-num').nth(1).textContent();
  const listed = await page.locator('.chosen-record > .finding').count();
  assert.equal(counted === '\u2013' ? 0 : Number(counted), listed);
  await grid.getByRole('link', { name: /003\.json/ }).click();
  await page.locator('.chosen-record .place', { hasText: '003.json' }).waitFor();
  assert.match(at.hash(), /\/data\/3\?record=/);
  await page.keyboard.press('j');
  await page.locator('.chosen-record .place', { hasText: '004.json' }).waitFor();
});
