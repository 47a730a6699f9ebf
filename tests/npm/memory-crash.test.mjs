// Whatever is interrupted, what was kept is found again: random protocols that stop at every write, torn
// lines, the doctor, and processes that are killed while they log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../random.mjs';
import { consumer, hindscope } from './installed.mjs';
import { WrittenMemory } from './killed-writers.mjs';
import { clock, faults, keeps, oddities, protocol, labelsOf } from './memory-protocol.mjs';
import { importedEntry } from './package.mjs';

const { EpisodicMemory, openHistory } = hindscope;
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

test('two processes that log at once lose nothing', async () => {
  const written = await WrittenMemory.open(2);
  const count = 150;
  const writers = [0, 1].map((who) => written.start(who, count));
  for (const writer of writers) assert.equal(await writer.ended, 0, writer.said);
  assert.deepEqual(await written.outcome(), { acknowledged: 2 * count, lost: [], doubled: [], torn: [] });
  const health = await written.memory.doctor();
  assert.deepEqual([health.isSound, health.actions], [true, 2 * count]);
  const history = openHistory(written.store.root);
  assert.deepEqual(history.findings().map(({ rule }) => rule), []);
  history.free();
});

for (const [victims, of] of [[2, 2], [1, 3]]) {
  test(`of ${of} processes ${victims} are killed while they log: each loses at most what it was writing`, async (t) => {
    const written = await WrittenMemory.open(of);
    t.after(() => written.stop());
    const next = random(7);
    for (let round = 0; round < 6; round += 1) {
      await written.round(victims, next);
      if (written.living.length > 0 && round < 5) continue;
      await written.stop();
      const { acknowledged, ...wrong } = await written.outcome();
      assert.deepEqual(wrong, { lost: [], doubled: [], torn: [] }, `round ${round}`);
      assert.ok(acknowledged >= 5 * (round + 1) * victims, `${acknowledged} calls`);
    }
  });
}
