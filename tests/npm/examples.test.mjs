// Every example in the READMEs of project and package and in the types is run, and prints what it
// says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { project } from './package.mjs';

const consumer = project();
const installed = (file) => readFileSync(join(consumer, 'node_modules/hindscope', file), 'utf8');

// The folder that the README reads.
mkdirSync(join(consumer, 'runs'));
cpSync(join(root, 'tests/fixtures/reflexion/2023/alfworld'), join(consumer, 'runs/alfworld'), { recursive: true });

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

const TYPES = ['index.d.ts', 'slim.d.ts'];

/** The doc comments of a file of types, without their stars. */
const comments = (file) =>
  Array.from(installed(file).matchAll(/\/\*\*([\s\S]*?)\*\//g), ([, comment]) => comment.replaceAll(/^ *\* ?/gm, ''));

const all = [
  ...examples(readFileSync(join(root, 'README.md'), 'utf8')).map(([title, code]) => [`project: ${title}`, code]),
  ...examples(installed('README.md')).map(([title, code]) => [`README: ${title}`, code]),
  ...TYPES.flatMap((file) => comments(file).flatMap(examples).map(([title, code]) => [`${file}: ${title}`, code])),
];

test('there are examples', () => assert.ok(all.length >= 11, `${all.length} examples`));

for (const [index, [title, code]] of all.entries()) {
  test(title, () => {
    const file = join(consumer, `example-${index}.mjs`);
    writeFileSync(file, code);
    const printed = execFileSync('node', [file], { cwd: consumer, encoding: 'utf8' });
    const promised = Array.from(code.matchAll(/\/\/ →(?: (.*))?$/gm), ([, line = '']) => line);
    assert.deepEqual(printed.trimEnd().split('\n'), promised);
  });
}

test('every export has an example', () => {
  for (const types of TYPES.map(installed)) {
    for (const [declaration, name] of types.matchAll(/^export (?:class|function|const) (\w+)/gm)) {
      const before = types.slice(0, types.indexOf(declaration));
      const comment = before.slice(before.lastIndexOf('/**'));
      assert.match(comment, /@example /, `${name} has no example`);
    }
  }
});
