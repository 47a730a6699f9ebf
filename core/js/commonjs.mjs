// Writes the CommonJS half of the npm package: `node commonjs.mjs FOLDER`, called by xtask.
//
// `require` and `import` of one process must meet in one HindscopeError and one wasm, and not every
// Node 20 can require an ES module. So in Node both end in cjs/: esbuild translates each script on
// its own, and beside the two entries stand modules that import them and name what they export.
// Bundlers, browsers and the other runtimes take the scripts as they are.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';

/** Entries that Node has. */
const ENTRIES = ['node', 'slim', 'directory', 'inmemory', 'opfs'];

/** Entries that it has not. */
const ELSEWHERE = ['web.mjs', 'workerd.mjs'];

const folder = resolve(process.argv[2]);
const cjs = join(folder, 'cjs');
const require = createRequire(import.meta.url);
await mkdir(cjs);

const files = await readdir(folder);
for (const file of files.filter((name) => /\.m?js$/.test(name) && !ELSEWHERE.includes(name))) {
  const source = await readFile(join(folder, file), 'utf8');
  const { code } = await transform(source.replaceAll(/(from '\.\/\w+)\.m?js'/g, "$1.cjs'"), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // What lies beside the original lies one folder up.
    define: { 'import.meta.url': 'original' },
    banner: source.includes('import.meta.url') ? original(file) : '',
  });
  await writeFile(join(cjs, file.replace(/\.m?js$/, '.cjs')), code);
}

for (const entry of ENTRIES) {
  const names = Object.keys(require(join(cjs, `${entry}.cjs`))).sort();
  await writeFile(join(cjs, `${entry}.mjs`), `export { ${names.join(', ')} } from './${entry}.cjs';\n`);
}

for (const file of [...files.filter((name) => name.endsWith('.d.ts')), 'cli/answers.d.ts']) {
  const types = await readFile(join(folder, file), 'utf8');
  await writeFile(join(folder, file.replace(/ts$/, 'cts')), types.replaceAll(/(from '\.\.?\/\w+)\.js'/g, "$1.cjs'"));
}

function original(file) {
  return `const original = require('node:url').pathToFileURL(require('node:path').join(__dirname, '../${file}')).href;`;
}
