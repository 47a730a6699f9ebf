// What automated checks can say of access: axe on every view and theme, contrast of the tokens,
// sizes of targets, focus, zoom. The rest needs a person with a screen reader.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT, openPage } from './lib.mjs';
import { COLOUR_RULES, HindscopePage } from './page.mjs';

const RUN = '#/run/ralph-retry-client-2026-03-03';

const VIEWS = [
  ['open', '#/', '.target'],
  ['runs', '#/runs', '.runs-grid .row-link'],
  ['reflections', `${RUN}/reflections/5`, '.told-item'],
  ['run', `${RUN}/i/5`, '.verdict'],
  ['errors', `${RUN}/errors/5`, '.run-head'],
  ['lessons', `${RUN}/errors/5?mode=sets`, '.run-head'],
  ['window', `${RUN}/window/5`, '.rendered'],
  ['findings of a run', `${RUN}/findings/5`, '.run-head'],
  ['data', `${RUN}/data/5`, '.run-head'],
  ['attempt', `${RUN}/attempt/5?action=1`, '.chosen-action h3'],
  ['findings', '#/findings', '.finding-row'],
  ['compare', '#/compare', '#heading'],
  ['search', '#/search', '#heading'],
  ['missing', '#/run/nightly/i/4', '#heading'],
];
const DIALOGS = ['keys', 'palette', 'settings', 'menu'];
/** Themes beside the light one: they differ from it in colours alone. */
const OTHER_THEMES = [
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }],
  ['forced colours', { colorScheme: 'light', forcedColors: 'active' }],
];

async function start(t, options) {
  const { page } = await openPage(t, { hasAxe: true, ...options });
  const at = await new HindscopePage(page).ready();
  await at.sample('improving');
  return { page, at };
}

test('axe finds nothing in any view and theme', async (t) => {
  const { page, at } = await start(t, { colorScheme: 'light' });
  const found = [];
  const look = async (name) => {
    found.push(...(await at.violations()).map((text) => `${name}: ${text}`));
    for (const [theme, media] of OTHER_THEMES) {
      await page.emulateMedia(media);
      found.push(...(await at.violations(COLOUR_RULES)).map((text) => `${name}, ${theme}: ${text}`));
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  };
  for (const [name, hash, ready] of VIEWS) {
    await at.goto(hash);
    await page.locator(ready).first().waitFor();
    await look(name);
    if (await page.locator('h1').count() !== 1) found.push(`${name}: not one h1`);
  }
  for (const id of DIALOGS) {
    await page.evaluate((id) => document.getElementById(id).showModal(), id);
    await look(id);
    await page.keyboard.press('Escape');
  }
  assert.deepEqual(found, []);
});

test('axe finds nothing where there is little room', async (t) => {
  const { page, at } = await start(t, { viewport: { width: 320, height: 640 } });
  const found = [];
  for (const [name, hash, ready] of VIEWS) {
    await at.goto(hash);
    await page.locator(ready).first().waitFor();
    found.push(...(await at.violations()).map((text) => `${name}: ${text}`));
    if (await at.scrollsSideways()) found.push(`${name}: scrolls sideways`);
  }
  assert.deepEqual(found, []);
});

test('the window stays where it is', async (t) => {
  for (const width of [390, 800, 1440]) {
    const { page, at } = await start(t, { viewport: { width, height: 700 } });
    for (const [name, hash, ready] of VIEWS) {
      await at.goto(hash);
      await page.locator(ready).first().waitFor();
      assert.equal(await at.scrollsAway(), false, `${name}, ${width} pixels wide`);
    }
  }
});

test('400 % zoom leaves nothing outside', async (t) => {
  // 1280 by 1024 at 400 % are 320 by 256 pixels of the page.
  const { page, at } = await start(t, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
  for (const [name, hash, ready] of VIEWS) {
    await at.goto(hash);
    await page.locator(ready).first().waitFor();
    assert.equal(await at.scrollsSideways(), false, name);
  }
  for (const id of DIALOGS) {
    await page.evaluate((id) => document.getElementById(id).showModal(), id);
    const cut = await page.evaluate((id) => {
      const dialog = document.getElementById(id);
      return dialog.scrollWidth > dialog.clientWidth;
    }, id);
    assert.equal(cut, false, id);
    await page.keyboard.press('Escape');
  }
});

test('targets have 24 pixels', async (t) => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    const { page, at } = await start(t, { viewport });
    const all = [];
    for (const [name, hash, ready] of VIEWS) {
      await at.goto(hash);
      await page.locator(ready).first().waitFor();
      const small = await page.evaluate(() => [...document.querySelectorAll('button, select, input, summary, a.button, a.tab, a.view-link')]
        .filter((element) => element.checkVisibility() && !element.closest('dialog'))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 23.5 || box.height < 23.5))
        .map(({ element, box }) => `${element.outerHTML.slice(0, 120)} ${box.width}x${box.height}`));
      all.push(...small.map((text) => `${name}: ${text}`));
    }
    assert.deepEqual(all, []);
  }
});

