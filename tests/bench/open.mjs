// How fast a history opens, beside what people would write today, in one process and one run:
//
//   TextDecoder          the limit: turning the bytes into text and nothing else
//   JSON.parse           decode, split into lines, parse each
//   JSON.parse + ajv     the same, and each record through a compiled validator
//   hindscope            verdict on every record, runs, columns and findings, ready to be asked
//
//   node --expose-gc tests/bench/open.mjs [--json] [--mb 91] [--rounds 5]
//
// `cargo xtask bench` builds the package first and then calls this.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { history } from './generate.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');
const PEER = 'JSON.parse + ajv';

const options = readOptions();
const { bytes, count, file } = history(options.mb, FOLDER);
const contestants = {
  TextDecoder: decode,
  'JSON.parse': parse,
  [PEER]: parseAndValidate(),
  hindscope: await open(),
};
print(measure(contestants));

/** Everything is strict about its arguments: a typo must not become a measurement. */
function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        mb: { type: 'string', default: '91' },
        rounds: { type: 'string', default: '5' },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  const mb = Number(values.mb);
  const rounds = Number(values.rounds);
  // V8's strings end near 512 MB, and with them everything here but hindscope.
  if (!(mb > 0 && mb <= 500)) fail(`--mb takes a number up to 500, not ${values.mb}`);
  if (!(Number.isInteger(rounds) && rounds > 0)) fail(`--rounds takes a whole number, not ${values.rounds}`);
  return { json: values.json, mb, rounds };
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

function decode() {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (text.length === 0) throw new Error('nothing was decoded');
}

function lines() {
  const all = new TextDecoder('utf-8', { fatal: true }).decode(bytes).split('\n');
  // The last line ends with a line break too.
  all.pop();
  return all;
}

function parse() {
  let records = 0;
  for (const line of lines()) {
    if (JSON.parse(line).iteration >= 0) records += 1;
  }
  expect(records);
}

/** ajv as its documentation recommends it for speed: compiled once, stopping at the first error. */
function parseAndValidate() {
  const schema = JSON.parse(readFileSync(path.join(ROOT, 'core/schemas/reflection-memory.json'), 'utf8'));
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  addFormats(ajv);
  const isValid = ajv.compile(schema);
  return () => {
    let valid = 0;
    for (const line of lines()) {
      if (isValid(JSON.parse(line))) valid += 1;
    }
    expect(valid);
  };
}

/** Opens the whole history, and checks that it did what the peer does: every record is valid. */
async function open() {
  const { openHistory } = await import(pathToFileURL(path.join(PACKAGE, 'node.mjs')));
  let isChecked = false;
  return () => {
    const opened = openHistory([{ name: 'history.jsonl', data: bytes }]);
    try {
      expect(opened.recordCount);
      // Looking at what was found is no part of opening, and the answer is the same every time.
      if (isChecked) return;
      isChecked = true;
      const invalid = opened.findings().find((group) => !/^(?:rm|series|reflection|stuck|oscillation|regression)\//.test(group.rule));
      if (invalid) throw new Error(`hindscope finds fault: ${JSON.stringify(invalid)}`);
    } finally {
      opened.free();
    }
  };
}

function expect(records) {
  if (records !== count) throw new Error(`${records} of ${count} records in ${file}`);
}

/** Best of the rounds. Contestants take turns, so that a busy moment of the machine hits all. */
function measure(named) {
  const best = Object.fromEntries(Object.keys(named).map((name) => [name, Infinity]));
  // One round more than asked: the first one compiles.
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [name, run] of Object.entries(named)) {
      globalThis.gc?.();
      const start = process.hrtime.bigint();
      run();
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      best[name] = Math.min(best[name], seconds);
    }
  }
  return Object.entries(best).map(([name, seconds]) => ({
    name,
    seconds: rounded(seconds),
    mb_per_s: rounded(bytes.length / 1e6 / seconds),
    ratio: rounded(best[PEER] / seconds),
  }));
}

function rounded(value) {
  return Number(value.toPrecision(4));
}

function print(rows) {
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const megabytes = (bytes.length / 1e6).toFixed(1);
  console.log(`${count.toLocaleString('en')} reflection-memory records, ${megabytes} MB of JSON Lines`);
  console.log(`Node ${process.version}, one thread, best of ${options.rounds}\n`);
  console.log(`${''.padEnd(18)} ${'seconds'.padStart(8)} ${'MB/s'.padStart(7)}   times as fast as ${PEER}`);
  for (const { name, seconds, mb_per_s, ratio } of rows) {
    console.log(
      `${name.padEnd(18)} ${seconds.toFixed(3).padStart(8)} ${mb_per_s.toFixed(0).padStart(7)}   ${ratio.toFixed(2)}`,
    );
  }
}
