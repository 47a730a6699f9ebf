// What a process keeps of one large history: memory of the wasm and of JavaScript, beyond the bytes of the
// file. open.mjs starts it, once for each history, since memory that a process has had is never small again.
//
//   node --expose-gc tests/bench/kept.mjs 'NAME OF A HISTORY'

import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER, part, rounded, validator } from './measure.mjs';
import { allDeviations, lines, record, shortRun, tiny } from './records.mjs';

/** How many records, which, and how much of the file may be kept. */
export const KEPT = {
  '100,000 runs with deviations': { count: 200_000, make: shortRun, goal: 0.5, hasPeer: true },
  '600,000 records of 113 bytes': { count: 600_000, make: tiny, goal: 2, hasPeer: true },
  '1 GB of JSON Lines': { count: 600_000, make: (index) => (index % 2 ? record(index) : allDeviations(record(index))), goal: 0.25, isLarge: true },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measure(KEPT[process.argv[2]])));

async function measure({ count, make, goal, isLarge, hasPeer }) {
  const memories = watched();
  const { openHistory } = await part('history/node.mjs');
  const input = isLarge ? written(make, count) : lines(make, Infinity, undefined, count).sources;
  const size = isLarge ? statSync(input).size : input[0].data.length;
  const row = { mb: rounded(size / 1e6), goal };
  const held = () => {
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return memories.reduce((sum, memory) => sum + memory.buffer.byteLength, heapUsed + arrayBuffers);
  };
  const before = held();
  try {
    const start = performance.now();
    const history = openHistory(input);
    const { recordCount, runCount } = history;
    const opened = performance.now();
    history.findings();
    const listed = performance.now();
    const kept = held() - before;
    Object.assign(row, {
      records: recordCount,
      runs: runCount,
      findings: history.findingCount,
      open_s: rounded((opened - start) / 1000),
      findings_s: rounded((listed - opened) / 1000),
      kept_mb: rounded(kept / 1e6),
      of_file: rounded(kept / size),
    });
    history.free();
    row.peak_mb = Math.round(process.resourceUsage().maxRSS / 1000);
    if (hasPeer) row.ratio = rounded((1000 * peerSeconds(input[0].data)) / (listed - start));
  } catch (error) {
    row.crashed = error.message;
  } finally {
    if (isLarge) rmSync(input);
  }
  return row;
}

/** Every memory that a wasm of this process has. Only Node 20 counts them in `process.memoryUsage()`. */
function watched() {
  const memories = [];
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, given) {
      const instance = Reflect.construct(target, given);
      if (instance.exports.memory) memories.push(instance.exports.memory);
      return instance;
    },
  });
  return memories;
}

/** JSON.parse of each line and ajv, once, as hindscope did it once. */
function peerSeconds(data) {
  const judge = validator({ allErrors: true });
  const start = performance.now();
  for (const line of new TextDecoder().decode(data).split('\n')) {
    if (line !== '') judge(JSON.parse(line));
  }
  return (performance.now() - start) / 1000;
}

/** More than one string of V8 could hold. */
function written(make, count) {
  mkdirSync(FOLDER, { recursive: true });
  const name = path.join(FOLDER, 'large.jsonl');
  const file = openSync(name, 'w');
  for (let from = 0; from < count; from += 1000) {
    writeSync(file, Array.from({ length: 1000 }, (_, at) => `${JSON.stringify(make(from + at))}\n`).join(''));
  }
  closeSync(file);
  return name;
}
