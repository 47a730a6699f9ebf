// The tree of an episodic memory, of the size that it is measured with: each task with 5 attempts of 200
// actions.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { random } from '../random.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** By way of cjs/, where Node finds all parts of it: one HindscopeError, one wasm. */
export const part = (name) => import(pathToFileURL(path.join(process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope'), 'cjs', name)));

export const [ATTEMPTS, ACTIONS] = [5, 200];
/** Tasks that are made by the protocol; the others are these with other words. */
const MODELS = 6;

const WORDS = 'cache lock index build token expiry parser retry schema table queue socket thread buffer branch merge deploy config proxy header cookie render layout style event timer worker stream chunk shard quota signal kernel driver module import export linter format border margin column record reward window prompt budget sample metric latency tracer logger secret rotate backup restore mirror replica leader follower quorum ledger invoice tariff basket voucher courier parcel depot harbor anchor ballast'.split(' ');

export const next = random(42);
export const words = (n) => Array.from({ length: n }, () => WORDS[next(WORDS.length)]).join(' ');
export const name = (n) => `task-${String(n).padStart(3, '0')}`;

/** Files of one task, by the protocol itself. */
async function model(n) {
  const { EpisodicMemory } = await part('memory/node.mjs');
  const { InMemoryStore } = await part('memory/inmemory.mjs');
  const store = new InMemoryStore();
  let ms = Date.UTC(2026, 2, 1 + n);
  const memory = await EpisodicMemory.open(store, { now: () => (ms += 1000) });
  await memory.initTask({ description: 'DESCRIPTION', tags: ['bench'] });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await memory.startAttempt('task-001', { agent: 'coder', plan: { approach: `Approach ${attempt}.`, steps: ['measure', 'change', 'check'] } });
    for (let action = 0; action < ACTIONS; action += 1) {
      await memory.logAction('task-001', {
        type: ['read', 'edit', 'bash'][action % 3],
        iteration: 1 + Math.floor(action / 20),
        params: { file_path: `src/${words(1)}/${words(1)}.rs`, range: [action, action + 40] },
        success: next(5) > 0,
        output: `${words(8)}.`,
        reasoning: `The ${words(3)} may be the cause.`,
        expected_outcome: `${words(4)} passes`,
      });
    }
    const outcome = attempt === ATTEMPTS ? 'success' : 'failure';
    await memory.completeAttempt('task-001', { outcome, reason: 'checks', finalQuality: attempt / ATTEMPTS, reflection: { learning: 'LEARNING', actionItems: ['ITEM'] } });
  }
  return Array.from(store.entries(), ([file, bytes]) => [file, new TextDecoder().decode(bytes)]);
}

/** Writes so many tasks; returns the numbers of bytes and files. */
export async function writeTree(root, tasks) {
  rmSync(root, { recursive: true, force: true });
  const models = [];
  for (let n = 0; n < MODELS; n += 1) models.push(await model(n));
  let bytes = 0;
  let files = 0;
  const put = (file, text) => {
    writeFileSync(path.join(root, file), text);
    bytes += text.length;
    files += 1;
  };
  for (let n = 1; n <= tasks; n += 1) {
    const id = name(n);
    const folder = path.join(root, 'tasks', id);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) mkdirSync(path.join(folder, `attempts/00${attempt}`), { recursive: true });
    for (const [file, text] of models[n % MODELS]) {
      if (file.startsWith('index/')) continue;
      const own = text.replaceAll('task-001', id);
      const isSmall = own.length < 20_000;
      put(file.replace('task-001', id), isSmall ? own.replaceAll(/DESCRIPTION|LEARNING|ITEM/g, (word) => words(word === 'LEARNING' ? 12 : 6)) : own);
    }
  }
  mkdirSync(path.join(root, 'index'));
  const ids = Array.from({ length: tasks }, (_, n) => name(n + 1));
  put('index/by-status.json', JSON.stringify({ completed: ids }));
  put('index/by-agent.json', JSON.stringify({ coder: ids }));
  return { bytes, files };
}
