// The page as a person uses it: what can be done on it, and what it shows, by name.

import { dropPaths } from './chromium.mjs';

/** Rules of axe that depend on colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Everything that a test does with the page goes through here, so a new layout changes one file. */
export class HindscopePage {
  constructor(page) {
    this.page = page;
    this.heading = page.locator('#heading');
    this.runs = page.getByRole('grid', { name: 'Runs' });
    this.iterations = page.getByRole('grid', { name: 'Iterations' });
    this.inspector = page.getByRole('region', { name: 'Iteration', exact: true });
    this.sources = page.locator('.source');
    this.list = page.getByRole('grid', { name: 'Findings' });
    this.findings = page.locator('.finding-list .finding-row:not(.group)');
    this.notices = page.locator('.notice');
    this.status = page.locator('p.spoken[role=status]');
  }

  /** The page has started and can be used. */
  async ready() {
    await this.heading.waitFor();
    return this;
  }

  /** Everything that was opened has been read. */
  async read() {
    await this.page.locator('.strip').waitFor({ state: 'detached' });
    await this.page.locator('.view-link').first().waitFor();
    return this;
  }

  /** How often reading has come to an end. */
  opened() {
    return this.page.locator('.app').getAttribute('data-opened');
  }

  /** Opens a sample with one click, in place of what is open. */
  async sample(name) {
    await this.page.locator(`[data-sample=${name}]`).click();
    await this.answer('Replace');
    return this.read();
  }

  /** Answers whether what is open stays, if that is asked. */
  async answer(way) {
    const dialog = this.page.locator('#intake[open]');
    if (await dialog.count()) await dialog.getByRole('button', { name: way, exact: true }).click();
  }

  /**
   * Drops files and folders, as from a file manager, and waits until they are read. `way` is the
   * answer to whether what is open stays: Add or Replace.
   */
  async drop(paths, selector, way = 'Replace') {
    // What the status line says may be said over by the view that the files open in.
    const before = await this.opened();
    await dropPaths(this.page, paths, selector);
    const changed = (before) => document.querySelector('.app').dataset.opened !== before;
    await this.page.waitForFunction((before) =>
      document.querySelector('#intake[open]') || document.querySelector('.app').dataset.opened !== before, before);
    await this.answer(way);
    await this.page.waitForFunction(changed, before);
    return this.read();
  }

  /** Follows a link of the bar: Files, Runs, Findings. */
  async view(name) {
    await this.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
    return this;
  }

  /** Goes to an address of the page, as from a bookmark. */
  async goto(hash) {
    await this.page.evaluate((hash) => { location.hash = hash; }, hash);
    return this;
  }

  /** The hash of the address. */
  hash() {
    return new URL(this.page.url()).hash;
  }

  /** Numbers of the curve above the runs, from its table: one list per group. */
  async curve() {
    // Of few runs the summary is folded at first.
    const fold = this.page.locator('.summary .fold-button');
    await fold.first().waitFor();
    if ((await fold.first().getAttribute('aria-expanded')) === 'false') await fold.first().click();
    const button = this.page.getByRole('button', { name: 'Table' });
    if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
    const rows = await this.page.locator('#curve-table tbody tr').evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
    );
    await button.click();
    const lines = new Map();
    for (const cells of rows) {
      const letter = cells.length > 5 ? cells.shift() : 'a';
      if (!lines.has(letter)) lines.set(letter, []);
      lines.get(letter).push(Number(cells[1].replace(/\D/g, '')));
    }
    return [...lines.values()];
  }

  /** The keys of the runs in sight, of which there must be some. */
  async runKeys() {
    await this.runs.locator('.row-link').first().waitFor();
    return this.runs.locator('.row-link').allTextContents();
  }

  /** Filters the runs by text. */
  async filterRuns(text) {
    await this.page.getByRole('searchbox').fill(text);
    return this;
  }

  /** Opens a run that is in sight, and one of its tabs. */
  async openRun(key, tab) {
    await this.runs.getByRole('link', { name: key, exact: true }).click();
    await this.inspector.locator('.verdict').waitFor();
    return tab ? this.tab(tab) : this;
  }

  /** Goes to a tab of the run that is open. */
  async tab(name) {
    await this.page.getByRole('navigation', { name: 'Of this run' }).getByRole('link', { name, exact: true }).click();
    return this;
  }

  /** The reflection of the selected iteration. */
  reflection() {
    return this.inspector.locator('.reflection-text .text').first();
  }

  /** Shows the window at the selected iteration. */
  async window() {
    await this.page.getByRole('navigation', { name: 'Of this run' }).getByRole('link', { name: 'Window' }).click();
    await this.page.locator('.window-summary').waitFor();
    return this;
  }

  /** Numbers of the reflections in reach at an iteration, oldest first. */
  async held(number) {
    const summary = this.page.locator(`.window-summary[data-at="${number}"]`);
    await summary.waitFor();
    const numbers = await summary.locator('div').first().locator('.number').allTextContents();
    return numbers.map(Number);
  }

  /** Rules of the findings in sight, each once. */
  async rules() {
    const rules = await this.page.locator('.finding-row .rule').allTextContents();
    return [...new Set(rules)];
  }

  /** What axe finds wrong in a page that was opened with it, by all of its rules or by some. */
  async violations(rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']) {
    const { violations } = await this.page.evaluate((runOnly) => axe.run(document, { runOnly }), rules);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} (${node.failureSummary})`).join('; ')}`);
  }

  /** Whether the window itself can be scrolled, away from the page. */
  scrollsAway() {
    return this.page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
  }

  /** Whether anything is wider than the window. */
  scrollsSideways() {
    return this.page.evaluate(() => {
      const main = document.querySelector('.main');
      return (
        document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth
      );
    });
  }
}
