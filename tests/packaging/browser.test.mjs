// Chromium with nothing between it and the package but a plain server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKING, TALKED, answerOfPage, assertAnswer, consumer, eachWasm, html, inBrowser, model, showing } from './lib.mjs';

const folder = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': showing(inBrowser('web')),
  'manual.html': html('manual.mjs'),
  'manual.mjs': showing(inBrowser('manual'), eachWasm((entry, _, path) => `${entry}.initSync(await (await fetch('node_modules/hindscope/${path}')).arrayBuffer());`)),
  'streamed.html': html('streamed.mjs'),
  'streamed.mjs': showing(inBrowser('manual'), eachWasm((entry, _, path) => `await ${entry}.init(fetch('node_modules/hindscope/${path}'));`)),
  'asking.mjs': ASKING,
  'talk.html': html('talk.mjs'),
  'talk.mjs': `import * as hindscope from './node_modules/hindscope/loop/web.mjs';
import { talk } from './asking.mjs';
await hindscope.ready;
window.answer = await talk(hindscope, location.search.slice(1));`,
});

test('a module script', async (t) => assertAnswer(await answerOfPage(t, { folder })));

test('bytes handed in', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'manual.html' })));

test('responses handed in', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'streamed.html' })));

test('a model on another server', async (t) => {
  const address = await model(t);
  assert.equal(await answerOfPage(t, { folder, path: `talk.html?${address}`, usual: new RegExp(address) }), TALKED);
});
