// Photographs every view: wide and narrow, light and dark, into target/shots.
//
// A picture is looked at by a person; nothing here judges. It fails only if a view cannot be
// reached, or if the page was not quiet.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PAGE_FOLDER, ROOT, SHARED, assertQuiet, launch, listen, serveFolder, tempFolder } from './lib.mjs';
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
  'bad/notes.md': '# Notes\n\nNothing to see here.\n',
  'bad/other.json': '{"hello": "world"}',
  ...Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`many/${n}.json`, n % 7 ? record('ralph-many', n) : '']))
});

const real = SHARED && path.join(SHARED, 'reflexion/alfworld_reflexion');
const base = SHARED && path.join(SHARED, 'reflexion/alfworld_base');

const SHOTS = [
  ['open', async () => {}],
  ['formats', async (at) => {
    await at.page.locator('.opens summary').click();
    await at.page.locator('.opens').scrollIntoViewIfNeeded();
  }],
  ['many-files', async (at) => {
    await at.drop([path.join(damaged, 'many')]);
    await at.goto('#/');
    await at.sources.nth(3).locator('a').click();
    await at.page.locator('.source-card .source').waitFor();
  }],
  ['provenance', async (at) => {
    await at.sample('tasks');
    await at.goto('#/run/env_3/i/2');
    await at.inspector.locator('.verdict').waitFor();
    await at.page.getByRole('button', { name: 'Where it comes from' }).click();
    const line = at.page.locator('.files-of-run button').first();
    await line.click();
    await line.scrollIntoViewIfNeeded();
  }],
  ['runs-sample', async (at) => at.sample('improving')],
  ['run', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-duration-parser-2026-03-02/i/3');
    await at.inspector.locator('.reflection-text').waitFor();
  }],
  ['run-stuck', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-retry-client-2026-03-03/i/5');
    await at.inspector.locator('.reflection-text').waitFor();
  }],
  ['run-gap', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-csv-export-2026-03-04/i/2');
    await at.inspector.locator('.reflection-text').waitFor();
  }],
  ['run-table', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-csv-export-2026-03-04/i/2');
    await at.inspector.locator('.reflection-text').waitFor();
    await at.page.keyboard.press('d');
  }],
  ['window', async (at) => {
    await at.sample('improving');
    await at.goto('#/run/ralph-retry-client-2026-03-03/window/6');
    await at.page.locator('.rendered').waitFor();
  }],
  ['findings', async (at) => {
    await at.sample('improving');
    await at.goto('#/findings');
    await at.page.locator('.finding-list .finding-row').first().waitFor();
  }],
  ['files', async (at) => {
    await at.sample('tasks');
    await at.goto('#/');
    await at.sources.first().waitFor();
  }],
  ['runs-tasks', async (at) => at.sample('tasks')],
  ['damaged', async (at) => {
    await at.drop([path.join(damaged, 'bad')]);
    await at.goto('#/');
    await at.sources.first().waitFor();
  }],
  ['damaged-findings', async (at) => {
    await at.drop([path.join(damaged, 'bad')]);
    await at.goto('#/findings');
    await at.page.locator('.finding-list .finding-row').first().waitFor();
  }],
  ['missing', async (at) => at.goto('#/run/nightly/i/4')],
  ['keys', async (at) => {
    if (await at.page.evaluate(() => innerWidth < 640)) {
      await at.page.getByRole('button', { name: 'Keys' }).click();
    } else {
      await at.page.keyboard.press('?');
    }
  }],
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

function record(loop, iteration) {
  return JSON.stringify({
    loop_id: loop,
    iteration,
    timestamp: `2026-03-01T09:0${iteration}:00Z`,
    actor_output: { actions: [], rationale: 'Try.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests', reward_signal: 0.2 },
    self_reflection: { reflection_text: `Attempt ${iteration} failed.` },
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
      await reach(at);
      await page.waitForTimeout(250);
      await page.screenshot({ path: path.join(FOLDER, file) });
      if (await at.scrollsSideways()) console.log(`${file}: scrolls sideways`);
      assertQuiet(heard);
      await context.close();
      console.log(file);
    }
  }
}
for (const end of ends.reverse()) await end();
