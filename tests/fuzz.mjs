// Fuzzing by coverage: `node tests/fuzz.mjs PROGRAM [target] [minutes]`, where PROGRAM is `hindscope-fuzz`, built for it.
//
// Each target begins with its file in tests/corpora and with what the fixtures hold. What breaks a law is made shorter and
// stays in target/fuzz/TARGET, where the next run goes on. HINDSCOPE_BLESS=1 writes the corpora anew: of all inputs, the
// smallest that reach all code that was reached, up to 32 KB a target.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { filesOf, gzip, tar, zip } from './archives.mjs';
import { root } from './faces.mjs';

const MOST_BYTES = 32_768;
/** Longer inputs are slow, and say nothing that shorter ones do not say. */
const MOST_LEN = 4096;
const SEPARATOR = '\x1C';

const [program, ...asked] = process.argv.slice(2);
const minutes = Number(asked.find((word) => /^[\d.]+$/.test(word)) ?? 1);
const corpora = join(root, 'tests/corpora');
const all = readdirSync(corpora).map((name) => name.replace('.jsonl', ''));
const named = asked.filter((word) => !/^[\d.]+$/.test(word));
const unknown = named.find((name) => !all.includes(name));
if (unknown) {
  console.error(`fuzz: \`${unknown}\` is not a target. Targets are ${all.join(', ')}.`);
  process.exit(64);
}
if (!(minutes > 0)) {
  console.error('fuzz: the minutes must be a number above 0.');
  process.exit(64);
}

const fixtures = filesOf(join(root, 'tests/fixtures'), 'fixtures').filter(([name, { length }]) => length < MOST_LEN && !name.endsWith('NOTICE'));
const bytesOf = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** What fixtures are to a target. */
const SEEDS = {
  json: () => fixtures.filter(([name]) => name.endsWith('.json')).map(([, bytes]) => bytes),
  files: () => fixtures.map(([name, bytes]) => bytesOf(`${name}\n`, bytes)),
  yaml: () => fixtures.filter(([name]) => /\.ya?ml$/.test(name)).map(([, bytes]) => bytes),
  archives: () => fixtures.filter((_, at) => at % 9 === 0).flatMap((file) => [
    bytesOf('a.zip\n', zip([file])),
    bytesOf('a.zip\n', zip([file, file], { method: 0 })),
    bytesOf('a.tar\n', tar([file])),
    bytesOf('a.tar.gz\n', gzip(tar([file]))),
    bytesOf('a.json.gz\n', gzip(file[1])),
  ]),
};

/** Words of the fixtures: a fuzzer finds them late by itself. */
function dictionary() {
  const words = new Set(['\x1C', '\n---\n', '```', '&a ', '*a', '<<<<<<< ', '>>>>>>> ', '\\u', 'NaN', '1e999', '{{', '}}', '{% ', ' %}', '(?<', '\\1', '{1,2}']);
  for (const [, bytes] of fixtures) for (const [word] of bytes.toString().matchAll(/"[\w/. -]{1,24}"|^ *[\w]{2,24}:/gm)) words.add(word.trim());
  const escaped = (word) => word.replaceAll(/[^ -!#-[\]-~]/gu, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return [...words].map((word) => `"${escaped(word)}"`).join('\n');
}

/** Runs libFuzzer to its end. Gives its status, and what its lines said. */
function run(target, words, onLine) {
  return new Promise((resolve) => {
    const fuzzer = spawn(program, words, { env: { ...process.env, HINDSCOPE_TARGET: target }, stdio: ['ignore', 'ignore', 'pipe'] });
    let rest = '';
    fuzzer.stderr.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      lines.forEach(onLine);
    });
    fuzzer.on('close', resolve);
  });
}

async function fuzz(target) {
  const folder = join(root, 'target/fuzz', target);
  const [inputs, least] = ['inputs', 'least'].map((name) => join(folder, name));
  mkdirSync(inputs, { recursive: true });
  const lines = readFileSync(join(corpora, `${target}.jsonl`), 'utf8').split('\n').filter(Boolean);
  const known = [...lines.map((line) => Buffer.from(JSON.parse(line), 'latin1')), ...(SEEDS[target]?.() ?? [])];
  known.forEach((bytes, at) => writeFileSync(join(inputs, `known-${at}`), bytes));
  const words = join(root, 'target/fuzz/words');
  writeFileSync(words, dictionary());

  const usual = ['-timeout=20', '-rss_limit_mb=3000', `-max_len=${MOST_LEN}`, `-artifact_prefix=${folder}/`];
  const began = Date.now();
  let [last, cover, count] = [began, 0, 0];
  const said = [];
  const status = await run(target, [inputs, ...usual, `-dict=${words}`, `-max_total_time=${Math.round(minutes * 60)}`, '-reload=0'], (line) => {
    const [, number, covered] = /^#(\d+).* cov: (\d+)/.exec(line) ?? [];
    if (number) count = Number(number);
    else said.push(line);
    if (Number(covered) > cover) [cover, last] = [Number(covered), Date.now()];
  });
  const spent = (from, to) => `${((to - from) / 60_000).toFixed(1)} min`;
  console.log(`${target}: ${count} inputs in ${spent(began, Date.now())}, ${cover} places reached, the last of them ${spent(last, Date.now())} before the end`);
  if (status !== 0) {
    console.log(said.slice(-60).join('\n'));
    console.log(`${target}: a law is broken, or an input takes too long or too much memory. It is in target/fuzz/${target}.`);
    process.exitCode = 1;
    return;
  }
  if (process.env.HINDSCOPE_BLESS !== '1') return;
  rmSync(least, { recursive: true, force: true });
  mkdirSync(least);
  await run(target, ['-merge=1', ...usual, least, inputs], () => {});
  const found = readdirSync(least).map((name) => readFileSync(join(least, name))).sort((a, b) => a.length - b.length || a.compare(b));
  let room = MOST_BYTES;
  const kept = found.map((bytes) => JSON.stringify(bytes.toString('latin1'))).filter((line) => (room -= line.length + 1) >= 0);
  writeFileSync(join(corpora, `${target}.jsonl`), `${kept.join('\n')}\n`);
  console.log(`${target}: tests/corpora has ${kept.length} of ${found.length} inputs`);
}

for (const target of named.length > 0 ? named : all) await fuzz(target);
