// An episodic memory as its callers meet it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { consumer, hindscope, rejects } from './installed.mjs';
import { importedEntry, scratch } from './package.mjs';
import { memoryOf, example, tree } from './store-conformance.mjs';

const { EpisodicMemory, openHistory, validate } = hindscope;
const { DirectoryStore } = await importedEntry(consumer, 'hindscope/stores/directory');
const { InMemoryStore } = await importedEntry(consumer, 'hindscope/stores/memory');

async function filled() {
  const store = new InMemoryStore();
  const memory = await memoryOf(EpisodicMemory, store);
  await example(memory);
  return { store, memory };
}

test('what is stored is valid by the schemas, and is read again', async () => {
  const { store, memory } = await filled();
  for (const [path, text] of Object.entries(await tree(store))) {
    const schema = { 'metadata.json': 'task-metadata', 'trajectory.json': 'trajectory', 'attempt.json': 'attempt', 'reflections.jsonl': 'reflection', 'actions.jsonl': 'action' }[path.split('/').at(-1)];
    if (!schema) continue;
    const records = path.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text];
    for (const record of records) assert.deepEqual(validate(record, { schema, profile: 'strict' }).findings, [], path);
  }
  const { attempts, reflections, metadata } = await memory.queryHistory('task-001');
  assert.deepEqual(attempts.map(({ outcome, actionCount }) => [outcome, actionCount]), [['failure', 2], ['success', 1]]);
  assert.equal(attempts[0].actions[1].output, 'ü\u2028\n');
  assert.deepEqual([metadata.status, reflections.length], ['completed', 4]);
  assert.match(attempts[1].plan, /Install make first\./);
  const only = await memory.queryHistory('task-001', { reflectionsOnly: true, since: new Date(Date.UTC(2026, 2, 5, 9, 0, 8)), limit: 1 });
  assert.deepEqual([only.attempts, only.reflections.length, only.reflectionsLeftOut > 0], [[], 1, true]);
  const { retries, tasks, open } = await memory.improvement({ tasks: ['task-001'] });
  assert.deepEqual([retries.with, retries.withSuccesses, tasks, open], [1, 1, 1, 0]);
});

test('half of a surrogate pair is no mistake of who asks', async () => {
  const { store, memory } = await filled();
  const { read, list, write, lock } = store;
  const bare = Object.fromEntries(Object.entries({ read, list, write, lock }).map(([name, method]) => [name, method.bind(store)]));
  for (const asked of [memory, await memoryOf(EpisodicMemory, bare)]) {
    const { tasks } = await asked.search('make \ud83d');
    assert.ok(tasks.length > 0);
    assert.deepEqual(tasks, (await asked.search('make \ufffd')).tasks);
    await rejects('no-such-task', () => asked.similarTasks('task\udc00'));
    await rejects('no-such-task', () => asked.queryHistory('task\udc00'));
  }
});

test('actions are parsed when somebody looks, and are members like any other', async () => {
  const { memory } = await filled();
  const asked = async () => (await memory.queryHistory('task-001')).attempts[0];
  const plain = JSON.parse(JSON.stringify(await asked()));
  assert.deepEqual(plain.actions.map(({ type, success }) => [type, success]), [['bash', false], ['edit', true]]);
  assert.deepEqual(Object.keys(await asked()), Object.keys(plain));
  assert.deepEqual({ ...(await asked()) }, plain);
  assert.deepEqual(structuredClone(await asked()), plain);
  assert.deepEqual(await asked(), plain);
  assert.deepEqual(Object.freeze(await asked()).actions, plain.actions);
  const one = await asked();
  assert.equal(one.actions, one.actions, 'once');
  one.actions.push('mine');
  assert.equal(one.actions.length, 3);
  one.actions = [];
  assert.deepEqual([one.actions, (await asked()).actions.length], [[], 2]);
  // With a filter, too.
  const { attempts } = await memory.queryHistory('task-001', { text: 'EXIT 2' });
  assert.deepEqual(attempts.map(({ actions, actionCount }) => [actions.length, actionCount]), [[1, 2], [0, 1]], 'the plan of the second says it');
});

