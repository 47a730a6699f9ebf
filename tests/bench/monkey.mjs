// A monkey on the page, for as long as you say: 500 events a round, each round with a seed and a context of its own.
//
//   node tests/bench/monkey.mjs [--minutes 60] [--seed 1]
//
// It drops the fixtures, and the real histories where they are beside the clone. It ends at the first round in which
// the page panics, prints or asks for what it must not, and says what was done before. It needs a built page, and
// `cargo xtask bench monkey` builds it first.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FIXTURES, PAGE_FOLDER, SHARED, assertQuiet, launch, listen, serveFolder } from '../e2e/chromium.mjs';
import { play, prepare } from '../e2e/monkey.mjs';
import { HindscopePage } from '../e2e/page.mjs';

const EVENTS = 500;
const text = (value) => ({ type: 'string', default: value });
const { values } = parseArgs({ options: { minutes: text('60'), seed: text('1') } });
const whole = (name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`bench: --${name} takes a whole number`);
  process.exit(2);
};
const end = Date.now() + whole('minutes') * 60_000;
const paths = [FIXTURES, SHARED].filter(Boolean).flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
const server = await serveFolder(PAGE_FOLDER);
const browser = await launch();
let seed = whole('seed');
let events = 0;
for (; Date.now() < end; seed += 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await prepare(context);
  const page = await context.newPage();
  const heard = listen(page, server.origin);
  await page.goto(server.url);
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  const done = await play(page, { seed, events: EVENTS, paths });
  try {
    assertQuiet(heard);
  } catch (cause) {
    throw new Error(`seed ${seed}:\n${done.join('\n')}`, { cause });
  }
  await context.close();
  events += EVENTS;
  console.log(`seed ${seed}: ${events} events, the page is well`);
}
await browser.close();
await server.close();
