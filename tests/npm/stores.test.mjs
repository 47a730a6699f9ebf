// Stores: one conformance for all, and what only folders can do wrong.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer, hindscope, rejects } from './installed.mjs';
import * as own from './package.mjs';
import { memoryOf, run, example, tree } from './store-conformance.mjs';

const top = own.scratch();
let folders = 0;

/** A folder of its own, empty. */
function scratch() {
  const folder = join(top, String((folders += 1)));
  mkdirSync(folder);
  return folder;
}
const { EpisodicMemory, openHistory } = hindscope;
const { DirectoryStore } = await own.importedEntry(consumer, 'hindscope/stores/directory');
const { InMemoryStore } = await own.importedEntry(consumer, 'hindscope/stores/memory');
const { OpfsStore } = await own.importedEntry(consumer, 'hindscope/stores/opfs');

const reference = new InMemoryStore();
await example(await memoryOf(EpisodicMemory, reference));
const expected = await tree(reference);

const bytes = (text) => new TextEncoder().encode(text);

async function conforms(open, again) {
  const { passed, failures } = await run({ open, again, EpisodicMemory, expected });
  assert.deepEqual(failures, []);
  assert.ok(passed.length >= 14, `${passed.length} cases`);
}

test('the store in memory does what stores do', () => conforms(() => new InMemoryStore(), (store) => store));

test('the store in a folder does what stores do', () =>
  conforms(() => new DirectoryStore(join(scratch(), 'new/memory')), ({ root }) => new DirectoryStore(root)));

test('and without waiting for the disk', () =>
  conforms(() => new DirectoryStore(scratch(), { flush: false }), ({ root }) => new DirectoryStore(pathToFileURL(root), { flush: false })));

test('where there is no private file system, it is said', async () => {
  await rejects('store-missing', () => EpisodicMemory.open(new OpfsStore('a/b')));
  await rejects('path-refused', () => new OpfsStore('../a'));
  await rejects('invalid-option', () => new OpfsStore(1));
});

test('the types of errors are one, however the package is loaded', async () => {
  const file = join(consumer, 'required.cjs');
  writeFileSync(file, `const { HindscopeError } = require('hindscope');
const { DirectoryStore } = require('hindscope/stores/directory');
try { new DirectoryStore(''); } catch (error) { console.log(error instanceof HindscopeError, error.code); }`);
  assert.equal(execFileSync('node', [file], { encoding: 'utf8' }), 'true invalid-option\n');
  await rejects('invalid-option', () => new DirectoryStore(''));
  await rejects('invalid-option', () => new DirectoryStore(undefined));
  await rejects('invalid-option', () => new DirectoryStore('a', { mode: 1 }));
});

test('the tree is a history, whose only finding is about a result of an iteration', async () => {
  const store = new DirectoryStore(join(scratch(), 'ralph'));
  await example(await memoryOf(EpisodicMemory, store));
  // Also while somebody writes.
  const release = await store.lock(1000);
  const history = openHistory(store.root);
  await release();
  // What an iteration has made is no history.
  assert.deepEqual(history.eachFinding().map(({ rule, message }) => `${rule} ${message}`), ['source/unknown The file is not in a known format: it is plain text.']);
  assert.deepEqual(history.runs().map(({ key }) => key).filter((key) => key.startsWith('task')), ['task-001', 'task-002']);
  history.free();
  assert.deepEqual(readdirSync(join(store.root, '.hindscope')), [], 'what is ours is gone');
});

test('what a folder lends is nobody’s for long, and a class of one’s own reads in its own way', async () => {
  const store = new DirectoryStore(scratch());
  const memory = await EpisodicMemory.open(store);
  for (const [at, length] of [10, 300_000, 5_000_000, 20].entries()) {
    await memory.initTask({ description: `Number ${at}.` });
    await memory.startAttempt(`task-00${at + 1}`);
    await memory.logAction(`task-00${at + 1}`, { type: 'edit', output: String(at).repeat(length) });
  }
  const all = await Promise.all([1, 2, 3, 4, 2].map((n) => memory.queryHistory(`task-00${n}`)));
  assert.deepEqual(all.map(({ attempts }) => [attempts[0].actions[0].output[0], attempts[0].actions[0].output.length]), [
    ['0', 10], ['1', 300_000], ['2', 5_000_000], ['3', 20], ['1', 300_000],
  ]);
  let reads = 0;
  class Counting extends DirectoryStore {
    read(...asked) {
      reads += 1;
      return super.read(...asked);
    }
  }
  const { attempts } = await (await EpisodicMemory.open(new Counting(store.root))).queryHistory('task-002');
  assert.deepEqual([attempts[0].actions.length, reads > 5], [1, true]);
});

