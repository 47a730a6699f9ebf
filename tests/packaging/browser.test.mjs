// Chromium with nothing between it and the package but a plain server.
import { test } from 'node:test';
import { answerOfPage, assertAnswer, consumer, html, showing } from './lib.mjs';

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
});

test('a module script', async (t) => assertAnswer(await answerOfPage(t, { folder })));

test('slim with bytes handed in', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'slim.html' })));

test('slim with a response', async (t) => assertAnswer(await answerOfPage(t, { folder, path: 'streamed.html' })));