test('ids lead nowhere, and nothing is made of them', async () => {
  const root = join(scratch(), 'memory');
  const memory = await EpisodicMemory.open(new DirectoryStore(root));
  const ids = ['', '.', '..', '../x', 'a/b', '/etc', '\\x', 'C:', 'con', 'NUL.txt', 'com1', 'a\0b', 'a\nb', '\u202ex', ' a', 'a.', '.a', 'x'.repeat(121), 'é'.repeat(61)];
  for (const id of ids) {
    for (const call of [
      () => memory.initTask({ id, description: 'x' }),
      () => memory.startAttempt(id),
      () => memory.logAction(id, { type: 'edit' }),
      () => memory.completeAttempt(id, { outcome: 'failure' }),
      () => memory.addReflection(id, { learning: 'x' }),
      () => memory.addResult(id, { iteration: 1, name: 'x', text: 'x' }),
      () => memory.addResult('task-001', { iteration: 1, name: id, text: 'x' }),
      () => memory.setStatus(id, 'paused'),
      () => memory.queryHistory(id),
      () => memory.reflect(id, { outcome: 'failure' }),
      () => memory.improvement({ tasks: [id] }),
      () => memory.doctor({ tasks: [id] }),
      () => memory.doctor({ tasks: [id], mend: true }),
    ]) {
      await rejects('path-refused', call);
    }
    await rejects('no-such-task', () => memory.similarTasks(id));
  }
  assert.deepEqual(readdirSync(dirname(root)), []);
});

test('misuse has its code, and writes nothing', async () => {
  const { store, memory } = await filled();
  const before = await tree(store);
  const cyclic = {};
  cyclic.self = cyclic;
  for (const [code, call] of [
    ['no-such-task', () => memory.startAttempt('task-009')],
    ['no-such-task', () => memory.logAction('task-009', { type: 'edit' })],
    ['no-such-task', () => memory.queryHistory('task-009')],
    ['no-such-task', () => memory.similarTasks('task-009')],
    ['no-such-task', () => memory.startAttempt('task-009', { similar: 1 })],
    ['no-such-attempt', () => memory.queryHistory('task-001', { attempt: 9 })],
    ['no-such-attempt', () => memory.logAction('task-001', { type: 'edit' }, { attempt: 9 })],
    ['attempt-complete', () => memory.logAction('task-001', { type: 'edit' })],
    ['attempt-complete', () => memory.completeAttempt('task-001', { outcome: 'failure' })],
    ['memory-conflict', () => memory.initTask({ id: 'task-001', description: 'x' })],
    ['memory-conflict', () => memory.initTask({ id: 'Task-001', description: 'x' })],
    ['memory-conflict', () => memory.reflect('Ralph-001', { outcome: 'failure' })],
    ['memory-conflict', () => memory.reflect('ralph-001', { iteration: 1, outcome: 'failure' })],
    ['omega-out-of-range', () => memory.reflect('ralph-001', { outcome: 'failure', omega: 11 })],
    ['invalid-request', () => memory.initTask({})],
    ['invalid-request', () => memory.initTask({ description: 'x', titel: 'y' })],
    ['invalid-request', () => memory.logAction('task-002', {})],
    ['invalid-request', () => memory.logAction('task-002', null)],
    ['invalid-request', () => memory.logAction('task-002', cyclic)],
    ['invalid-request', () => memory.logAction('task-002', { type: 'edit', n: 1n })],
    ['invalid-request', () => memory.completeAttempt('task-002', { outcome: 'perhaps' })],
    ['invalid-request', () => memory.completeAttempt('task-002')],
    ['invalid-request', () => memory.queryHistory(5)],
    ['invalid-request', () => memory.search()],
    ['invalid-option', () => memory.initTask([])],
    ['invalid-option', () => memory.queryHistory('task-001', 'reflections')],
    ['invalid-option', () => EpisodicMemory.open()],
    ['invalid-option', () => EpisodicMemory.open({})],
    ['invalid-option', () => EpisodicMemory.open(store, { clock: 1 })],
    ['invalid-option', async () => (await EpisodicMemory.open(store, { now: () => NaN })).setStatus('task-001', 'paused')],
  ]) {
    await rejects(code, call);
  }
  // What a function of the caller's throws is its own.
  const own = new TypeError('no model');
  await assert.rejects(() => memory.completeAttempt('task-002', { outcome: 'failure', reflection: () => { throw own; } }), own);
  await assert.rejects(() => memory.reflect('ralph-001', { outcome: 'failure', reflection: async () => { throw own; } }), own);
  assert.deepEqual(await tree(store), before);
});

