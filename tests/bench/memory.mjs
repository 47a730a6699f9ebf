// How fast an episodic memory in a folder is: asking one task, searching all of them, writing (also by
// several processes at once), and opening the tree as a history.
//
//   cargo xtask bench memory [--json] [--tasks 200] [--full] [--rounds 3] [--keep] [--skip-open]
//
// Each task has 5 attempts of 200 actions. --full is 10,000 tasks, the size that this is measured with: 240,000
// files, 3 GB, some minutes to write. `cold` means that the cache of the system was dropped first, where
// this process may do so, and else that nothing of the task was read by it before. `cpu` is what this
// process computed for a call, on average and at p99: it says more than the clock where others work
// meanwhile.
// `ratio` is how many times as fast it is as what people would write, in the same run: every file read
// and parsed with JSON.parse.

import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ACTIONS, ATTEMPTS, name, next, part, words, writeTree } from './tree.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
/** Tasks that are asked. */
const ASKED = 400;

// `--mb` is for the other benchmarks that `cargo xtask bench` calls with the same arguments.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tasks: { type: 'string', default: '200' },
    full: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    'skip-open': { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    mb: { type: 'string' },
  },
});
const tasks = values.full ? 10_000 : Number(values.tasks);
const rounds = Number(values.rounds);
if (!(Number.isInteger(tasks) && tasks > 0 && Number.isInteger(rounds) && rounds > 0)) {
  console.error('bench: --tasks and --rounds take whole numbers');
  process.exit(2);
}

const run = promisify(execFile);
const { openHistory } = await part('history/node.mjs');
const { EpisodicMemory } = await part('memory/node.mjs');
const { DirectoryStore } = await part('memory/directory.mjs');

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

const ms = (value) => (Number.isNaN(value) ? '' : `${value.toFixed(value < 100 ? 2 : 0)} ms`).padStart(12);

/** `against` is the row of what people would write. Other processes do not say what they computed. */
function report(name, { times, cpus = [NaN] }, { note = '', against } = {}) {
  const at = (list, part) => Float64Array.from(list).sort()[Math.min(list.length - 1, Math.floor(part * list.length))];
  const cpu = cpus.reduce((sum, one) => sum + one, 0) / cpus.length;
  const row = { name, calls: times.length, p50: at(times, 0.5), p99: at(times, 0.99), cpu, cpu99: at(cpus, 0.99), ...(note && { note }) };
  if (against) row.ratio = against.cpu / row.cpu;
  rows.push(row);
  const most = (value) => (times.length > 1 ? ms(value) : ''.padStart(12));
  const ratio = (against ? `${row.ratio.toFixed(2)} x` : '').padStart(9);
  if (!values.json) console.log(`${name.padEnd(42)}${ms(row.p50)}${most(row.p99)}${ms(row.cpu)}${most(row.cpu99)}${ratio}  ${note}`);
  return row;
}

async function timed(calls, call) {
  const [times, cpus] = [[], []];
  globalThis.gc?.();
  for (const given of calls) {
    const start = performance.now();
    const before = process.cpuUsage();
    await call(given);
    const { user, system } = process.cpuUsage(before);
    times.push(performance.now() - start);
    cpus.push((user + system) / 1000);
  }
  return { times, cpus };
}