test('the focus is seen, and not below what stays', async (t) => {
  const { page, at } = await start(t, { viewport: { width: 1024, height: 420 } });
  for (const hash of ['#/runs', `${RUN}/i/5`, '#/findings']) {
    await at.goto(hash);
    await at.heading.waitFor();
    await page.evaluate(() => document.querySelector('.skip').focus());
    const seen = new Set();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const problem = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const style = getComputedStyle(element);
        const after = getComputedStyle(element, '::after');
        const ring = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        const what = element.outerHTML.slice(0, 140);
        if (!ring(style) && !ring(after)) return `no ring: ${what}`;
        const box = element.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + Math.min(box.width / 2, 40), box.top + box.height / 2);
        const isCovered = top && !element.contains(top) && !top.contains(element) && top.closest('.bar, .bottom-bar, .row.head, .tabs');
        return isCovered ? `covered: ${what}` : null;
      });
      if (problem) seen.add(problem);
    }
    assert.deepEqual([...seen], [], hash);
  }
});

test('nothing moves where motion is not wanted', async (t) => {
  const { page } = await start(t, { reducedMotion: 'reduce' });
  const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const style = getComputedStyle(element);
    return style.animationName !== 'none' || style.transitionDuration.split(',').some((d) => parseFloat(d) > 0);
  }).length);
  assert.equal(moving, 0);
});

test('states that colour shows are lines in forced colours', async (t) => {
  const { page, at } = await start(t, { forcedColors: 'active' });
  await at.goto(`${RUN}/i/5`);
  await at.inspector.locator('.verdict').waitFor();
  await page.keyboard.press('d');
  const outline = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(await outline('button[aria-pressed=true]'), 'solid');
  assert.equal(await outline('.row.active'), 'solid');
});

test('the live region says what happens', async (t) => {
  const { page, at } = await start(t);
  const says = async (text) => {
    await page.waitForFunction((text) => document.querySelector('p.spoken[role=status]')?.textContent === text, text)
      .catch(async () => assert.equal(await at.status.textContent(), text));
  };
  await page.keyboard.press('t');
  await says('Theme: light.');
  await at.goto(`${RUN}/i/5`);
  await at.inspector.locator('.verdict').waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('[data-command=match-next]').first().click();
  await page.keyboard.press('Escape');
});

test('skip link, and focus on the heading of a view that is entered', async (t) => {
  const { page, at } = await start(t);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.activeElement?.id === 'heading');
  await at.goto('#/runs');
  await page.locator('.skip').focus();
  assert.ok((await page.locator('.skip').boundingBox()).y >= 0);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'heading');
});

// The colours of the tokens, light and dark.
const tokens = await readFile(path.join(ROOT, 'web/style/tokens.css'), 'utf8');
const colours = new Map([...tokens.matchAll(/--([a-z-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)]
  .map(([, name, light, dark]) => [name, [light, dark]]));

function luminance(hex) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test('colours of text have 4.5:1 and marks 3:1 on every ground', () => {
  assert.ok(colours.size >= 17, [...colours.keys()].join());
  const TEXT = ['text', 'muted', 'accent', 'pass', 'fail', 'partial', 'derived'];
  const GROUNDS = ['ground', 'panel', 'raised'];
  const pairs = TEXT.flatMap((text) => GROUNDS.map((ground) => [text, ground, 4.5]));
  pairs.push(...GROUNDS.flatMap((ground) => [['line', ground, 3], ['accent', ground, 3]]));
  for (const tone of ['accent', 'pass', 'fail', 'partial', 'muted']) {
    pairs.push([tone, `${tone}-ground`, 4.5], ['text', `${tone}-ground`, 4.5], ['muted', `${tone}-ground`, 4.5]);
  }
  const poor = [];
  for (const [ink, ground, least] of pairs) {
    for (const theme of [0, 1]) {
      const got = contrast(colours.get(ink)[theme], colours.get(ground)[theme]);
      if (got < least) poor.push(`${ink} on ${ground}, ${['light', 'dark'][theme]}: ${got.toFixed(2)} of ${least}`);
    }
  }
  assert.deepEqual(poor, []);
});

test('no colour is written outside of the tokens', async () => {
  for (const name of ['base', 'frame', 'parts', 'print', 'open', 'runs', 'run', 'findings', 'export']) {
    const css = await readFile(path.join(ROOT, `web/style/${name}.css`), 'utf8');
    assert.deepEqual(css.match(/#[0-9a-f]{3,8}\b(?=[;,\s)])|\brgba?\(|\bhsla?\(/gi) ?? [], [], name);
  }
});
