// What every store does, whatever it keeps its files in. It runs in Node and in pages and workers of a
// browser, so it needs nothing but what is handed in:
//
//   open()          a new store over no files
//   again(store)    another store over the same files
//   EpisodicMemory  the package's
//
// `run` gives `{passed, failures}`, a line for each case.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Failure extends Error {}

function check(is, what) {
  if (!is) throw new Failure(what);
}

function equal(is, expected, what) {
  const [one, two] = [is, expected].map((value) => JSON.stringify(value));
  check(one === two, `${what}: ${one} instead of ${two}`);
}

/** The code of what a call throws, now or later. */
async function code(call) {
  try {
    await call();
  } catch (error) {
    return error.code ?? String(error);
  }
  return 'nothing';
}

async function text(store, path, last) {
  const found = await store.read(path, last);
  return found && `${decoder.decode(found.bytes)} ${found.lenBytes}`;
}

const write = (store, path, content, how) => store.write(path, encoder.encode(content), how);

/** Every file below the folders of a memory. */
export async function tree(store, folders = ['index', 'reflections', 'tasks']) {
  const all = {};
  for (const folder of folders) {
    const names = await store.list(folder);
    if (!names) continue;
    for (const name of names.files) all[`${folder}/${name}`] = decoder.decode((await store.read(`${folder}/${name}`)).bytes);
    Object.assign(all, await tree(store, names.folders.map((name) => `${folder}/${name}`)));
  }
  return all;
}

/** A memory whose clock moves by a second with each look. */
export async function memoryOf(EpisodicMemory, store) {
  let seconds = 0;
  return EpisodicMemory.open(store, { now: () => Date.UTC(2026, 2, 5, 9) + 1000 * (seconds += 1) });
}

/** Two tasks, three attempts, a loop. */
export async function example(memory) {
  await memory.initTask({ description: 'Sort the index.', tags: ['index'], completionCriteria: 'all checks green' });
  await memory.startAttempt('task-001', { agent: 'coder', plan: { approach: 'Halve the batch.', steps: ['measure'] } });
  await memory.logAction('task-001', { type: 'bash', params: { command: 'make' }, success: false, error: 'exit 2 – “broken”' });
  await memory.logAction('task-001', { tool: 'Edit', iteration: 1, quality: 0.5, success: true, output: 'ü\u2028\n' });
  await memory.completeAttempt('task-001', { outcome: 'failure', reflection: { learning: 'Install make first.' } });
  await memory.initTask({ description: 'Sort the other index.' });
  await memory.startAttempt('task-002', { similar: 2 });
  await memory.startAttempt('task-001');
  await memory.logAction('task-001', { type: 'bash', success: true });
  await memory.addReflection('task-001', { observation: 'Late.', learning: 'Ask first.' });
  await memory.addResult('task-001', { iteration: 2, name: 'a.bin', base64: '/wA=' });
  await memory.completeAttempt('task-001', { outcome: 'success', finalQuality: 1 });
  await memory.setStatus('task-002', 'paused');
  for (let i = 0; i < 3; i += 1) await memory.reflect('ralph-001', { outcome: 'failure', reflection: 'Clear the cache.' });
}

const HOSTILE = [
  '', '/', '.', '..', 'a/..', '../a', 'a/../b', '/a', 'a/', 'a//b', './a', 'a\\b', '..\\a', 'C:', 'C:/a', 'a:stream', 'a\0b', 'a/\n', '\u007f',
];

