// How fast an episodic memory in a folder is: asking one task, searching all of them, writing, and
// opening the tree as a history.
//
//   node --expose-gc tests/bench/memory.mjs [--json] [--tasks 200] [--full] [--rounds 3] [--keep]
//       [--skip-open]
//
// Each task has 5 attempts of 200 actions. --full is the 10,000 tasks of the specification: 240,000
// files, 3 GB, some minutes to write. `cold` means that the cache of the system was dropped first, where
// this process may do so, and else that nothing of the task was read by it before.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
const [ATTEMPTS, ACTIONS] = [5, 200];
/** Tasks that are made by the protocol; the others are these with other words. */
const MODELS = 6;
/** Tasks that are asked. */
const ASKED = 400;

// `--files` and `--mb` are for the other benchmarks that `cargo xtask bench` calls with the same arguments.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tasks: { type: 'string', default: '200' },
    full: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'skip-open': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    files: { type: 'string' },
    mb: { type: 'string' },
  },
});
const tasks = values.full ? 10_000 : Number(values.tasks);
const rounds = Number(values.rounds);
if (!(Number.isInteger(tasks) && tasks > 0 && Number.isInteger(rounds) && rounds > 0)) {
  console.error('bench: --tasks and --rounds take whole numbers');
  process.exit(2);
}

// By way of cjs/, where Node finds both: one HindscopeError, one wasm.
const { EpisodicMemory, openHistory } = await import(pathToFileURL(path.join(PACKAGE, 'cjs/node.mjs')));
const { DirectoryStore } = await import(pathToFileURL(path.join(PACKAGE, 'cjs/directory.mjs')));
const { InMemoryStore } = await import(pathToFileURL(path.join(PACKAGE, 'cjs/inmemory.mjs')));

const WORDS = 'cache lock index build token expiry parser retry schema table queue socket thread buffer branch merge deploy config proxy header cookie render layout style event timer worker stream chunk shard quota signal kernel driver module import export linter format border margin column record reward window prompt budget sample metric latency tracer logger secret rotate backup restore mirror replica leader follower quorum ledger invoice tariff basket voucher courier parcel depot harbor anchor ballast'.split(' ');

