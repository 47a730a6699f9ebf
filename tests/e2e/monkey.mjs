// A monkey: a page is pressed, clicked, typed into, dropped on and left, without sense. What it does follows from
// a seed; when the page does it depends on the machine.

import { existsSync } from 'node:fs';
import { dropPaths } from './chromium.mjs';

/** Numbers from 0 to 1 (mulberry32): the same seed gives the same ones. */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const KEYS = [
  ...'jjjkkkJKnNeE123456gGxst?/ .,[]+-0', 'Home', 'End', 'Enter', 'Enter', 'Escape', 'Escape', 'Tab', 'Tab', 'Shift+Tab', 'Space',
  'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'Delete', 'Backspace', 'Control+k', 'Control+z', 'Control+a',
];
const TEXTS = ['2', '9999', '-1', 'a', 'outcome:failure', 'reward<0', '"', '(', 'task:\u{1F600}', '0..5', 'null', ' ', 'é'];
const PLACES = ['#/', '#/runs', '#/findings', '#/compare', '#/search?q=error', '#/run/none/i/3', '#/nowhere', '#/runs?sort=reward&filter=x'];
const SIZES = [[1280, 800], [390, 844], [320, 480], [1920, 1080]];

/** Prepares a context for `play`: what opens a dialog of the browser or leaves the page does nothing. */
export const prepare = (context) =>
  context.addInitScript(() => {
    globalThis.print = () => {};
    for (const name of ['showOpenFilePicker', 'showDirectoryPicker']) {
      globalThis[name] = () => Promise.reject(new DOMException('Nothing was chosen.', 'AbortError'));
    }
    // An entry, and not a number of steps, which would count from wherever an earlier step has led by then. A page that
    // is being loaded has no entry yet.
    globalThis.turn = (way) => {
      const to = navigation.currentEntry && navigation.entries()[navigation.currentEntry.index + way];
      // The next step may be made before this one has ended, which is refused then.
      if (to?.sameDocument) for (const end of Object.values(navigation.traverseTo(to.key))) end.catch(() => {});
    };
    history.back = () => globalThis.turn(-1);
    const isOut = (target) => target.closest?.('a[target], a[download], a:not([href^="#"]), input[type=file]');
    addEventListener('click', (event) => { if (isOut(event.target)) event.preventDefault(); }, true);
  });

/**
 * Plays so many events on a page that has started, and answers with what was done last. `paths` are files and folders
 * to drop.
 */
export async function play(page, { seed, events, paths = [] }) {
  const random = numbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const done = [];
  /** A visible thing that fits, in its middle, or nothing. */
  const find = (selector) =>
    page.evaluate(([selector, share]) => {
      const top = document.querySelector('dialog[open]') ?? document;
      const seen = [...top.querySelectorAll(selector)].filter((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return width > 0 && height > 0 && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      });
      const one = seen[Math.floor(share * seen.length)];
      if (!one) return null;
      const { x, y, width, height } = one.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2, name: (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40) };
    }, [selector, random()]);
  const click = async (selector) => {
    const one = await find(selector);
    if (one) await page.mouse.click(one.x, one.y);
    return one?.name;
  };
  const turn = (way) => page.evaluate((way) => globalThis.turn(way), way);
  const doings = [
    [40, 'key', async () => { const key = pick(KEYS); await page.keyboard.press(key); return key; }],
    [25, 'click', () => click('a[href^="#"], button, summary, [role=row], [role=gridcell], [role=option], [role=menuitem], label')],
    [6, 'type', async () => { await click('input:not([type=file]), textarea'); const text = pick(TEXTS); await page.keyboard.type(text); return text; }],
    [4, 'type and go back', async () => { await click('input[type=text], input[type=search], input:not([type])'); await page.keyboard.type(pick(TEXTS)); await turn(-1); }],
    [4, 'choose', async () => { await click('select'); await page.keyboard.press('ArrowDown'); await page.keyboard.press(pick(['Enter', 'Escape'])); }],
    [3, 'choose and go back', async () => { await click('select'); await page.keyboard.press('ArrowDown'); await turn(-1); }],
    [6, 'back', () => turn(-1)],
    [3, 'forward', () => turn(1)],
    [4, 'go', async () => { const to = pick(PLACES); await page.evaluate((to) => { location.hash = to; }, to); return to; }],
    [2, 'sample', async () => { await page.evaluate(() => { location.hash = '#/'; }); return click('[data-sample]'); }],
    [2, 'drop', async () => { const file = pick(paths); if (file && existsSync(file)) await dropPaths(page, [file]); return file; }],
    [3, 'wheel', async () => { await page.mouse.wheel(random() * 400 - 200, random() * 2000 - 1000); }],
    [2, 'drag', async () => { await page.mouse.down(); await page.mouse.move(random() * 1200, random() * 700, { steps: 3 }); await page.mouse.up(); }],
    [1, 'size', async () => { const [width, height] = pick(SIZES); await page.setViewportSize({ width, height }); return width; }],
    [1, 'theme', async () => { const colorScheme = pick(['light', 'dark']); await page.emulateMedia({ colorScheme }); return colorScheme; }],
    [0.3, 'reload', async () => { await page.reload(); await page.locator('#heading').waitFor(); }],
  ];
  const all = doings.reduce((sum, [weight]) => sum + weight, 0);
  for (let event = 0; event < events; event += 1) {
    let left = random() * all;
    const [, name, act] = doings.find(([weight]) => (left -= weight) < 0);
    done.push(`${event} ${name}`);
    const what = await act();
    if (what !== undefined) done[done.length - 1] += `: ${what}`;
    if (done.length > 40) done.shift();
    const bug = await page.evaluate(() => document.querySelector('.fatal')?.innerText);
    if (bug) throw new Error(`seed ${seed}: ${bug}\n${done.join('\n')}`);
  }
  return done;
}
