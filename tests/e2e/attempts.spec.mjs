// One attempt of an episodic memory: its description, and the replay of its actions by keys and by links.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const ESC = '\u001b';
const HOSTILE = `<img src=x onerror="window.hit=1"><script>window.hit=2</script> \u202ereversed\u202c ${ESC}[31mred`;

const json = (value) => `${JSON.stringify(value)}\n`;
const lines = (values) => values.map(json).join('');
/** A time on the day of the task. */
const clock = (minute, second = 0) => `2026-04-02T${String(8 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:${String(second).padStart(2, '0')}Z`;

const ACTIONS = [
  { type: 'read', tool: 'reader', params: { file_path: 'src/lamp.c' }, success: true, output: 'int pin;', reasoning: 'Read the pin.', expected_outcome: 'the code that polls' },
  { type: 'edit', tool: 'editor', params: { file_path: 'src/lamp.c', insert: 'read_pin();' }, success: true, output: Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n'), reasoning: 'It has to be read first.', expected_outcome: 'a value each second', plan_step: 2 },
  { type: 'bash', tool: 'shell', params: { command: 'make flash' }, success: false, output: '', error: 'verify failed at 0x40', reasoning: 'Look at it on the board.', expected_outcome: 'a steady light' },
  { type: 'grep', tool: 'grep', params: { pattern: HOSTILE }, success: true, output: HOSTILE, reasoning: HOSTILE, expected_outcome: HOSTILE },
  { type: 'bash', tool: 'shell', params: { command: 'make test' }, success: false, error: '3 of 9 failed', reasoning: 'What is left?', expected_outcome: 'all pass' },
  { type: 'task', tool: 'note', params: {}, reasoning: 'Nobody says how this went.' },
];

function attempt(number, { outcome, quality, actions = [], learned = [], plan, worked = [], failed = [], next = [] }) {
  const begin = (number - 1) * 60;
  const folder = `tasks/task-lamp/attempts/${String(number).padStart(3, '0')}`;
  return {
    [`${folder}/attempt.json`]: json({
      id: number, task_id: 'task-lamp', started: clock(begin), ended: clock(begin + 20), plan,
      execution: { agent: 'coder', iterations: 2, actions_performed: actions.length },
      outcome: { status: outcome, reason: `${outcome} it is`, final_quality: quality, completion_percent: quality * 100 },
      what_worked: worked, what_didnt_work: failed, suggestions_for_next_time: next, quality_scale: 'unit', learned_from: learned,
    }),
    ...(actions.length > 0 && { [`${folder}/actions.jsonl`]: lines(actions.map((action, n) => ({ timestamp: clock(begin + Math.floor(n / 60), (n * 2) % 60), iteration: 1, ...action }))) }),
  };
}

const MANY = Array.from({ length: 10_000 }, (_, n) => ({
  type: 'bash', tool: 'shell', params: { command: `step ${n + 1}` }, success: n % 1000 !== 999, reasoning: `reason ${n + 1}`, expected_outcome: 'done', output: `out ${n + 1}`,
}));

/** A task of three attempts; the second has a long log, the third none. */
function tree() {
  return {
    'tasks/task-lamp/metadata.json': json({ id: 'task-lamp', description: 'Dim the lamp.', status: 'completed', current_attempt: 3, total_attempts: 3 }),
    'tasks/task-lamp/reflections.jsonl': lines([
      { timestamp: clock(21), attempt_id: 1, observation: 'It flickers.', analysis: 'Each poll switches.', learning: 'Read first, then switch.', action_items: ['Move the read'], triggered_by: 'failure', reflection_type: 'error-analysis' },
      { timestamp: clock(81), attempt_id: 2, observation: 'It hangs.', learning: 'Never block.', triggered_by: 'failure', reflection_type: 'error-analysis' },
    ]),
    ...attempt(1, {
      outcome: 'failure', quality: 0.35, actions: ACTIONS, plan: { approach: 'Poll the sensor.', steps: ['read the pin', 'switch the lamp', 'measure'], estimated_iterations: 3 },
      worked: ['the pin can be read'], failed: [HOSTILE], next: ['Use the interrupt line'],
    }),
    ...attempt(2, { outcome: 'failure', quality: 0.5, actions: MANY, learned: [1], plan: { approach: 'Use the interrupt line.', steps: ['wire it'] } }),
    ...attempt(3, { outcome: 'success', quality: 0.9, learned: [], plan: {} }),
    'index/by-status.json': json({ completed: ['task-lamp'] }),
  };
}

async function start(t, options) {
  const folder = await tempFolder(t, Object.fromEntries(Object.entries(tree()).map(([name, text]) => [`memory/${name}`, text])));
  const { page } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(folder, 'memory')]);
  return { page, at };
}