/** mulberry32: the same numbers for the same seed. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const next = random(42);
const words = (n) => Array.from({ length: n }, () => WORDS[next(WORDS.length)]).join(' ');
const name = (n) => `task-${String(n).padStart(3, '0')}`;

/** Files of one task, by the protocol itself. */
async function model(n) {
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

async function write(root) {
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

/** Makes the system forget what it has read, where it lets this process. */
function drop() {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

const rows = [];

function tell(name, times, note = '') {
  const sorted = Float64Array.from(times).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const row = { name, calls: times.length, p50: at(0.5), p99: at(0.99), ...(note && { note }) };
  rows.push(row);
  const ms = (value) => `${value.toFixed(value < 100 ? 2 : 0)} ms`.padStart(12);
  if (!values.json) console.log(`${name.padEnd(46)}${ms(row.p50)}${times.length > 1 ? ms(row.p99) : ''.padStart(12)}  ${note}`);
}

async function timed(calls, call) {
  const times = [];
  for (const given of calls) {
    const start = performance.now();
    await call(given);
    times.push(performance.now() - start);
  }
  return times;
}

/** What people would write: every file of the task, parsed. */
function byHand(root, id) {
  const folder = path.join(root, 'tasks', id);
  const json = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const lines = (file) => readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  const told = { metadata: json('metadata.json'), summary: json('summary.json'), trajectory: json('trajectory.json'), reflections: lines('reflections.jsonl') };
  told.attempts = readdirSync(path.join(folder, 'attempts')).sort().map((number) => ({
    record: json(`attempts/${number}/attempt.json`),
    ending: json(`attempts/${number}/outcome.json`),
    plan: readFileSync(path.join(folder, `attempts/${number}/plan.md`), 'utf8'),
    actions: lines(`attempts/${number}/actions.jsonl`),
  }));
  return told;
}

const root = path.join(FOLDER, `memory-${tasks}`);
const start = performance.now();
const { bytes, files } = await write(root);
const made = (performance.now() - start) / 1000;
const size = `${tasks.toLocaleString('en')} tasks, ${ATTEMPTS} attempts each, ${ACTIONS} actions each: ${files.toLocaleString('en')} files, ${Math.round(bytes / 1e6).toLocaleString('en')} MB, written in ${made.toFixed(0)} s`;
if (!values.json) console.log(`\n${size}\n\n${''.padEnd(46)}${'p50'.padStart(12)}${'p99'.padStart(12)}`);

const asked = Array.from({ length: Math.min(ASKED, tasks) }, () => name(1 + next(tasks)));
const open = () => EpisodicMemory.open(new DirectoryStore(root));
const memory = await open();
const all = async (id) => {
  const { attempts } = await memory.queryHistory(id);
  const actions = attempts.reduce((sum, attempt) => sum + attempt.actions.length, 0);
  if (actions !== ATTEMPTS * ACTIONS) throw new Error(`${actions} actions of ${id}`);
};
// Compiled and warm, with a task that is not asked again.
for (let n = 0; n < 5; n += 1) await all(name(1));
const cold = drop() ? 'cache dropped' : 'first reading; the cache cannot be dropped here';
tell('queryHistory, cold', await timed(asked, all), cold);
globalThis.gc?.();
const again = Array.from({ length: rounds }, () => asked).flat();
tell('queryHistory, warm', await timed(again, all), `${ATTEMPTS * ACTIONS} actions`);
tell('  one attempt', await timed(again, (id) => memory.queryHistory(id, { attempt: ATTEMPTS })), `${ACTIONS} actions`);
tell('  reflections only', await timed(again, (id) => memory.queryHistory(id, { reflectionsOnly: true })));
tell('  the latest 20', await timed(again, (id) => memory.queryHistory(id, { limit: 20 })));
tell('  by a word', await timed(again, (id) => memory.queryHistory(id, { text: 'ballast' })));
tell('  by hand: readFileSync and JSON.parse', await timed(again, (id) => byHand(root, id)));

const queries = Array.from({ length: 50 }, () => words(3));
tell('search, first of a process', await timed(queries.slice(0, 1), async (query) => (await open()).search(query)), 'reads the words of all tasks');
await memory.search('any');
tell('search, later', await timed(queries, (query) => memory.search(query)), 'looks whether files have changed');
tell('improvement', await timed([0], () => memory.improvement()), 'reads all trajectories');

const fresh = path.join(FOLDER, 'memory-written');
for (const flush of [true, false]) {
  rmSync(fresh, { recursive: true, force: true });
  const written = await EpisodicMemory.open(new DirectoryStore(fresh, { flush }));
  await written.initTask({ description: 'Write.' });
  await written.startAttempt('task-001');
  const actions = Array.from({ length: ACTIONS }, (_, n) => ({ type: 'edit', params: { n }, output: words(8), success: true }));
  tell(`logAction${flush ? '' : ', flush: false'}`, await timed(actions, (action) => written.logAction('task-001', action)), flush ? 'on the disk when it returns' : '');
}
rmSync(fresh, { recursive: true, force: true });

/** As a viewer does: every file, every record. */
function openAll() {
  globalThis.gc?.();
  let from = performance.now();
  const history = openHistory(root);
  const { kept, sources } = history.added;
  const { runCount } = history;
  const took = performance.now() - from;
  from = performance.now();
  const findings = history.findings().length;
  tell('openHistory, the whole tree', [took], `${sources.toLocaleString('en')} sources, ${kept.toLocaleString('en')} records, ${runCount.toLocaleString('en')} runs`);
  tell('  its findings', [performance.now() - from], `${findings} findings`);
  history.free();
}

if (!values['skip-open']) openAll();
if (values.json) console.log(JSON.stringify({ size, rows }, null, 2));
if (!values.keep) rmSync(root, { recursive: true, force: true });
