// Whatever is done on the page, it neither panics nor prints. An hour of it: `cargo xtask bench monkey`.
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES, openPage } from './lib.mjs';
import { play, prepare } from './monkey.mjs';
import { HindscopePage } from './page.mjs';

const PATHS = ['aiwg', 'defects', 'reflexion', 'the_edge_agent', 'lats'].map((name) => path.join(FIXTURES, name));

for (const seed of [1, 2, 3]) {
  test(`a monkey does no harm, seed ${seed}`, async (t) => {
    const { page } = await openPage(t, { prepare });
    const at = await new HindscopePage(page).ready();
    await at.sample('improving');
    await play(page, { seed, events: 300, paths: PATHS });
  });
}
