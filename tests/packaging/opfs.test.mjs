// The store in the private file system of a browser, in a page and in a worker, which write in
// different ways.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../faces.mjs';
import { answerOfPage, consumer, html } from './lib.mjs';

const CASES = `import { EpisodicMemory, ready } from './node_modules/hindscope/memory/web.mjs';
import { InMemoryStore } from './node_modules/hindscope/memory/inmemory.mjs';
import { OpfsStore } from './node_modules/hindscope/memory/opfs.mjs';
import { memoryOf, run, example, tree } from './store-conformance.mjs';

export async function cases(name) {
  await ready;
  const reference = new InMemoryStore();
  await example(await memoryOf(EpisodicMemory, reference));
  const expected = await tree(reference);
  let number = 0;
  const folders = new Map();
  const open = async () => {
    const folder = name + '/' + (number += 1);
    const store = new OpfsStore(folder);
    await store.open();
    folders.set(store, folder);
    return store;
  };
  const again = (store) => new OpfsStore(folders.get(store));
  const answer = await run({ open, again, EpisodicMemory, expected });

  // What was never finished is removed by whoever has the lock next.
  await new OpfsStore(name + '/left').write('a', new Uint8Array(1), { kind: 'create' });
  const top = await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
  const own = await (await top.getDirectoryHandle('left')).getDirectoryHandle('.hindscope');
  await own.getFileHandle('half.tmp', { create: true });
  await (await new OpfsStore(name + '/left').lock(1000))();
  const left = [];
  for await (const file of own.keys()) left.push(file);
  return { ...answer, left };
}
`;

const folder = consumer({
  'cases.mjs': CASES,
  'index.html': html('main.mjs'),
  'main.mjs': `import { cases } from './cases.mjs';
window.answer = JSON.stringify(await cases('page'));`,
  'worker.html': html('start.mjs'),
  'start.mjs': `const worker = new Worker('worker.mjs', { type: 'module' });
window.answer = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });`,
  'worker.mjs': `import { cases } from './cases.mjs';
cases('worker').then((answer) => postMessage(JSON.stringify(answer)), (error) => postMessage(JSON.stringify({ failures: [String(error)] })));`,
  'two.html': html('two.mjs'),
  // Two workers log into one memory; the second half of one of them is never heard.
  'two.mjs': `import { EpisodicMemory, ready } from './node_modules/hindscope/memory/web.mjs';
import { OpfsStore } from './node_modules/hindscope/memory/opfs.mjs';
await ready;
const memory = await EpisodicMemory.open(new OpfsStore('two'));
await memory.initTask({ description: 'Both.' });
await memory.startAttempt('task-001');
const acknowledged = await Promise.all([0, 1].map((who) => new Promise((resolve) => {
  const worker = new Worker('agent.mjs?who=' + who, { type: 'module' });
  let count = 0;
  worker.onmessage = ({ data }) => {
    count += 1;
    // Ended while it writes.
    if (who === 1 && count === 12) { worker.terminate(); resolve(count); }
    if (data === 'done') resolve(count - 1);
  };
})));
await memory.doctor({ mend: true });
const { attempts } = await memory.queryHistory('task-001');
const of = (who) => attempts[0].actions.filter(({ params }) => params.who === who).length;
window.answer = JSON.stringify({ acknowledged, found: [of(0), of(1)], health: await memory.doctor() });`,
  'agent.mjs': `import { EpisodicMemory, ready } from './node_modules/hindscope/memory/web.mjs';
import { OpfsStore } from './node_modules/hindscope/memory/opfs.mjs';
await ready;
const who = Number(new URL(location).searchParams.get('who'));
const memory = await EpisodicMemory.open(new OpfsStore('two'));
for (let n = 0; n < 30; n += 1) {
  await memory.logAction('task-001', { type: 'edit', params: { who, n } });
  postMessage(n);
}
postMessage('done');`,
});
copyFileSync(join(root, 'tests/npm/store-conformance.mjs'), join(folder, 'store-conformance.mjs'));

for (const [name, path] of [['a page', ''], ['a worker', 'worker.html']]) {
  test(`the store of ${name} does what stores do`, async (t) => {
    const { passed, failures, left } = JSON.parse(await answerOfPage(t, { folder, path }));
    assert.deepEqual(failures, []);
    assert.ok(passed.length >= 14, `${passed.length} cases`);
    assert.deepEqual(left, []);
  });
}

test('two workers that log at once lose nothing, even if one is ended', async (t) => {
  const { acknowledged, found, health } = JSON.parse(await answerOfPage(t, { folder, path: 'two.html' }));
  assert.deepEqual([acknowledged[0], found[0]], [30, 30]);
  assert.ok(found[1] >= acknowledged[1], `${found[1]} of ${acknowledged[1]}`);
  assert.deepEqual([health.isSound, health.findings], [true, []]);
});
