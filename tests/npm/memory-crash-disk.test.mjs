// The store of a folder, stopped at every change of the disk: what was kept is found again.
import { disk } from './disk.mjs';
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumer, hindscope } from './installed.mjs';
import { clock, faults, keeps, oddities, protocol, labelsOf } from './memory-protocol.mjs';
import { rarely } from '../faces.mjs';
import { importedEntry, scratch } from './package.mjs';

const { EpisodicMemory } = hindscope;
const { DirectoryStore } = await importedEntry(consumer, 'hindscope/stores/directory');

/** Makes a step, up to a change of the disk; gives how many there were, and why it ended. */
async function made(step, root, now, stopAt, how) {
  Object.assign(disk, { root, stopAt, how, count: 0, isOver: false, isTorn: false });
  let stopped;
  try {
    await step.call(await EpisodicMemory.open(new DirectoryStore(root), { now }));
  } catch (cause) {
    stopped = cause;
  }
  disk.root = undefined;
  return { stopped, count: disk.count, isTorn: disk.isTorn };
}

/** The process that kept the lock is this one, which lives: it is made one that does not. */
function bury(root) {
  const lock = join(root, '.hindscope/lock');
  if (!existsSync(lock)) return;
  try {
    const owner = JSON.parse(readFileSync(lock, 'utf8'));
    writeFileSync(lock, JSON.stringify({ ...owner, pid: 999_999_999 }));
  } catch {
    // A part of a lock is taken over when it is stale.
  }
}

async function crashes(seed, length) {
  const steps = protocol(seed, length);
  const now = clock(seed);
  const root = join(scratch(), 'memory');
  const copy = join(scratch(), 'memory');
  const kept = [];
  const counts = { stops: 0, fails: 0, tears: 0 };
  for (const [at, step] of steps.entries()) {
    await stoppedAnywhere(step, at, existsSync(root));
    const { stopped } = await made(step, root, now, Infinity, 'stops');
    assert.equal(stopped, undefined, `step ${at}`);
    if (keeps(step)) kept.push(step.label);
  }
  return counts;

  /** Stops a step at each of its changes, on a copy of what was there before it. */
  async function stoppedAnywhere(step, at, isThere) {
    for (let stopAt = 0; ; stopAt += 1) {
      for (const how of ['tears', 'fails', 'stops']) {
        const where = `seed ${seed}, step ${at} (${step.what}), change ${stopAt} ${how}`;
        rmSync(copy, { recursive: true, force: true });
        if (isThere) cpSync(root, copy, { recursive: true });
        const { stopped, count, isTorn } = await made(step, copy, now, stopAt, how);
        if (count <= stopAt) {
          assert.equal(stopped, undefined, where);
          return;
        }
        if (how === 'tears' && !isTorn) continue;
        counts[how] += 1;
        await looked(step, where, stopped);
      }
    }
  }

  /** Another process comes, looks after it, and goes on. */
  async function looked(step, where, stopped) {
    bury(copy);
    const store = new DirectoryStore(copy, { staleMs: 20, flush: false });
    const later = await EpisodicMemory.open(store, { now });
    await later.doctor({ mend: true });
    assert.deepEqual(faults(await later.doctor()), [], where);
    const history = [...(await labelsOf(later, store))].filter((label) => /^m\d+$/.test(label));
    assert.deepEqual(kept.filter((label) => !history.includes(label)), [], `${where}: lost`);
    const extra = history.filter((label) => !kept.includes(label));
    const isKept = keeps(step) && extra.includes(step.label);
    assert.deepEqual(extra, isKept ? [step.label] : [], `${where}: more than was written`);
    // What is said to be written is there, and what was acknowledged, too.
    if (keeps(step) && (stopped === undefined || stopped.details?.written > 0)) assert.ok(isKept, `${where}: ${stopped?.message}`);
    if (!isKept) await step.call(later);
    const end = await labelsOf(later, store);
    assert.ok(!keeps(step) || end.has(step.label), `${where}: in the end`);
    assert.deepEqual(faults(await later.doctor()), [], `${where}: in the end`);
    assert.deepEqual(oddities(copy), [], `${where}: opened`);
  }
}

// Together they have a step of each kind; the second one is three times as long.
for (const [seed, length, options] of [[2, 3], [5, 7, rarely]]) {
  test(`a folder has what was kept, wherever the disk stops: seed ${seed}`, options, async () => {
    const { stops, fails, tears } = await crashes(seed, length);
    assert.ok(stops > 60 && fails === stops && tears > 10, `${stops} stops, ${fails} failures, ${tears} torn`);
  });
}