const CASES = {
  async 'of nothing there is nothing'(store) {
    equal([await store.read('a'), await store.read('a/b'), await store.list('a'), await store.stamp?.('a/b')], [null, null, null, null], 'found');
  },

  async 'a file is created once'(store) {
    await write(store, 'a/b/c.json', '{}', { kind: 'create' });
    equal(await text(store, 'a/b/c.json'), '{} 2', 'read');
    equal(await code(() => write(store, 'a/b/c.json', '[]', { kind: 'create' })), 'memory-conflict', 'twice');
    equal(await code(() => write(store, 'a/b/c.json', '[]', { kind: 'create', was: 2 })), 'memory-conflict', 'with a length');
    equal(await code(() => write(store, 'a/b/d.json', '[]', { kind: 'create', was: 0 })), 'memory-conflict', 'of none');
    equal([await text(store, 'a/b/c.json'), await store.read('a/b/d.json')], ['{} 2', null], 'afterwards');
  },

  async 'a file is replaced if it has its length'(store) {
    await write(store, 'a', 'one', { kind: 'replace' });
    await write(store, 'a', 'three', { kind: 'replace', was: 3 });
    equal(await code(() => write(store, 'a', 'x', { kind: 'replace', was: 3 })), 'memory-conflict', 'another length');
    equal(await code(() => write(store, 'a', 'x', { kind: 'replace' })), 'memory-conflict', 'none');
    equal(await code(() => write(store, 'b', 'x', { kind: 'replace', was: 3 })), 'memory-conflict', 'gone');
    equal(await text(store, 'a'), 'three 5', 'afterwards');
    await write(store, 'a', '', { kind: 'replace', was: 5 });
    equal(await text(store, 'a'), ' 0', 'empty');
    await write(store, 'a', 'x', { kind: 'replace', was: 0 });
    equal(await text(store, 'a'), 'x 1', 'again');
  },

  async 'lines are appended behind what is there'(store) {
    await write(store, 'a/log', 'one\n', { kind: 'append' });
    await write(store, 'a/log', 'two\n', { kind: 'append', was: 4 });
    equal(await code(() => write(store, 'a/log', 'x', { kind: 'append', was: 4 })), 'memory-conflict', 'another length');
    equal(await code(() => write(store, 'a/log', 'x', { kind: 'append' })), 'memory-conflict', 'none');
    equal(await code(() => write(store, 'a/new', 'x', { kind: 'append', was: 1 })), 'memory-conflict', 'gone');
    await write(store, 'a/log', '', { kind: 'append', was: 8 });
    equal(await text(store, 'a/log'), 'one\ntwo\n 8', 'afterwards');
    equal(await store.read('a/new'), undefined, 'not made');
  },

  async 'the end of a file is read'(store) {
    await write(store, 'a', '0123456789', { kind: 'create' });
    for (const [last, expected] of [[3, '789 10'], [0, ' 10'], [10, '0123456789 10'], [99, '0123456789 10']]) {
      equal(await text(store, 'a', last), expected, `last ${last}`);
    }
  },

  async 'folders list files and folders'(store) {
    const files = Array.from({ length: 40 }, (_, at) => `f-${String(at).padStart(2, '0')}`);
    for (const name of files.toReversed?.() ?? [...files].reverse()) await write(store, `a/${name}`, '', { kind: 'create' });
    await write(store, 'a/b/c', 'x', { kind: 'create' });
    await write(store, 'a/é ü 日本/x', 'x', { kind: 'create' });
    const names = await store.list('a');
    equal({ files: names.files, folders: names.folders }, { files, folders: ['b', 'é ü 日本'] }, 'names');
  },

  async 'any bytes come back'(store) {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * 7 + (at >> 8)) & 255);
    await store.write('a', bytes, { kind: 'create' });
    const { bytes: back, lenBytes } = await store.read('a');
    check(lenBytes === bytes.length && back.every((byte, at) => byte === bytes[at]), 'other bytes');
    await store.write('a', bytes.subarray(5, 9), { kind: 'append', was: bytes.length });
    equal([...(await store.read('a', 4)).bytes], [...bytes.subarray(5, 9)], 'a part of a buffer');
  },

  async 'bytes belong to their owner'(store) {
    const bytes = encoder.encode('abc');
    await store.write('a', bytes, { kind: 'create' });
    bytes[0] = 0;
    (await store.read('a')).bytes[1] = 0;
    equal(await text(store, 'a'), 'abc 3', 'afterwards');
  },

  async 'no path leads elsewhere'(store) {
    for (const path of HOSTILE) {
      for (const call of [
        () => store.read(path),
        () => store.list(path),
        () => write(store, path, 'x', { kind: 'create' }),
        () => write(store, path, 'x', { kind: 'append' }),
      ]) {
        equal(await code(call), 'path-refused', JSON.stringify(path));
      }
    }
    equal(await store.read('a'), undefined, 'afterwards');
  },

  async 'a folder is no file, and a file no folder'(store) {
    await write(store, 'a/b', 'x', { kind: 'create' });
    const codes = [];
    for (const call of [
      () => store.read('a'),
      () => store.list('a/b'),
      () => write(store, 'a', 'x', { kind: 'create' }),
      () => write(store, 'a/b/c', 'x', { kind: 'create' }),
    ]) codes.push(await code(call));
    check(codes.every((code) => ['path-refused', 'store-failed', 'memory-conflict'].includes(code)), codes.join());
    equal(await text(store, 'a/b'), 'x 1', 'afterwards');
  },

  async 'stamps change with the file'(store) {
    if (!store.stamp) return;
    const stamps = new Set([await store.stamp('a')]);
    for (const [content, how] of [['x', { kind: 'create' }], ['y', { kind: 'append', was: 1 }], ['zz', { kind: 'replace', was: 2 }]]) {
      await new Promise((go) => setTimeout(go, 5));
      await write(store, 'a', content, how);
      stamps.add(await store.stamp('a'));
      equal(await store.stamp('a'), [...stamps].at(-1), 'the same');
    }
    equal(stamps.size, 4, 'stamps');
  },

  async 'others see what is written'(store, { again }) {
    const other = await again(store);
    await write(store, 'a/b', 'x', { kind: 'create' });
    equal(await text(other, 'a/b'), 'x 1', 'read');
    await write(other, 'a/b', 'y', { kind: 'append', was: 1 });
    equal(await text(store, 'a/b'), 'xy 2', 'appended');
    equal(await code(() => write(store, 'a/b', 'z', { kind: 'append', was: 1 })), 'memory-conflict', 'late');
  },

  async 'one at a time has the lock, in order'(store, { again }) {
    const other = await again(store);
    const release = await store.lock(5000);
    equal(await code(() => other.lock(30)), 'store-locked', 'another store');
    equal(await code(() => store.lock(30)), 'store-locked', 'the same store');
    const order = [];
    const waiting = [1, 2, 3].map(async (n) => {
      const done = await store.lock(5000);
      order.push(n);
      await write(store, 'log', `${n}`, { kind: 'append', was: n === 1 ? undefined : n - 1 });
      await done();
    });
    await new Promise((go) => setTimeout(go, 20));
    equal(order, [], 'while it is locked');
    await release();
    await Promise.all(waiting);
    equal([order, await text(store, 'log')], [[1, 2, 3], '123 3'], 'order');
    await (await other.lock(5000))();
    await (await store.lock(5000))();
  },

  async 'a memory keeps the same files everywhere'(store, { EpisodicMemory, expected }) {
    await example(await memoryOf(EpisodicMemory, store));
    const files = await tree(store);
    equal(Object.keys(files).length, Object.keys(expected).length, 'files');
    for (const [path, content] of Object.entries(expected)) equal(files[path], content, path);
    const memory = await memoryOf(EpisodicMemory, store);
    const { isSound, findings } = await memory.doctor();
    equal([isSound, findings], [true, []], 'the doctor');
    equal((await memory.search('make')).tasks.map(({ task }) => task), ['task-001'], 'search');
  },

  async 'two memories on one store lose nothing'(store, { EpisodicMemory, again }) {
    const memories = [await EpisodicMemory.open(store), await EpisodicMemory.open(await again(store))];
    await memories[0].initTask({ description: 'Count.' });
    await memories[0].startAttempt('task-001');
    const logged = memories.flatMap((memory, who) =>
      Array.from({ length: 8 }, (_, n) => memory.logAction('task-001', { type: 'edit', params: { who, n } })));
    await Promise.all(logged);
    const { attempts, findings } = await memories[1].queryHistory('task-001');
    const of = (who) => attempts[0].actions.filter(({ params }) => params.who === who).map(({ params }) => params.n);
    equal([of(0), of(1)], [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]], 'actions');
    equal([findings, attempts[0].record.execution.actions_performed], [[], 16], 'counted');
    await Promise.all(memories.map((memory) => memory.initTask({ description: 'At once.' })));
    equal((await store.list('tasks')).folders, ['task-001', 'task-002', 'task-003'], 'tasks');
  },
};

export async function run({ open, ...given }) {
  const [passed, failures] = [[], []];
  for (const [name, test] of Object.entries(CASES)) {
    try {
      await test(await open(), given);
      passed.push(name);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Failure ? error.message : (error.stack ?? error)}`);
    }
  }
  return { passed, failures };
}