test('a clock that goes back writes no time that goes back', async () => {
  const store = new InMemoryStore();
  let now = Date.UTC(2026, 2, 5, 9);
  const memory = await EpisodicMemory.open(store, { now: () => (now -= 60_000) });
  await memory.initTask({ description: 'Sort.' });
  const begun = await memory.startAttempt('task-001');
  const logged = [await memory.logAction('task-001', { type: 'edit' }), await memory.logAction('task-001', { type: 'edit' })];
  const ended = await memory.completeAttempt('task-001', { outcome: 'success' });
  for (const answer of [begun, ...logged, ended]) {
    assert.equal(answer.time, begun.time);
    assert.deepEqual(answer.findings.map(({ rule }) => rule), ['memory/clock-back']);
  }
  assert.equal((await memory.doctor()).isSound, true);
});

test('a store that writes elsewhere meanwhile is asked again, and in the end an error', async () => {
  const inner = new InMemoryStore();
  const memory = await EpisodicMemory.open(inner);
  await memory.initTask({ description: 'Sort.' });
  await memory.startAttempt('task-001');
  // Somebody without a lock, each time between reading and writing.
  let others = 3;
  const busy = Object.assign(Object.create(null), {
    read: (...asked) => inner.read(...asked),
    list: (path) => inner.list(path),
    lock: (ms) => inner.lock(ms),
    write(path, bytes, how) {
      if (others > 0 && path.endsWith('actions.jsonl')) {
        others -= 1;
        const line = new TextEncoder().encode('{"timestamp":"2026-03-05T09:00:00Z","type":"read","params":{}}\n');
        inner.write(path, line, { kind: 'append', was: how.was });
      }
      return inner.write(path, bytes, how);
    },
  });
  const other = await EpisodicMemory.open(busy);
  await other.logAction('task-001', { type: 'edit' });
  const { attempts } = await memory.queryHistory('task-001');
  assert.deepEqual(attempts[0].actions.map(({ type }) => type), ['read', 'read', 'read', 'edit']);
  others = Infinity;
  const error = await rejects('memory-conflict', () => other.logAction('task-001', { type: 'edit' }));
  assert.equal(error.details.written, 0);
});

test('a search knows what was written before it, by whomever', async () => {
  const root = scratch();
  const [one, two] = [await EpisodicMemory.open(new DirectoryStore(root)), await EpisodicMemory.open(new DirectoryStore(root))];
  const ids = async (query, options) => (await one.search(query, options)).tasks.map(({ task }) => task);
  assert.deepEqual((await one.search('anything')).compared, 0);
  await two.initTask({ description: 'Migrate the tables.' });
  assert.deepEqual(await ids('tables'), ['task-001']);
  await two.startAttempt('task-001');
  await two.addReflection('task-001', { learning: 'Take the lock.' });
  assert.deepEqual(await ids('lock'), ['task-001']);
  await two.initTask({ description: 'Lock the door.' });
  assert.deepEqual((await ids('lock')).sort(), ['task-001', 'task-002']);
  await two.setStatus('task-002', 'paused');
  assert.deepEqual(await ids('lock', { status: 'paused' }), ['task-002']);
  // What the hook stored is found, too, and forgotten when it goes.
  const found = async (query) => (await one.search(query)).reflections.map(({ loop, iteration, reflection }) => [loop, iteration, reflection]);
  for (const reflection of ['The lock was never released.', 'The door was open.']) await two.reflect('ralph-001', { outcome: 'failure', reflection });
  assert.deepEqual(await found('released'), [['ralph-001', 1, 'The lock was never released.']]);
  assert.deepEqual((await one.search('lock', { status: 'paused' })).reflections, []);
  unlinkSync(join(root, 'reflections/loops/ralph-001/iteration-2.yaml'));
  assert.deepEqual(await found('open'), []);
  // Names that are none of ours are passed over, here and by the core.
  mkdirSync(join(root, 'tasks/.hidden'));
  mkdirSync(join(root, 'tasks/com1'));
  writeFileSync(join(root, 'tasks/com1/metadata.json'), '{"description": "lock"}');
  assert.deepEqual((await one.search('lock')).compared, 2);
  // The same as the core finds without an index.
  const plain = new DirectoryStore(root);
  const bare = { read: (...asked) => plain.read(...asked), list: (path) => plain.list(path), write: () => {}, lock: async () => () => {} };
  const three = await EpisodicMemory.open(bare);
  assert.deepEqual(await three.search('lock the tables'), await one.search('lock the tables'));
  assert.deepEqual(await three.similarTasks('task-001'), await one.similarTasks('task-001'));
});

