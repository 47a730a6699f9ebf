// What the page keeps of views that have gone: nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUN = '#/run/ralph-duration-parser-2026-03-02';

const isAll = process.env.HINDSCOPE_ALL === '1';

/**
 * Round trips in each of five measurements. Memory of wasm grows by pages of 64 KiB. Now and then a buffer needs more
 * of them, at no certain trip; what is kept takes more in every measurement, since a view that had gone took 9 KB and
 * more. So most measurements must show no growth at all.
 */
const TRIPS = isAll ? 100 : 10;
const MEASUREMENTS = 5;

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
    const walk = () =>
      page.evaluate(
        async ([places, trips]) => {
          const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          for (let trip = 0; trip < trips; trip += 1) {
            for (const place of places) {
              location.hash = place;
              await drawn();
            }
          }
          return globalThis.pageMemory.buffer.byteLength;
        },
        [places, TRIPS],
      );
    // The first trips make what is kept for good reason.
    let least = await walk();
    const grown = [];
    while (grown.length < MEASUREMENTS) {
      const most = await walk();
      grown.push((most - least) / 1024);
      least = most;
    }
    t.diagnostic(`${grown.join(', ')} KiB in ${TRIPS} round trips each`);
    assert.ok(grown.filter((kib) => kib > 0).length * 2 < MEASUREMENTS, `memory grows with every step: ${grown.join(', ')} KiB`);
  });
}
