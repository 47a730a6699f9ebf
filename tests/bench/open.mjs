// How fast histories open, beside what people would write today, in one process and one run. The whole call
// counts: reading, extraction, grouping, and the findings that `findings()` lists.
//
//   cargo xtask bench open [--json] [--only TEXT] [--mb 2] [--seconds 2] [--full] [--profile]
//
// Records of reflection memory stand beside JSON.parse of each line and compiled ajv with all errors and
// formats, files of other tools beside JSON.parse alone. The best of many short batches of `--mb` counts; a
// row takes `--seconds`. `goal` is what we want to reach on this version of Node. `--only` leaves out rows
// whose names do not have the text. With HINDSCOPE_SHARED, a folder of files that tools wrote, these are rows,
// too.
// Then come large histories, each in a process of its own, and what it keeps of them; `--full` opens one of
// 1 GB, too. `--profile` says where the time goes instead (profile.mjs).

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { history } from './generate.mjs';
import { KEPT } from './kept.mjs';
import { FOLDER, best, fail, part, readOptions, rounded, table, validator } from './measure.mjs';
import * as records from './records.mjs';

/** Of Node 20, and of newer ones, whose JSON.parse is faster. */
const GOALS = {
  valid: [5, 3.3],
  deviating: [4.5, 3],
  small: [6, 4],
  mixed: [4, 2.7],
  escapes: [3.5, 2.5],
  languages: [5, 2.5],
  long: [4, 2],
  files: [3, 2],
};
const isNewer = Number(process.versions.node.split('.')[0]) > 20;
/** Findings about whole runs: records without a deviation may have them, too. */
const ABOUT_RUNS = /^(?:rm|series|reflection|stuck|oscillation|regression|retry|merge|env|lesson)\//;
/** Files of a folder of small ones. */
const SMALL = 4800;

const options = readOptions({ only: '', mb: 2, seconds: 2, full: false, profile: false });
const bytes = options.mb * 1e6;
const isWanted = (name) => name.toLowerCase().includes(options.only.toLowerCase());
const groups = [deviatingRows(), otherRows(), fileRows(), textRows()].map((rows) => rows.filter(({ name }) => isWanted(name)));
const keptRows = Object.keys(KEPT).filter((name) => isWanted(name) && (options.full || !KEPT[name].isLarge));
const profiled = groups.flat().filter(({ folder, hasTexts }) => !folder && !hasTexts);
const chosen = options.profile ? profiled : [...groups.flat(), ...keptRows];
if (chosen.length === 0) fail(`no row of these has "${options.only}" in its name`);

if (options.profile) {
  const { profile } = await import('./profile.mjs');
  await profile(profiled, options);
} else {
  const { openHistory } = await part('history/node.mjs');
  const opened = groups.flatMap((rows, at) => (at === 0 ? together(rows, openHistory) : rows.flatMap((row) => together([row], openHistory))));
  const kept = keptRows.map(keptBy);
  print(opened, kept);
}

/**
 * Rows: what to open, and the peer. `judged`: records go through ajv. `isValid`: nothing may be found about
 * the records themselves. `of`: the row whose time this one is compared with.
 */
function deviatingRows() {
  const valid = 'no deviation';
  const row = (name, make, more) => ({ name, of: valid, goal: 'deviating', judged: true, make: () => records.lines(make, bytes), ...more });
  return [
    ...Object.entries(records.DEVIATIONS).map(([name, deviate]) => row(name, (index) => deviate(records.record(index)))),
    row('all of these deviations', (index) => records.allDeviations(records.record(index))),
    row(valid, (index) => records.record(index), { goal: 'valid', isValid: true }),
  ];
}

function otherRows() {
  const row = (name, goal, make, more) => ({ name, goal, judged: true, isValid: true, make: () => records.lines(make(), bytes), ...more });
  const goals = { 'texts full of escapes': 'escapes', 'texts of 20 KB': 'long' };
  return [
    row('300 bytes', 'small', () => records.small),
    row('113 bytes, three deviations', 'small', () => records.tiny, { isValid: false }),
    row('runs of two attempts, four deviations', 'small', () => records.shortRun, { isValid: false }),
    row('members in another order in each record', 'mixed', records.inAnotherOrder),
    row('lengths and languages mixed', 'mixed', records.ofAllKinds),
    ...Object.entries(records.TEXTS).map(([name, text]) => row(name, goals[name] ?? 'languages', () => (index) => records.record(index, text))),
    row('history of long records', 'valid', undefined, { make: longRecords }),
  ];
}

