// How fast a history opens that is not JSON Lines, beside what people would write today:
//
//   one JSON array       JSON.parse of the whole text, as there is no other way without a library
//   YAML documents       parseAllDocuments of the `yaml` package if it is installed, else the rate alone
//
//   node --expose-gc tests/bench/framings.mjs [--json] [--mb 91] [--yaml-mb 30] [--rounds 3]
//
// The package must have been built; HINDSCOPE_PACKAGE and HINDSCOPE_BENCH say where it and the
// histories are, as for open.mjs.

import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { history } from './generate.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = process.env.HINDSCOPE_PACKAGE ?? path.join(ROOT, 'target/npm/hindscope');
const FOLDER = process.env.HINDSCOPE_BENCH ?? path.join(ROOT, 'target/bench');

const options = readOptions();
const { openHistory } = await import(pathToFileURL(path.join(PACKAGE, 'node.mjs')));
const yamlPackage = await import('yaml').catch(() => undefined);
const rows = [jsonArray(options.mb), yamlDocuments(options.yamlMb)];
print(rows);

/** Everything is strict about its arguments: a typo must not become a measurement. */
function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        mb: { type: 'string', default: '91' },
        'yaml-mb': { type: 'string', default: '30' },
        rounds: { type: 'string', default: '3' },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  const [mb, yamlMb, rounds] = [values.mb, values['yaml-mb'], values.rounds].map(Number);
  if (!(mb > 0 && mb <= 500 && yamlMb > 0 && yamlMb <= 500)) fail('--mb and --yaml-mb take numbers up to 500');
  if (!(Number.isInteger(rounds) && rounds > 0)) fail(`--rounds takes a whole number, not ${values.rounds}`);
  return { json: values.json, mb, yamlMb, rounds };
}

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(2);
}

function linesOf(mb) {
  return history(mb, FOLDER).bytes.toString('utf8').trimEnd().split('\n');
}

function jsonArray(mb) {
  const lines = linesOf(mb);
  const bytes = Buffer.from(`[\n${lines.join(',\n')}\n]\n`);
  const parse = () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).length;
  return measure('one JSON array', 'history.json', bytes, lines.length, 'JSON.parse', parse);
}

function yamlDocuments(mb) {
  const lines = linesOf(mb);
  const bytes = Buffer.from(lines.map((line) => `---\n${yaml(JSON.parse(line), '')}`).join(''));
  const { parseAllDocuments } = yamlPackage ?? {};
  const parse = parseAllDocuments && (() => parseAllDocuments(bytes.toString('utf8')).map((d) => d.toJS()).length);
  return measure('YAML documents', 'history.yaml', bytes, lines.length, 'yaml', parse);
}

/** Block style, as people and language models write it; texts in double quotes. */
function yaml(value, indent) {
  const entries = Array.isArray(value) ? value.map((item) => ['-', item]) : Object.entries(value).map(([k, v]) => [`${k}:`, v]);
  return entries
    .map(([lead, item]) => {
      const isEmpty = item !== null && typeof item === 'object' && Object.keys(item).length === 0;
      if (item === null || typeof item !== 'object' || isEmpty) return `${indent}${lead} ${JSON.stringify(item)}\n`;
      return `${indent}${lead}\n${yaml(item, `${indent}  `)}`;
    })
    .join('');
}

/** Best of the rounds, of both in turns. */
function measure(name, file, bytes, count, peer, parse) {
  const open = () => {
    const opened = openHistory([{ name: file, data: bytes }]);
    try {
      return opened.recordCount;
    } finally {
      opened.free();
    }
  };
  const best = { open: Infinity, parse: Infinity };
  // One round more than asked: the first one compiles.
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [who, run] of Object.entries({ open, ...(parse && { parse }) })) {
      globalThis.gc?.();
      const start = process.hrtime.bigint();
      const records = run();
      best[who] = Math.min(best[who], Number(process.hrtime.bigint() - start) / 1e9);
      if (records !== count) throw new Error(`${who}: ${records} of ${count} records of ${file}`);
    }
  }
  const rate = (seconds) => Number((bytes.length / 1e6 / seconds).toPrecision(4));
  const row = { name, mb: Number((bytes.length / 1e6).toFixed(1)), records: count, seconds: Number(best.open.toPrecision(4)), mb_per_s: rate(best.open) };
  if (parse) Object.assign(row, { peer, peer_mb_per_s: rate(best.parse), ratio: Number((best.parse / best.open).toPrecision(4)) });
  return row;
}

function print(rows) {
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  console.log(`Node ${process.version}, one thread, best of ${options.rounds}\n`);
  for (const row of rows) {
    const peer = row.peer ? `${row.ratio.toFixed(2)} times as fast as ${row.peer} (${row.peer_mb_per_s.toFixed(0)} MB/s)` : 'no peer installed';
    console.log(`${row.name.padEnd(16)} ${row.mb} MB, ${row.records} records: ${row.seconds.toFixed(3)} s, ${row.mb_per_s.toFixed(0)} MB/s, ${peer}`);
  }
}
