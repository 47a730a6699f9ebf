// Whatever is interrupted, what was kept is found again: random protocols that stop at every write, torn
// lines, the doctor, and processes that are killed while they log.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { random } from '../random.mjs';
import { consumer, hindscope } from './installed.mjs';
import { clock, faults, keeps, oddities, protocol, labelsOf } from './memory-protocol.mjs';
import { importedEntry, scratch } from './package.mjs';

const { EpisodicMemory, openHistory } = hindscope;
const { DirectoryStore } = await importedEntry(consumer, 'hindscope/stores/directory');
const { InMemoryStore } = await importedEntry(consumer, 'hindscope/stores/memory');

/** The power is gone: nothing that comes later is written. */
class Outage extends Error {}

/** A store that stops at a write, before it or in the middle of an append. */
class Fragile {
  constructor(inner, stopAt = Infinity, isTorn = false) {
    Object.assign(this, { inner, stopAt, isTorn, writes: 0, isTearing: false });
  }

  read(...asked) {
    return this.inner.read(...asked);
  }

  list(path) {
    return this.inner.list(path);
  }

  stamp(path) {
    return this.inner.stamp(path);
  }

  lock(ms) {
    return this.inner.lock(ms);
  }

  write(path, bytes, how) {
    if (this.writes > this.stopAt) throw new Outage();
    this.writes += 1;
    if (this.writes <= this.stopAt) return this.inner.write(path, bytes, how);
    if (this.isTorn && how.kind === 'append') {
      this.isTearing = true;
      this.inner.write(path, bytes.subarray(0, Math.ceil(bytes.length / 2)), how);
    }
    throw new Outage();
  }
}

const items = (store) => Array.from(store.entries(), ([path, data]) => ({ name: `memory/${path}`, data }));

async function crashes(seed, length) {
  const steps = protocol(seed, length);
  const whole = new Fragile(new InMemoryStore());
  const first = await EpisodicMemory.open(whole, { now: clock(seed) });
  for (const step of steps) await step.call(first);
  assert.deepEqual(oddities(items(whole.inner)), [], `seed ${seed}, uninterrupted`);
  let count = 0;
  for (let stopAt = 0; stopAt < whole.writes; stopAt += 1) {
    for (const isTorn of [false, true]) {
      const where = `seed ${seed}, write ${stopAt + 1} of ${whole.writes}${isTorn ? ', torn' : ''}`;
      const inner = new InMemoryStore();
      const fragile = new Fragile(inner, stopAt, isTorn);
      const memory = await EpisodicMemory.open(fragile, { now: clock(seed) });
      let at = 0;
      let stopped;
      for (; at < steps.length; at += 1) {
        try {
          await steps[at].call(memory);
        } catch (error) {
          stopped = error;
          break;
        }
      }
      assert.equal(stopped?.code, 'store-failed', where);
      if (isTorn && !fragile.isTearing) continue;
      count += 1;
      // Another process comes, and looks after it.
      const later = await EpisodicMemory.open(inner, { now: clock(seed + 1) });
      await later.doctor({ mend: true });
      assert.deepEqual(faults(await later.doctor()), [], where);
      const acknowledged = steps.slice(0, at).filter(keeps).map(({ label }) => label);
      const history = await labelsOf(later, inner);
      const lost = acknowledged.filter((label) => !history.has(label));
      assert.deepEqual(lost, [], `${where}: lost`);
      const own = steps[at];
      const extra = [...history].filter((label) => /^m\d+$/.test(label) && !acknowledged.includes(label));
      const isThere = keeps(own) && history.has(own.label);
      assert.deepEqual(extra, isThere ? [own.label] : [], `${where}: more than was written`);
      // What is new stands in the first write.
      if (keeps(own)) assert.equal(isThere, stopped.details.written > 0, `${where}: ${stopped.message}`);
      // It goes on where it stopped.
      for (const step of steps.slice(stopped.details.written > 0 ? at + 1 : at)) await step.call(later);
      const end = await labelsOf(later, inner);
      assert.deepEqual(steps.filter(keeps).map(({ label }) => label).filter((label) => !end.has(label)), [], `${where}: in the end`);
      assert.deepEqual(faults(await later.doctor()), [], `${where}: in the end`);
      assert.deepEqual(oddities(items(inner)), [], `${where}: opened`);
    }
  }
  return count;
}

const SEEDS = Array.from({ length: 6 }, (_, at) => at + 1);