test('what others left half written is reported, mended and kept', async () => {
  const root = scratch();
  const store = new DirectoryStore(root);
  await example(await memoryOf(EpisodicMemory, store));
  const at = (path) => join(root, path);
  writeFileSync(at('tasks/task-001/metadata.json'), '{"id": "task-0');
  writeFileSync(at('tasks/task-001/attempts/001/attempt.json'), '\u0000\u0000');
  writeFileSync(at('tasks/task-001/reflections.jsonl'), `${readFileSync(at('tasks/task-001/reflections.jsonl'), 'utf8')}{"attempt_`);
  mkdirSync(at('tasks/task-003/attempts/x'), { recursive: true });
  writeFileSync(at('index/by-status.json'), '[]');
  const memory = await memoryOf(EpisodicMemory, store);
  const history = await memory.queryHistory('task-001');
  assert.ok(history.findings.length >= 3, JSON.stringify(history.findings));
  assert.equal(history.attempts[0].actions.length, 2);
  const before = await memory.doctor();
  assert.equal(before.isSound, false);
  assert.deepEqual((await memory.doctor()).writes, before.writes, 'looking writes nothing');
  const mended = await memory.doctor({ mend: true });
  assert.deepEqual(mended.writes, before.writes);
  assert.ok(mended.keptAside.includes('tasks/task-001/metadata.json.broken-1'));
  assert.equal(readFileSync(at('tasks/task-001/metadata.json.broken-1'), 'utf8'), '{"id": "task-0');
  const after = await memory.doctor();
  assert.deepEqual([after.isSound, after.writes], [true, []], JSON.stringify(after.findings));
});

