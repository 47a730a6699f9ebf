// How fast the calls are that an agent makes with one record, beside what people would write
// today, in one process and one run:
//
//   validate, object     a record that is already an object: ajv walks it, hindscope gets its JSON
//   validate, string     JSON text: JSON.parse and ajv
//   validate, bytes      UTF-8: TextDecoder, JSON.parse and ajv
//   push and render      JSON text into a window of 3, and the window as text: JSON.parse, ajv, an
//                        array, slice and join
//
//   cargo xtask bench calls [--json] [--seconds 2]

import { history } from './generate.mjs';
import { FOLDER, best, part, readOptions, rounded, table, validator } from './measure.mjs';

const OMEGA = 3;

const options = readOptions({ seconds: 2 });
// A few thousand records: more of them would only measure the processor's cache.
const { bytes } = history(9, FOLDER);
const { ReflectionWindow, validate } = await part('contract/node.mjs');

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();
const strings = decoder.decode(bytes).split('\n').slice(0, -1);
const objects = strings.map((line) => JSON.parse(line));
const slices = strings.map((line) => encoder.encode(line));

// As its documentation recommends for speed: it stops at the first error.
const isValid = validator({ allErrors: false });
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
print(tasks.map(({ name, ...task }) => ({ name, ...compare(task) })));

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

/** Microseconds a call. */
function compare(task) {
  const { peer, own } = best(task, options.seconds);
  const micros = (ms) => rounded((1000 * ms) / strings.length);
  return { peer_us: micros(peer), hindscope_us: micros(own), ratio: rounded(peer / own) };
}

function print(rows) {
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const mean = (bytes.length / strings.length / 1e3).toFixed(1);
  console.log(`\nOne record at a time, ${mean} KB each, microseconds a call\n`);
  const lines = rows.map(({ name, peer_us, hindscope_us, ratio }) => [name, peer_us, hindscope_us, ratio]);
  console.log(table(['', 'JavaScript', 'hindscope', 'times as fast'], lines));
}