/** Goes to an attempt, at one of its actions. */
async function open({ page, at }, number, action) {
  await at.goto(`#/run/task-lamp/attempt/${number}${action ? `?action=${action}` : ''}`);
  await page.getByRole('heading', { name: `Attempt ${number}`, exact: true }).waitFor();
  await page.locator(`.attempt-details[data-attempt="${number}"]`).waitFor();
}

const chosen = (page) => page.locator('.chosen-action');

/** Waits until the replay stands at an action. */
async function stands(page, n) {
  await chosen(page).getByRole('heading', { name: `Action ${n}`, exact: true }).waitFor();
  await page.locator('.act[aria-current]', { has: page.locator('.act-number', { hasText: new RegExp(`^${n}$`) }) }).waitFor();
}

/** The text of a part of the description, under its heading. */
const part = (page, title) => page.locator('.attempt-part', { has: page.locator('h3', { hasText: new RegExp(`^${title}$`) }) });

test('an attempt shows its plan, its end, what it taught, and what was carried over', async (t) => {
  const all = await start(t);
  const { page, at } = all;
  await page.getByRole('link', { name: 'Actions', exact: true }).click();
  await page.getByRole('heading', { name: 'Attempt 3', exact: true }).waitFor();
  await open(all, 1);
  assert.deepEqual(await page.locator('.plan-steps > li > .text').allTextContents(), ['read the pin', 'switch the lamp', 'measure']);
  assert.match(await part(page, 'Plan').textContent(), /^PlanPoll the sensor\./);
  // One action has the words of a step, another one names its step; the third step is nobody's.
  await page.locator('.plan-steps .jump').nth(1).waitFor();
  const tied = await page.locator('.plan-steps > li').evaluateAll((items) => items.map((item) => item.querySelector('p')?.textContent.trim() ?? ''));
  assert.deepEqual(tied, ['action 1', 'action 2', '']);
  const outcome = await part(page, 'Outcome').textContent();
  for (const fact of [/failure it is/, /Quality0\.350/, /Done35 %/, /Iterations2 of 3 estimated/, /Actions6/, /Errors2/, /Took20 m 0 s/]) assert.match(outcome, fact);
  assert.match(await part(page, 'What worked').textContent(), /the pin can be read/);
  assert.match(await part(page, 'What didn\u2019t work').textContent(), /<script>window\.hit=2<\/script>/);
  assert.match(await part(page, 'Loaded from earlier attempts').textContent(), /no reflection was loaded/);
  const learned = part(page, 'Learned');
  assert.match(await learned.textContent(), /Carried over to attempt 2: was given this: its records say so\..*Use the interrupt line.*Read first, then switch\..*Move the read/s);

  await learned.getByRole('link', { name: 'attempt 2' }).click();
  await page.locator('.attempt-details[data-attempt="2"]').waitFor();
  await part(page, 'Loaded from earlier attempts').getByText('Read first, then switch.').waitFor();
  assert.match(await part(page, 'Loaded from earlier attempts').textContent(), /Its records say that these were loaded\.From attempt 1/);
  assert.match(await part(page, 'Learned').textContent(), /Carried over to attempt 3: was not given this/);
  // It can be said once the whole log was read.
  await part(page, 'Plan').getByText('No action says which step it belongs to.').waitFor();

  const rows = await page.locator('.attempt-row').evaluateAll((rows) => rows.map((row) => row.innerText.replace(/\s+/g, ' ').trim()));
  assert.equal(rows.length, 3);
  assert.match(rows[0], /1 F ?failure 20 m 0 s 6 actions 2 errors 0\.350/);
  assert.match(rows[1], /10,000 actions/);
  assert.equal(await page.locator('.attempt-row[aria-current]').count(), 1);
  const bars = await page.locator('.attempt-bar').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().left));
  assert.ok(bars[0] < bars[1] && bars[1] < bars[2], 'they stand along their time');
  await page.locator('.attempt-row').nth(2).click();
  await page.getByRole('heading', { name: 'Attempt 3', exact: true }).waitFor();
  await page.getByText('No action of this attempt is recorded.').waitFor();
  assert.match(at.hash(), /^#\/run\/task-lamp\/attempt\/3$/);
});

