// What the page keeps of views that have gone: nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUN = '#/run/ralph-duration-parser-2026-03-02';

const isAll = process.env.HINDSCOPE_ALL === '1';

/** Round trips that are measured, and those before: the first ones make what is kept for good reason. */
const TRIPS = isAll ? 500 : 30;
const BEFORE = isAll ? 100 : 10;

/**
 * Memory of wasm grows by pages of 64 KiB. What a step from one place to another kept was 9 KB and more, when views
 * that had gone were kept; 500 trips may take less than 100 KB, and that is one page.
 */
const MOST = (isAll ? 1 : 2) * 65_536;

/** 500 trips through seven places take minutes. */
const LIMIT_MS = 1_800_000;

/** Lets a test see how much memory the page's wasm has. */
const watchMemory = (context) =>
  context.addInitScript(() => {
    for (const name of ['instantiate', 'instantiateStreaming']) {
      const start = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await start.apply(WebAssembly, given);
        globalThis.pageMemory = (made.instance ?? made).exports.memory;
        return made;
      };
    }
  });

const WALKS = {
  'attempts of a run': [`${RUN}/i/2`, `${RUN}/i/3`],
  'parts of a run': ['', '/i/3', '/errors/3', '/window/3', '/findings', '/data', '/attempt/3'].map((part) => RUN + part),
  'runs and the list of runs': [RUN, '#/runs'],
  'all views': ['#/', '#/findings', '#/runs', '#/search?q=parser', '#/compare'],
};

for (const [name, places] of Object.entries(WALKS)) {
  test(`walking keeps no memory: ${name}`, async (t) => {
    const { page } = await openPage(t, { prepare: watchMemory, limit: LIMIT_MS });
    const at = await new HindscopePage(page).ready();
    await at.sample('improving');
    const grown = await page.evaluate(
      async ([places, before, trips]) => {
        const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const walk = async (trips) => {
          for (let trip = 0; trip < trips; trip += 1) {
            for (const place of places) {
              location.hash = place;
              await drawn();
            }
          }
          return globalThis.pageMemory.buffer.byteLength;
        };
        const least = await walk(before);
        return (await walk(trips)) - least;
      },
      [places, BEFORE, TRIPS],
    );
    t.diagnostic(`${grown / 1024} KiB in ${TRIPS} round trips`);
    assert.ok(grown <= MOST, `${TRIPS} round trips took ${grown} bytes, of ${MOST} that may be`);
  });
}
