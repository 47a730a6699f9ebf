// What a round of the reflection loop costs beside the callbacks, and whether many rounds cost as
// many times more, in time and in memory.
//
//   plain loop  the same rounds written out by hand with compiled ajv: an output, a verdict with
//               every error, an entry in a list
//
//   node --expose-gc tests/bench/loop.mjs [--json] [--rounds 5]
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Ajv } from 'ajv';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');

// `--mb` is for the other benchmarks that `cargo xtask bench` calls with the same arguments.
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    mb: { type: 'string' },
  },
});
const turns = Number(values.rounds);
if (!(Number.isInteger(turns) && turns > 0)) {
  console.error('bench: --rounds takes a whole number');
  process.exit(2);
}

const load = (file) => import(pathToFileURL(path.join(PACKAGE, file)));
const { reflectionLoop } = await load('loop/node.mjs');
// Started by the package; asked again it answers with what it started.
const { memory } = (await load('loop/hindscope_loop.js')).initSync();

const ROUNDS = [1, 10, 100, 1000];
const output = { name: 'Ada', age: '36', fields: ['mathematics'] };
const schema = { type: 'object', required: ['name', 'age', 'email'], properties: { age: { type: 'integer' } } };

const CASES = {
  'schema, sync': { generate: () => output, evaluate: { schema } },
  'schema, async': { generate: async () => output, evaluate: { schema } },
  'function, sync': { generate: () => output, evaluate: () => false },
  'function and corrector, async': { generate: async () => output, evaluate: async () => false, correct: async () => ({ context: { seen: true } }) },
  'schema, the state read each round': { generate: ({ state }) => (state.reflection_iteration > 0 ? output : 0), evaluate: { schema } },
  'the same, historyLimit 3': { generate: ({ state }) => (state.reflection_iteration > 0 ? output : 0), evaluate: { schema }, historyLimit: 3 },
  'schema, events': { generate: () => output, evaluate: { schema }, onEvent() {} },
};

const ajv = new Ajv({ allErrors: true, coerceTypes: true });
const check = ajv.compile(schema);

/** The loop that the first case stands for, by hand. */
function plain({ maxIterations }) {
  const history = [];
  let best;
  for (let iteration = 1; iteration <= maxIterations; iteration += 1) {
    const made = structuredClone(output);
    const valid = check(made);
    const errors = valid ? [] : check.errors.map(({ message, instancePath, keyword, params }) => ({ message, path: instancePath, keyword, params }));
    const entry = { iteration, output: made, valid, score: valid ? 1 : 0, errors };
    history.push(entry);
    if (!best || entry.score > best.score) best = entry;
    if (valid) break;
  }
  return { attempts: history, best: best?.output };
}

/** Microseconds of a round: the best of so many turns, each of a thousand rounds or more. */
async function measure(loop, options, rounds) {
  const loops = Math.ceil(1000 / rounds);
  let least = Infinity;
  for (let turn = 0; turn < turns; turn += 1) {
    globalThis.gc?.();
    const begun = performance.now();
    for (let each = 0; each < loops; each += 1) {
      const { attempts: history } = await loop({ ...options, maxIterations: rounds });
      if (history.length !== rounds) throw new Error(`${history.length} rounds`);
    }
    least = Math.min(least, performance.now() - begun);
  }
  return (least * 1000) / (loops * rounds);
}

const rows = [];
for (const [name, options, loop] of [['plain loop', {}, plain], ...Object.entries(CASES).map((one) => [...one, reflectionLoop])]) {
  for (let warm = 0; warm < 50; warm += 1) await loop({ ...options, maxIterations: 20 });
  const us = {};
  for (const rounds of ROUNDS) us[rounds] = await measure(loop, options, rounds);
  rows.push({ name, us, ratio: us[100] / (rows[0]?.us[100] ?? us[100]), growth: us[1000] / us[100] });
}

/** Bytes that a loop of so many rounds holds at its end, beside its result, and what is left of it. */
async function held(rounds) {
  globalThis.gc?.();
  const before = { heap: process.memoryUsage().heapUsed, wasm: memory.buffer.byteLength };
  let seen;
  const generate = ({ iteration }) => {
    if (iteration === rounds) {
      globalThis.gc?.();
      seen = { heap: process.memoryUsage().heapUsed - before.heap, wasm: memory.buffer.byteLength - before.wasm };
    }
    return output;
  };
  await reflectionLoop({ generate, evaluate: { schema }, maxIterations: rounds });
  globalThis.gc?.();
  return { rounds, ...seen, left: process.memoryUsage().heapUsed - before.heap, wasmAll: memory.buffer.byteLength };
}

// Only what the first loop of a size takes is new: the wasm keeps what it has.
const memories = [];
for (const rounds of [100, 1000, 1000]) memories.push(await held(rounds));
const before = memory.buffer.byteLength;
for (let each = 0; each < 200; each += 1) await reflectionLoop({ ...CASES['schema, sync'], maxIterations: 100 });
const grown = memory.buffer.byteLength - before;

if (values.json) console.log(JSON.stringify({ rows, memories, grown }, null, 2));
else {
  console.log(`\nThe reflection loop, best of ${turns}: µs a round in loops of so many rounds\n`);
  const title = [...ROUNDS, 'ratio', '1000/100'].map((n) => String(n).padStart(10)).join('');
  console.log(`${''.padEnd(34)}${title}`);
  for (const { name, us, ratio, growth } of rows) {
    const cells = [...ROUNDS.map((n) => us[n].toFixed(1)), `${ratio.toFixed(1)} x`, growth.toFixed(2)];
    console.log(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(10)).join('')}`);
  }
  const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;
  console.log('');
  for (const { rounds, heap, wasm, left, wasmAll } of memories) {
    console.log(`${String(rounds).padStart(5)} rounds: heap +${kb(heap)}, wasm +${kb(wasm)} to ${kb(wasmAll)}; afterwards heap +${kb(left)}`);
  }
  console.log(`20,000 further rounds in loops of 100: wasm +${kb(grown)}`);
}
