// Installs the packed tarball into a project of its own, as a person would.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { given, root } from '../faces.mjs';

/** A folder that is gone when the process ends. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'hindscope-npm-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder a project that depends on the tarball and on nothing else. */
export function install(folder) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarball = resolve(given('HINDSCOPE_TGZ'));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Such a project of its own; gives its folder. npm takes seconds for it, so who runs many files of tests has
 * install.mjs make one project before, and names it in HINDSCOPE_INSTALLED to have it copied.
 */
export function project() {
  const folder = scratch();
  const made = process.env.HINDSCOPE_INSTALLED;
  if (made) cpSync(made, folder, { recursive: true, verbatimSymlinks: true });
  else install(folder);
  return folder;
}

/** The engines of languages, which people install beside the package. */
const ENGINES = ['pyodide', 'quickjs-emscripten', 'swipl-wasm', 'wasmoon'];

/** A project that also has the engines. */
export function projectWithEngines() {
  const folder = project();
  for (const engine of ENGINES) symlinkSync(join(root, 'node_modules', engine), join(folder, 'node_modules', engine));
  return folder;
}

/** The compiler of TypeScript 7. Its predecessor is `typescript`, which typedoc and "Are the types wrong?" call as a library. */
export const tsc = join(root, 'node_modules/typescript-7/bin/tsc');

/** The entries of the package, by the folders of their scripts and types. */
export const ENTRIES = { contract: 'hindscope', history: 'hindscope/history', loop: 'hindscope/loop', memory: 'hindscope/memory' };

/** The wasm of the package by the entries that start them: the name to import it by, and its file in the package. */
export const WASM = {
  contract: ['hindscope/hindscope.wasm', 'contract/hindscope_bg.wasm'],
  history: ['hindscope/history.wasm', 'history/hindscope_history_bg.wasm'],
  loop: ['hindscope/loop.wasm', 'loop/hindscope_loop_bg.wasm'],
};

/** All entries as one object, as modules of such a project import them. */
export async function imported(folder = project()) {
  const entries = await Promise.all(Object.values(ENTRIES).map((entry) => importedEntry(folder, entry)));
  return Object.assign({}, ...entries);
}

/** One entry, as such a module imports it. */
export async function importedEntry(folder, entry) {
  const script = join(folder, `${entry.replaceAll('/', '-')}.mjs`);
  writeFileSync(script, `export * from '${entry}';\n`);
  return import(pathToFileURL(script).href);
}

/** `[name, text]` of every file of types in a folder. In the built package, those for `import` name those for `require`. */
export function typeFiles(folder) {
  const all = readdirSync(folder);
  const ending = all.some((name) => name.endsWith('.d.cts')) ? '.d.cts' : '.d.ts';
  const names = all.filter((name) => name.endsWith(ending)).sort();
  return names.map((name) => [name.slice(0, -ending.length), readFileSync(join(folder, name), 'utf8')]);
}

/** Types that lie in the folder of an entry but belong to other entries. */
const ELSEWHERE = ['directory', 'inmemory', 'opfs', 'manual'];

/** All types of an entry, or of all of them, as one text. `folder` is that of the package. */
export function types(folder, ...entries) {
  const folders = entries.length > 0 ? entries : Object.keys(ENTRIES);
  const own = folders.flatMap((entry) => typeFiles(join(folder, entry))).filter(([name]) => !ELSEWHERE.includes(name));
  const common = typeFiles(folder).filter(([name]) => ['data', 'types'].includes(name));
  return [...own, ...common].map(([, text]) => text).join('\n');
}

/** Names of the values that types declare. */
export function declared(types) {
  // A function with several signatures is declared several times.
  return [...new Set(Array.from(types.matchAll(/^export (?:class|function|const) (\w+)/gm), ([, name]) => name))].sort();
}
