// What the parity tests share: the fixtures, and what the native core says of them.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export { canonical, dump } from './dump.mjs';

const tests = dirname(fileURLToPath(import.meta.url));

/** The folder of the workspace. */
export const root = dirname(tests);

/** An environment variable that `cargo xtask test` sets. */
export function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with \`cargo xtask test\``);
  return value;
}

/** `[name, path]` of every fixture. */
export function fixtures() {
  const folder = join(tests, 'fixtures');
  const folders = (path) =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(path, entry.name));
  return folders(folder)
    .flatMap(folders)
    .flatMap((version) => readdirSync(version).map((name) => join(version, name)))
    .filter((path) => !path.endsWith(`${sep}NOTICE`))
    .map((path) => [relative(folder, path).split(sep).join('/'), path]);
}

/** What the native core says of a file or folder. */
export function native(path) {
  const text = execFileSync(given('HINDSCOPE_DUMP'), [path], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(text);
}

/** Options of a test that takes long and rarely breaks. */
export const rarely = { skip: process.env.HINDSCOPE_ALL === '1' ? false : 'it runs with `cargo xtask test --all`' };
