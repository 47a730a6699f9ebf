// Keys, the four guards that keep them from acting where they must not, and the palette.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './lib.mjs';
import { HindscopePage } from './page.mjs';

const RUN = 'ralph-duration-parser-2026-03-02';

async function start(t, options = {}) {
  const { page, context, heard } = await openPage(t, options);
  const at = await new HindscopePage(page).ready();
  return { page, at, context, heard };
}

async function openRun(at, rest = '/i/3') {
  await at.sample('improving');
  await at.goto(`#/run/${RUN}${rest}`);
  await at.page.locator('.run-head').waitFor();
  if (rest.startsWith('/i')) await at.inspector.locator('.verdict').waitFor();
}

/** Waits until the address fits. */
async function goesTo(at, pattern) {
  await at.page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source)
    .catch(() => assert.match(at.hash(), pattern));
}

/** Presses a key as a layout writes it, wherever it lies. */
function write(page, key, init = {}) {
  return page.evaluate(
    ([key, init]) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
      (document.activeElement ?? document.body).dispatchEvent(event);
      return event.defaultPrevented;
    },
    [key, init],
  );
}

const isOpen = (page, id) => page.evaluate((id) => document.getElementById(id).open, id);

test('keys go where they say', async (t) => {
  const { page, at } = await start(t);
  await at.sample('improving');
  for (const [keys, hash] of [
    [['g', 'f'], /^#\/findings/], [['g', 'r'], /^#\/runs/], [['g', 'c'], /^#\/compare/],
    [['o'], /^#\/$/], [['g', 'r'], /^#\/runs/], [['Control+o'], /^#\/$/],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await goesTo(at, hash);
    await at.heading.waitFor();
  }
  await page.goBack();
  await goesTo(at, /^#\/runs/);
});

test('keys of lists and of runs', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  const run = `#/run/${RUN}`;
  for (const [key, hash] of [
    ['j', /\/i\/4$/], ['ArrowDown', /\/i\/5$/], ['k', /\/i\/4$/], ['ArrowUp', /\/i\/3$/],
    ['Home', /\/i\/0$/], ['End', /\/i\/6$/], ['G', /\/i\/6$/],
    ['1', /\/reflections\/6$/], ['2', /\/i\/6$/], ['3', /\/errors/], ['4', /\/window/], ['5', /\/findings/],
    ['6', /\/data/], ['7', /\/attempt/], ['w', /\/window/], ['Escape', /^#\/runs/],
  ]) {
    await page.keyboard.press(key);
    await goesTo(at, hash);
  }
  await at.goto(`${run}/i/3`);
  await at.inspector.locator('.verdict').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await goesTo(at, /\/i\/0$/);
  await page.keyboard.press('.');
  await page.keyboard.press(',');
  await page.keyboard.press('d');
  await page.locator('#run-table').waitFor();
  await page.keyboard.press('d');
  await page.locator('#run-table').waitFor({ state: 'detached' });
  const before = at.hash();
  await page.keyboard.press(']');
  await page.waitForFunction((before) => location.hash !== before, before);
  // The way back is known once the run is there.
  await page.locator('.run-head h1').filter({ hasNotText: RUN }).waitFor();
  await page.keyboard.press('[');
  await goesTo(at, new RegExp(RUN));
});

test('the window grows and shrinks by its keys', async (t) => {
  const { page, at } = await start(t);
  await openRun(at, '/window/4');
  await page.locator('.window-summary').waitFor();
  await page.keyboard.press('-');
  await goesTo(at, /omega=\d/);
  const small = at.hash();
  await page.keyboard.press('+');
  await page.waitForFunction((small) => location.hash !== small, small);
});

test('first guard: a field keeps its keys, a box to tick does not', async (t) => {
  const { page, at } = await start(t);
  await at.sample('improving');
  await page.keyboard.press('/');
  const field = page.locator('.bar input');
  assert.ok(await field.evaluate((field) => field === document.activeElement));
  await page.keyboard.type('ogftj?');
  assert.equal(await field.inputValue(), 'ogftj?');
  assert.match(at.hash(), /^#\/runs/);
  assert.equal(await isOpen(page, 'keys'), false);
  await page.evaluate(() => {
    const box = document.createElement('div');
    box.contentEditable = 'true';
    box.append(document.createElement('b'));
    document.querySelector('.main').append(box);
    box.focus();
  });
  assert.equal(await write(page, 'o'), false, 'nor does anything editable give them away');
  await page.evaluate(() => {
    const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
    document.querySelector('.main').append(box);
    box.focus();
  });
  assert.equal(await write(page, 'o'), true);
});

test('second guard: with Ctrl, Alt or Meta only what is listed acts', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  for (const init of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) {
    for (const key of ['o', 'j', 'y', 't', '?', 'w']) {
      if (key === 'o' && !init.altKey) continue; // Ctrl+O and Cmd+O open.
      assert.equal(await write(page, key, init), false, `${key} ${JSON.stringify(init)}`);
    }
  }
  assert.match(at.hash(), /\/i\/3$/);
  assert.equal(await write(page, 'k', { ctrlKey: true, shiftKey: true }), false);
  assert.equal(await write(page, 'k', { metaKey: true }), true);
  assert.equal(await isOpen(page, 'palette'), true);
});

test('third guard: a held key begins no chord and toggles nothing', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  await write(page, 'g');
  await write(page, 'g', { repeat: true });
  assert.match(at.hash(), /\/i\/3$/, 'a held g is no g g');
  await write(page, 'r');
  assert.match(at.hash(), /\/i\/3$/, 'and what follows it is alone');
  await write(page, 'd', { repeat: true });
  assert.equal(await page.locator('#run-table').count(), 0);
  await write(page, 'j', { repeat: true });
  await goesTo(at, /\/i\/4$/);
});

test('fourth guard: a dialog owns the keyboard', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  for (const [open, id] of [['?', 'keys'], ['Control+k', 'palette']]) {
    await page.keyboard.press(open);
    assert.equal(await isOpen(page, id), true);
    const was = at.hash();
    await page.evaluate(() => document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'o', bubbles: true, cancelable: true })));
    await page.keyboard.press('1');
    assert.equal(at.hash(), was);
    await page.keyboard.press('Escape');
    assert.equal(await isOpen(page, id), false);
    assert.equal(at.hash(), was, 'Esc closes the dialog and no more');
  }
});

