// How fast records open that deviate from their schema, as nearly all real ones do, beside JSON.parse of
// each line and ajv, compiled, with formats and all errors. One process; the contestants take turns, and
// the best of many short rounds counts.
//
//   node --expose-gc tests/bench/deviations.mjs [--json] [--records 1200] [--rounds 25]

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    records: { type: 'string', default: '1200' },
    rounds: { type: 'string', default: '25' },
  },
});
const [records, rounds] = [Number(options.records), Number(options.rounds)];
if (![records, rounds].every((n) => Number.isInteger(n) && n > 0)) {
  console.error('bench: --records and --rounds take an integer from 1');
  process.exit(2);
}

const TEXT = 'The parser dropped the last token when the input ended inside a string, so two of nine tests failed. ';

/** A valid record of 1.7 KB: loops of ten attempts, of which the last one succeeds. */
function record(index) {
  const [loop, iteration] = [Math.floor(index / 10), index % 10];
  const passed = iteration === 9;
  return {
    loop_id: `ralph-run-${loop}`,
    iteration,
    timestamp: new Date(1.7e12 + index * 6e4).toISOString(),
    task_description: 'Make the parser keep the last token.',
    actor_output: {
      actions: [
        { type: 'code_modification', description: 'Keep the token', file_path: 'src/parser.rs' },
        { type: 'test_execution', description: 'Run the tests', command: 'cargo test' },
      ],
      rationale: 'The last failure names the end of the input.',
    },
    evaluator_output: {
      passed,
      verification_type: 'unit_tests',
      errors: passed ? [] : [{ type: 'test_failure', message: 'the last token is missing' }],
      reward_signal: iteration / 9,
      metrics: { tests_passed: iteration, tests_failed: 9 - iteration, tests_total: 9 },
    },
    self_reflection: { reflection_text: `${TEXT.repeat(9)}(${index})`, lessons_learned: ['Test the end.'], confidence: 0.5 },
    memory_metadata: { omega_capacity: 3, current_memory_size: Math.min(3, iteration), window_policy: 'fifo' },
  };
}

/** What people's records have. */
const KINDS = {
  'no time zone': (r) => ({ ...r, timestamp: r.timestamp.slice(0, 19) }),
  'an extra property': (r) => ({ ...r, cost_usd: 0.25 }),
  'a missing property': ({ timestamp, ...r }) => r,
  'a number as text': (r) => edit(r, 'evaluator_output', { reward_signal: String(r.evaluator_output.reward_signal) }),
  'a reward out of range': (r) => edit(r, 'evaluator_output', { reward_signal: 55 }),
  'another id': (r) => ({ ...r, loop_id: `loop-${r.loop_id}` }),
  'all of these': (r) => Object.values(KINDS).slice(0, 6).reduce((made, deviate) => deviate({ timestamp: r.timestamp, ...made }), r),
  'no deviation': (r) => r,
};

function edit(made, name, members) {
  return { ...made, [name]: { ...made[name], ...members } };
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats(ajv);
const judge = ajv.compile(JSON.parse(readFileSync(path.join(ROOT, 'core/schemas/reflection-memory.json'), 'utf8')));
const { openHistory } = await import(pathToFileURL(path.join(PACKAGE, 'node.mjs')));

const rows = Object.entries(KINDS).map(([name, deviate]) => {
  const lines = Array.from({ length: records }, (_, index) => JSON.stringify(deviate(record(index))));
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const best = { peer: Infinity, hindscope: Infinity };
  const contestants = {
    peer() {
      const parsed = new TextDecoder().decode(bytes).split('\n').filter(Boolean).map((line) => JSON.parse(line));
      parsed.forEach((value) => judge(value));
      return parsed.length;
    },
    hindscope() {
      const opened = openHistory([{ name: 'history.jsonl', data: bytes }]);
      const count = opened.runCount === 0 ? 0 : opened.recordCount;
      opened.free();
      return count;
    },
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [contestant, run] of Object.entries(contestants)) {
      const start = performance.now();
      if (run() !== records) throw new Error(`${contestant} read other records than ${records}`);
      best[contestant] = Math.min(best[contestant], performance.now() - start);
    }
  }
  const each = (ms) => Number(((ms * 1000) / records).toFixed(2));
  return { name, bytes: Math.round(bytes.length / records), peer_us: each(best.peer), us: each(best.hindscope), ratio: Number((best.peer / best.hindscope).toFixed(2)) };
});

if (options.json) {
  console.log(JSON.stringify(rows, null, 2));
} else {
  console.log(`Node ${process.version}, ${records} records, best of ${rounds}; µs a record, and times as fast as JSON.parse + ajv\n`);
  for (const row of rows) {
    console.log(`${row.name.padEnd(24)} ${String(row.bytes).padStart(5)} B ${row.peer_us.toFixed(1).padStart(7)} ${row.us.toFixed(1).padStart(7)} ${row.ratio.toFixed(2).padStart(7)}`);
  }
}
