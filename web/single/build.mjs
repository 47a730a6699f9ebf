// Makes one file of the built page: it opens from a disk, without any request.
//
//   node web/single/build.mjs target/www
//
// It is made of the very files of the page: the same wasm and the same glue, turned from modules
// into classic scripts, because modules and fetch fail on file://. The policy names each script and
// style by its hash and allows no connection at all.
//
// Beside it lies its frame, which names both wasm where the file holds them. The page makes copies of the frame and
// the wasm that it has itself: it downloads no program twice, and needs no network for a copy.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = process.argv[2];
const names = readdirSync(folder);
const here = (name) => new URL(name, import.meta.url);
const read = (name) => readFileSync(path.join(folder, name), 'utf8');

/** The one file with such a name. */
function only(pattern) {
  const found = names.filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${folder} holds ${found.length} files like ${pattern}`);
  return found[0];
}

/** The glue of wasm-bindgen as a classic script: what it exported in the end is returned. */
function classic(name) {
  const text = read(name)
    .replace(/^export (class|function|const) /gm, '$1 ')
    .replace(/^export \{ initSync, __wbg_init as default \};?$/m, '')
    .replaceAll('import.meta.url', "''");
  if (/^\s*(import|export)\b|\bimport\s*\(|import\.meta/m.test(text)) {
    throw new Error(`${name}: wasm-bindgen writes its glue in another way now`);
  }
  return `'use strict';\n${text}`;
}

function packed(name) {
  return gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).toString('base64');
}

/** A script may not hold what ends it. */
function whole(text, what) {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${what} holds the end of a script`);
  return text;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const index = read('index.html');

const styles = [...index.matchAll(/<link rel="stylesheet" href="\.\/([^"]+)"\s*\/?>/g)].map(([, name]) => read(name));
if (styles.length === 0) throw new Error('index.html names no style');
const style = styles.join('\n');
if (/<\/style/i.test(style)) throw new Error('a style holds its own end');

const glue = classic(only(/^hindscope-web-\w+\.js$/));
const scripts = [
  `const hindscopePage = (() => {${glue}\nreturn { init: __wbg_init };\n})();`,
  readFileSync(here('boot.js'), 'utf8'),
].map((text) => whole(text, 'a script'));

// The worker waits for the module, then listens as the served one does.
const reader = whole(
  `${classic(only(/^worker-\w+\.js$/))}
self.onmessage = ({ data }) => { self.onmessage = null; initSync({ module: data.module }); };`,
  "the reader's glue",
);

const policy = [
  "default-src 'none'",
  `script-src 'wasm-unsafe-eval' ${scripts.map(hash).join(' ')}`,
  `style-src ${hash(style)}`,
  'img-src data: blob:',
  "connect-src 'none'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const icon = encodeURIComponent(read(only(/^icon-\w+\.svg$/)));
const boot = /<div id="boot">[\s\S]*?<\/div>/.exec(index)?.[0];
if (!boot) throw new Error('index.html has no boot screen');
const description = /<meta name="description" content="[^"]*">/.exec(index)?.[0] ?? '';

// The file travels alone, and so the licences of what it contains travel in it. `--` ends no comment,
// but `-->` would.
const notices = read('THIRD-PARTY.txt').replaceAll('-->', '-- >').trim();

const frame = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
${description}
<title>hindscope</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<style>${style}</style>
</head>
<body>
${boot}
<script type="application/gzip" id="hindscope-data" data-name=""></script>
<script type="application/gzip" id="page-wasm" data-from="${only(/^hindscope-web-\w+_bg\.wasm$/)}"></script>
<script type="application/gzip" id="reader-wasm" data-from="${only(/^worker-\w+_bg\.wasm$/)}"></script>
<script type="text/plain" id="reader-glue">${reader}</script>
${scripts.map((text) => `<script>${text}</script>`).join('\n')}
</body>
</html>
<!--
${notices}
-->
`;
const pieces = frame.split(/ data-from="([^"]+)">/);
if (pieces.length !== 5) throw new Error('the single file holds two programs, and its frame names others');
const [before, page, between, worker, after] = pieces;
writeFileSync(path.join(folder, 'viewer.html'), `${before}>${packed(page)}${between}>${packed(worker)}${after}`);

const name = `viewer-${createHash('sha256').update(frame).digest('hex').slice(0, 16)}.txt`;
writeFileSync(path.join(folder, name), frame);

const place = /<meta name="hindscope-viewer" content="[^"]*">/;
if (!place.test(index)) throw new Error('index.html has no place for the name of the frame');
writeFileSync(path.join(folder, 'index.html'), index.replace(place, `<meta name="hindscope-viewer" content="./${name}">`));
