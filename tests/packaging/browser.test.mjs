// Chromium with nothing between it and the package but a plain server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKING, TALKED, answerOfPage, assertAnswer, consumer, html, model, showing } from './lib.mjs';

const folder = consumer({
  'index.html': html('main.mjs'),
  'main.mjs': showing('./node_modules/hindscope/web.mjs'),
  'slim.html': html('slim.mjs'),
  'slim.mjs': showing('./node_modules/hindscope/slim.mjs', `
const response = await fetch('node_modules/hindscope/hindscope_bg.wasm');
hindscope.initSync(await response.arrayBuffer());`),
  'streamed.html': html('streamed.mjs'),
  'streamed.mjs': showing('./node_modules/hindscope/slim.mjs', `
await hindscope.init(fetch('node_modules/hindscope/hindscope_bg.wasm'));`),
  'asking.mjs': ASKING,
  'talk.html': html('talk.mjs'),
  'talk.mjs': `import * as hindscope from './node_modules/hindscope/web.mjs';
import { talk } from './asking.mjs';
await hindscope.ready;
window.answer = await talk(hindscope, location.search.slice(1));`,
});

test('a module script', async (t) => assertAnswer(await answerOfPage(t, { folder })));

test('slim with bytes handed in', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'slim.html' })));

test('slim with a response', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'streamed.html' })));

test('a model on another server', async (t) => {
  const address = await model(t);
  assert.equal(await answerOfPage(t, { folder, path: `talk.html?${address}`, usual: new RegExp(address) }), TALKED);
});
