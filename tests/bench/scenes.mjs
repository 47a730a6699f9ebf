// What the page is timed with: histories written once into a folder and kept for the next time.

import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Attempts of a loop whose records are files of their own. */
const EACH = 10;

const VERSION = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url))).digest('hex').slice(0, 12);

/** A file or folder that `write` makes unless it is there already; a half-written one never counts. */
async function kept(folder, name, write) {
  const place = path.join(folder, `${VERSION}-${name}`);
  if (existsSync(place)) return place;
  mkdirSync(folder, { recursive: true });
  const part = `${place}.part`;
  rmSync(part, { recursive: true, force: true });
  await write(part);
  renameSync(part, place);
  return place;
}

/** A record with everything that the schema asks for, as short as it can be. */
const record = (loop, iteration, reward, passed = false) => ({
  loop_id: loop,
  iteration,
  timestamp: '2026-03-01T09:00:00Z',
  actor_output: { actions: [], rationale: 'Again.' },
  evaluator_output: { passed, verification_type: 'unit_tests', reward_signal: reward },
  self_reflection: { reflection_text: 'The cache was stale once more, so I clear it before the next attempt.' },
  memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
});

/** One run of so many iterations: a slow wave, a fast one, and spikes that must not be lost. */
export function longRun(points, folder) {
  const reward = (n) =>
    n % 9001 === 0 ? 0 : Math.round((0.5 + 0.3 * Math.sin(n / 900) + 0.15 * Math.sin(n * 2.3)) * 1000) / 1000;
  return kept(folder, `long-${points}.jsonl`, (file) => {
    const lines = Array.from({ length: points }, (_, n) => JSON.stringify(record('ralph-long', n + 1, reward(n + 1), (n + 1) % 7 === 0)));
    writeFileSync(file, lines.join('\n'));
  });
}

/** So many records, each a run of its own: the longest list that so many records can make. */
export function manyRuns(count, folder) {
  return kept(folder, `runs-${count}.jsonl`, async (file) => {
    const out = createWriteStream(file);
    for (let from = 0; from < count; from += 10_000) {
      const size = Math.min(10_000, count - from);
      const lines = Array.from({ length: size }, (_, at) => {
        const n = from + at + 1;
        return `${JSON.stringify(record(`ralph-${String(n).padStart(7, '0')}`, 1, (n % 101) / 100, n % 3 === 0))}\n`;
      });
      if (!out.write(lines.join(''))) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
  });
}

/** A folder of so many files of one record each. */
export function manyFiles(count, folder) {
  return kept(folder, `files-${count}`, (place) => {
    for (let at = 0; at < count; at += 1) {
      const [loop, iteration] = [Math.floor(at / EACH), (at % EACH) + 1];
      const inside = path.join(place, `loop-${loop}`);
      if (iteration === 1) mkdirSync(inside, { recursive: true });
      const text = JSON.stringify(record(`ralph-${loop}`, iteration, iteration / EACH, iteration === EACH));
      writeFileSync(path.join(inside, `${String(iteration).padStart(3, '0')}.json`), text);
    }
  });
}

/** Two hundred runs and more over the same tasks, as trials of one experiment. */
export function trials(tasks, folder) {
  return kept(folder, `trials-${tasks}`, (place) => {
    mkdirSync(place, { recursive: true });
    for (let trial = 0; trial < 12; trial += 1) {
      const rows = Array.from({ length: tasks }, (_, at) => ({
        name: `env_${at}`,
        memory: Array.from({ length: trial }, (_, n) => `In trial ${n} I took the wrong drawer.`),
        is_success: trial > at % 14,
      }));
      writeFileSync(path.join(place, `env_results_trial_${trial}.json`), JSON.stringify(rows));
    }
  });
}
