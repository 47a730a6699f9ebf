// How fast the calls are that an agent makes with one record, beside what people would write
// today, in one process and one run:
//
//   validate, object     a record that is already an object: ajv walks it, hindscope gets its JSON
//   validate, string     JSON text: JSON.parse and ajv
//   validate, bytes      UTF-8: TextDecoder, JSON.parse and ajv
//   push and render      JSON text into a window of 3, and the window as text: JSON.parse, ajv, an
//                        array, slice and join
//
//   node --expose-gc tests/bench/calls.mjs [--json] [--mb 9] [--rounds 5]
//
// `cargo xtask bench` builds the package first and then calls this.

import path from 'node:path';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { history } from './generate.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
const OMEGA = 3;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    mb: { type: 'string', default: '9' },
    rounds: { type: 'string', default: '5' },
  },
});
// A few thousand records: more of them would only measure the processor's cache.
const { bytes } = history(Math.min(Number(options.mb), 9), FOLDER);
const { ReflectionWindow, validate } = await import(pathToFileURL(path.join(PACKAGE, 'node.mjs')));

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();
const strings = decoder.decode(bytes).split('\n').slice(0, -1);
const objects = strings.map((line) => JSON.parse(line));
const slices = strings.map((line) => encoder.encode(line));

const ajv = new Ajv2020({ allErrors: false, strict: false });
addFormats(ajv);
const isValid = ajv.compile(JSON.parse(readFileSync(path.join(ROOT, 'core/schemas/reflection-memory.json'), 'utf8')));
const strict = { profile: 'strict' };

const tasks = [
  {
    name: 'validate, object',
    peer: () => all(objects, (record) => isValid(record)),
    own: () => all(objects, (record) => validate(record, strict).valid),
  },
  {
    name: 'validate, string',
    peer: () => all(strings, (record) => isValid(JSON.parse(record))),
    own: () => all(strings, (record) => validate(record, strict).valid),
  },
  {
    name: 'validate, bytes',
    peer: () => all(slices, (record) => isValid(JSON.parse(decoder.decode(record)))),
    own: () => all(slices, (record) => validate(record, strict).valid),
  },
  { name: 'push and render', peer: plainWindow, own: ownWindow },
];

// Both must come to the same text, or the times would compare different things.
if (plainWindow() !== ownWindow()) throw new Error('the two windows differ');
print(tasks.map((task) => ({ name: task.name, ...compare(task) })));

function all(records, judge) {
  let valid = 0;
  for (const record of records) if (judge(record)) valid += 1;
  if (valid !== records.length) throw new Error(`${valid} of ${records.length} records are valid`);
}

/** What someone would write by hand. */
function plainWindow() {
  let window = [];
  let text = '';
  for (const line of strings) {
    const record = JSON.parse(line);
    if (!isValid(record)) throw new Error('a record is not valid');
    window = [...window.filter((held) => held.iteration !== record.iteration), record]
      .sort((a, b) => a.iteration - b.iteration)
      .slice(-OMEGA);
    text = window
      .map(({ iteration, evaluator_output: { passed }, self_reflection: { reflection_text } }) =>
        `[${iteration}] ${passed ? 'success' : 'failure'}: ${reflection_text.trim().replaceAll('\r\n', '\n')}\n`)
      .join('\n');
  }
  return text;
}

function ownWindow() {
  const window = new ReflectionWindow({ omega: OMEGA });
  try {
    let text = '';
    for (const line of strings) {
      window.push(line);
      text = window.render('plain');
    }
    return text;
  } finally {
    window.free();
  }
}

/** Best of the rounds of each; they take turns, so that a busy moment of the machine hits both. */
function compare({ peer, own }) {
  const best = { peer: Infinity, own: Infinity };
  // One round more than asked: the first one compiles.
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    for (const [name, run] of Object.entries({ peer, own })) {
      globalThis.gc?.();
      const start = process.hrtime.bigint();
      run();
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - start) / 1e9);
    }
  }
  const micros = (seconds) => Number(((seconds / strings.length) * 1e6).toPrecision(3));
  return { peer_us: micros(best.peer), hindscope_us: micros(best.own), ratio: Number((best.peer / best.own).toPrecision(3)) };
}

function print(rows) {
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const mean = (bytes.length / strings.length / 1e3).toFixed(1);
  console.log(`\nOne record at a time, ${mean} KB each, microseconds a call\n`);
  console.log(`${''.padEnd(18)} ${'JavaScript'.padStart(10)} ${'hindscope'.padStart(10)}   times as fast`);
  for (const { name, peer_us, hindscope_us, ratio } of rows) {
    console.log(`${name.padEnd(18)} ${String(peer_us).padStart(10)} ${String(hindscope_us).padStart(10)}   ${ratio}`);
  }
}