/** What people would write: every file of the task, parsed. */
function byHand(root, id) {
  const folder = path.join(root, 'tasks', id);
  const json = (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  const lines = (file) => readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  const files = { metadata: json('metadata.json'), summary: json('summary.json'), trajectory: json('trajectory.json'), reflections: lines('reflections.jsonl') };
  files.attempts = readdirSync(path.join(folder, 'attempts')).sort().map((number) => ({
    record: json(`attempts/${number}/attempt.json`),
    ending: json(`attempts/${number}/outcome.json`),
    plan: readFileSync(path.join(folder, `attempts/${number}/plan.md`), 'utf8'),
    actions: lines(`attempts/${number}/actions.jsonl`),
  }));
  return files;
}

const root = path.join(FOLDER, `memory-${tasks}`);
const start = performance.now();
const { bytes, files } = await writeTree(root, tasks);
const made = (performance.now() - start) / 1000;
const size = `${tasks.toLocaleString('en')} tasks, ${ATTEMPTS} attempts each, ${ACTIONS} actions each: ${files.toLocaleString('en')} files, ${Math.round(bytes / 1e6).toLocaleString('en')} MB, written in ${made.toFixed(0)} s`;
if (!values.json) console.log(`\n${size}\n\n${''.padEnd(42)}${'p50'.padStart(12)}${'p99'.padStart(12)}${'cpu'.padStart(12)}${'cpu p99'.padStart(12)}${'ratio'.padStart(9)}`);

const asked = Array.from({ length: Math.min(ASKED, tasks) }, () => name(1 + next(tasks)));
const open = () => EpisodicMemory.open(new DirectoryStore(root));
const memory = await open();
const counted = (id, attempts, count) => {
  const actions = attempts.reduce((sum, attempt) => sum + count(attempt), 0);
  if (actions !== ATTEMPTS * ACTIONS) throw new Error(`${actions} actions of ${id}`);
};
/** The history, whose actions nobody looks at: they are checked, and parsed later. */
const asks = async (id) => counted(id, (await memory.queryHistory(id)).attempts, ({ actionCount }) => actionCount);
const all = async (id) => counted(id, (await memory.queryHistory(id)).attempts, ({ actions }) => actions.length);
// Compiled and warm, with a task that is not asked again.
for (let n = 0; n < 5; n += 1) await all(name(1));
const cold = drop() ? 'cache dropped' : 'first reading; the cache cannot be dropped here';
report('queryHistory, cold, all actions', await timed(asked, all), { note: cold });
const again = Array.from({ length: rounds }, () => asked).flat();
const peer = report('by hand: readFileSync and JSON.parse', await timed(again, (id) => byHand(root, id)));
report('queryHistory, warm', await timed(again, asks), { note: `${ATTEMPTS * ACTIONS} actions, not looked at`, against: peer });
report('  all actions looked at', await timed(again, all), { against: peer });
report('  one attempt', await timed(again, (id) => memory.queryHistory(id, { attempt: ATTEMPTS })), { note: `${ACTIONS} actions` });
report('  reflections only', await timed(again, (id) => memory.queryHistory(id, { reflectionsOnly: true })));
report('  the latest 20', await timed(again, (id) => memory.queryHistory(id, { limit: 20 })));
report('  by a word', await timed(again, (id) => memory.queryHistory(id, { text: 'ballast' })));

const queries = Array.from({ length: 50 }, () => words(3));
report('search, first of a process', await timed(queries.slice(0, 1), async (query) => (await open()).search(query)), { note: 'reads the words of all tasks' });
await memory.search('any');
report('search, later', await timed(queries, (query) => memory.search(query)), { note: 'looks whether files have changed' });
let improved;
const counts = await timed([0], async () => (improved = await memory.improvement()));
const { retries } = improved;
report('improvement', counts, { note: `retries with reflections: ${retries.withSuccesses} of ${retries.with} succeed; without: ${retries.withoutSuccesses} of ${retries.without}` });

const fresh = path.join(FOLDER, 'memory-written');
for (const flush of [true, false]) {
  rmSync(fresh, { recursive: true, force: true });
  const written = await EpisodicMemory.open(new DirectoryStore(fresh, { flush }));
  await written.initTask({ description: 'Write.' });
  await written.startAttempt('task-001');
  const actions = Array.from({ length: ACTIONS }, (_, n) => ({ type: 'edit', params: { n }, output: words(8), success: true }));
  report(`logAction${flush ? '' : ', flush: false'}`, await timed(actions, (action) => written.logAction('task-001', action)), { note: flush ? 'on the disk when it returns' : '' });
  if (flush) continue;
  const rated = Array.from({ length: 10 * ACTIONS }, (_, n) => ({ ...actions[n % ACTIONS], iteration: n + 1, quality: (n % 10) / 10 }));
  const behind = await timed(rated, (action) => written.logAction('task-001', action));
  const last = ({ times, cpus }) => ({ times: times.slice(-ACTIONS), cpus: cpus.slice(-ACTIONS) });
  report(`  behind ${10 * ACTIONS} others, rated`, last(behind), { note: 'each another iteration' });
}

/** Processes that write to one memory for 5 s, each to a task of its own. */
async function writeTogether(writers) {
  rmSync(fresh, { recursive: true, force: true });
  const script = fileURLToPath(new URL('writer.mjs', import.meta.url));
  const all = await Promise.all(Array.from({ length: writers }, (_, at) => run(process.execPath, [script, fresh, String(at + 1), '5000'])));
  return all.flatMap(({ stdout }) => JSON.parse(stdout));
}

let alone;
for (const writers of [1, 2, 8]) {
  const times = await writeTogether(writers);
  alone ??= times.length;
  const note = `${times.length.toLocaleString('en')} calls in 5 s, ${(times.length / alone).toFixed(2)} times those of one`;
  report(`logAction, ${writers} ${writers === 1 ? 'process' : 'processes together'}`, { times }, { note });
}
rmSync(fresh, { recursive: true, force: true });

const heldMb = () => `${Math.round(process.memoryUsage().rss / 1e6).toLocaleString('en')} MB held`;

/** As a viewer does: every file, every record. */
async function openAll() {
  const parsed = await timed([0], () => {
    const every = readdirSync(root, { recursive: true }).filter((file) => statSync(path.join(root, file)).isFile());
    // Nobody could keep them all.
    return every.reduce((sum, file) => sum + parsedBy(path.join(root, file)), 0);
  });
  const hand = report('by hand: every file, JSON.parse', parsed, { note: 'kept nowhere' });
  let history;
  const opened = await timed([0], () => {
    history = openHistory(root);
    return history.runCount;
  });
  const { kept, sources } = history.added;
  const counts = [[sources, 'sources'], [kept, 'records'], [history.runCount, 'runs']].map(([n, what]) => `${n.toLocaleString('en')} ${what}`);
  report('openHistory, the whole tree', opened, { note: `${counts.join(', ')}, ${((1000 * opened.cpus[0]) / kept).toFixed(1)} µs a record, ${heldMb()}`, against: hand });
  let findings;
  const listed = await timed([0], () => (findings = history.findings().reduce((sum, { count }) => sum + count, 0)));
  report('  its findings', listed, { note: `${findings} findings` });
  history.free();
}

/** How many values a file has, each parsed. */
function parsedBy(file) {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) return JSON.parse(text) === null ? 0 : 1;
  if (!file.endsWith('.jsonl')) return 1;
  return text.trimEnd().split('\n').map((line) => JSON.parse(line)).length;
}

if (!values['skip-open']) await openAll();
if (values.json) console.log(JSON.stringify({ size, rows }, null, 2));
if (!values.keep) rmSync(root, { recursive: true, force: true });
