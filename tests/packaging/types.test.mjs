// The types are right in both module systems and for all entries, and name what is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENTRIES, declared, project, tsc, types } from '../npm/package.mjs';
import { run, write } from './lib.mjs';

const cwd = project();
const flags = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom'];

/** What both module systems say after their imports. */
const BODY = `
const { valid }: { valid: boolean } = main.validate('{}');
const held: number[] = new main.ReflectionWindow({ omega: 2 }).held;
const started: Promise<void> = manual.init(new Uint8Array().buffer);
void started.catch((error: unknown) => error instanceof manual.HindscopeError && error.code === 'unreadable-input');
void manual.init(fetch('http://127.0.0.1/hindscope.wasm')).catch(() => {});
const sync: (wasm: WebAssembly.Module) => void = manual.initSync;
const same: typeof main.validate = manual.validate;
const opened: number = history.openHistory([]).runCount;
const own: boolean = new loop.Validator(true).validate(1).usable;
const named: string = memory.EpisodicMemory.name;
void [held, sync, opened, own, named];
// @ts-expect-error text is not wasm
const wrong = () => manual.init('hindscope.wasm');
// @ts-expect-error the main entry starts by itself
void main.init;
void wrong;
console.log(valid, same === main.validate);
`;
const { contract: main, ...others } = ENTRIES;
const NAMED = { main, ...others, manual: `${main}/manual` };
const importing = (line) => Object.entries(NAMED).map(line).join('\n') + BODY;
const asModules = importing(([name, entry]) => `import * as ${name} from '${entry}';`);
write(cwd, {
  'esm.mts': asModules,
  'cjs.cts': importing(([name, entry]) => `import ${name} = require('${entry}');`),
  'cjs-import.cts': asModules,
});

for (const file of ['esm.mts', 'cjs.cts', 'cjs-import.cts']) {
  test(`${file} compiles for node16 and runs`, async () => {
    await run(tsc, [...flags, '--module', 'node16', file], { cwd });
    assert.equal(await run('node', [file.replace('ts', 'js')], { cwd }), 'false true');
  });
}

test('esm.mts compiles for bundlers', async () => {
  await run(tsc, ['--noEmit', ...flags, '--module', 'esnext', '--moduleResolution', 'bundler', 'esm.mts'], { cwd });
});

test('all entries export what the types name, to import and to require', async () => {
  const folder = join(cwd, 'node_modules/hindscope');
  const expected = Object.entries(ENTRIES).flatMap(([name, entry]) => {
    const named = declared(types(folder, name));
    return [[entry, named], [`${entry}/manual`, [...named, 'init', 'initSync'].sort()]];
  });
  write(cwd, {
    'names.mjs': `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const name of ${JSON.stringify(expected.map(([entry]) => entry))}) {
  console.log(name, Object.keys(await import(name)).sort().join());
  console.log(name, Object.keys(require(name)).sort().join());
}`,
  });
  const printed = await run('node', ['names.mjs'], { cwd });
  const line = ([entry, names]) => `${entry} ${names.join()}`;
  assert.deepEqual(printed.split('\n'), expected.flatMap((one) => [line(one), line(one)]));
});

test('what starts a wasm has no any', () => {
  const starting = readFileSync(join(cwd, 'node_modules/hindscope/start.d.cts'), 'utf8');
  assert.doesNotMatch(starting.replaceAll(/\/\*\*[\s\S]*?\*\//g, ''), /\bany\b|\benum\b/);
});
