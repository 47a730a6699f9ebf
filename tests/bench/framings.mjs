// How fast a history opens that is not JSON Lines, beside what people would write today:
//
//   one JSON array       JSON.parse of the whole text, as there is no other way without a library
//   YAML documents       parseAllDocuments of the `yaml` package if it is installed, else the rate alone
//
//   cargo xtask bench framings [--json] [--mb 91] [--yaml-mb 30] [--seconds 5]

import { history } from './generate.mjs';
import { FOLDER, best, part, readOptions, rounded } from './measure.mjs';

const options = readOptions({ 'yaml-mb': 30, seconds: 5 });
const { openHistory } = await part('history/node.mjs');
const yamlPackage = await import('yaml').catch(() => undefined);
print([jsonArray(options.mb), yamlDocuments(options['yaml-mb'])]);

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

function measure(name, file, bytes, count, peer, parse) {
  const open = () => {
    const opened = openHistory([{ name: file, data: bytes }]);
    try {
      return opened.recordCount;
    } finally {
      opened.free();
    }
  };
  const checked = (who, run) => () => {
    const records = run();
    if (records !== count) throw new Error(`${who}: ${records} of ${count} records of ${file}`);
  };
  const times = best({ open: checked('open', open), ...(parse && { parse: checked('parse', parse) }) }, options.seconds);
  const rate = (ms) => rounded(bytes.length / 1e3 / ms, 4);
  const row = { name, mb: rounded(bytes.length / 1e6), records: count, seconds: rounded(times.open / 1000, 4), mb_per_s: rate(times.open) };
  if (parse) Object.assign(row, { peer, peer_mb_per_s: rate(times.parse), ratio: rounded(times.parse / times.open) });
  return row;
}

function print(rows) {
  if (options.json) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  console.log(`Node ${process.version}, one thread\n`);
  for (const row of rows) {
    const peer = row.peer ? `${row.ratio.toFixed(2)} times as fast as ${row.peer} (${row.peer_mb_per_s.toFixed(0)} MB/s)` : 'no peer installed';
    console.log(`${row.name.padEnd(16)} ${row.mb} MB, ${row.records} records: ${row.seconds.toFixed(3)} s, ${row.mb_per_s.toFixed(0)} MB/s, ${peer}`);
  }
}