test('the folder of a memory may be a link, which leads to a folder', async () => {
  const at = (name) => join(folder, name);
  const folder = scratch();
  mkdirSync(at('real'));
  symlinkSync('real', at('link'));
  const memory = await EpisodicMemory.open(new DirectoryStore(at('link')));
  const { task } = await memory.initTask({ description: 'Sort.' });
  await memory.startAttempt(task);
  await memory.logAction(task, { type: 'edit' });
  const real = await EpisodicMemory.open(new DirectoryStore(at('real')));
  assert.equal((await real.queryHistory(task)).attempts[0].actions.length, 1);
  assert.deepEqual([(await memory.doctor()).isSound, readlinkSync(at('link'))], [true, 'real']);

  symlinkSync('nothing', at('dangling'));
  const store = new DirectoryStore(at('dangling'));
  const error = await rejects('path-refused', async () => (await EpisodicMemory.open(store)).initTask({ description: 'Sort.' }));
  assert.equal(error.message, `The path "${at('dangling')}" cannot be used: it is a symbolic link that leads to no folder; make the folder that it names, or remove the link.`);
  await rejects('path-refused', () => store.write('a', bytes('x'), { kind: 'create' }));
  assert.deepEqual(readdirSync(folder).sort(), ['dangling', 'link', 'real']);
});

test('links are not followed, and what they lead to stays', async (t) => {
  const outside = scratch();
  mkdirSync(join(outside, 'task-009'));
  writeFileSync(join(outside, 'secret'), 'secret');
  const store = new DirectoryStore(scratch());
  await store.write('tasks/task-001/a', bytes('x'), { kind: 'create' });
  const at = (path) => join(store.root, path);
  symlinkSync(outside, at('tasks/task-002'));
  symlinkSync(join(outside, 'secret'), at('tasks/task-001/linked'));
  symlinkSync(join(outside, 'nothing'), at('tasks/task-001/dangling'));
  symlinkSync(at('tasks/task-001'), at('tasks/task-003'));
  assert.deepEqual(store.list('tasks'), { files: [], folders: ['task-001'], others: ['task-002', 'task-003'] });
  assert.deepEqual(store.list('tasks/task-001'), { files: ['a'], folders: [], others: ['dangling', 'linked'] });
  for (const path of ['tasks/task-002/secret', 'tasks/task-001/linked', 'tasks/task-001/dangling', 'tasks/task-003/a']) {
    await rejects('path-refused', () => store.read(path));
    for (const how of [{ kind: 'create' }, { kind: 'append' }, { kind: 'append', was: 6 }, { kind: 'replace', was: 6 }]) {
      await rejects('path-refused', () => store.write(path, bytes('bad'), how));
    }
  }
  await rejects('path-refused', () => store.list('tasks/task-002'));
  const memory = await EpisodicMemory.open(store);
  const error = await rejects('memory-unreadable', () => memory.queryHistory('task-002'));
  assert.match(error.message, /symbolic links are not followed/);
  assert.equal(error.cause.code, 'path-refused');
  await rejects('memory-unreadable', () => memory.startAttempt('task-002'));
  // Our own folder may be one as well.
  rmSync(at('.hindscope'), { recursive: true, force: true });
  symlinkSync(outside, at('.hindscope'));
  await rejects('path-refused', () => memory.initTask({ description: 'x' }));
  assert.deepEqual(readdirSync(outside).sort(), ['secret', 'task-009']);
  assert.deepEqual(readdirSync(join(outside, 'task-009')), []);
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');

  await t.test('what was a folder at the last look may be a link now', async () => {
    const own = new DirectoryStore(scratch());
    await own.write('tasks/task-001/a', bytes('mine'), { kind: 'create' });
    const read = async () => new TextDecoder().decode((await own.read('tasks/task-001/a')).bytes);
    assert.deepEqual(await Promise.all([read(), read()]), ['mine', 'mine']);
    writeFileSync(join(outside, 'a'), 'theirs');
    rmSync(join(own.root, 'tasks/task-001'), { recursive: true });
    symlinkSync(outside, join(own.root, 'tasks/task-001'));
    await rejects('path-refused', read);
    rmSync(join(outside, 'a'));
  });

  await t.test('a second name elsewhere keeps what it had', async () => {
    const own = new DirectoryStore(scratch());
    await own.write('log', bytes('one\n'), { kind: 'create' });
    linkSync(join(own.root, 'log'), join(outside, 'backup'));
    await own.write('log', bytes('two\n'), { kind: 'append', was: 4 });
    assert.equal(readFileSync(join(outside, 'backup'), 'utf8'), 'one\n');
    assert.equal(readFileSync(join(own.root, 'log'), 'utf8'), 'one\ntwo\n');
  });

  await t.test('a pipe is not waited for', async () => {
    const own = new DirectoryStore(scratch());
    execFileSync('mkfifo', [join(own.root, 'pipe')]);
    await rejects('path-refused', () => own.read('pipe'));
    await rejects('path-refused', () => own.write('pipe', bytes('x'), { kind: 'append', was: 0 }));
    assert.deepEqual(own.list('.hindscope'), undefined);
  });
});

