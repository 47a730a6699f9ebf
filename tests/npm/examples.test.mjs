// Every example in the READMEs of project and package and in the types is run, and prints what it
// says. Those of the READMEs compile in strict TypeScript, too.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { LLMock } from '@copilotkit/aimock';
import { root } from '../faces.mjs';
import { projectWithEngines, tsc, typeFiles } from './package.mjs';

const consumer = projectWithEngines();
const installed = (file) => readFileSync(join(consumer, 'node_modules/hindscope', file), 'utf8');

// What examples read.
mkdirSync(join(consumer, 'runs'));
for (const path of [
  'aiwg/2026.1/ralph-token-expiry',
  'reflexion/2023/alfworld',
  'reflexion/2023/humaneval-py._reflexion_3_gpt-4_pass_at_k_1_py.jsonl',
  'reflexion/2023/humaneval-py._simple_1_gpt-4_pass_at_k_1_py.jsonl',
]) {
  cpSync(join(root, 'tests/fixtures', path), join(consumer, 'runs', basename(path)), { recursive: true });
}

// Whom they ask: a model that forgets the minutes, until it is told.
const model = new LLMock({ port: 0, logLevel: 'silent' });
model.onMessage(/`minutes` is missing/, { content: '{"title": "Tea", "minutes": 4}' });
model.onMessage(/How is tea made/, { content: '{"title": "Tea"}' });
await model.start();
after(() => model.stop());
const env = { ...process.env, OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'key-of-a-test', OPENAI_MODEL: 'tiny' };

/** The js blocks of a Markdown text, each under the heading or title before it. */
function examples(text) {
  const blocks = [];
  let title;
  for (const [, heading, code] of text.matchAll(/^(?:#+ |@example )(.*)$|^```js\n([\s\S]*?)^```$/gm)) {
    title = heading ?? title;
    if (code) blocks.push([title, code]);
  }
  return blocks;
}

const types = ['', 'contract/', 'history/', 'loop/', 'memory/', 'languages/'].flatMap((inner) =>
  typeFiles(join(consumer, 'node_modules/hindscope', inner)).map(([file, text]) => [`${inner}${file}`, text]),
);

/** The doc comments of a file of types, without their stars. */
const comments = (text) =>
  Array.from(text.matchAll(/\/\*\*([\s\S]*?)\*\//g), ([, comment]) => comment.replaceAll(/^ *\* ?/gm, ''));

const readmes = [
  ...examples(readFileSync(join(root, 'README.md'), 'utf8')).map(([title, code]) => [`project: ${title}`, code]),
  ...examples(installed('README.md')).map(([title, code]) => [`README: ${title}`, code]),
];
const all = [
  ...readmes,
  ...types.flatMap(([file, text]) => comments(text).flatMap(examples).map(([title, code]) => [`${file}: ${title}`, code])),
];

test('there are examples', () => assert.ok(all.length >= 50, `${all.length} examples`));

for (const [index, [title, code]] of all.entries()) {
  test(title, async () => {
    const file = join(consumer, `example-${index}.mjs`);
    writeFileSync(file, code);
    const { stdout: printed } = await promisify(execFile)('node', [file], { cwd: consumer, env });
    const promised = Array.from(code.matchAll(/\/\/ →(?: (.*))?$/gm), ([, line = '']) => line);
    assert.deepEqual(printed.trimEnd().split('\n'), promised);
  });
}

/** What the snippets use of Node: its types are a package that people have and this project has not. */
const NODE = `
declare module 'node:fs' { export function writeFileSync(path: string, data: string | Uint8Array): void; }
declare module 'node:fs/promises' { export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>; }
declare module 'node:module' { export function createRequire(url: string): { resolve(name: string): string }; }
declare module 'node:zlib' { export function gzipSync(data: string | Uint8Array): Uint8Array<ArrayBuffer>; }
`;

test('every snippet of the READMEs compiles in strict TypeScript', () => {
  assert.ok(readmes.length >= 15, `${readmes.length} snippets`);
  writeFileSync(join(consumer, 'node.d.ts'), NODE);
  const files = readmes.map(([title, code], index) => {
    const file = `readme-${index}.mts`;
    writeFileSync(join(consumer, file), `${code}export {}; // ${title}\n`);
    return file;
  });
  const flags = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext'];
  const { stdout, status } = spawnSync(tsc, [...flags, 'node.d.ts', ...files], { cwd: consumer, encoding: 'utf8' });
  const titled = stdout.replaceAll(/^readme-(\d+)\.mts/gm, (_, index) => readmes[index][0]);
  assert.equal(status, 0, titled);
});

test('every export and every method has an example', () => {
  let count = 0;
  for (const [file, text] of types) {
    // A method stands two spaces in, and interfaces that have methods are handles too.
    const places = /^(?:export (?:class|function|const) (\w+)|  (?!readonly |get |set )(\w+)\()/gm;
    for (const { index, 1: name, 2: method } of text.matchAll(places)) {
      const before = text.slice(0, index);
      // The languages have one class of errors, which each of their pages shows.
    if (name === 'LanguageError') continue;
    assert.match(before.slice(before.lastIndexOf('/**')), /@example /, `${name ?? method} of ${file} has no example`);
      count += 1;
    }
  }
  assert.ok(count >= 45, `${count} places`);
});