test('keys are read by what they write: AZERTY, Dvorak, AltGr', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  // Dvorak: j lies where QWERTY has c.
  await write(page, 'j', { code: 'KeyC' });
  await goesTo(at, /\/i\/4$/);
  // The place of j, where Dvorak writes h.
  assert.equal(await write(page, 'h', { code: 'KeyJ' }), false);
  // AZERTY: digits and the point need Shift.
  await write(page, '4', { code: 'Digit4', shiftKey: true });
  await goesTo(at, /\/window/);
  await write(page, '2', { code: 'Digit2', shiftKey: true });
  await goesTo(at, /\/i\/4$/);
  // AZERTY on Windows: the bracket is AltGr, which says it is Ctrl with Alt.
  const was = at.hash();
  assert.equal(await write(page, ']', { code: 'Minus', ctrlKey: true, altKey: true, modifierAltGraph: true }), true);
  await page.waitForFunction((was) => location.hash !== was, was);
});

test('single-key shortcuts can be switched off, and stay so', async (t) => {
  const { page, at } = await start(t);
  await at.sample('improving');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('[data-command=settings]').last().click();
  const group = page.getByRole('group', { name: 'Single-key shortcuts' });
  await group.getByRole('button', { name: 'off' }).click();
  await page.keyboard.press('Escape');
  await page.reload();
  await at.runKeys();
  const was = at.hash();
  for (const key of ['o', '?', 't', 'g', 'f', '/']) await page.keyboard.press(key);
  assert.equal(at.hash(), was);
  assert.equal(await isOpen(page, 'keys'), false);
  await page.keyboard.press('End');
  await page.locator('.row.active').last().waitFor();
  await page.keyboard.press('Control+k');
  assert.equal(await isOpen(page, 'palette'), true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByText('Single-key shortcuts are off').waitFor();
  const omega = page.locator('.words div', { hasText: 'Ω' }).first();
  assert.equal(await omega.locator('dd').textContent(), 'How many reflections the window holds at most.');
});

test('the palette finds by words, jumps to runs, and gives the focus back', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  const opener = page.getByRole('button', { name: 'Help' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  const field = page.locator('#palette input');
  assert.ok(await field.evaluate((field) => field === document.activeElement));
  await field.fill('fail nex');
  const first = page.locator('.option').first();
  assert.equal(await first.getAttribute('data-command'), 'failure-next');
  assert.equal(await field.getAttribute('aria-activedescendant'), await first.getAttribute('id'));
  assert.equal(await first.getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('.option').last().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Escape');
  assert.ok(await opener.evaluate((opener) => opener === document.activeElement));
  await page.keyboard.press('Control+k');
  await field.fill('retry');
  await page.locator('.option', { hasText: 'ralph-retry-client' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await goesTo(at, /ralph-retry-client/);
});

// What each command leaves behind, chosen from the palette in a run.
const DOES = {
  keys: (at) => at.page.locator('#keys[open]').waitFor(),
  open: (at) => goesTo(at, /^#\/$/),
  'close-files': async (at) => {
    await at.page.getByRole('heading', { name: 'Open run histories' }).waitFor();
    await at.notices.getByRole('button', { name: 'Undo' }).click();
    await at.inspector.locator('.verdict').waitFor();
  },
  runs: (at) => goesTo(at, /^#\/runs/),
  findings: (at) => goesTo(at, /^#\/findings/),
  compare: (at) => goesTo(at, /^#\/compare/),
  search: (at) => at.page.waitForFunction(() => document.activeElement.matches('.bar input')),
  link: (at) => at.page.getByText(/The link to what is shown is copied/).waitFor(),
  settings: (at) => at.page.locator('#settings[open]').waitFor(),
  theme: (at) => at.page.locator('html[data-theme=light]').waitFor(),
  close: (at) => goesTo(at, /^#\/runs/),
  back: (at) => goesTo(at, /^#\/runs/),
  next: (at) => goesTo(at, /\/i\/4/),
  previous: (at) => goesTo(at, /\/i\/2/),
  first: (at) => goesTo(at, /\/i\/0/),
  last: (at) => goesTo(at, /\/i\/6/),
  enter: (at) => goesTo(at, /\/i\/3/),
  'run-next': (at) => at.page.waitForFunction((run) => !location.hash.includes(run), RUN),
  'tab-reflections': (at) => goesTo(at, /\/reflections\/3/),
  'tab-attempts': (at) => goesTo(at, /\/i\/3/),
  'tab-errors': (at) => goesTo(at, /\/errors\/3/),
  'tab-window': (at) => goesTo(at, /\/window\/3/),
  'tab-findings': (at) => goesTo(at, /\/findings\/3/),
  'tab-data': (at) => goesTo(at, /\/data\/3/),
  'tab-actions': (at) => goesTo(at, /\/attempt\/3/),
  window: (at) => goesTo(at, /\/window\/3/),
  table: (at) => at.page.locator('#run-table').waitFor(),
};

test('the palette runs each command', async (t) => {
  const { page, at, context } = await start(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => { window.print = () => { window.printed = true; }; });
  await at.sample('improving');
  const show = async () => {
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    await at.goto('#/runs');
    await at.runs.waitFor();
    await at.goto(`#/run/${RUN}/i/3`);
    await at.inspector.locator('.verdict').waitFor();
    if (await page.locator('#run-table').count()) await page.keyboard.press('d');
  };
  await show();
  await page.keyboard.press('Control+k');
  const ids = await page.locator('.option').evaluateAll((options) => options.map((o) => o.dataset.command));
  assert.ok(ids.length > 30, `${ids.length} commands`);
  for (const id of ids) {
    await show();
    await page.keyboard.press('Control+k');
    await page.locator(`.option[data-command="${id}"]`).click();
    assert.equal(await isOpen(page, 'palette'), false);
    if (id === 'print') await page.waitForFunction(() => window.printed);
    else if (DOES[id]) await DOES[id](at);
  }
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#\/run\/ralph-duration-parser-2026-03-02\/i\/3\?src=[\w.-]+(:|%3A)[0-9a-f]{16}$/);
});

test('a link says which file it was seen in, and what is other is said', async (t) => {
  const { page, at } = await start(t, { hash: `#/run/${RUN}/i/3?src=mine.jsonl:0123456789abcdef` });
  assert.match(await page.locator('.main').textContent(), /Open “mine\.jsonl” again, or its folder, to see /);
  await at.goto('#/');
  await at.sample('improving');
  await at.goto(`#/run/${RUN}/i/3?src=mine.jsonl:0123456789abcdef`);
  await page.getByText('has a run of that name but other content').waitFor();
  await at.goto(`#/run/${RUN}/i/3`);
  await at.inspector.locator('.verdict').waitFor();
  assert.equal(await page.getByText('has a run of that name but other content').count(), 0);
});

test('rewards are points where that was chosen, and everything is forgotten on request', async (t) => {
  const { page, at } = await start(t);
  await openRun(at);
  const settings = async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('.sheet [data-command=settings]').click();
  };
  const reward = () => page.locator('.iteration-grid .row.active .number-text').first();
  const plain = Number(await reward().textContent());
  await settings();
  await page.getByRole('group', { name: 'Rewards' }).getByRole('button', { name: /points/ }).click();
  await page.getByRole('group', { name: 'Density' }).getByRole('button', { name: 'compact' }).click();
  await page.locator('#settings').getByRole('group', { name: 'Times' }).getByRole('button', { name: 'UTC' }).click();
  await page.waitForFunction(() => document.documentElement.dataset.density === 'compact');
  assert.equal(await reward().textContent(), (plain * 100).toFixed(1));
  assert.equal(await reward().getAttribute('title'), String(plain), 'the recorded number is shown');
  const kept = () => page.evaluate(() => Object.keys(localStorage).sort());
  assert.deepEqual(await kept(), ['hindscope.clock', 'hindscope.density', 'hindscope.unit']);
  await page.getByText('What is kept in this browser').click();
  await page.getByText('Now: zone of times, density, rewards in points.').waitFor();
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByText('Now: nothing.').waitFor();
  assert.deepEqual(await kept(), []);
  assert.equal(Number(await reward().textContent()), plain);
});

for (const [locale, number, minus] of [['de-DE', /^\d,\d{3}$/, '\u2212'], ['ar-EG', /^[٠-٩]٫[٠-٩]{3}$/, '\u2212'], ['en-US', /^\d\.\d{3}$/, '\u2212']]) {
  test(`numbers are written as ${locale} has them`, async (t) => {
    const { page, at } = await start(t, { locale });
    await at.sample('improving');
    await at.goto('#/run/ralph-retry-client-2026-03-03/i/5');
    await at.inspector.locator('.verdict').waitFor();
    const texts = await page.locator('.iteration-grid .number-text').allTextContents();
    assert.match(texts[0], number);
    assert.ok(!texts.join('').includes('-'), `a real minus (${minus}), not a hyphen: ${texts}`);
  });
}