test('what others wrote in a file stays as they spelled it', async () => {
  const store = new DirectoryStore(scratch());
  const memory = await memoryOf(EpisodicMemory, store);
  await example(memory);
  await memory.startAttempt('task-001');
  const members = '"cost":1.0, "hash" :18446744073709551617,"share": 0.1000000000000000055511151231257827,"n":1e2,"far":1e999,"name":"caf\\u00e9","deep":{ "a":[1.50] }';
  const strewn = Object.entries(await tree(store)).filter(([path]) => path.endsWith('.json') && !path.endsWith('outcome.json'));
  assert.ok(strewn.length > 8);
  const before = Object.fromEntries(strewn.map(([path, text]) => [path, text.replace('{', `{${members},`)]));
  for (const [path, text] of Object.entries(before)) writeFileSync(join(store.root, path), text);
  await memory.logAction('task-001', { type: 'edit', iteration: 1, quality: 0.5 });
  await memory.completeAttempt('task-001', { outcome: 'failure', finalQuality: 0.5 });
  await memory.setStatus('task-001', 'paused');
  await memory.startAttempt('task-002');
  assert.deepEqual((await memory.doctor({ mend: true })).writes, []);
  const after = await tree(store);
  assert.ok(Object.entries(before).filter(([path, text]) => after[path] !== text).length > 5);
  for (const path of Object.keys(before)) {
    for (const member of members.split(/, ?(?=")/)) {
      const [, name, spelling] = /^("\w+") ?: ?(.*)$/.exec(member);
      assert.ok([':', ': ', ' :'].some((colon) => after[path].includes(`${name}${colon}${spelling}`)), `${path} has lost ${member}: ${after[path]}`);
    }
  }
});

test('the doctor raises no alarm while somebody writes', async () => {
  const inner = new InMemoryStore();
  const memory = await memoryOf(EpisodicMemory, inner);
  await example(memory);
  // The first look falls between two writes: a summary that lags behind.
  const path = 'tasks/task-001/summary.json';
  let looks = 0;
  const store = {
    read(at, last) {
      if (at !== path || (looks += 1) > 1) return inner.read(at, last);
      const bytes = new TextEncoder().encode('{"task_id": "task-001", "outcomes": {}, "total_attempts": 0}');
      return { bytes, lenBytes: bytes.length };
    },
    list: (at) => inner.list(at),
    write: (...given) => inner.write(...given),
    lock: (ms) => inner.lock(ms),
  };
  const { isSound, findings } = await (await EpisodicMemory.open(store)).doctor();
  assert.deepEqual([isSound, findings, looks], [true, [], 2]);
});

test('what the memory says itself is not taken from others', async () => {
  const memory = await memoryOf(EpisodicMemory, new InMemoryStore());
  for (const more of [{ now: '2020-01-01T00:00:00Z' }, { call: 'doctor' }, { loop: 'ralph-002' }]) {
    await assert.rejects(memory.reflect('ralph-001', { outcome: 'failure', ...more }), { code: 'invalid-request' });
  }
});

test('the doctor looks at many tasks in parts', async () => {
  const store = new InMemoryStore();
  const memory = await memoryOf(EpisodicMemory, store);
  for (let n = 0; n < 150; n += 1) await memory.initTask({ description: `Number ${n}.` });
  await memory.startAttempt('task-140');
  store.write('tasks/task-140/attempts/001/actions.jsonl', new TextEncoder().encode('{"ty'), { kind: 'append', was: store.read('tasks/task-140/attempts/001/actions.jsonl')?.lenBytes });
  const { lenBytes } = store.read('index/by-status.json');
  store.write('index/by-status.json', new TextEncoder().encode('{}'), { kind: 'replace', was: lenBytes });
  await memory.reflect('ralph-001', { outcome: 'failure' });
  const path = 'reflections/loops/ralph-001/iteration-1.yaml';
  store.write(path, new TextEncoder().encode('- no\n'), { kind: 'replace', was: store.read(path).lenBytes });
  const seen = [];
  const health = await memory.doctor({ mend: true, onProgress: (done, all) => seen.push([done, all]) });
  assert.deepEqual(seen, [[64, 150], [128, 150], [150, 150]]);
  assert.deepEqual([health.tasks, health.attempts, health.isSound], [150, 1, false]);
  assert.ok(health.findings.some(({ rule, path: where }) => rule === 'memory/bad-file' && where === path), 'loops are looked at');
  assert.ok(health.writes.includes('index/by-status.json'));
  const { findings } = await memory.doctor();
  assert.deepEqual(findings.map(({ path: where }) => where), [path], 'nobody can mend that');
});

test('a memory that began as one opens as a history', async () => {
  const { store } = await filled();
  const history = openHistory(Array.from(store.entries(), ([path, data]) => ({ name: `memory/${path}`, data })));
  // What an iteration has made is no history.
  assert.deepEqual(history.eachFinding().map(({ rule, message }) => `${rule} ${message}`), ['source/unknown The file is not in a known format: it is plain text.']);
  const run = history.run('task-001');
  assert.deepEqual([run.view.outcome, run.view.iterations], ['success', 2]);
  history.free();
});

test('what a store gives is checked before anything is written', async () => {
  const odd = { get bytes() { throw 1; } };
  const wrong = {
    lock: [undefined, 5],
    read: [Symbol('x'), 'text', odd, { bytes: 'text', lenBytes: 4 }, { bytes: Uint8Array.of(1), lenBytes: NaN }],
    list: [Symbol('x'), { files: [] }, { files: [], folders: [Symbol('x')] }, { files: [], folders: {} }],
    stamp: [Symbol('x'), 5, {}],
  };
  for (const [method, given] of Object.entries(wrong)) {
    for (const value of given) {
      const { store, memory } = await filled();
      const before = await tree(store);
      store[method] = async () => value;
      const refused = ({ name, code, message }) => name === 'HindscopeError' && code === 'store-failed' && message.includes(`\`${method}\``);
      await assert.rejects(method === 'lock' ? memory.initTask({ id: 'task-009', description: 'new' }) : memory.search('token'), refused);
      if (method === 'read' || method === 'list') await assert.rejects(memory.doctor(), refused);
      delete store[method];
      assert.deepEqual(await tree(store), before);
    }
  }
});

test('what a store throws when it is opened, listed or released is one of our errors', async () => {
  const throwing = () => { throw 1; };
  const store = new InMemoryStore();
  await rejects('store-failed', () => EpisodicMemory.open(Object.assign(new InMemoryStore(), { open: throwing })));
  const memory = await EpisodicMemory.open(Object.assign(store, { list: throwing }));
  await rejects('store-failed', () => memory.search('x'));
  const kept = await EpisodicMemory.open(Object.assign(new InMemoryStore(), { lock: async () => throwing }));
  await rejects('store-failed', () => kept.initTask({ id: 'task-001', description: 'new' }));
});

test('a time that is none is refused, and not waited for', async () => {
  // A timer ends at once if it is to wait longer than 2^31 - 1 ms.
  for (const waitMs of [NaN, Infinity, -1, '5', 2 ** 31]) {
    for (const store of [new InMemoryStore(), new DirectoryStore(scratch())]) {
      await rejects('invalid-option', () => store.lock(waitMs));
      await rejects('invalid-option', () => EpisodicMemory.open(store, { waitMs }));
    }
    await rejects('invalid-option', () => new DirectoryStore(scratch(), { staleMs: waitMs }));
  }
});

test('what Markdown takes for structure comes back as it was written, and stays in its place in what is read next', async () => {
  const fences = ['`', '~'].flatMap((mark) => [3, 4, 5, 6].map((length) => mark.repeat(length)));
  const pieces = [...fences, ...fences.map((fence) => `${fence}js`), '  ```', '    ~~~', '---', '===', '  ---  ', '# Not a heading', '## Instructions', '- item', '  - ```sh', '1. one', '> ```', 'a ``` b', '`a` ``b`` ```c```', '``` `a` ```', 'title: x', 'Text.', '', '\\'];
  let seed = 7;
  const next = (most) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * most);
  };
  const texts = pieces.filter((text) => text.trim() !== '').concat('---\ntitle: x\n---\n# A', '```js\ncode\n```', '~~~\n```\n~~~~', '```\n# a\n\nb\n```\n# c', '- a\n  ```\n  b\n```\nc');
  for (let at = 0; at < 150; at += 1) texts.push(`A${at}${['\n', '\r\n'][next(2)]}${Array.from({ length: 1 + next(6) }, () => pieces[next(pieces.length)]).join(['\n', '\r\n', '\n\n'][next(3)])}`);
  const markdown = new MarkdownIt();
  /** Headings of a text as Markdown has them, and how deep in it they stand. */
  const headings = (text) => {
    const tokens = markdown.parse(text, {});
    return tokens.flatMap(({ type, tag, level }, at) => (type === 'heading_open' ? [`${level} ${tag} ${tokens[at + 1].content}`] : []));
  };
  for (const layout of ['aiwg-template', 'aiwg-guide', 'aiwg-memory', 'episodic']) {
    const windowAfter = async (text, strategyChange, check) => {
      const store = new InMemoryStore();
      const memory = await EpisodicMemory.open(store);
      await check?.(await memory.reflect('l', { outcome: 'failure', reflection: text, strategyChange }), store);
      const { window } = await memory.reflect('l', { outcome: 'failure', layout, reflection: 'Plain.', strategyChange: 'Plain.' });
      return window;
    };
    const expected = headings(await windowAfter('Other.', 'Other.', () => {}));
    assert.ok(expected.length > 1, layout);
    for (const [at, text] of texts.entries()) {
      const strategy = texts.at(-1 - at);
      const window = await windowAfter(text, strategy, async ({ path, reflection }, store) => {
        const history = openHistory([{ name: path, data: (await store.read(path)).bytes }]);
        const { reflections, strategyNext } = history.inspect(0);
        history.free();
        assert.deepEqual([reflection, reflections[0].text, strategyNext], [text, text, strategy]);
      });
      assert.deepEqual(headings(window), expected, `${layout}: ${JSON.stringify(text)}\n${window}`);
    }
  }
});
