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
const ENGINES = ['pyodide', 'swipl-wasm', 'wasmoon'];

/** A project that also has the engines. */
export function projectWithEngines() {
  const folder = project();
  for (const engine of ENGINES) symlinkSync(join(root, 'node_modules', engine), join(folder, 'node_modules', engine));
  return folder;
}

/** The package, or another entry of it, as a module of such a project imports it. */
export async function imported(folder = project(), from = 'hindscope') {
  const entry = join(folder, `${from.replaceAll('/', '-')}.mjs`);
  writeFileSync(entry, `export * from '${from}';\n`);
  return import(pathToFileURL(entry).href);
}

/** `[name, text]` of every file of types in a folder. */
export function typeFiles(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  return names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

/** Files of types that other entries export, and not the main one. */
const ELSEWHERE = ['directory.d.ts', 'inmemory.d.ts', 'opfs.d.ts', 'slim.d.ts'];

/** All types of the main entry, as one text. */
export function types(folder) {
  return typeFiles(folder)
    .filter(([name]) => !ELSEWHERE.includes(name))
    .map(([, text]) => text)
    .join('\n');
}

/** Names of the values that types declare. */
export function declared(types) {
  // A function with several signatures is declared several times.
  return [...new Set(Array.from(types.matchAll(/^export (?:class|function|const) (\w+)/gm), ([, name]) => name))].sort();
}
