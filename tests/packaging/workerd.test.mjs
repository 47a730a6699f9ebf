// workerd, which runs Workers of Cloudflare.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKING, ENTRIES, MANUAL, TALKED, assertAnswer, consumer, eachWasm, importing, model } from './lib.mjs';
import { bundled } from './workers.mjs';

const worker = (addresses, start) => `${importing(addresses)}${start}
export default {
  async fetch() {
    return new Response(await probe(hindscope, fixtures));
  },
};
`;

const TALKING = {
  'asking.mjs': ASKING,
  'talk.mjs': `import * as hindscope from 'hindscope/loop';
import { talk } from './asking.mjs';
export default {
  async fetch(request) {
    return new Response(await talk(hindscope, new URL(request.url).search.slice(1)));
  },
};
`,
};

const WORKERS = {
  'main.mjs': worker(ENTRIES, "if (early(hindscope) !== 'ok') throw new Error('it is not started at once');"),
  'manual.mjs': `${eachWasm((entry, name) => `import ${entry}Wasm from '${name}';`)}
${worker(MANUAL, eachWasm((entry) => `${entry}.initSync(${entry}Wasm);`))}`,
};

for (const entry of Object.keys(WORKERS)) {
  test(entry, async (t) => {
    const response = await asked(t, WORKERS, entry, '');
    if (response) assertAnswer(await response.text());
  });
}

test('a model on another server', async (t) => {
  const response = await asked(t, TALKING, 'talk.mjs', `?${await model(t)}`);
  if (response) assert.equal(await response.text(), TALKED);
});

/** What a worker answers, or undefined where there is no workerd. */
async function asked(t, workers, entry, search) {
  const start = await bundled(t, consumer(workers), entry);
  if (!start) return undefined;
  const { address } = await start();
  return fetch(`${address}/${search}`, { signal: AbortSignal.timeout(120_000) });
}
