// Installs the packed tarball into a project of its own, as a person would.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { given } from '../faces.mjs';

/** A folder that is gone when the process ends. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'hindscope-npm-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A project that depends on the tarball and on nothing else; gives its folder. */
export function project() {
  const folder = scratch();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarball = resolve(given('HINDSCOPE_TGZ'));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** The package as a module of such a project imports it. */
export async function imported(folder = project()) {
  const entry = join(folder, 'entry.mjs');
  writeFileSync(entry, "export * from 'hindscope';\n");
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
  return Array.from(types.matchAll(/^export (?:class|function|const) (\w+)/gm), ([, name]) => name).sort();
}
