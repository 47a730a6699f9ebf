// Photographs every view: wide and narrow, light and dark, into target/shots.
//
// A picture is looked at by a person; nothing here judges. It fails only if a view cannot be
// reached, or if the page was not quiet.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  FIXTURES, PAGE_FOLDER, ROOT, SHARED, assertQuiet, dropPaths, holdPaths, launch, listen, serveFolder, tempFolder,
} from './chromium.mjs';
import { HindscopePage } from './page.mjs';

const FOLDER = process.env.HINDSCOPE_SHOTS ?? path.join(ROOT, 'target/shots');
const ONLY = process.argv[2];

const SIZES = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
};

const ends = [];
const later = { after: (end) => ends.push(end) };

const damaged = await tempFolder(later, {
  'bad/empty.json': '',
  'bad/binary.bin': new Uint8Array([0x80, 0x04, 0x95, 0, 1, 2, 3, 0xff]),
  'bad/cut.jsonl': record('ralph-cut', 0) + '\n' + record('ralph-cut', 1).slice(0, 120),
  'bad/middle.jsonl': [record('ralph-middle', 0), '{"loop_id": nope}', record('ralph-middle', 1)].join('\n') + '\n',
  'run-long/loop.jsonl': Array.from({ length: 5000 }, (_, n) => record('ralph-long', n, wave(n))).join('\n'),
  'run-jumps/loop.jsonl': [1, 2, 3, 4, 12, 13, 14, 14, 15, 40, 41, 42, 43, 44, 45, 46]
    .map((n) => record('ralph-jumps', n, n === 3 || n === 43 ? null : wave(n * 9), n > 44)).join('\n'),
  ...memory(),
  'long/a.jsonl': record('ralph-a', 0) + '\n',
  'long/b.pkl': new Uint8Array([0x80, 0x04, 0x95, 0, 1, 2, 3, 0xff]),
  'long/notes.md': '# Notes\n\nNothing to see here.\n',
  'long/other.json': '{"hello": "world"}',
  'long/z.jsonl': `${record('ralph-long', 1)}\n`.repeat(250000),
  ...Object.fromEntries([['dear', [812345, 12.5, 1034567, 9.125]], ['half', [900, '', '', '']], ['cheap', [640, 0.0004, 512, 0.0003]], ['silent', ['', '', '', '']]]
    .map(([name, [a, b, c, d]]) => [`usage/${name}.csv`,
      'iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status\n'
      + `1,2026-03-07T10:00:00Z,40,0,${a},${b},61000,failed\n2,2026-03-07T10:02:00Z,62,22,${c},${d},52000,passed\n`])),
  ...Object.fromEntries([['plain', null], ['types', 'type_mismatch'], ['half', 'incomplete_implementation']].map(([name, category]) =>
    [`categories/${name}.jsonl`, [1, 2, 3].map((n) => record(`ralph-${name}`, n, wave(n * 9), false, n < 3 && category)).join('\n') + '\n'])),
  'bad/notes.md': '# Notes\n\nNothing to see here.\n',
  'bad/other.json': '{"hello": "world"}',
  ...Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`many/${n}.json`, n % 7 ? record('ralph-many', n) : '']))
});

const real = SHARED && path.join(SHARED, 'reflexion/alfworld_reflexion');
const base = SHARED && path.join(SHARED, 'reflexion/alfworld_base');

// What is in the inspector.
const inspector = (selector) => (at) => at.inspector.locator(selector);

// Opens a sample or files, goes to an address and waits for what is to be seen there; then goes on.
const shown = (opened, address, seen, then) => async (at) => {
  await (typeof opened === 'string' ? at.sample(opened) : at.drop(opened));
  await at.goto(address);
  await (typeof seen === 'string' ? at.page.locator(seen) : seen(at)).first().waitFor();
  await then?.(at);
};

