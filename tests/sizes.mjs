// What people download, held against docs/sizes.json.
//
//   node tests/sizes.mjs [--bless]
//
// `cargo xtask test` calls it after the builds, `cargo xtask bless` with --bless: then the table
// and the figures in the README of the npm package are written anew, for review to read.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TABLE = path.join(ROOT, 'docs/sizes.json');
const README = path.join(ROOT, 'core/js/npm/README.md');
/** What may never be exceeded, with brotli. */
const LIMITS = { 'npm wasm, hindscope': 120_000 };

/** The rows of the README which say what the wasm of an entry takes on its way. */
const CLAIMS = { hindscope: 'hindscope', 'hindscope/history': 'history and memory', 'hindscope/loop': 'loop' };

/** Growth is somebody's decision. Shrinking is welcome, but the table must not lag behind it. */
const MOST_GROWTH = 0.02;
const MOST_SHRINKING = 0.1;

const NPM = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const COMPONENT = process.env.HINDSCOPE_COMPONENT ?? path.join(ROOT, 'target/component/hindscope.wasm');
const PAGE = process.env.HINDSCOPE_PAGE ?? path.join(ROOT, 'target/www');

const measured = table();
if (process.argv.includes('--bless')) bless();
else check();

function table() {
  const isPageWasm = (name) => /^hindscope-web-.*\.wasm$/.test(name);
  const isWorkerWasm = (name) => /^worker-.*\.wasm$/.test(name);
  const isSingle = (name) => name === 'viewer.html';
  // Nobody downloads the licences of what the page contains unless they ask for them.
  const isOther = (name) => ![isPageWasm, isWorkerWasm, isSingle].some((is) => is(name)) && name !== 'THIRD-PARTY.txt';
  const page = {
    'page wasm': size(PAGE, isPageWasm),
    'worker wasm': size(PAGE, isWorkerWasm),
    'page, other files': size(PAGE, isOther),
  };
  return {
    'npm wasm, hindscope': wasmOf('contract'),
    'npm wasm, history and memory': wasmOf('history'),
    'npm wasm, loop': wasmOf('loop'),
    'npm glue and entries': sizes(NPM, (name) => /\.m?js$/.test(name)),
    'npm for require': sizes(path.join(NPM, 'cjs'), (name) => /\.[cm]js$/.test(name)),
    'npm languages': size(path.join(NPM, 'languages'), (name) => name.endsWith('.mjs')),
    'npm command line': size(path.join(NPM, 'cli'), (name) => name.endsWith('.mjs')),
    // What the package takes on a disk, types, README and licences included.
    'npm package, all files': everything(NPM),
    ...components(),
    ...page,
    'page, total': Object.values(page).reduce(sum),
    'single file': size(PAGE, isSingle),
  };
}

/** Each world of the component. */
function components() {
  const folder = path.dirname(COMPONENT);
  const names = readdirSync(folder).filter((name) => name.endsWith('.wasm'));
  return Object.fromEntries(names.sort().map((own) => [`component, ${path.parse(own).name}`, size(folder, (name) => name === own)]));
}

/** The same of a folder and the folders of the entries in it. */
function sizes(folder, isWanted) {
  return ['', 'contract', 'history', 'loop', 'memory'].map((own) => size(path.join(folder, own), isWanted)).reduce(sum);
}

/** The same of all files in a folder, at any depth. */
function everything(folder) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = (name) => !folders.some((entry) => entry.name === name);
  return [size(folder, own), ...folders.map(({ name }) => everything(path.join(folder, name)))].reduce(sum);
}

function wasmOf(entry) {
  return size(path.join(NPM, entry), (name) => name.endsWith('.wasm'));
}

/** Bytes of the files of a folder that have such names, each compressed by itself. */
function size(folder, isWanted) {
  const names = readdirSync(folder).filter(isWanted);
  if (names.length === 0) throw new Error(`${folder} holds nothing of what is to be measured`);
  return names.map((name) => {
    const bytes = readFileSync(path.join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return {
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes, { params }).length,
    };
  }).reduce(sum);
}

function sum(a, b) {
  return { raw: a.raw + b.raw, gzip: a.gzip + b.gzip, brotli: a.brotli + b.brotli };
}

function bless() {
  // A line for each artefact: a change is read as one.
  const lines = Object.entries(measured).map(([name, figures]) => {
    const inner = Object.entries(figures).map(([key, bytes]) => `"${key}": ${bytes}`);
    return `  ${JSON.stringify(name)}: { ${inner.join(', ')} }`;
  });
  writeFileSync(TABLE, `{\n${lines.join(',\n')}\n}\n`);
  const readme = readFileSync(README, 'utf8');
  writeFileSync(README, claiming(readme, measured));
  print(measured, {});
}

/** The README with the sizes of a table. */
function claiming(readme, sizes) {
  let text = readme;
  for (const [entry, name] of Object.entries(CLAIMS)) {
    const row = new RegExp(`^(\\| \`${entry}\` \\|[^|]*\\| )\\d+( KB \\|)$`, 'm');
    if (!row.test(text)) throw new Error(`${README} has no size of ${entry}`);
    text = text.replace(row, `$1${Math.round(sizes[`npm wasm, ${name}`].brotli / 1000)}$2`);
  }
  return text;
}

function check() {
  const blessed = JSON.parse(readFileSync(TABLE, 'utf8'));
  const faults = [];
  for (const [name, limit] of Object.entries(LIMITS)) {
    const { brotli } = measured[name];
    if (brotli > limit) faults.push(`${name}: ${brotli} bytes with brotli, and the limit is ${limit}`);
  }
  for (const [name, figures] of Object.entries(measured)) {
    for (const [key, bytes] of Object.entries(figures)) {
      const before = blessed[name]?.[key];
      if (before === undefined) {
        faults.push(`${name}, ${key}: the table does not know it`);
        continue;
      }
      const change = bytes / before - 1;
      const percent = `${(Math.abs(change) * 100).toFixed(1)} %`;
      if (change > MOST_GROWTH) faults.push(`${name}, ${key}: ${bytes} bytes instead of ${before}, ${percent} more`);
      if (change < -MOST_SHRINKING) faults.push(`${name}, ${key}: ${bytes} bytes instead of ${before}, ${percent} less`);
    }
  }
  for (const name of Object.keys(blessed)) {
    if (!(name in measured)) faults.push(`${name}: the table has it, the build has not`);
  }
  const readme = readFileSync(README, 'utf8');
  if (claiming(readme, blessed) !== readme) faults.push("the package's README and the table differ in the sizes of the wasm");
  print(measured, blessed);
  if (faults.length === 0) return;
  console.error(`\n${faults.join('\n')}\n\nIf that is meant, \`cargo xtask bless\` writes docs/sizes.json anew.`);
  process.exitCode = 1;
}

function print(sizes, blessed) {
  const shown = (bytes, before) => {
    const change = before === undefined || before === bytes ? '' : ` (${bytes > before ? '+' : ''}${((bytes / before - 1) * 100).toFixed(1)} %)`;
    return `${(bytes / 1000).toFixed(1)} KB${change}`.padStart(21);
  };
  console.log(`${''.padEnd(29)}${['raw', 'gzip', 'brotli'].map((key) => key.padStart(21)).join('')}`);
  for (const [name, figures] of Object.entries(sizes)) {
    const cells = Object.entries(figures).map(([key, bytes]) => shown(bytes, blessed[name]?.[key]));
    console.log(`${name.padEnd(29)}${cells.join('')}`);
  }
}