test('files keep their modes, and new ones get those that are asked for', async () => {
  const store = new DirectoryStore(scratch(), { fileMode: 0o640, folderMode: 0o750 });
  const mode = (path) => (statSync(join(store.root, path)).mode & 0o777).toString(8);
  const before = process.umask(0o022);
  try {
    await store.write('a/b', bytes('x'), { kind: 'create' });
    await store.write('a/log', bytes('x'), { kind: 'append' });
    assert.deepEqual([mode('a'), mode('a/b'), mode('a/log')], ['750', '640', '640']);
    chmodSync(join(store.root, 'a/b'), 0o604);
    await store.write('a/b', bytes('y'), { kind: 'replace', was: 1 });
    assert.equal(mode('a/b'), '604');
  } finally {
    process.umask(before);
  }
});

test('a folder that may not be written is left as it is', async (t) => {
  const { root, undo, why } = readOnly(scratch());
  if (!root) return t.skip(`NOT TESTED: ${why}`);
  t.after(undo);
  const memory = await EpisodicMemory.open(new DirectoryStore(root));
  const error = await rejects('store-denied', () => memory.initTask({ description: 'x' }));
  assert.match(error.message, /permission denied/);
  await rejects('store-denied', () => memory.logAction('task-001', { type: 'edit' }));
  const { attempts } = await memory.queryHistory('task-001');
  assert.equal(attempts.length, 1);
  assert.equal((await memory.doctor()).isSound, true);
});

/** A memory in a folder that this process cannot write. */
function readOnly(parent) {
  const root = join(parent, 'memory');
  const make = `import { EpisodicMemory } from 'hindscope/memory';
import { DirectoryStore } from 'hindscope/stores/directory';
const memory = await EpisodicMemory.open(new DirectoryStore(${JSON.stringify(root)}));
await memory.initTask({ description: 'Read.' });
await memory.startAttempt('task-001');`;
  execFileSync('node', ['--input-type=module', '-e', make], { cwd: consumer });
  rmSync(join(root, '.hindscope'), { recursive: true });
  if (process.getuid?.() !== 0) {
    execFileSync('chmod', ['-R', 'a-w', root]);
    return { root, undo: () => execFileSync('chmod', ['-R', 'u+w', root]) };
  }
  try {
    execFileSync('mount', ['--bind', root, root], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'remount,bind,ro', root], { stdio: 'pipe' });
    return { root, undo: () => execFileSync('umount', [root]) };
  } catch (cause) {
    return { why: `root may write everywhere, and nothing can be mounted here: ${cause.stderr}` };
  }
}