const SHOTS = [
  ['open', async () => {}],
  ['formats', async (at) => {
    await at.page.locator('.opens summary').click();
    await at.page.locator('.opens').scrollIntoViewIfNeeded();
  }],
  ['open-safety', async (at) => {
    await at.page.locator('.safety summary').click();
    await at.page.getByRole('checkbox', { name: 'Remember the names of files I open' }).check();
    await at.page.locator('div.kept').scrollIntoViewIfNeeded();
  }],
  ['paste', async (at) => {
    await at.page.getByRole('button', { name: 'Paste text' }).click();
    await at.page.locator('#paste[open]').waitFor();
  }],
  ['add-or-replace', async (at) => {
    await at.sample('improving');
    await dropPaths(at.page, [path.join(damaged, 'bad')]);
    await at.page.locator('#intake[open]').waitFor();
  }],
  ['too-big', async (at) => {
    await at.page.evaluate(() => Object.defineProperty(Blob.prototype, 'size', { get: () => 14e9 }));
    await at.page.locator('#choose-files').setInputFiles(path.join(damaged, 'bad/middle.jsonl'));
    await at.page.locator('#intake[open]').waitFor();
  }],
  ['overlay', async (at) => {
    await holdPaths(at.page, [path.join(damaged, 'bad')]);
    await at.page.locator('.overlay.shown').waitFor();
  }],
  ['reading', async (at) => {
    await dropPaths(at.page, [path.join(damaged, 'long')]);
    await at.page.locator('.reading-file').nth(4).waitFor();
  }],
  ['many-files', async (at) => {
    await at.drop([path.join(damaged, 'many')]);
    await at.goto('#/');
    await at.sources.nth(3).locator('a').click();
    await at.page.locator('.source-card .source').waitFor();
  }],
  ['provenance', shown('tasks', '#/run/env_3/i/2', inspector('.verdict'), async (at) => {
    await at.page.getByRole('button', { name: 'Where it comes from' }).click();
    const line = at.page.locator('.files-of-run button').first();
    await line.click();
    await line.scrollIntoViewIfNeeded();
  })],
  ['search', async (at) => {
    await at.sample('improving');
    await at.goto('#/search?q=test%20-flaky&hit=2');
    await at.page.locator('.search-progress', { hasText: 'finished' }).waitFor();
    await at.page.locator('.hit[aria-current]').waitFor();
  }],
  ['search-mistake', async (at) => {
    await at.sample('improving');
    await at.goto('#/search?q=timeout%20rewrd%3C0.5');
    await at.page.locator('.query-error', { hasText: 'rewrd' }).waitFor();
  }],
  ['attempt', shown([path.join(damaged, 'memory')], '#/run/task-lamp/attempt/2?action=4', '.chosen-action h3', async (at) => {
    await at.page.locator('.attempt-facts').waitFor();
  })],
  ['attempt-actions', shown([path.join(damaged, 'memory')], '#/run/task-lamp/attempt/2?action=4', '.chosen-action h3', async (at) => {
    await at.page.locator('.chosen-action').scrollIntoViewIfNeeded();
    await at.page.locator('.left-reflection').first().scrollIntoViewIfNeeded();
  })],
  ['attempt-own', shown('improving', '#/run/ralph-duration-parser-2026-03-02/attempt/3', '.chosen-action h3')],
  ['runs-sample', async (at) => at.sample('improving')],
  ['run', shown('improving', '#/run/ralph-duration-parser-2026-03-02/i/3', inspector('.reflection-text'))],
  ['run-stuck', shown('improving', '#/run/ralph-retry-client-2026-03-03/i/5', inspector('.reflection-text'))],
  ['run-gap', shown('improving', '#/run/ralph-csv-export-2026-03-04/i/2', inspector('.reflection-text'))],
  ['run-table', shown('improving', '#/run/ralph-csv-export-2026-03-04/i/2', inspector('.reflection-text'), async (at) => {
    await at.page.keyboard.press('d');
  })],
  ['run-long', async (at) => {
    await at.drop([path.join(damaged, 'run-long')]);
    await at.page.keyboard.press('2');
    await at.page.locator('.run-plot canvas').waitFor();
    await at.page.waitForFunction(() => /Drawing/.test(document.querySelector('#chart-caption')?.textContent));
  }],
  ['run-zoomed', shown([path.join(damaged, 'run-long')], '#/run/ralph-long/i/150?zoom=120..190&unit=points', '.run-plot canvas')],
  ['run-part', async (at) => {
    await at.drop([path.join(damaged, 'run-long')]);
    await at.goto('#/run/ralph-long/i/900?zoom=120..190');
    await at.page.locator('.iteration-panel').evaluate((panel) => panel.scrollIntoView());
  }],
  ['run-jumps', async (at) => {
    await at.drop([path.join(damaged, 'run-jumps')]);
    await at.page.keyboard.press('2');
    await at.page.locator('.run-plot canvas').waitFor();
  }],
  ['reflections', shown('stuck', '#/run/ralph-session-cache-2026-03-05/reflections/9', '.told-item')],
  ['reflections-real', async (at) => {
    if (!real) return;
    await at.drop([real]);
    await at.goto('#/run/env_22/reflections');
    await at.page.locator('.told-item').first().waitFor();
  }],
  ['cards', shown('stuck', '#/run/ralph-session-cache-2026-03-05/i/9', '.warnings', async (at) => {
    await at.page.locator('.warning').first().getByRole('button', { name: 'Evidence' }).click();
    await at.page.locator('[data-section="What changed in this step"]').scrollIntoViewIfNeeded();
  })],
  ['cards-below', shown('stuck', '#/run/ralph-session-cache-2026-03-05/i/9', '.warnings', async (at) => {
    await at.page.getByRole('button', { name: /^Reflection quality/ }).click();
    await at.page.locator('.sure').scrollIntoViewIfNeeded();
  })],
  ['errors', shown('stuck', '#/run/ralph-session-cache-2026-03-05/errors/9', '.wide-row')],
  ['lessons', shown('stuck', '#/run/ralph-session-cache-2026-03-05/errors/9?from=2', '.pattern')],
  ['lessons-grid', shown('stuck', '#/run/ralph-session-cache-2026-03-05/errors/9?mode=grid', '.wide-row')],
  ['lessons-words', shown('stuck', '#/run/ralph-session-cache-2026-03-05/errors/9?from=2&mode=words', '.lesson-words')],
  ['window', shown('improving', '#/run/ralph-retry-client-2026-03-03/window/6', '.rendered')],
  ['window-stored', shown([path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry')], '#/run/ralph-token-expiry/window/9?omega=2&text=difference&layout=aiwg-guide', '.word-diff')],
  ['inspector-full', shown('improving', '#/run/ralph-duration-parser-2026-03-02/i/3?full=1', inspector('.error-history, .check'))],
  ['inspector-beside', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-duration-parser-2026-03-02/i/3?full=1');
    await at.page.getByRole('button', { name: 'Side by side' }).first().click();
    await at.page.locator('.diff-table').first().waitFor();
    await at.inspector.getByRole('button', { name: /^Raw/ }).click();
  }],
  ['inspector-end', async (at) => {
    await at.drop([path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry')]);
    await at.goto('#/run/ralph-token-expiry/i/5');
    await at.inspector.getByRole('button', { name: /^Raw/ }).click();
    await at.inspector.getByRole('button', { name: 'Strict verdict' }).click();
    await at.inspector.getByRole('button', { name: /^Show empty/ }).click();
    await at.inspector.locator('.inspector-foot').scrollIntoViewIfNeeded();
  }],
  ['data', shown([path.join(FIXTURES, 'aiwg/2026.1/ralph-token-expiry')], '#/run/ralph-token-expiry/data/9', '.raw-text')],
  ['findings', shown('improving', '#/findings', '.finding-list .finding-row')],
  ['files', async (at) => {
    await at.sample('tasks');
    await at.goto('#/');
    await at.sources.first().waitFor();
  }],
  ['errors-part', shown('stuck', '#/run/ralph-session-cache-2026-03-05/errors/9?zoom=4..11', '.wide-row', async (at) => {
    await at.page.getByRole('grid', { name: 'Errors by iteration' }).focus();
    for (const key of ['ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await at.page.keyboard.press(key);
  })],
  ['runs-usage', async (at) => {
    await at.page.evaluate(() => localStorage.setItem('hindscope.columns', '"start,tokens,cost"'));
    await at.page.reload();
    await at.ready();
    await at.drop([path.join(damaged, 'usage')]);
    await at.goto('#/runs?sort=-tokens');
  }],
  ['runs-categories', async (at) => {
    await withCategories(at);
    await at.goto('#/runs?sort=category');
    await at.page.locator('.category-cell').or(at.page.locator('.n-facts')).first().waitFor();
  }],
  ['runs-by-category', async (at) => {
    await withCategories(at);
    await at.goto('#/runs?by=category');
    await at.page.locator('.heading-button', { hasText: 'type_mismatch' }).waitFor();
  }],
  ['export-menu', shown('improving', '#/run/ralph-csv-export-2026-03-04/i/2', inspector('.verdict'), async (at) => {
    await at.page.getByRole('button', { name: 'Export this run' }).click();
  })],
  ['runs-tasks', async (at) => at.sample('tasks')],
  ['runs-grouped', shown('tasks', '#/runs?by=outcome&sort=-iterations', '.heading-button')],
  ['runs-summary', async (at) => {
    await at.sample('improving');
    await at.page.locator('.summary .fold-button').click();
    await at.page.locator('.categories').waitFor();
  }],
  ['compare', async (at) => {
    await at.sample('improving');
    await at.runKeys();
    await at.page.getByRole('button', { name: 'Mark all 3' }).click();
    await at.page.locator('.compare-button').click();
    await at.page.locator('.first-difference').filter({ hasText: /\w/ }).waitFor();
  }],
  ['compare-pair', async (at) => {
    await at.sample('improving');
    await at.runKeys();
    await at.page.getByRole('button', { name: 'Mark all 3' }).click();
    await at.page.locator('.compare-button').click();
    await at.page.locator('.pair-side h3 a').first().waitFor();
    await at.page.locator('.pair').scrollIntoViewIfNeeded();
  }],
  ['compare-grid', async (at) => {
    await at.sample('tasks');
    await at.runKeys();
    await at.page.getByRole('button', { name: 'Mark all 12' }).click();
    await at.page.locator('.compare-button').click();
    await at.page.locator('.compare-grid').waitFor();
  }],
  ['damaged', async (at) => {
    await at.drop([path.join(damaged, 'bad')]);
    await at.goto('#/');
    await at.sources.first().waitFor();
  }],
  ['damaged-findings', shown([path.join(damaged, 'bad')], '#/findings', '.finding-list .finding-row')],
  ['missing', async (at) => at.goto('#/run/nightly/i/4')],
  ...['keys', 'settings', 'menu'].map((name) => [name, async (at) => {
    await at.sample('improving');
    await at.page.getByRole('button', { name: 'Menu' }).click();
    if (name !== 'menu') await at.page.locator(`.sheet [data-command=${name}]`).click();
  }]),
  ['palette', async (at) => {
    await at.sample('improving');
    await at.runKeys();
    await at.page.keyboard.press('Control+k');
    await at.page.locator('#palette input').fill('re');
    await at.page.locator('.option', { hasText: 'ralph' }).first().waitFor();
  }],
  ['compact', async (at) => {
    await at.sample('tasks');
    await at.page.evaluate(() => localStorage.setItem('hindscope.density', '"compact"'));
    await at.page.reload();
    await at.runKeys();
  }],
  ['print', shown('improving', '#/run/ralph-duration-parser-2026-03-02/i/3', inspector('.verdict'), async (at) => {
    await at.page.emulateMedia({ media: 'print' });
    await at.page.waitForTimeout(300);
  })],
];
if (real) {
  SHOTS.push(
    ['alfworld', async (at) => at.drop([real])],
    ['alfworld-two', async (at) => at.drop([real, base])],
    ['alfworld-run', async (at) => {
      await at.drop([real]);
      await at.goto('#/run/env_3/i/4');
      await at.inspector.locator('.verdict').waitFor();
    }],
    ['alfworld-longest', async (at) => {
      await at.drop([real]);
      await at.goto('#/runs?sort=-iterations');
      await at.page.waitForTimeout(200);
      await at.runs.locator('.row-link').first().click();
      await at.inspector.locator('.verdict').waitFor();
    }],
    ['alfworld-window', async (at) => {
      await at.drop([real]);
      await at.goto('#/runs?sort=-iterations');
      await at.page.waitForTimeout(200);
      await at.runs.locator('.row-link').first().click();
      await at.inspector.locator('.verdict').waitFor();
      await at.window();
    }],
  );
}

/** An episodic memory: one task, three attempts. */
function memory() {
  const at = 'memory/tasks/task-lamp';
  const time = (minute) => `2026-04-02T${String(8 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00Z`;
  const doing = [
    { type: 'read', tool: 'reader', params: { file_path: 'src/lamp.c' }, success: true, output: 'static int pin = 4;\nvoid poll(void) { … }', reasoning: 'See how the pin is polled before anything is changed.', expected_outcome: 'a loop that polls once a second' },
    { type: 'edit', tool: 'editor', params: { file_path: 'src/lamp.c', insert: 'attach_interrupt(pin, on_edge);' }, success: true, output: 'saved', reasoning: 'wire the interrupt', expected_outcome: 'the handler is called on each falling edge' },
    { type: 'bash', tool: 'shell', params: { command: 'make && make flash PORT=/dev/ttyUSB0' }, success: true, output: 'flashed 18,432 bytes', reasoning: 'Put it on the board.', expected_outcome: 'it flashes without a warning' },
    { type: 'bash', tool: 'shell', params: { command: 'make test SUITE=timing', timeout: 120 }, success: false, output: 'running 9 tests\n6 passed, 3 failed', error: 'timing_edge: handler took 41 ms, allowed 5 ms\ntiming_idle: dims after 44 s, allowed 30 s\ntiming_burst: no answer', reasoning: 'The handler must be short: measure it before going on.', expected_outcome: 'all nine timing tests pass' },
    { type: 'grep', tool: 'grep', params: { pattern: 'delay_ms', path: 'src' }, success: true, output: 'src/lamp.c:88: delay_ms(40);', reasoning: 'Something blocks inside the handler.', expected_outcome: 'the call that blocks' },
    { type: 'edit', tool: 'editor', params: { file_path: 'src/lamp.c' }, success: true, output: 'saved', reasoning: 'move the work out of the handler', expected_outcome: 'the handler only sets a flag' },
    { type: 'bash', tool: 'shell', params: { command: 'make test SUITE=timing' }, success: false, error: 'timing_burst: no answer within 10 s', reasoning: 'Measure again.', expected_outcome: 'all nine timing tests pass' },
  ];
  const one = (n, outcome, quality, more) => ({
    [`${at}/attempts/00${n}/attempt.json`]: JSON.stringify({
      id: n, task_id: 'task-lamp', started: time(n * 35), ended: time(n * 35 + 8 + n * 7), quality_scale: 'unit',
      execution: { agent: 'firmware-coder', iterations: n, actions_performed: n === 2 ? doing.length : 3, quality_history: [{ iteration: 1, quality: quality - 0.1 }, { iteration: 2, quality }] },
      outcome: { status: outcome, final_quality: quality, completion_percent: quality * 100, ...(outcome === 'success' ? {} : { reason: 'A burst of edges is not answered in time.' }) },
      ...more,
    }),
    [`${at}/attempts/00${n}/actions.jsonl`]: (n === 2 ? doing : doing.slice(0, 3)).map((action, k) => JSON.stringify({ timestamp: time(n * 35 + k * 3), iteration: k < 4 ? 1 : 2, ...action })).join('\n') + '\n',
  });
  return {
    [`${at}/metadata.json`]: JSON.stringify({ id: 'task-lamp', description: 'Dim the lantern when nobody is near.', status: 'completed', current_attempt: 3, total_attempts: 3 }),
    [`${at}/reflections.jsonl`]: [
      { timestamp: time(51), attempt_id: 1, observation: 'The lamp flickers once a second.', analysis: 'Each poll switches the pin before the value is known.', learning: 'Read first, then switch.', action_items: ['Use the interrupt line', 'Measure before flashing'], triggered_by: 'failure', reflection_type: 'error-analysis' },
      { timestamp: time(93), attempt_id: 2, observation: 'The handler blocks for 40 ms and bursts are lost.', analysis: 'The work is done inside the handler.', learning: 'Never block inside a handler.', action_items: ['Put a queue between handler and lamp'], triggered_by: 'failure', reflection_type: 'error-analysis' },
    ].map((line) => JSON.stringify(line)).join('\n'),
    ...one(1, 'failure', 0.35, { plan: { approach: 'Poll the sensor.' }, learned_from: [] }),
    ...one(2, 'failure', 0.55, {
      plan: { approach: 'Use the interrupt line instead of polling, and keep the handler short.', steps: ['Read how the pin is polled', 'Wire the interrupt', 'Move the work out of the handler', 'Run the timing tests'], estimated_iterations: 2 },
      learned_from: [1],
      what_worked: ['the interrupt arrives on each edge', 'the lamp no longer flickers'], what_didnt_work: ['doing the work inside the handler', 'testing only after flashing'], suggestions_for_next_time: ['Put a queue between handler and lamp'],
    }),
    ...one(3, 'success', 0.92, { plan: { approach: 'A queue between handler and lamp.' }, learned_from: [1, 2] }),
  };
}

/** Two samples with the column of failure categories, and runs without any. */
async function withCategories(at) {
  await at.page.evaluate(() => localStorage.setItem('hindscope.columns', '"category"'));
  await at.page.reload();
  await at.ready();
  await at.drop([path.join(ROOT, 'web/samples/improving.jsonl'), path.join(ROOT, 'web/samples/stuck.jsonl'), path.join(damaged, 'categories')]);
}

/** Rewards that go up and down, with a hole and a spike now and then. */
function wave(n) {
  if (n % 97 === 50) return null;
  if (n % 1201 === 600) return 0;
  return Math.round((0.55 + 0.3 * Math.sin(n / 130) + 0.12 * Math.sin(n * 1.7)) * 1000) / 1000;
}

function record(loop, iteration, reward = 0.2, passed = false, category = null) {
  return JSON.stringify({
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:${String(iteration % 60).padStart(2, '0')}:00Z`,
    actor_output: { actions: [], rationale: 'Try.' },
    evaluator_output: { passed, verification_type: 'unit_tests', ...(reward === null ? {} : { reward_signal: reward }) },
    self_reflection: {
      reflection_text: `Attempt ${iteration} failed.`,
      ...(category ? { credit_assignment: { failure_category: category } } : {}),
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });
}

await mkdir(FOLDER, { recursive: true });
const server = await serveFolder(PAGE_FOLDER);
const browser = await launch();
ends.push(() => server.close(), () => browser.close());

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, reach] of SHOTS) {
      const file = `${name}-${size}-${colorScheme}.png`;
      if (ONLY && !new RegExp(ONLY).test(file)) continue;
      const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 1 });
      const page = await context.newPage();
      const heard = listen(page, server.origin);
      await page.goto(server.url);
      const at = await new HindscopePage(page).ready();
      // The others are worth a look all the same.
      try {
        await reach(at);
        await page.waitForTimeout(250);
        await page.screenshot({ path: path.join(FOLDER, file), fullPage: name === 'print' });
        if (name !== 'print' && await at.scrollsAway()) throw new Error('the window scrolls');
        if (await at.scrollsSideways()) throw new Error('scrolls sideways');
        assertQuiet(heard);
        console.log(file);
      } catch (error) {
        process.exitCode = 1;
        console.error(`${file}: ${error.message}`);
      }
      await context.close();
    }
  }
}
for (const end of ends.reverse()) await end();
