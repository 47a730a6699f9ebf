// Text from a file is hostile: whatever it holds, in whatever view, it stays text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, tempFolder } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const ESC = '\u001b';
const MARKUP = [
  '<img src=x onerror="window.hit=1"><script>window.hit=2</script>',
  '<style>body{display:none}</style><svg onload="window.hit=3"></svg>',
  '<iframe srcdoc="<script>parent.hit=4</script>"></iframe><a href="javascript:window.hit=5">go</a>',
  '[link](javascript:window.hit=6) ![x](https://hostile.example/a.png) data:text/html,<script>1</script>',
  `${ESC}]8;;https://hostile.example/${ESC}\\here${ESC}]8;;${ESC}\\ ${ESC}[31mred${ESC}[0m`,
  'bidi \u202etxt.exe\u202c \u2066iso\u2069 zero\u200bwidth nul\u0000 bell\u0007 tag\u{e0041}',
].join('\n');
const LONG = 'x'.repeat(1_000_000);
const TEXT = `${MARKUP}\nend`;

/** A record whose every text is hostile. */
function hostile(iteration) {
  return {
    loop_id: `ralph-<b>${'\u202e'}x</b>`,
    iteration,
    timestamp: '2026-03-01T09:00:00',
    task_description: TEXT,
    actor_output: {
      actions: [
        {
          type: 'edit<script>', description: TEXT, file_path: 'src/<i>.rs', command: TEXT,
          timestamp: '2026-03-01T09:00:00Z<img>',
          changes: { additions: 1, deletions: 1, diff: `--- a/<b>\n+++ b/<b>\n@@ -1,2 +1,2 @@\n-${TEXT.split('\n')[0]}\n+${TEXT.split('\n')[1]}\n \u202econtext\n` },
        },
        { type: 'test', description: 'Run', command: 'cargo test' },
      ],
      rationale: TEXT, strategy: TEXT, files_modified: ['<b>'],
    },
    evaluator_output: {
      passed: false,
      verification_type: 'unit_tests',
      results: [{ tool: 'cargo', status: 'fail<b>', exit_code: 1, stdout: `${TEXT}${LONG}`, stderr: `${ESC}[1m${TEXT}` }],
      errors: [{ type: 'e<b>', message: TEXT, file: 'src/<i>.rs', line: 1, rule: '<u>', stack_trace: TEXT }],
      reward_signal: 0.1,
    },
    self_reflection: {
      reflection_text: `${TEXT} ${iteration}`,
      credit_assignment: { root_cause: TEXT, failure_category: TEXT, failing_action_indices: [0] },
      causal_reasoning: TEXT, actionable_insights: [TEXT], lessons_learned: [TEXT],
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1, window_policy: 'fifo', reflections_in_context: [iteration] },
  };
}

/** Everything that text must never become. */
const FORBIDDEN = [
  '.app img', '.app script', '.app style', '.app iframe', '.app object', '.app embed', '.app link',
  '.app base', '.app form', '.app svg[onload]', '.app [onerror]', '.app [onload]', '.app [onclick]',
  '.app [src]', '.app [srcdoc]', 'a[href^="javascript:"]', 'a[href^="data:"]', 'a[href*="hostile.example"]',
].join(',');

test('hostile text stays text in every view', async (t) => {
  const lines = [1, 2, 3].map((n) => JSON.stringify(hostile(n))).join('\n') + '\n';
  const folder = await tempFolder(t, {
    'drop/<img src=x onerror=hit>.jsonl': lines,
    'drop/notes<script>.txt': TEXT,
  });
  const { page } = await openPage(t);
  const at = await new HindscopePage(page).ready();
  await at.drop([`${folder}/drop`]);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => requests.push(`dialog ${dialog.message()}`));
  const key = await page.evaluate(() => decodeURIComponent(location.hash.split('/')[2] ?? ''));
  const run = `#/run/${encodeURIComponent(key || `ralph-<b>\u202ex</b>`)}`;

  const calm = async (where) => {
    const found = await page.evaluate((forbidden) => ({
      added: [...document.querySelectorAll(forbidden)].map((it) => it.outerHTML.slice(0, 80)),
      hit: window.hit ?? null,
      shown: getComputedStyle(document.body).display,
      raw: /[\u0000\u0007\u001b\u202a-\u202e\u2066-\u2069\u200b]/.test(document.querySelector('.app').textContent),
      title: /[\u202a-\u202e]/.test(document.title),
    }), FORBIDDEN);
    assert.deepEqual(found, { added: [], hit: null, shown: 'block', raw: false, title: false }, where);
    assert.deepEqual(requests.filter((url) => !url.startsWith('blob:') && !/\/icon-\w+\.svg$/.test(url)), [], where);
    assert.equal(await at.scrollsSideways(), false, `${where} scrolls sideways`);
  };

  await at.goto(`${run}/i/2`);
  await at.inspector.locator('.reflection-text').first().waitFor();
  await calm('the inspector');
  const text = await at.inspector.textContent();
  for (const label of ['U+202E', 'U+2066', 'U+200B', 'NUL', 'BEL', 'U+E0041']) {
    assert.ok(text.includes(label), `${label} is not shown`);
  }
  assert.ok(text.includes('<script>window.hit=2</script>'), 'markup is readable as it was written');

  // Everything that can be opened is opened.
  const closed = at.inspector.locator('[aria-expanded=false]');
  const partly = at.inspector.locator('.more[aria-expanded=true]', { hasText: /Show(?!.*less)/ });
  for (const buttons of [closed, partly]) {
    // What was inside of one may be closed, too.
    while (await buttons.count()) await buttons.first().click();
  }
  for (const name of [/terminal code/, 'Side by side', 'Pretty']) {
    const button = at.inspector.getByRole('button', { name }).first();
    await button.click();
  }
  await calm('the inspector with everything open');
  assert.match(await at.inspector.textContent(), /ESC\[31m/, 'terminal codes are shown once they are wanted');
  await at.inspector.getByRole('button', { name: 'Strict verdict' }).first().click();
  await at.inspector.locator('.verdict-of').first().waitFor();
  await calm('the verdict');

  for (const [name, hash, selector] of [
    ['the runs', '#/runs', '.runs-grid .row-link'],
    ['the findings', '#/findings', '.main h1'],
    ['the files', '#/', '.source'],
    ['the reflections', run, '.told-item'],
    ['the attempts', `${run}/i`, '.facts'],
    ['the table of the chart', `${run}/i/3`, '.verdict'],
    ['the window', `${run}/window/3`, '.rendered .text'],
    ['the stored window', `${run}/window/3?text=stored`, '.rendered'],
    ['the difference', `${run}/window/3?text=difference&layout=aiwg-guide`, '.word-diff'],
    ['the records', `${run}/data/2`, '.raw-text'],
    ['the attempt', `${run}/attempt/2`, '.chosen-action h3'],
    ['errors', `${run}/errors`, '.tabs'],
    ['lessons', `${run}/lessons`, '.tabs'],
    ['findings of the run', `${run}/findings`, '.tabs'],
    ['a search', '#/search?q=script', '.main'],
    ['a comparison', '#/compare', '.main'],
    ['a place that is none', '#/<img src=x onerror=hit>', '.main h1'],
    ['a run that is none', `#/run/${encodeURIComponent(MARKUP.slice(0, 60))}`, '.main h1'],
  ]) {
    await at.goto(hash);
    await page.locator(selector).first().waitFor();
    await page.waitForTimeout(100);
    await calm(name);
  }
});
