// What a round of the reflection loop costs beside the callbacks, and whether many rounds cost as
// many times more.
//
//   node --expose-gc tests/bench/loop.mjs
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.HINDSCOPE_PACKAGE ?? 'target/npm/hindscope';
const { reflectionLoop } = await import(pathToFileURL(join(folder, 'node.mjs')).href);

const output = { name: 'Ada', age: '36', fields: ['mathematics'] };
const schema = { type: 'object', required: ['name', 'age', 'email'], properties: { age: { type: 'integer' } } };

const CASES = {
  'schema, sync': { generate: () => output, evaluate: { schema } },
  'schema, async': { generate: async () => output, evaluate: { schema } },
  'function, sync': { generate: () => output, evaluate: () => false },
  'function and corrector, async': { generate: async () => output, evaluate: async () => false, correct: async () => ({ context: { seen: true } }) },
  'schema, state read': { generate: ({ state }) => (state.reflection_iteration > 0 ? output : 0), evaluate: { schema }, historyLimit: 3 },
  'schema, events': { generate: () => output, evaluate: { schema }, onEvent() {} },
};

const ROUNDS = 5;
const best = async (options, rounds) => {
  let least = Infinity;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    globalThis.gc?.();
    const begun = performance.now();
    const { reflection_history: history } = await reflectionLoop({ ...options, maxIterations: rounds });
    least = Math.min(least, performance.now() - begun);
    if (history.length !== rounds) throw new Error(`${history.length} rounds`);
  }
  return least;
};

console.log(`${'µs a round'.padEnd(32)}${['1', '3', '100', '1000'].map((n) => n.padStart(10)).join('')}  rounds`);
for (const [name, options] of Object.entries(CASES)) {
  for (let warm = 0; warm < 20; warm += 1) await reflectionLoop({ ...options, maxIterations: 20 });
  const cells = [];
  for (const rounds of [1, 3, 100, 1000]) cells.push(((await best(options, rounds)) / rounds) * 1000);
  console.log(`${name.padEnd(32)}${cells.map((us) => us.toFixed(1).padStart(10)).join('')}`);
}
