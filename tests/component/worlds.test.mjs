// Each world of wit/ is a wasm of its own that imports nothing and exports what the world says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';
import { component, jco, ofWorld, transpiled } from './lib.mjs';

const WORLDS = {
  validate: ['types', 'validation'],
  window: ['types', 'validation', 'windows'],
  history: ['archive', 'histories', 'insight', 'search', 'types', 'validation', 'windows', 'writing'],
  memory: ['memories', 'types'],
  loop: ['loops', 'types', 'validators'],
  hindscope: [
    'archive', 'histories', 'insight', 'loops', 'memories', 'search', 'types', 'validation', 'validators', 'windows', 'writing',
  ],
};

test('there are no others', () => {
  const contract = readFileSync(join(root, 'wit/worlds.wit'), 'utf8');
  const worlds = Array.from(contract.matchAll(/^world ([a-z]+) /gm), ([, name]) => name);
  assert.deepEqual(worlds, Object.keys(WORLDS));
  const files = readdirSync(dirname(component)).filter((name) => name.endsWith('.wasm')).sort();
  assert.deepEqual(files, worlds.map((world) => basename(ofWorld(world))).sort());
  const interfaces = readdirSync(join(root, 'wit')).flatMap((file) => /^(.*)\.wit$/.exec(file)?.[1] ?? []);
  assert.deepEqual(interfaces.filter((name) => name !== 'worlds').sort(), WORLDS.hindscope);
});

for (const [world, interfaces] of Object.entries(WORLDS)) {
  test(`${world} imports nothing and exports its interfaces`, () => {
    const printed = execFileSync(jco, ['wit', ofWorld(world)], { encoding: 'utf8' });
    assert.doesNotMatch(printed, /^\s*import /m);
    const exported = Array.from(printed.matchAll(/^\s*export (.*);$/gm), ([, name]) => name).sort();
    assert.deepEqual(exported, interfaces.map((name) => `hindscope:reflections/${name}@0.1.0`));
  });
}

test('whoever only validates or keeps a window downloads a fraction', () => {
  const bytes = (world) => statSync(ofWorld(world)).size;
  for (const world of ['validate', 'window']) assert.ok(bytes(world) * 8 < bytes('hindscope'), `${world}: ${bytes(world)} bytes`);
});

describe('a small one says what the one with everything says', async () => {
  const started = async (world) => import(pathToFileURL(join(transpiled(world), 'hindscope/hindscope.js')).href);
  const all = await started('hindscope');
  const bytes = (text) => new TextEncoder().encode(text);
  const record = bytes('{"iteration": 1, "loop_id": "ralph-1", "self_reflection": {"reflection_text": "Clear the cache."}}');
  const asks = {
    validate: ({ validation }) => [validation.validate(record), validation.jsonSchema('reflection-memory')],
    window: ({ windows }) => {
      const window = windows.ReflectionWindow.create({ omega: 2 });
      return [window.push(record), window.render('plain'), window.metadata()];
    },
    history: ({ histories }) => {
      const history = new histories.History('lenient');
      const source = history.open('a.json');
      history.push(source, record);
      history.finish(source);
      return [history.runs(), history.findings(), histories.formats()];
    },
    memory: ({ memories }) => {
      const call = memories.MemoryCall.start('{"call": "init-task", "now": "2026-03-05T09:00:00Z", "description": "Sort it."}');
      for (const { path } of call.needs()) call.supply(path, { tag: 'absent' });
      return memories.MemoryCall.finish(call);
    },
    loop: ({ loops, validators }) => [
      loops.render('{{ a }}!', '{"a": 1}'),
      validators.Validator.create('{"required": ["loop_id", "b"]}').validate(record),
    ],
  };
  for (const [world, ask] of Object.entries(asks)) {
    test(world, async () => {
      const [own, expected] = [ask(await started(world)), ask(all)];
      assert.deepEqual(own, expected);
      assert.ok(JSON.stringify(own, (_, value) => (typeof value === 'bigint' ? String(value) : value)).length > 40);
    });
  }
});
