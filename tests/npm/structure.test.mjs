// The imports between the scripts of the package: which part may use which, and no circles.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { root } from '../faces.mjs';
import { scratch } from './package.mjs';

/** What each part of the package may import besides itself. `package` is what lies beside the folders. */
const MAY_USE = {
  cli: ['package', 'contract', 'history', 'loop', 'memory', 'languages'],
  contract: ['package'],
  history: ['package'],
  languages: ['package'],
  loop: ['package'],
  memory: ['package', 'history'],
  package: [],
};

/** Scripts that import engines from addresses that their users give. */
const COMPUTED = ['languages/javascript.worker.mjs', 'languages/lua.worker.mjs', 'languages/prolog.worker.mjs', 'languages/python.worker.mjs'];

function scripts(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.mjs')).sort();
}

/** The scripts that each script of a folder imports, with `import` or `import()`, in Node and in browsers. */
async function imports(folder) {
  const arrows = new Map(scripts(folder).map((file) => [file, new Set()]));
  for (const platform of ['node', 'browser']) {
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: [...arrows.keys()],
      bundle: true,
      format: 'esm',
      platform,
      packages: 'external',
      external: ['node:*', '*.wasm', ...['hindscope', 'hindscope_history', 'hindscope_loop'].map((glue) => `*/${glue}.js`)],
      metafile: true,
      write: false,
      outdir: 'unused',
    });
    for (const [file, { imports: found }] of Object.entries(metafile.inputs)) {
      for (const { path, external } of found) if (!external) arrows.get(file).add(path);
    }
  }
  return arrows;
}

/** The files that a circle of imports goes through; nothing if there is no circle. */
function circle(arrows) {
  const done = new Set();
  const visit = (file, way) => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of arrows.get(file)) {
      const found = visit(next, [...way, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of arrows.keys()) {
    const found = visit(file, []);
    if (found) return found.join(' → ');
  }
  return undefined;
}

/** Imports that lead to a part that the importing one may not use. */
function forbidden(arrows) {
  const part = (file) => (file.includes('/') ? dirname(file) : 'package');
  return [...arrows].flatMap(([file, targets]) =>
    [...targets].filter((target) => part(target) !== part(file) && !MAY_USE[part(file)].includes(part(target))).map((target) => `${file} → ${target}`),
  );
}

const folder = join(root, 'core/js/npm');
const arrows = await imports(folder);

test('no script of the package imports itself, not even through others', () => {
  assert.ok(arrows.get('cli/commands.mjs').has('cli/stats.mjs'), 'import() is seen');
  assert.ok(['host-node', 'host-web'].every((host) => arrows.get('languages/lua.mjs').has(`languages/${host}.mjs`)), 'and what Node and browsers have of their own');
  assert.equal(circle(arrows), undefined);
});

test('commands use the package, never the other way round; languages use only what lies beside the folders', () => {
  assert.deepEqual(forbidden(arrows), []);
});

test('no import has an address that only running it shows, but for engines', () => {
  const computed = scripts(folder).filter((file) => /\bimport\((?!')/.test(readFileSync(join(folder, file), 'utf8').replaceAll(/\/\/.*$|\/\*\*[^]*?\*\//gm, '')));
  assert.deepEqual(computed, COMPUTED);
});

test('a circle and a wrong way are found', async () => {
  const made = scratch();
  mkdirSync(join(made, 'cli'));
  writeFileSync(join(made, 'a.mjs'), "import { b } from './cli/b.mjs';\nexport const a = () => b;\n");
  writeFileSync(join(made, 'cli/b.mjs'), "export const b = () => import('./c.mjs');\n");
  writeFileSync(join(made, 'cli/c.mjs'), "export { a } from '../a.mjs';\n");
  const wrong = await imports(made);
  assert.equal(circle(wrong), 'a.mjs → cli/b.mjs → cli/c.mjs → a.mjs');
  assert.deepEqual(forbidden(wrong), ['a.mjs → cli/b.mjs']);
});
