// Where the time of opening goes, by the CPU profiler of V8: `cargo xtask bench open --profile [--only TEXT]`.
//
// It needs a wasm whose functions have names, which packages do not: HINDSCOPE_NAMED says where one is. A
// sample belongs to the part that its function is of, by the name of its module. Functions of the standard
// library, of the allocator and of other crates belong to the part that called them. What the compiler has
// inlined counts where it was inlined.

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fail, part, rounded, table } from './measure.mjs';

/** What V8 calls its collector, and what calls hindscope here. */
const [GARBAGE, OPENING] = ['(garbage collector)', 'openFor'];
/** The first that fits names the part. */
const PARTS = [
  ['copying', /^passArray8ToWasm|^set$/, 'bytes into the wasm'],
  ['lexing', /hindscope::json::/, 'values, members, numbers and repairs of the pass, with the calls of the format that are inlined there'],
  ['framing', /hindscope::source::/, 'encoding, and where a record begins and ends'],
  ['digest', /xxh|::digest::/, 'the fingerprint of each source'],
  ['extraction', /hindscope::(?:format|validate|model|text)\b/, 'what a record says, and how it deviates'],
  ['findings', /hindscope::(?:history::(?:finding|series)|insight)/, 'about whole runs, and all of them in groups'],
  ['columns', /hindscope::history::(?:arena|row|rows|columns|parsed_rows|source)\b/, 'rows and texts that are kept'],
  ['grouping', /hindscope::/, 'runs and their order, and all else of a history'],
  ['crossing', /hindscope_js::|wasm_bindgen|js_sys|js-to-wasm|wasm-to-js|\.mjs$|\.js$/, 'calls between JavaScript and the wasm, and the objects that they give'],
  ['garbage', { test: (name) => name === GARBAGE }, 'JavaScript collects it'],
];
/** Microseconds between two samples. */
const INTERVAL = 100;
/** Functions that are listed where only one row was chosen. */
const LISTED = 25;

export async function profile(rows, options) {
  const { init, openHistory } = await part('history/manual.mjs');
  const named = process.env.HINDSCOPE_NAMED;
  if (!named) fail('HINDSCOPE_NAMED is missing; call this as `cargo xtask bench open --profile`');
  await init(readFileSync(named));
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  const measured = [];
  for (const row of rows) measured.push(await measure(row, openHistory, session, options.seconds));
  print(measured, options);
}

async function measure({ name, make }, openHistory, session, seconds) {
  const { sources } = make();
  let opened = 0;
  let records = 0;
  const openFor = (duration) => {
    const end = performance.now() + 1000 * duration;
    for (opened = 0; opened === 0 || performance.now() < end; opened += 1) {
      const history = openHistory(sources);
      history.findings();
      if (history.runCount === 0) throw new Error(`${name}: no runs`);
      records = history.recordCount;
      history.free();
    }
  };
  // Until V8 has compiled what is called often.
  openFor(seconds / 2);
  await session.post('Profiler.start');
  openFor(seconds);
  const { profile: sampled } = await session.post('Profiler.stop');
  const size = sources.reduce((sum, { data }) => sum + data.length, 0);
  return { name, bytes: Math.round(size / records), ...divided(sampled, opened * records) };
}

/** Microseconds a record, by part and by function. */
function divided({ nodes, samples, timeDeltas }, records) {
  const self = new Map();
  // A delta is the time since the sample before.
  samples.forEach((id, at) => self.set(id, (self.get(id) ?? 0) + (timeDeltas[at + 1] ?? 0)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [parts, functions] = [{}, {}];
  const add = (sums, name, time) => (sums[name] = (sums[name] ?? 0) + time / records);
  const visit = (id, above) => {
    const { callFrame, children = [] } = byId.get(id);
    if (callFrame.functionName.startsWith('wasm-function[')) fail('the wasm of HINDSCOPE_NAMED has no names');
    // What stands above is the profiler's, except for garbage.
    const isOurs = above !== undefined || callFrame.functionName === OPENING || callFrame.functionName === GARBAGE;
    const own = isOurs ? partOf(callFrame) ?? above : undefined;
    const time = self.get(id) ?? 0;
    if (own !== undefined && time > 0) {
      add(parts, own, time);
      add(functions, `${own}: ${plain(callFrame.functionName)}`, time);
    }
    for (const child of children) visit(child, own);
  };
  visit(nodes[0].id, undefined);
  return { parts, functions };
}

function partOf({ functionName, url }) {
  return PARTS.find(([, names]) => names.test(functionName) || (!url.startsWith('wasm:') && names.test(url)))?.[0];
}

/** Without the compiler's hash. */
function plain(name) {
  return name.replace(/::h[0-9a-f]{16}(?:\[\d+\])?$/, '');
}

function print(rows, options) {
  if (options.json) {
    console.log(JSON.stringify({ node: process.version, rows }, null, 2));
    return;
  }
  const names = PARTS.map(([name]) => name).filter((name) => rows.some(({ parts }) => parts[name]));
  console.log(`Node ${process.version}: microseconds a record, and where they go, in percent\n`);
  const lines = rows.map(({ name, bytes, parts }) => {
    const all = Object.values(parts).reduce((sum, time) => sum + time, 0);
    return [name, bytes, rounded(all), ...names.map((part) => ((100 * (parts[part] ?? 0)) / all).toFixed(1))];
  });
  console.log(table(['', 'bytes', 'us', ...names], lines));
  console.log(`\n${PARTS.map(([name, , what]) => `${name.padEnd(11)} ${what}`).join('\n')}`);
  console.log('\nWhat the compiler has inlined counts where it was inlined; the standard library counts for whoever called it.');
  if (rows.length > 1) return;
  const heaviest = Object.entries(rows[0].functions).sort(([, a], [, b]) => b - a).slice(0, LISTED);
  console.log(`\nIts functions, microseconds a record\n\n${heaviest.map(([name, time]) => `${time.toFixed(3).padStart(8)}  ${name}`).join('\n')}`);
}
