// The component in a browser: transpiled by jco, loaded by a page with nothing between but a plain
// server.
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canonical, fixtures, root } from '../faces.mjs';
import { answerOfPage } from '../packaging/lib.mjs';
import { withoutEmpty } from './face.mjs';
import { asked, transpiled } from './lib.mjs';

const PAGE = `<!doctype html><meta charset="utf-8"><title>t</title><link rel="icon" href="data:,">
<script type="module" src="main.mjs"></script>`;

const MAIN = `import * as hindscope from './hindscope/hindscope.js';
import { canonical, dump } from './dump.mjs';
import { face, together, withoutEmpty } from './face.mjs';
import fixtures from './fixtures.mjs';

const api = together(hindscope);
const bytes = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
window.answer = Object.fromEntries(fixtures.map(([name, files]) => {
  const own = dump(face(api, files.map(([path, base64]) => [path, bytes(base64)])));
  return [name, canonical(withoutEmpty(JSON.parse(canonical(own))), 1)];
}));
`;

test('Chromium says what the native core says', async (t) => {
  const all = fixtures().map(([name, path]) => [name, asked(path)]);
  assert.ok(all.length >= 30, `${all.length} fixtures`);
  const folder = transpiled();
  const base64 = ([path, content]) => [path, content.toString('base64')];
  const list = all.map(([name, { files }]) => [name, files.map(base64)]);
  for (const [name, text] of Object.entries({
    'index.html': PAGE,
    'main.mjs': MAIN,
    'fixtures.mjs': `export default ${JSON.stringify(list)};\n`,
  })) writeFileSync(join(folder, name), text);
  for (const name of ['dump.mjs', 'component/face.mjs']) {
    copyFileSync(join(root, 'tests', name), join(folder, name.split('/').at(-1)));
  }

  const own = await answerOfPage(t, { folder });
  for (const [name, { expected }] of all) {
    assert.equal(own[name], canonical(withoutEmpty(expected), 1), name);
  }
});