function longRecords() {
  const { bytes: data, count } = history(options.mb, FOLDER);
  return { sources: [{ name: 'history.jsonl', data }], records: count };
}

function fileRows() {
  const row = (name, make, more) => ({ name, goal: 'files', make, ...more });
  const made = (name, make) => row(name, () => make(bytes));
  const folder = path.join(FOLDER, `small-${SMALL}`);
  return [
    made('Reflexion: programming log, lines', records.programmingLog),
    made('Reflexion: env_results, arrays', records.envResults),
    made('aiwg: states of loops, an object each', records.loopStates),
    made('aiwg: state of a long loop, one object', records.longLoopState),
    made('the_edge_agent: results, lines', records.teaLines),
    made('the_edge_agent: results, one array', records.teaArray),
    row(`${SMALL} small files in memory`, () => records.smallFiles(SMALL)),
    row(`${SMALL} small files in a folder`, () => written(folder), { folder, goal: undefined }),
    ...sharedRows(row),
  ];
}

/** Small files on the disk. */
function written(folder) {
  const made = records.smallFiles(SMALL);
  rmSync(folder, { recursive: true, force: true });
  for (const source of made.sources) {
    source.file = path.join(folder, source.name);
    mkdirSync(path.dirname(source.file), { recursive: true });
    writeFileSync(source.file, source.data);
  }
  return made;
}

/** Files as tools wrote them, all of one kind in a row. */
function sharedRows(row) {
  const root = process.env.HINDSCOPE_SHARED;
  if (!root) return [];
  const kinds = {
    'shared, Reflexion: programming logs': ['reflexion/programming', /\.jsonl$/],
    'shared, Reflexion: env_results': ['reflexion', /env_results_trial_\d+\.json$/],
    'shared, Reflexion: submissions': ['reflexion/leetcode_metadata', /\.jsonl$/],
    'shared, aiwg: states of loops': ['aiwg', /(current-loop|loop-state|session-state).*\.json$/],
  };
  return Object.entries(kinds).map(([name, [below, pattern]]) => row(name, () => {
    const folder = path.join(root, below);
    const found = readdirSync(folder, { recursive: true }).filter((file) => pattern.test(file)).sort();
    if (found.length === 0) fail(`no ${pattern} in ${folder}`);
    return records.repeated(found.map((file) => ({ name: file, text: readFileSync(path.join(folder, file), 'utf8') })), bytes);
  }));
}

/** Not only opened: every reflection as a JavaScript string. */
function textRows() {
  const kinds = { 'English': undefined, 'full of escapes': records.TEXTS['texts full of escapes'], 'Chinese': records.TEXTS['Chinese texts'] };
  return Object.entries(kinds).map(([name, text]) => ({
    name: `all texts as strings, ${name}`,
    goal: 'files',
    judged: true,
    isValid: true,
    hasTexts: true,
    make: () => records.lines((index) => records.record(index, text), bytes),
  }));
}

/** Rows that are compared with each other take turns. */
function together(rows, openHistory) {
  const made = rows.map((row) => ({ row, ...contestants(row, openHistory) }));
  const times = best(Object.fromEntries(made.flatMap(({ row, peer, own }) => [[`peer of ${row.name}`, peer], [row.name, own]])), options.seconds * rows.length);
  return made.map(({ row, records: count, size }) => {
    const [peer, own, valid] = [times[`peer of ${row.name}`], times[row.name], times[row.of]];
    return {
      name: row.name,
      bytes: Math.round(size / count),
      peer_us: rounded((1000 * peer) / count),
      us: rounded((1000 * own) / count),
      mb_per_s: rounded(size / 1000 / own),
      ratio: rounded(peer / own),
      goal: GOALS[row.goal]?.[Number(isNewer)],
      ...(valid && { of_valid: rounded(own / valid) }),
    };
  });
}

