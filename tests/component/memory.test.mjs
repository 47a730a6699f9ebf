// The memory of the component answers and writes what that of the npm package does.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer, hindscope } from '../npm/installed.mjs';
import { clock, protocol } from '../npm/memory-protocol.mjs';
import { importedEntry } from '../npm/package.mjs';
import { indexOf, memoryOf } from './memory.mjs';
import { transpiled } from './lib.mjs';

const { EpisodicMemory } = hindscope;
const { InMemoryStore } = await importedEntry(consumer, 'hindscope/stores/memory');
// The small one, so that nothing else of hindscope is needed.
const { memories } = await import(pathToFileURL(join(transpiled('memory'), 'hindscope/hindscope.js')).href);

/** As JSON has it: lists of WIT are never absent. */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, inner) => {
  if (typeof inner === 'bigint') return Number(inner);
  return Array.isArray(inner) && inner.length === 0 ? undefined : inner;
}));

/** Files of a store, as text. */
const files = (store) => Array.from(store.entries(), ([path, bytes]) => [path, new TextDecoder().decode(bytes)]);

describe('parity', () => {
  for (const seed of [1, 2, 3]) {
    test(`work of seed ${seed}`, async () => {
      const stores = [new InMemoryStore(), new InMemoryStore()];
      const memory = await EpisodicMemory.open(stores[0], { now: clock(seed) });
      const own = memoryOf(memories, stores[1], clock(seed));
      const same = async (what, call, again = call) => {
        const expected = await call(memory);
        assert.deepEqual(plain(again(own)), plain(expected), what);
        return expected;
      };
      // A step draws when it is called: each side has steps of its own.
      const [steps, again] = [protocol(seed, 60), protocol(seed, 60)];
      for (const [at, { what, label, call }] of steps.entries()) await same(`${what} ${label}`, call, again[at].call);
      assert.deepEqual(files(stores[1]), files(stores[0]));
      assert.ok(files(stores[0]).length > 20);

      const { files: names = [], folders } = stores[0].list('tasks');
      assert.deepEqual(names, []);
      const index = indexOf(memories, stores[1]);
      for (const task of folders) {
        await same('history', (it) => it.queryHistory(task));
        await same('part of it', (it) => it.queryHistory(task, { reflectionsOnly: true, limit: 2 }));
        const { tasks } = await same('similar', (it) => it.similarTasks(task));
        assert.deepEqual(index.similar(task).tasks, tasks);
      }
      const { tasks, reflections } = await same('search', (it) => it.search('sort m1 m9'));
      assert.ok(tasks.length > 0);
      const found = index.search('sort m1 m9');
      assert.deepEqual([found.tasks, found.reflections], [tasks, reflections]);
      index.index.remove(folders[0]);
      assert.equal(index.search('sort').tasks.some(({ task }) => task === folders[0]), false);
      for (const { path } of reflections) index.index.removeIteration(path);
      assert.equal(index.search('m1 m9').reflections.length, 0);
      index.free();
      await same('improvement', (it) => it.improvement());
      const { writes, ...health } = await memory.doctor();
      assert.deepEqual(writes, []);
      assert.deepEqual(plain(own.doctor()), plain(health));
    });
  }
});

describe('a hostile caller gets typed errors', () => {
  const { MemoryCall } = memories;
  /** What a call is refused with. */
  const refusal = (call) => {
    try {
      call();
    } catch ({ payload, message }) {
      assert.ok(payload?.message, message);
      return payload.code;
    }
    return assert.fail('it was not refused');
  };
  const now = '2026-03-05T09:00:00Z';
  const begun = (request) => MemoryCall.start(JSON.stringify({ now, ...request }));

  test('requests', () => {
    for (const text of ['', '{', '[]', 'null', '{"call": "forget-task"}', '{"call": "init-task"}', `${'['.repeat(1_000_000)}`]) {
      assert.equal(refusal(() => MemoryCall.start(text)), 'invalid-request', text.slice(0, 40));
    }
    assert.equal(refusal(() => begun({ call: 'init-task', id: '../a', description: 'x' })), 'path-refused');
    assert.equal(refusal(() => begun({ call: 'start-attempt', task: 'task-001', omega: 11 })), 'omega-out-of-range');
    assert.equal(refusal(() => new memories.MemoryIndex().search('{"query": 7}')), 'invalid-request');
    assert.equal(refusal(() => new memories.MemoryIndex().similar('{"task": "task-001"}')), 'no-such-task');
    assert.deepEqual(['task-001', '..', 'a/b', ''].map((id) => memories.isTaskId(id)), [true, false, false, false]);
  });

  test('what is handed over', () => {
    const call = begun({ call: 'start-attempt', task: 'task-001' });
    const [{ kind, path }] = call.needs();
    assert.equal(refusal(() => call.supply('elsewhere', { tag: 'absent' })), 'invalid-request');
    const odd = kind === 'folder' ? { tag: 'file', val: new Uint8Array() } : { tag: 'folder', val: { files: [], folders: [], others: [] } };
    assert.equal(refusal(() => call.supply(path, odd)), 'invalid-request');
    assert.equal(refusal(() => MemoryCall.finish(begun({ call: 'start-attempt', task: 'task-001' }))), 'unread-record');
    // With the last of what is needed, the call as a whole fails, and then it has no answer.
    const supply = () => {
      for (let needs = call.needs(); needs.length > 0; needs = call.needs()) for (const { path } of needs) call.supply(path, { tag: 'absent' });
    };
    assert.equal(refusal(supply), 'no-such-task');
    assert.equal(refusal(() => MemoryCall.finish(call)), 'unread-record');
  });

  test('what could not be read', () => {
    const call = begun({ call: 'start-attempt', task: 'task-001' });
    const supply = () => {
      for (let needs = call.needs(); needs.length > 0; needs = call.needs()) for (const { path } of needs) call.supply(path, { tag: 'failed', val: 'the disk is broken' });
    };
    assert.equal(refusal(supply), 'memory-unreadable');
  });
});
