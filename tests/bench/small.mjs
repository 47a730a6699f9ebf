// How fast a folder of many small files opens: what the disk takes, and what the history takes.
//
//   read        every file read and closed, and nothing else
//   JSON.parse  the same, and each parsed
//   hindscope   openHistory(folder), runs and findings
//
// and the last two again where the bytes of all files are in memory.
//
//   node --expose-gc tests/bench/small.mjs [--json] [--files 4800] [--rounds 5]

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
/** Attempts of a loop, each in a file of its own. */
const EACH = 10;

// `--mb` is for the other benchmarks that `cargo xtask bench` calls with the same arguments.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    files: { type: 'string', default: '4800' },
    rounds: { type: 'string', default: '5' },
    mb: { type: 'string' },
  },
});
const [count, rounds] = [Number(values.files), Number(values.rounds)];
if (!(Number.isInteger(count) && count > 0 && Number.isInteger(rounds) && rounds > 0)) {
  console.error('bench: --files and --rounds take whole numbers');
  process.exit(2);
}

const { openHistory } = await import(pathToFileURL(path.join(PACKAGE, 'node.mjs')));
const folder = path.join(FOLDER, `small-${count}`);
const files = write(folder);
const decoder = new TextDecoder();
const inMemory = files.map((file) => ({ name: path.relative(FOLDER, file), data: new Uint8Array(readFileSync(file)) }));
const rows = measure({
  read: () => files.reduce((bytes, file) => bytes + readFileSync(file).length, 0),
  'JSON.parse': () => files.forEach((file) => JSON.parse(readFileSync(file, 'utf8'))),
  hindscope: () => open(folder),
  'JSON.parse (memory)': () => inMemory.forEach(({ data }) => JSON.parse(decoder.decode(data))),
  'hindscope (memory)': () => open(inMemory),
});
if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  console.log(`\n${count.toLocaleString('en')} files of one record each, best of ${rounds}\n`);
  for (const { name, ms } of rows) console.log(`${name.padEnd(20)} ${ms.toFixed(1).padStart(6)} ms`);
}

function open(input) {
  const history = openHistory(input);
  try {
    const { kept, sources } = history.added;
    if (kept !== count || sources !== count) throw new Error(`${kept} records of ${count}`);
    if (history.runCount !== Math.ceil(count / EACH)) throw new Error(`${history.runCount} runs`);
    history.findings();
  } finally {
    history.free();
  }
}

/** Records as a loop stores them, a folder a loop. */
function write(folder) {
  rmSync(folder, { recursive: true, force: true });
  return Array.from({ length: count }, (_, at) => {
    const [loop, iteration] = [Math.floor(at / EACH), (at % EACH) + 1];
    const own = path.join(folder, `loop-${loop}`);
    if (iteration === 1) mkdirSync(own, { recursive: true });
    const file = path.join(own, `${String(iteration).padStart(3, '0')}.json`);
    writeFileSync(file, record(`ralph-${loop}`, iteration));
    return file;
  });
}

function record(loop_id, iteration) {
  const passed = iteration === EACH;
  return JSON.stringify({
    loop_id,
    iteration,
    timestamp: `2026-03-01T09:${String(iteration).padStart(2, '0')}:00Z`,
    task_description: 'Make the parser keep the last token.',
    actor_output: {
      actions: [
        { type: 'code_modification', description: 'Keep the token', file_path: 'src/parser.rs' },
        { type: 'test_execution', description: 'Run the tests', command: 'cargo test' },
      ],
      rationale: 'The cache is the first suspect.',
    },
    evaluator_output: {
      passed,
      verification_type: 'unit_tests',
      errors: passed ? [] : [{ type: 'test_failure', message: 'the last token is missing' }],
      reward_signal: iteration / EACH,
      metrics: { tests_passed: iteration, tests_failed: EACH - iteration, tests_total: EACH },
    },
    self_reflection: {
      reflection_text: `Attempt ${iteration} of ${loop_id} read a stale entry of the cache. `.repeat(14),
      lessons_learned: ['Test the end.'],
      confidence: 0.5,
    },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(iteration - 1, 3), window_policy: 'fifo' },
  });
}

function measure(named) {
  const best = Object.fromEntries(Object.keys(named).map((name) => [name, Infinity]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(named)) {
      globalThis.gc?.();
      const start = performance.now();
      run();
      best[name] = Math.min(best[name], performance.now() - start);
    }
  }
  return Object.entries(best).map(([name, ms]) => ({ name, ms: Math.round(ms * 10) / 10 }));
}
