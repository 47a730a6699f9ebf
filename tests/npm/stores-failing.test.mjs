// Stores that fail on the way to a lock, or while they read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { project, scratch } from './package.mjs';

const installed = join(project(), 'node_modules/hindscope');
const { DirectoryStore } = await import(pathToFileURL(join(installed, 'memory/directory.mjs')));
const { Lease } = await import(pathToFileURL(join(installed, 'memory/lease.mjs')));
const { OpfsStore } = await import(pathToFileURL(join(installed, 'memory/opfs.mjs')));

test('a draft that cannot be removed does not keep others from the lock', async () => {
  const store = new DirectoryStore(scratch());
  const own = join(store.root, '.hindscope');
  const dead = (token) => join(own, `999999999-${token.repeat(16)}.tmp`);
  mkdirSync(dead('0'), { recursive: true });
  writeFileSync(dead('1'), 'half');
  for (let turn = 0; turn < 2; turn += 1) await (await store.lock(1000))();
  assert.deepEqual(readdirSync(own), ['999999999-0000000000000000.tmp']);
});

test('the turn of a process on another machine is not swept away', async () => {
  const store = new DirectoryStore(scratch());
  const own = join(store.root, '.hindscope');
  const turn = 'turn-000000000000001-999999999-0000000000000000.tmp';
  mkdirSync(own);
  writeFileSync(join(own, turn), JSON.stringify({ pid: 999999999, host: 'elsewhere', space: '', token: 'x' }));
  await (await store.lock(1000))();
  assert.deepEqual(readdirSync(own), [turn]);
});

test('an empty lock, left in the middle of being written, is soon taken over', async () => {
  const store = new DirectoryStore(scratch());
  mkdirSync(join(store.root, '.hindscope'));
  writeFileSync(join(store.root, '.hindscope/lock'), '');
  // A lock that names its owner would be stale after 15 s only.
  await (await store.lock(10_000))();
});

test('what is no file in the place of the lock is refused, and not waited for', { skip: process.platform === 'win32', timeout: 60_000 }, async () => {
  const makers = [(path) => execFileSync('mkfifo', [path]), (path) => mkdirSync(path), (path) => symlinkSync('elsewhere', path)];
  for (const make of makers) {
    const store = new DirectoryStore(scratch());
    const own = join(store.root, '.hindscope');
    mkdirSync(own);
    make(join(own, 'lock'));
    await assert.rejects(() => store.lock(10_000), ({ code, message }) => code === 'path-refused' && message.includes('lock'));
    assert.deepEqual(readdirSync(own), ['lock'], 'nothing else is left');
  }
});

test('who writes for long hands the lock over to who waits', async () => {
  const root = scratch();
  const lock = join(root, '.hindscope/lock');
  const release = await new DirectoryStore(root).lock(1000);
  const own = readFileSync(lock, 'utf8');
  const waiting = [1, 2].map(() => new DirectoryStore(root).lock(10_000));
  await new Promise((go) => setTimeout(go, 100));
  await release();
  const next = readFileSync(lock, 'utf8');
  assert.notEqual(next, own, 'there is no moment without an owner');
  // Either may be the next.
  await Promise.all(waiting.map((taken) => taken.then((free) => free())));
  assert.ok(!existsSync(lock));
});

test('a folder that is taken away again and again ends no wait', async () => {
  const folder = join(scratch(), 'own');
  const unmade = () => {
    throw Object.assign(new Error('gone'), { code: 'ENOENT' });
  };
  const lease = new Lease(folder, 15_000, 'here');
  /** Takes the lock; the folder is there from the turn `made` on, and making it fails before `failing`. */
  const take = async (waitMs, made, failing = 0) => {
    let turns = 0;
    const prepare = () => {
      turns += 1;
      if (turns <= failing) unmade();
      if (turns >= made) mkdirSync(folder, { recursive: true });
    };
    const taken = lease.take(waitMs, { prepare, leave: () => rmSync(folder, { recursive: true, force: true }) });
    return taken.then((release) => release(), ({ code }) => code).then((code) => [code, turns]);
  };
  assert.deepEqual(await take(5000, 40), [undefined, 40], 'taken away by others');
  assert.deepEqual(await take(0, 5), [undefined, 5], 'who does not wait tries a few times');
  assert.deepEqual(await take(5000, 4, 4), [undefined, 5], 'while it is made, too');
  assert.deepEqual(await take(5000, 99, Infinity), ['ENOENT', 5], 'cannot be made');
  const [code, turns] = await take(50, Infinity);
  assert.ok(code === 'ENOENT' && turns >= 5, 'the wait has an end');
  assert.ok(!existsSync(folder));
});

/** A private file system whose folders cannot be listed, and the locks of a browser. */
function browser(t, folder) {
  let last = Promise.resolve();
  const locks = {
    request(name, options, keep) {
      last = last.then(keep);
      return last;
    },
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { storage: { getDirectory: async () => folder }, locks }, configurable: true });
  t.after(() => (before ? Object.defineProperty(globalThis, 'navigator', before) : delete globalThis.navigator));
}

const gone = () => {
  throw new DOMException('gone', 'InvalidStateError');
};

test('a browser gives the lock back where sweeping fails', async (t) => {
  const folder = { keys: gone, getDirectoryHandle: async () => folder };
  browser(t, folder);
  const store = new OpfsStore('memory');
  await assert.rejects(() => store.lock(1000), /gone/);
  await (await store.lock(1000))();
});

test('what cannot be read is not said to be written', async (t) => {
  const folder = { entries: gone, getDirectoryHandle: async () => folder, getFileHandle: async () => gone() };
  browser(t, folder);
  const private_ = new OpfsStore('memory');
  await assert.rejects(async () => private_.read('a'), /^HindscopeError: Cannot read a, the store failed: gone$/);
  await assert.rejects(async () => private_.list('a'), /^HindscopeError: Cannot read a,/);
  const store = new DirectoryStore(scratch());
  writeFileSync(join(store.root, 'a'), 'x');
  const long = 'x'.repeat(300);
  for (const call of [() => store.read(long), () => store.list('a')]) {
    await assert.rejects(async () => call(), /^HindscopeError: Cannot read .*, /);
  }
  const release = await store.lock(1000);
  await assert.rejects(() => store.write(long, new Uint8Array(1), { kind: 'create' }), /^HindscopeError: Cannot write .*, /);
  await release();
});