test('a full disk loses nothing that was kept', async (t) => {
  const root = scratch();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root], { stdio: 'pipe' });
  } catch (cause) {
    return t.skip(`NOT TESTED: no small disk can be mounted here: ${cause.stderr ?? cause}`);
  }
  t.after(() => execFileSync('umount', [root]));
  const store = new DirectoryStore(root);
  const memory = await EpisodicMemory.open(store);
  await memory.initTask({ description: 'Fill.' });
  await memory.startAttempt('task-001');
  let kept = 0;
  let error;
  while (!error) {
    try {
      await memory.logAction('task-001', { type: 'edit', output: 'x'.repeat(3000), params: { kept } });
      kept += 1;
    } catch (caught) {
      error = caught;
    }
  }
  assert.equal(error.code, 'store-full', error.message);
  assert.ok(kept > 20 && kept < 90, `${kept} kept`);
  // An action that was written before its counter counts.
  const written = kept + (error.details.written > 0 ? 1 : 0);
  assert.equal((await memory.queryHistory('task-001')).attempts[0].actions.length, written);
  await rejects('store-full', () => memory.logAction('task-001', { type: 'edit', output: 'x'.repeat(200_000) }));
  const history = await memory.queryHistory('task-001');
  assert.equal(history.attempts[0].actions.length, written);
  assert.deepEqual(history.findings.filter(({ rule }) => rule === 'memory/torn-line'), [], 'no part of a line stays');
  execFileSync('mount', ['-o', 'remount,size=2m', root]);
  await memory.doctor({ mend: true });
  assert.equal((await memory.doctor()).isSound, true);
  await memory.logAction('task-001', { type: 'edit' });
  assert.equal((await memory.queryHistory('task-001')).attempts[0].actions.length, written + 1);
  assert.deepEqual(readdirSync(join(root, '.hindscope')), []);
});

test('a lock that was left behind is taken over', async (t) => {
  const store = new DirectoryStore(scratch(), { staleMs: 120 });
  const lock = join(store.root, '.hindscope/lock');
  mkdirSync(join(store.root, '.hindscope'));
  const gone = spawn('true');
  await once(gone, 'exit');
  const { pid } = gone;
  // Of this machine, and gone: long before it is stale.
  let space = '';
  try {
    space = execFileSync('readlink', ['/proc/self/ns/pid'], { encoding: 'utf8' }).trim();
  } catch {
    // Only Linux has it.
  }
  const dead = JSON.stringify({ pid, host: hostname(), space, token: 'x' });
  writeFileSync(lock, dead);
  writeFileSync(join(store.root, `.hindscope/${pid}-0123456789abcdef.tmp`), 'half');
  writeFileSync(join(store.root, `.hindscope/turn-000000000000001-${pid}-0123456789abcdef.tmp`), dead);
  await (await new DirectoryStore(store.root).lock(1000))();
  assert.deepEqual(readdirSync(join(store.root, '.hindscope')), [], 'with what was not finished');
  // Of another machine, or cut off: after a while.
  for (const text of [JSON.stringify({ pid, host: 'elsewhere', space, token: 'x' }), '', '{"pid":']) {
    const written = performance.now();
    writeFileSync(lock, text);
    await rejects('store-locked', () => new DirectoryStore(store.root).lock(50));
    assert.equal(readFileSync(lock, 'utf8'), text);
    await (await store.lock(3000))();
    // At least: no machine is too slow for that.
    assert.ok(performance.now() - written > 120, 'not before');
  }
  // A process that lives says so by the time of the file, again and again.
  const release = await new DirectoryStore(store.root, { staleMs: 50 }).lock(1000);
  const { mtimeMs } = statSync(lock);
  for (let looks = 0; statSync(lock).mtimeMs === mtimeMs; looks += 1) {
    assert.ok(looks < 2000, 'the time of the lock stays');
    await new Promise((go) => setTimeout(go, 5));
  }
  await release();
  assert.ok(!existsSync(lock));
  // Its lock is not taken over. Here it says so whenever the clock is looked at, and that clock is not
  // the machine's: a busy one may let more than 120 ms pass between two beats.
  writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), space, token: 'x' }));
  let clock = 0;
  const now = t.mock.method(performance, 'now', () => {
    clock += 30;
    utimesSync(lock, clock, clock);
    return clock;
  });
  await rejects('store-locked', () => store.lock(1500));
  now.mock.restore();
});