test('keys step through the actions, and the address keeps the place', async (t) => {
  const all = await start(t);
  const { page, at } = all;
  await open(all, 1);
  await stands(page, 1);
  const press = async (key, n) => {
    await page.keyboard.press(key);
    await stands(page, n);
  };
  await press('j', 2);
  await page.waitForFunction(() => /Action 2 of 6: edit, worked\. 2 s elapsed\. So far 2 worked, 0 failed\./.test(document.querySelector('p.spoken[role=status]')?.textContent));
  await press('ArrowDown', 3);
  assert.match(at.hash(), /\?action=3$/);
  await press('k', 2);
  await press('End', 6);
  await press('j', 6);
  await press('Home', 1);
  await press('k', 1);
  await press('e', 3);
  const failing = await chosen(page).textContent();
  for (const fact of [/So far: 4 s elapsed . 2 worked, 1 failed/, /make flash/, /Reasoning.*Look at it on the board\./, /Expected.*a steady light/, /Actual: failed.*verify failed at 0x40/, /"command": "make flash"/]) assert.match(failing, fact);
  assert.equal(await chosen(page).locator('.expectation.fail').count(), 1);
  await press('e', 5);
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelector('p.spoken[role=status]')?.textContent === 'No action after this one failed.');
  await press('E', 3);
  await press('G', 6);
  assert.match(await chosen(page).textContent(), /Actual: not recorded/);
  assert.match(await chosen(page).textContent(), /2 failed, 1 not recorded/);
  assert.match(await page.locator('.replay-counts').textContent(), /^In all: 3 worked, 2 failed, 1 not recorded$/);

  // A link restores the place, and Back undoes the way to the attempt and not each step.
  await at.goto('#/run/task-lamp/attempt/1?action=2');
  await stands(page, 2);
  await page.getByRole('button', { name: 'Show all: 50 more lines, 400 bytes' }).click();
  assert.match(await chosen(page).locator('.output .text').textContent(), /line 89$/);
  await at.goto('#/run/task-lamp/attempt/1?action=99');
  await stands(page, 6);
  await page.getByRole('button', { name: 'Previous action' }).click();
  await stands(page, 5);
  await page.locator('.act', { hasText: 'make flash' }).click();
  await stands(page, 3);
  await page.locator('.plan-steps .jump', { hasText: 'action 2' }).click();
  await stands(page, 2);
  await page.keyboard.press('J');
  await page.getByRole('heading', { name: 'Attempt 2', exact: true }).waitFor();
  await stands(page, 1);
  await page.keyboard.press('K');
  await page.getByRole('heading', { name: 'Attempt 1', exact: true }).waitFor();
  await chosen(page).locator('.place a').click();
  await page.locator('.chosen-record .place', { hasText: 'actions.jsonl' }).waitFor();
});

test('space plays the actions at a steady pace', async (t) => {
  const all = await start(t);
  const { page } = all;
  await open(all, 1, 4);
  await stands(page, 4);
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await stands(page, 5);
  await stands(page, 6);
  await page.getByRole('button', { name: 'Play' }).waitFor();
  assert.equal(await page.locator('p.spoken[role=status]').textContent(), 'That was the last action.');
  // The space bar presses the button that has the focus, once.
  await page.getByRole('button', { name: 'First action' }).focus();
  await page.keyboard.press(' ');
  await stands(page, 1);
  await page.getByRole('button', { name: 'Play' }).waitFor();
});

test('nothing moves by itself where reduced motion is wanted', async (t) => {
  const all = await start(t, { reducedMotion: 'reduce' });
  const { page } = all;
  await open(all, 1);
  await stands(page, 1);
  await page.keyboard.press(' ');
  await stands(page, 2);
  await page.waitForTimeout(1600);
  await stands(page, 2);
  await page.getByRole('button', { name: 'Step' }).click();
  await stands(page, 3);
});

