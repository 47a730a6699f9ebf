// Writes the CommonJS half of the npm package: `node commonjs.mjs FOLDER`, called by xtask.
//
// `require` and `import` of one process must meet in one HindscopeError and one wasm of each entry, and not every
// Node 20 can require an ES module. So in Node both end in cjs/: esbuild translates each script on
// its own, and beside the entries stand modules that import them and name what they export.
// Bundlers, browsers and the other runtimes take the scripts as they are. Only what wasm-bindgen writes loses its
// comments and spaces, in both halves: these are written for readers of the Rust code.
//
// Types exist once, as those of CommonJS modules: those of an ES module may name what they export, but not the
// other way round. So the types of an entry say the same to both, without a second copy of each text.
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { transform } from 'esbuild';

/** Folders of scripts that programs import. */
const FOLDERS = ['.', 'contract', 'history', 'loop', 'memory'];

/** Entries that Node has, in any of the folders. */
const ENTRIES = ['node', 'manual', 'directory', 'inmemory', 'opfs'];

/** Entries that it has not. */
const ELSEWHERE = ['web.mjs', 'workerd.mjs'];

const root = resolve(process.argv[2]);
const cjs = join(root, 'cjs');
const require = createRequire(import.meta.url);
const { exports } = require(join(root, 'package.json'));

/** Types that the package names for `import`. */
const typesOfEntries = new Set(Object.values(exports).map(({ types }) => types?.default));

/** Our own scripts are called `.mjs`. */
const isGenerated = (file) => file.endsWith('.js');

for (const folder of FOLDERS) {
  await mkdir(join(cjs, folder), { recursive: true });
  for (const file of await readdir(join(root, folder))) {
    if (/\.m?js$/.test(file) && !ELSEWHERE.includes(file)) await translate(folder, file);
    if (isGenerated(file)) await shrink(join(root, folder, file));
    if (file.endsWith('.d.ts')) await translateTypes(join(folder, file));
  }
}
await translateTypes('cli/answers.d.ts');
// Languages are ES modules only, and share these types with all.
for (const file of await readdir(join(root, 'languages'))) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(root, 'languages', file);
  await writeFile(path, ofCommonJs(await readFile(path, 'utf8'), /(from '\.\.\/\w+)\.js'/g));
}

for (const folder of FOLDERS) {
  const files = await readdir(join(cjs, folder));
  for (const entry of ENTRIES.filter((entry) => files.includes(`${entry}.cjs`))) {
    const names = Object.keys(require(join(cjs, folder, `${entry}.cjs`))).sort();
    await writeFile(join(cjs, folder, `${entry}.mjs`), `export { ${names.join(', ')} } from './${entry}.cjs';\n`);
  }
}

async function translate(folder, file) {
  const source = await readFile(join(root, folder, file), 'utf8');
  const { code } = await transform(source.replaceAll(/(from '\.\.?\/[\w/]+)\.m?js'/g, "$1.cjs'"), {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // What lies beside the original lies in a folder of the same name, beside cjs/.
    define: { 'import.meta.url': 'original' },
    banner: source.includes('import.meta.url') ? original(folder, file) : '',
    minifyWhitespace: isGenerated(file),
  });
  await writeFile(join(cjs, folder, file.replace(/\.m?js$/, '.cjs')), code);
}

async function shrink(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { minifyWhitespace: true });
  await writeFile(path, code);
}

async function translateTypes(file) {
  const path = join(root, file);
  const translated = path.replace(/ts$/, 'cts');
  await rename(path, translated);
  await writeFile(translated, ofCommonJs(await readFile(translated, 'utf8'), /(from '\.\.?\/[\w/]+)\.js'/g));
  if (typesOfEntries.has(`./${file}`)) await writeFile(path, `export * from './${basename(file, '.d.ts')}.cjs';\n`);
}

/** Types with the names that those of CommonJS modules have. */
function ofCommonJs(types, imports) {
  return types.replaceAll(imports, "$1.cjs'");
}

function original(folder, file) {
  const path = relative(join(cjs, folder), join(root, folder, file));
  return `const original = require('node:url').pathToFileURL(require('node:path').join(__dirname, '${path}')).href;`;
}
