// What a page does with its time, seen from inside of it: tasks, frames, keys.

/** Frames of each measurement. */
const FRAMES = 90;

/** Starts recording the tasks of the page's main thread. Returns a function that ends it and reports on the
 * tasks since a time of the page's clock, in milliseconds: the longest duration (`took`; below 50 ms it is
 * 0), the most processor time of one task (`needed`), and that of all tasks together (`all`). On a busy
 * machine, only processor times say something about the page. */
export async function noteTasks(page, browser) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...value.filter(({ name }) => name === 'RunTask' || name === 'hindscope'));
  });
  const includedCategories = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
  await session.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' });
  await page.evaluate(() => {
    globalThis.benchTasks = [];
    const note = (list) => benchTasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]));
    new PerformanceObserver((list) => note(list)).observe({ entryTypes: ['longtask'] });
  });
  return async (since = 0) => {
    // The observer hears of it a moment later.
    await page.waitForTimeout(100);
    const took = await page.evaluate((since) => {
      performance.mark('hindscope', { startTime: since });
      // The part of a task before the moment is the browser's own: a picker that made its list.
      return Math.max(0, ...benchTasks.map(([begun, took]) => Math.min(took, begun + took - since)));
    }, since);
    const done = new Promise((done) => session.once('Tracing.tracingComplete', done));
    await session.send('Tracing.end');
    await done;
    const work = tasksOf(events);
    return { took: Math.round(took), needed: work.reduce((most, one) => Math.max(most, one), 0), all: work.reduce((sum, one) => sum + one, 0) };
  };
}

/** Processor time of the tasks behind the mark, in milliseconds; the mark says which thread is meant. */
function tasksOf(events) {
  const mark = events.find(({ name }) => name === 'hindscope');
  const isMeant = (event) => event.name === 'RunTask' && event.pid === mark.pid && event.tid === mark.tid && event.ts >= mark.ts;
  return events.filter(isMeant).map(({ tdur }) => (tdur ?? 0) / 1000);
}

/** The page's clock. */
export const clock = (page) => page.evaluate(() => performance.now());

/** From a change of the unit to the frame behind it: everything but reading is done again. */
export function redrawn(page) {
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
    return { median: times[5], most: times[9] };
  });
}

/** One event a frame over the chart, as a hand makes them: frames in a second, and what each needs of the
 * processor in the page's own thread. */
export async function moved(page, browser, kind) {
  const longest = await noteTasks(page, browser);
  const since = await clock(page);
  const between = await page.evaluate(async ([kind, frames]) => {
    const plot = document.querySelector('.run-plot');
    const box = plot.getBoundingClientRect();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const report = (step) => {
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
    let last = await frame();
    for (let step = 0; step < frames; step += 1) {
      report(step);
      const now = await frame();
      between.push(now - last);
      last = now;
    }
    return between;
  }, [kind, FRAMES]);
  const { all } = await longest(since);
  return { ...frames(between), needs: all / FRAMES };
}

/** Scrolls the page's main part by so many pixels a frame: times between frames, and how many of
 * those frames showed a row that had not come yet. */
export async function scrolled(page, pixels) {
  const { between, bare } = await page.evaluate(async ([pixels, frames]) => {
    const main = document.querySelector('.main');
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const between = [];
    let bare = 0;
    let last = await frame();
    for (let step = 0; step < frames; step += 1) {
      main.scrollBy(0, pixels);
      const now = await frame();
      between.push(now - last);
      last = now;
      const box = main.getBoundingClientRect();
      const rows = [...document.querySelectorAll('.runs-grid .row:not(.head)')];
      const isSeen = (row) => { const { top, bottom } = row.getBoundingClientRect(); return bottom > box.top && top < box.bottom; };
      if (!rows.length || rows.some((row) => !row.firstElementChild && isSeen(row))) bare += 1;
    }
    return { between, bare };
  }, [pixels, FRAMES]);
  return { ...frames(between), bare: bare / FRAMES };
}

/** Median, the slowest twentieth, and how many frames there were in a second on the whole. */
function frames(between) {
  const sum = between.reduce((all, one) => all + one, 0);
  const list = [...between].sort((a, b) => a - b);
  const at = (share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];
  return { median: at(0.5), p95: at(0.95), most: at(1), perSecond: (1000 * between.length) / sum };
}

/** Presses a key so many times, each after the answer to the one before. Returns medians and 95th
 * percentiles in milliseconds: `paint` by the browser's event timing, `answer` until the inspector
 * shows the change. */
export async function pressed(page, key, times) {
  await page.evaluate(() => {
    globalThis.benchKeys = { events: [], answers: [] };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') benchKeys.events.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
    const shown = () => document.querySelector('.inspector')?.textContent;
    addEventListener('keydown', () => {
      const [begun, before] = [performance.now(), shown()];
      const look = () => {
        if (shown() === before) return requestAnimationFrame(look);
        // Behind the frame that has it.
        setTimeout(() => benchKeys.answers.push(performance.now() - begun));
      };
      requestAnimationFrame(look);
    }, { capture: true });
  });
  for (let time = 1; time <= times; time += 1) {
    await page.keyboard.press(key);
    await page.waitForFunction((time) => benchKeys.answers.length === time, time);
  }
  await page.waitForTimeout(200);
  return page.evaluate(() => {
    const of = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;
    // What took less than 16 ms is missing.
    const events = [...benchKeys.events, ...benchKeys.answers.slice(benchKeys.events.length).map(() => 16)];
    return { paint: of(events, 0.5), paint95: of(events, 0.95), answer: of(benchKeys.answers, 0.5), answer95: of(benchKeys.answers, 0.95) };
  });
}