/** What a row compares. Each answers how many records it read, and once it is checked that all did the same. */
function contestants(row, openHistory) {
  const made = row.make();
  const size = made.sources.reduce((sum, { data }) => sum + data.length, 0);
  const peer = peerOf(row, made.sources);
  const own = ownOf(row, made.sources, openHistory);
  const [read, kept] = [peer(), own()];
  // Files that tools wrote: what a record of them is, their readers say.
  const count = made.records ?? kept.records;
  if (made.records !== undefined && (read.records !== count || kept.records !== count)) {
    throw new Error(`${row.name}: JSON.parse read ${read.records} and hindscope ${kept.records} of ${count} records`);
  }
  if (row.hasTexts && read.texts !== kept.texts) throw new Error(`${row.name}: the texts differ`);
  check(row, made.sources, openHistory);
  return { records: count, size, peer, own };
}

/** Looking at what was found once is enough: the answer is the same every time. */
function check(row, sources, openHistory) {
  if (!row.judged) return;
  const opened = openHistory(row.folder ?? sources);
  const faults = opened.findings().filter(({ rule }) => !ABOUT_RUNS.test(rule));
  opened.free();
  if (Boolean(row.isValid) === faults.length > 0) throw new Error(`${row.name}: hindscope finds ${JSON.stringify(faults[0] ?? 'nothing')}`);
}

function peerOf({ judged, hasTexts }, sources) {
  const decoder = new TextDecoder();
  const judge = judged ? validator({ allErrors: true }) : () => {};
  return () => {
    let count = 0;
    const texts = [];
    for (const { name, data, file } of sources) {
      const text = decoder.decode(file ? readFileSync(file) : data);
      if (!name.endsWith('.jsonl')) {
        const value = JSON.parse(text);
        count += Array.isArray(value) ? value.length : 1;
        continue;
      }
      for (const line of text.split('\n')) {
        if (line === '') continue;
        const value = JSON.parse(line);
        judge(value);
        count += 1;
        if (hasTexts) texts.push(value.self_reflection.reflection_text);
      }
    }
    return { records: count, texts: joined(texts) };
  };
}

function ownOf({ folder, hasTexts }, sources, openHistory) {
  return () => {
    const opened = openHistory(folder ?? sources);
    try {
      opened.findings();
      const texts = hasTexts ? textsOf(opened) : [];
      return { records: opened.runCount && opened.recordCount, texts: joined(texts) };
    } finally {
      opened.free();
    }
  };
}

function textsOf(opened) {
  return opened.runs().flatMap(({ id }) => opened.run(id).window(null, { omega: 10 }).entries.map(({ text }) => text));
}

/** Something that says whether two have the same texts. */
function joined(texts) {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** A crash of one ends no other: each has its own process. */
function keptBy(name) {
  const child = fileURLToPath(new URL('./kept.mjs', import.meta.url));
  const { stdout, signal, status } = spawnSync(process.execPath, ['--expose-gc', '--max-old-space-size=8192', child, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 });
  if (status === 0) return { name, ...JSON.parse(stdout) };
  return { name, crashed: `the process ended with ${signal ?? `code ${status}`}` };
}

function print(opened, kept) {
  if (options.json) {
    console.log(JSON.stringify({ node: process.version, opened, kept }, null, 2));
    return;
  }
  if (opened.length > 0) {
    console.log(`Node ${process.version}, one thread, batches of ${options.mb} MB; microseconds a record, and how many times as fast as the peer\n`);
    const rows = opened.map((row) => [row.name, row.bytes, row.peer_us, row.us, row.ratio.toFixed(2), row.goal, row.of_valid?.toFixed(2)]);
    console.log(table(['', 'bytes', 'JavaScript', 'hindscope', 'ratio', 'goal', 'of valid'], rows));
  }
  if (kept.length > 0) {
    console.log('\nLarge histories: seconds, what is kept beyond the file (`goal`: at most), and the most that the process had at any');
    console.log('time. Beside the peer, 5 is the goal, and 0.1 seconds for findings.\n');
    const rows = kept.map((row) => [row.name, row.mb, row.open_s, row.findings_s, row.findings, row.ratio, row.kept_mb, row.of_file, row.goal, row.peak_mb, row.crashed]);
    console.log(table(['', 'MB', 'open', 'findings', 'found', 'ratio', 'kept MB', 'of file', 'goal', 'peak MB', ''], rows));
  }
}
