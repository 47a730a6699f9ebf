// Kills one of several processes that write to one episodic memory, again and again, and counts what was kept.
//
//   cargo xtask bench kills [--count 1000] [--writers 8] [--seed 1] [--json]
//
// In each round all writers write, and one is killed at a random moment. After every 100 rounds, and at the end, all are
// killed, a doctor mends the memory, and every call is looked for in it; the next rounds have a new memory, since
// looking takes as long as the memory is large. It ends with 1 if anything acknowledged is lost or doubled, or anything
// is torn.
import { parseArgs } from 'node:util';
import { WrittenMemory } from '../npm/killed-writers.mjs';
import { random } from '../random.mjs';

/** So many rounds have one memory. */
const PART = 100;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    writers: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const [count, writers, seed] = [values.count, values.writers, values.seed].map(Number);
if (![count, writers].every((value) => Number.isSafeInteger(value) && value > 0) || !Number.isSafeInteger(seed)) {
  console.error('bench: --count and --writers take a number from 1, --seed a whole number');
  process.exit(2);
}

const next = random(seed);
const all = { rounds: 0, killed: 0, acknowledged: 0, lost: 0, doubled: 0, torn: 0 };
while (all.rounds < count) {
  const written = await WrittenMemory.open(writers);
  const part = Math.min(PART, count - all.rounds);
  for (let round = 0; round < part; round += 1) await written.round(1, next);
  await written.stop();
  const { acknowledged, ...wrong } = await written.outcome();
  all.rounds += part;
  all.killed += written.writers.length;
  all.acknowledged += acknowledged;
  for (const [name, list] of Object.entries(wrong)) {
    all[name] += list.length;
    for (const one of list.slice(0, 20)) console.error(`bench: ${name} before round ${all.rounds}: ${one}`);
  }
  if (process.stderr.isTTY) console.error(`bench: ${all.rounds} of ${count} rounds`);
}
if (values.json) console.log(JSON.stringify(all));
else console.log(Object.entries(all).map(([name, value]) => `${name} ${value}`).join(', '));
process.exitCode = all.lost + all.doubled + all.torn > 0 ? 1 : 0;