test('a turn that writes nothing leaves nothing behind', async () => {
  const above = scratch();
  const memory = await EpisodicMemory.open(new DirectoryStore(join(above, 'a/b')));
  await rejects('no-such-task', () => memory.startAttempt('task-001'));
  assert.deepEqual(readdirSync(above), []);
  await memory.initTask({ description: 'Sort it.' });
  assert.deepEqual(readdirSync(join(above, 'a/b')).sort(), ['.hindscope', 'index', 'tasks']);
});

test('a link or file that has the name of the next one is passed over', async () => {
  const store = new DirectoryStore(scratch());
  const memory = await EpisodicMemory.open(store);
  await memory.initTask({ description: 'Sort it.' });
  symlinkSync(top, join(store.root, 'tasks/task-002'));
  writeFileSync(join(store.root, 'tasks/task-003'), '');
  assert.equal((await memory.initTask({ description: 'And that.' })).task, 'task-004');
  const { isSound, findings } = await memory.doctor();
  assert.deepEqual([isSound, findings.map(({ rule, path }) => `${rule} ${path}`).sort()], [false, ['memory/name-taken tasks/task-002', 'memory/name-taken tasks/task-003']]);
});

test('whoever has waited is let in by whoever writes without a pause', async (t) => {
  const root = scratch();
  // As where something was written: else the one that ends takes the folder of the lock with it.
  mkdirSync(join(root, '.hindscope'));
  const turns = join(scratch(), 'turns');
  const busy = spawn(process.execPath, ['--input-type=module', '-e', `
    import { appendFileSync } from 'node:fs';
    import { DirectoryStore } from ${JSON.stringify(pathToFileURL(join(consumer, 'node_modules/hindscope/memory/directory.mjs')).href)};
    const store = new DirectoryStore(${JSON.stringify(root)});
    while (performance.now() < 60_000) {
      const release = await store.lock(10_000);
      appendFileSync(${JSON.stringify(turns)}, '.');
      for (const end = performance.now() + 20; performance.now() < end; );
      await release();
    }`], { stdio: 'ignore' });
  t.after(() => busy.kill('SIGKILL'));
  const store = new DirectoryStore(root);
  const taken = () => statSync(turns, { throwIfNoEntry: false })?.size ?? 0;
  const waits = [];
  for (let n = 0; n < 5; n += 1) {
    // The other goes on first: it sleeps where it had to wait for us.
    for (const seen = taken(); taken() === seen; ) {
      assert.equal(busy.exitCode ?? busy.signalCode, null);
      await new Promise((go) => setTimeout(go, 1));
    }
    const before = taken();
    const release = await store.lock(20_000);
    waits.push(taken() - before);
    await release();
  }
  assert.ok(Math.max(...waits) < 100, `after ${waits} turns of the other`);
});

/** A file of a browser that may be written in place only, with room for so many bytes. */
class Handle {
  kind = 'file';
  bytes = new Uint8Array();

  constructor(disk) {
    this.disk = disk;
  }

  async getFile() {
    return new Blob([this.bytes]);
  }

  async createSyncAccessHandle() {
    const file = this;
    return {
      getSize: () => file.bytes.length,
      read: (into, { at }) => into.set(file.bytes.subarray(at, at + into.length)),
      write(piece, { at }) {
        const length = Math.max(file.bytes.length, at + piece.length);
        if (file.disk.used + length - file.bytes.length > file.disk.room) throw new DOMException('no room', 'QuotaExceededError');
        const after = new Uint8Array(length);
        after.set(file.bytes);
        after.set(piece, at);
        this.truncate(0);
        file.disk.used += length;
        file.bytes = after;
        return piece.length;
      },
      truncate(length) {
        file.disk.used -= file.bytes.length - length;
        file.bytes = file.bytes.slice(0, length);
      },
      flush() {},
      close() {},
    };
  }
}

class Folder {
  kind = 'directory';
  inside = new Map();

  constructor(disk) {
    this.disk = disk;
  }

  #get(name, { create = false } = {}, Made) {
    if (!this.inside.has(name)) {
      if (!create) throw new DOMException('none', 'NotFoundError');
      this.inside.set(name, new Made(this.disk));
    }
    return this.inside.get(name);
  }

  async getFileHandle(name, options) {
    return this.#get(name, options, Handle);
  }

  async getDirectoryHandle(name, options) {
    return this.#get(name, options, Folder);
  }

  async removeEntry(name) {
    this.disk.used -= this.inside.get(name)?.bytes?.length ?? 0;
    this.inside.delete(name);
  }
}