test('ten thousand actions are all in reach, and few of them exist', async (t) => {
  const all = await start(t);
  const { page, at } = all;
  const begun = Date.now();
  await open(all, 2);
  await stands(page, 1);
  await page.getByText('In all: 9,990 worked, 10 failed', { exact: true }).waitFor();
  // Both times printed here are taken beside other tests, and mean nothing by themselves.
  t.diagnostic(`10,000 actions read and counted: ${Date.now() - begun} ms`);
  assert.ok(await page.locator('.act').count() < 120, 'rows exist only in sight');
  await page.keyboard.press('End');
  await stands(page, 10000);
  assert.match(await page.locator('.act[aria-current]').textContent(), /step 10000/);
  assert.match(await chosen(page).textContent(), /9,990 worked, 10 failed/);
  await page.keyboard.press('E');
  await stands(page, 9000);
  const times = [];
  for (let n = 9001; n < 9012; n += 1) {
    times.push(await page.evaluate((wanted) => new Promise((resolve) => {
      const begun = performance.now();
      const look = () => {
        if (document.querySelector('.chosen-action h3')?.textContent === `Action ${wanted}`) requestAnimationFrame(() => resolve(performance.now() - begun));
        else requestAnimationFrame(look);
      };
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }));
      look();
    }), n));
  }
  times.sort((a, b) => a - b);
  t.diagnostic(`key to painted action: median ${times[5].toFixed(0)} ms, worst ${times.at(-1).toFixed(0)} ms`);
  await at.goto('#/run/task-lamp/i/2');
  await page.getByText('Not listed here: 9,800 more actions. The replay has all of them.').waitFor();
  assert.equal(await page.locator('ol.actions > li').count(), 200);
});

test('hostile text of actions stays text', async (t) => {
  const all = await start(t);
  const { page, at } = all;
  await open(all, 1, 4);
  await stands(page, 4);
  const found = await page.evaluate(() => ({
    hit: window.hit ?? null,
    added: document.querySelectorAll('.run-body img, .run-body script').length,
    raw: /[\u001b\u202e]/.test(document.querySelector('.app').textContent),
  }));
  assert.deepEqual(found, { hit: null, added: 0, raw: false });
  const text = await chosen(page).textContent();
  assert.ok(text.includes('<script>window.hit=2</script>') && text.includes('U+202E'), 'it is readable as it was written');
  assert.equal(await at.scrollsSideways(), false);
});

test('axe finds nothing, wide and narrow, and nothing stands outside', async (t) => {
  for (const options of [{ colorScheme: 'dark' }, { viewport: { width: 390, height: 844 } }, { viewport: { width: 320, height: 640 }, forcedColors: 'active' }]) {
    const all = await start(t, { hasAxe: true, ...options });
    const { page, at } = all;
    for (const number of [1, 3]) {
      await open(all, number);
      if (number === 1) await stands(page, 1);
      assert.deepEqual(await at.violations(), [], JSON.stringify(options));
      assert.equal(await at.scrollsSideways(), false, JSON.stringify(options));
    }
  }
});

test('only runs with recorded actions lead here; an iteration leads to its actions', async (t) => {
  const { page, at } = await start(t);
  await at.goto('#/run/task-lamp/i/1');
  await at.inspector.locator('.verdict').waitFor();
  await at.inspector.getByRole('link', { name: 'Replay them one by one' }).click();
  await stands(page, 1);
  await page.getByRole('link', { name: 'Iteration', exact: true }).click();
  await at.inspector.locator('.verdict').waitFor();
  await at.goto('#/run/task-lamp/i/3');
  await page.getByRole('heading', { name: 'Iteration 3', exact: true }).waitFor();
  await at.inspector.getByRole('link', { name: 'Replay them one by one' }).waitFor({ state: 'detached' });
  // Actions inside of a record are replayed as well; their run has no tab for it.
  await at.goto('#/');
  await at.sample('improving');
  await at.goto('#/run/ralph-duration-parser-2026-03-02/i/3');
  await at.inspector.locator('.verdict').waitFor();
  await page.locator('.tab', { hasText: 'Actions' }).waitFor({ state: 'detached' });
  await at.inspector.getByRole('link', { name: 'Replay them one by one' }).click();
  await stands(page, 1);
  assert.match(await part(page, 'Loaded from earlier attempts').textContent(), /From attempt/);
});

test('a tree opened without a folder around it lists each task once', async (t) => {
  const tree = path.join(FIXTURES, 'aiwg/2026.4/episodic-tree');
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(tree, 'tasks'), path.join(tree, 'index')]);
  await at.goto('#/runs');
  const keys = await at.runKeys();
  assert.deepEqual([...keys].sort(), [...new Set(keys)].sort());
  assert.ok(keys.includes('task-lantern'));
});