for (const seed of SEEDS) {
  test(`the history read is the history kept, wherever it stops: seed ${seed}`, async () => {
    const count = await crashes(seed, 18);
    assert.ok(count > 30, `${count} crashes`);
  });
}

const AGENT = `import { EpisodicMemory } from 'hindscope/memory';
import { DirectoryStore } from 'hindscope/stores/directory';
const [root, who, count] = process.argv.slice(2);
const memory = await EpisodicMemory.open(new DirectoryStore(root, { flush: false }));
process.stdout.write('ready\\n');
for (let n = 0; n < Number(count); n += 1) {
  const own = n % 5 === 4 ? \`task-00\${2 + Number(who)}\` : 'task-001';
  await memory.logAction(own, { type: 'edit', params: { who, n }, output: 'x'.repeat(n % 300) });
  process.stdout.write(\`\${n}\\n\`);
}
`;
writeFileSync(join(consumer, 'agent.mjs'), AGENT);

function agent(root, who, count) {
  const child = spawn('node', ['agent.mjs', root, String(who), String(count)], { cwd: consumer, stdio: ['ignore', 'pipe', 'pipe'] });
  const own = { child, logged: [], said: '' };
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    own.logged.push(...lines.filter((line) => line !== 'ready').map(Number));
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (own.said += text));
  own.ended = new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)));
  return own;
}

async function shared() {
  const store = new DirectoryStore(join(scratch(), 'memory'));
  const memory = await EpisodicMemory.open(store);
  for (const description of ['Both.', 'One.', 'Another.']) {
    const { task } = await memory.initTask({ description });
    await memory.startAttempt(task);
  }
  return { store, memory };
}

async function found(memory) {
  const all = { 0: [], 1: [] };
  for (const task of ['task-001', 'task-002', 'task-003']) {
    const { attempts } = await memory.queryHistory(task);
    for (const { params } of attempts[0].actions) all[params.who].push(params.n);
  }
  for (const list of Object.values(all)) list.sort((a, b) => a - b);
  return all;
}

test('two processes that log at once lose nothing', async () => {
  const { store, memory } = await shared();
  const count = 150;
  const agents = [agent(store.root, 0, count), agent(store.root, 1, count)];
  for (const own of agents) assert.equal(await own.ended, 0, own.said);
  const numbers = Array.from({ length: count }, (_, n) => n);
  assert.deepEqual(await found(memory), { 0: numbers, 1: numbers });
  const health = await memory.doctor();
  assert.deepEqual([health.isSound, health.actions, faults(health)], [true, 2 * count, []]);
  const history = openHistory(store.root);
  assert.deepEqual(history.findings().map(({ rule }) => rule), []);
  history.free();
});

test('a process that is killed while it logs loses at most what it was writing', async (t) => {
  const { memory, store } = await shared();
  const next = random(7);
  let kept = { 0: [], 1: [] };
  for (let round = 0; round < 6; round += 1) {
    const agents = [agent(store.root, 0, 10_000), agent(store.root, 1, 10_000)];
    t.after(() => agents.forEach(({ child }) => child.kill('SIGKILL')));
    while (agents.some(({ logged }) => logged.length < 5)) {
      for (const { child, said } of agents) assert.equal(child.exitCode ?? child.signalCode, null, said);
      await new Promise((go) => setTimeout(go, 5));
    }
    await new Promise((go) => setTimeout(go, next(40)));
    for (const { child } of agents) child.kill('SIGKILL');
    for (const own of agents) assert.equal(await own.ended, 'SIGKILL', own.said);
    await memory.doctor({ mend: true });
    const health = await memory.doctor();
    assert.deepEqual(faults(health), [], `round ${round}`);
    const now = await found(memory);
    for (const [who, { logged }] of agents.entries()) {
      const earlier = [...kept[who]];
      const own = now[who].filter((n) => {
        const at = earlier.indexOf(n);
        if (at >= 0) earlier.splice(at, 1);
        return at < 0;
      });
      assert.deepEqual(earlier, [], `round ${round}: gone from ${who}`);
      const isOneMore = own.length === logged.length + 1 && own.at(-1) === logged.length;
      assert.ok(isOneMore || own.length === logged.length, `round ${round}: ${who} said ${logged.length} and kept ${own.length}`);
      assert.deepEqual(own.slice(0, logged.length), logged, `round ${round}: ${who}`);
    }
    kept = now;
  }
});