test('in a browser that writes in place, a full disk keeps the old bytes', async (t) => {
  const disk = { used: 0, room: 100 };
  const root = new Folder(disk);
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { storage: { getDirectory: async () => root } }, configurable: true });
  t.after(() => (before ? Object.defineProperty(globalThis, 'navigator', before) : delete globalThis.navigator));
  const store = new OpfsStore('memory');
  const read = async () => new TextDecoder().decode((await store.read('a')).bytes);
  await store.write('a', bytes('old'.repeat(10)), { kind: 'create' });
  await store.write('a', bytes('new'), { kind: 'replace', was: 30 });
  assert.equal(await read(), 'new');
  await store.write('a', bytes('old'.repeat(10)), { kind: 'replace', was: 3 });
  // The draft beside it fits, and the file in its place no more.
  disk.room = disk.used + 50;
  await rejects('store-full', () => store.write('a', bytes('x'.repeat(45)), { kind: 'replace', was: 30 }));
  assert.equal(await read(), 'old'.repeat(10));
});

test('whoever lost the lock writes no more', async () => {
  const store = new DirectoryStore(scratch());
  const release = await store.lock(1000);
  await store.write('a', bytes('x'), { kind: 'create' });
  writeFileSync(join(store.root, '.hindscope/lock'), 'another');
  await rejects('memory-conflict', () => store.write('a', bytes('y'), { kind: 'append', was: 1 }));
  await release();
  assert.equal(readFileSync(join(store.root, '.hindscope/lock'), 'utf8'), 'another', 'it is not ours');
  assert.equal(readFileSync(join(store.root, 'a'), 'utf8'), 'x');
});

test('what a disk says becomes a code', async () => {
  const codes = {
    ENOSPC: 'store-full', EDQUOT: 'store-full', EFBIG: 'store-full', EACCES: 'store-denied', EPERM: 'store-denied', EROFS: 'store-denied',
    ELOOP: 'path-refused', ENAMETOOLONG: 'path-refused', EIO: 'store-failed', undefined: 'store-failed',
    // As browsers say it.
    QuotaExceededError: 'store-full', NotAllowedError: 'store-denied', NoModificationAllowedError: 'store-denied', SecurityError: 'store-denied',
    InvalidStateError: 'store-failed',
  };
  for (const [said, code] of Object.entries(codes)) {
    const says = (at) => (said.endsWith('Error') ? new DOMException(`${said} at ${at}`, said) : Object.assign(new Error(`${said}: no`), { code: said }));
    const inner = new InMemoryStore();
    const memory = await EpisodicMemory.open(inner);
    await memory.initTask({ description: 'x' });
    await memory.startAttempt('task-001');
    const before = await tree(inner);
    const broken = {
      read: (...asked) => inner.read(...asked),
      list: (path) => inner.list(path),
      lock: (ms) => inner.lock(ms),
      write: (path) => {
        throw says(path);
      },
    };
    const other = await EpisodicMemory.open(broken);
    const error = await rejects(code, () => other.logAction('task-001', { type: 'edit' }));
    assert.equal(error.details.written, 0);
    assert.match(error.message, /Nothing was written\.$/);
    assert.deepEqual(await tree(inner), before);
    // What cannot be locked is not written, and what cannot be read is reported: neither is an empty memory.
    const closed = await EpisodicMemory.open({ ...broken, lock: () => Promise.reject(says('the lock')) });
    await rejects(code, () => closed.logAction('task-001', { type: 'edit' }));
    const blind = await EpisodicMemory.open({ ...broken, read: (path) => Promise.reject(says(path)) });
    const unread = await rejects('memory-unreadable', () => blind.queryHistory('task-001'));
    assert.ok(unread.cause.message.includes(says('').message.trim()) || unread.cause.message.includes(said), unread.cause.message);
    await rejects('memory-unreadable', () => blind.startAttempt('task-001'));
    assert.deepEqual(await tree(inner), before);
  }
});
