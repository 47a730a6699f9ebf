// How smoothly the chart of 100,000 iterations follows its reader: milliseconds of a frame while
// the pointer moves, while the wheel zooms, and while it pans; and how long the first drawing is.
//
//   node tests/bench/chart.mjs [--json] [--points 100000]
//
// It needs a built page (`cargo xtask build page`; HINDSCOPE_PAGE names another). Nothing judges
// the figures: they depend on the machine, and on nobody else using it.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { PAGE_FOLDER, launch, serveFolder, tempFolder } from '../e2e/lib.mjs';
import { HindscopePage } from '../e2e/page.mjs';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, points: { type: 'string', default: '100000' } },
});
const POINTS = Number(values.points);
/** Frames of each measurement. */
const FRAMES = 90;

const ends = [];
const folder = await tempFolder({ after: (end) => ends.push(end) }, { 'long/loop.jsonl': history() });
const server = await serveFolder(PAGE_FOLDER);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
try {
  await page.goto(server.url);
  const at = await new HindscopePage(page).ready();
  await at.drop([path.join(folder, 'long')]);
  await page.waitForFunction(() => /Drawing/.test(document.querySelector('#chart-caption')?.textContent ?? ''));
  await page.waitForTimeout(2000);
  const figures = { points: POINTS, draw: await redrawn(), hover: await moved('hover'), zoom: await moved('zoom'), pan: await moved('pan') };
  if (values.json) console.log(JSON.stringify(figures));
  else for (const [name, figure] of Object.entries(figures)) console.log(name.padEnd(8), JSON.stringify(figure));
} finally {
  await browser.close();
  await server.close();
  for (const end of ends) await end();
}

function history() {
  const line = (n) => {
    const reward = n % 9001 === 0 ? 0 : Math.round((0.5 + 0.3 * Math.sin(n / 900) + 0.15 * Math.sin(n * 2.3)) * 1000) / 1000;
    return JSON.stringify({
      loop_id: 'ralph-long',
      iteration: n,
      evaluator_output: { passed: n % 7 === 0, verification_type: 'unit_tests', reward_signal: reward },
      self_reflection: { reflection_text: 'Again.' },
    });
  };
  return Array.from({ length: POINTS }, (_, n) => line(n + 1)).join('\n');
}

/** From a change of the unit to the frame behind it: everything but reading is done again. */
function redrawn() {
  return page.evaluate(async () => {
    const button = [...document.querySelectorAll('.chart-tools button')].find((one) => one.textContent === 'Points');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const times = [];
    for (let round = 0; round < 10; round += 1) {
      await frame();
      const begun = performance.now();
      button.click();
      await frame();
      await new Promise((done) => setTimeout(done));
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    return { median: Math.round(times[5] * 10) / 10, most: Math.round(times[9] * 10) / 10 };
  });
}

/** One event a frame, as a hand makes them; the work of each, and the time between frames. */
function moved(kind) {
  return page.evaluate(async ([kind, frames]) => {
    const plot = document.querySelector('.run-plot');
    const box = plot.getBoundingClientRect();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const tell = (step) => {
      const share = (step % frames) / frames;
      const place = { clientX: box.left + 60 + (box.width - 80) * share, clientY: box.top + 90, bubbles: true, cancelable: true };
      if (kind === 'hover') plot.dispatchEvent(new PointerEvent('pointermove', place));
      if (kind === 'zoom') {
        const deltaY = step < frames / 2 ? -24 : 24;
        plot.dispatchEvent(new WheelEvent('wheel', { ...place, clientX: box.left + box.width / 2, deltaY, ctrlKey: true }));
      }
      if (kind === 'pan') plot.dispatchEvent(new WheelEvent('wheel', { ...place, deltaX: step < frames / 2 ? 20 : -20 }));
    };
    if (kind === 'pan') {
      // A third of the run is in sight: still many points in each pixel.
      const place = { clientX: box.left + box.width / 2, clientY: box.top + 90, bubbles: true, cancelable: true };
      plot.dispatchEvent(new WheelEvent('wheel', { ...place, deltaY: -380, ctrlKey: true }));
      await frame();
    }
    const between = [];
    const work = [];
    let last = await frame();
    for (let step = 0; step < frames; step += 1) {
      const begun = performance.now();
      tell(step);
      // uPlot draws in a microtask, effects run in another.
      await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
      work.push(performance.now() - begun);
      const now = await frame();
      between.push(now - last);
      last = now;
    }
    const of = (list) => {
      list.sort((a, b) => a - b);
      const at = (share) => Math.round(list[Math.min(list.length - 1, Math.floor(list.length * share))] * 10) / 10;
      return { median: at(0.5), p95: at(0.95), most: at(1) };
    };
    const { median } = of(between);
    return { frame: of(between), work: of(work), perSecond: Math.round(1000 / median) };
  }, [kind, FRAMES]);
}
