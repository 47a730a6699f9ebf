// The command line on a terminal and between programs: colour, hostile text, keys, pipes, signals.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RAW, answersHere, hindscopeHere, home, onPath, onTerminal, plainEnv, program } from './cli.mjs';

const TREE = 'runs/episodic-tree';
const hasScript = { skip: spawnSync('script', ['--version']).error ? 'there is no `script` to make a terminal with' : false };

/** What is colour of ours, or takes a line of progress away. */
const SGR = /\x1b\[(?:[0-9;]*m|K)/g;

/** A loop that wants to take over the terminal of whoever looks at it. */
const HOSTILE = 'ralph-\u001b[31mred\u202e';
writeFileSync(
  join(home, 'hostile\u001b[2J.jsonl'),
  `${JSON.stringify({
    loop_id: HOSTILE,
    iteration: 1,
    task_description: 'clear \u001b[2J and title \u001b]0;owned\u0007 and C1 \u009b31m',
    actor_output: { actions: [{ type: 'bash\u001b[A', description: 'up\u001b[A', command: 'rm\u0000 \u202e/', diff: '+a\u001b[2K\n-b' }], rationale: 'zero\u200bwidth, tag \u{e0041}' },
    evaluator_output: { passed: false, error_details: [{ type: 'E\u001b', message: 'm\u001b[0m\r\nnext\rover' }] },
    self_reflection: { reflection_text: 'pin \u001b[41m \u2066hidden\u2069 👩‍💻 日本語' },
  })}\n`,
);
const HOSTILE_FILE = 'hostile\u001b[2J.jsonl';
const CALLS = [
  ['stats'],
  ['history', HOSTILE],
  ['history', HOSTILE, '--attempt', '1'],
  ['history', HOSTILE, '--reflections'],
  ['history', `${HOSTILE}?`],
  ['replay', HOSTILE, '--attempt', '1'],
  ['replay', HOSTILE, '--attempt', '7'],
  ['search', 'pin'],
  ['search', 'zero'],
  ['search', 'nothing\u001b[31m'],
  ['search', 'rewrd<\u001b[31m'],
  ['insights'],
  ['window', HOSTILE],
  ['validate'],
  ['validate', '--strict'],
];

test('text of records never steers the terminal', async () => {
  for (const args of CALLS) {
    for (const more of args.length === 1 ? [[], ['--json']] : [[]]) {
      const { stdout, stderr, status } = await hindscopeHere([...args, ...more, HOSTILE_FILE], { env: { FORCE_COLOR: '1' } });
      assert.ok(status < 3, `${args}: ${stderr}`);
      for (const said of [stdout, stderr]) assert.doesNotMatch(said.replaceAll(SGR, ''), RAW, `${args} ${more}`);
      assert.doesNotMatch(stdout, /\x1b\[(?:41|0)m/, 'not even its colours');
    }
  }
  const { stdout } = await hindscopeHere(['history', HOSTILE, '--reflections', HOSTILE_FILE]);
  assert.match(stdout, /pin \[ESC\]\[41m \[U\+2066\]hidden\[U\+2069\] 👩‍💻 日本語/);
  assert.equal(JSON.parse(await answersHere(['history', HOSTILE, '--json', HOSTILE_FILE])).run.key, HOSTILE, 'JSON says the same to programs');
  for (const args of [['sta\u001b[2Jts'], ['stats', '--\u001b[2J'], ['stats', 'no\u001b[2Jwhere'], ['window', HOSTILE, '--layout', '\u001b[2J']]) {
    assert.doesNotMatch((await hindscopeHere(args)).stderr, RAW);
  }
});

test('nor does that of a memory', hasScript, async () => {
  const folder = 'memory\u001b[2J';
  mkdirSync(join(home, folder, 'tasks/task-001'), { recursive: true });
  writeFileSync(join(home, folder, 'tasks/task-001/metadata.json'), JSON.stringify({ id: 'task-001', status: HOSTILE }));
  for (const more of [['--json'], [], ['--mend']]) {
    const { stdout, stderr } = await hindscopeHere(['doctor', ...more, folder], { env: { FORCE_COLOR: '1' } });
    assert.match(stdout, /memory\/schema/, stderr);
    assert.doesNotMatch(stdout.replaceAll(SGR, ''), RAW, `doctor ${more}`);
  }
  writeFileSync(join(home, 'iteration.json'), JSON.stringify({ outcome: 'failure', reflection: 'pin \u001b[41m \u202e' }));
  const { stdout } = onTerminal(`hindscope reflect ralph-001 --memory '${folder}' < iteration.json`);
  assert.match(stdout, /pin \[ESC\]\[41m \[U\+202E\]/);
  assert.doesNotMatch(stdout.replaceAll('\r', '').replaceAll(SGR, ''), RAW);
});

test('colour is for terminals, and for whoever asks', async () => {
  const isColoured = async (env) => (await answersHere(['stats', TREE], { env })).includes('\x1b[');
  assert.equal(await isColoured({}), false);
  assert.equal(await isColoured({ FORCE_COLOR: '1' }), true);
  assert.equal(await isColoured({ FORCE_COLOR: '0' }), false);
  assert.equal(await isColoured({ NO_COLOR: '1' }), false);
  const coloured = await answersHere(['stats', TREE], { env: { FORCE_COLOR: '3' } });
  assert.equal(coloured.replaceAll(SGR, ''), await answersHere(['stats', TREE]), 'and says the same');
});

test('on a terminal: colour, and lines that fit', hasScript, () => {
  const { stdout, status } = onTerminal(`stty columns 60; hindscope stats ${TREE}`);
  assert.equal(status, 0);
  assert.match(stdout, /\x1b\[32m1 success\x1b\[39m/);
  const plain = stdout.replaceAll(SGR, '');
  for (const line of plain.split('\n').filter((line) => /^task-|^run /.test(line))) assert.ok([...line].length <= 100, line);
  assert.match(plain, /…/, 'what has no room is cut');
  assert.doesNotMatch(onTerminal(`hindscope stats ${TREE}`, { env: { NO_COLOR: '1' } }).stdout, /\x1b\[\d/);
  const json = onTerminal(`hindscope search pin --json ${TREE}`).stdout;
  assert.match(json, /\{\n {2}"query": "pin",\n/, 'JSON for people');
  const table = onTerminal(`hindscope convert --to csv '${HOSTILE_FILE}'`).stdout;
  assert.doesNotMatch(table.replaceAll('\r', '').replaceAll(SGR, ''), RAW, 'exports are made visible there');
});

test('tables fit into narrow terminals, and say what has no room', async () => {
  const runs = ['alfworld', 'episodic-tree', 'ralph-token-expiry'].map((name) => `runs/${name}`);
  for (const [args, begin, always] of [
    [['history', 'task-lantern', TREE], /^#/, ['#', 'outcome', 'reflection']],
    [['stats', TREE], /^ {2}attempts made /, ['attempts made', 'success', 'mean reward']],
    [['stats', ...runs], /^(?:group  .*)?run /, ['run', 'outcome']],
  ]) {
    /** Heads of the table, what has no room, and its lines. */
    const shown = async (columns) => {
      const lines = (await hindscopeHere(args, { env: { NO_COLOR: '1' }, columns })).stdout.split('\n');
      const from = lines.findIndex((line) => begin.test(line));
      const to = lines.findIndex((line, at) => at > from && (line === '' || /^ {2}Successful retries|^by attempt: /.test(line)));
      const table = lines.slice(from, to);
      const note = table.findIndex((line) => /^ *hidden columns: /.test(line));
      const spared = note < 0 ? [] : table.slice(note).map((line) => line.trim()).join(' ').replace('hidden columns: ', '').split(', ');
      return { heads: table[0].trim().split(/ {2,}/), spared, table };
    };
    const { heads: all, spared: none } = await shown(400);
    assert.deepEqual(none, []);
    for (const columns of [40, 60, 80, 120]) {
      const { heads, spared, table } = await shown(columns);
      for (const line of table) assert.ok([...line].length <= columns, `${args} at ${columns}: ${line}`);
      assert.deepEqual([...heads, ...spared].sort(), [...all].sort(), `${args} at ${columns}`);
      assert.ok(always.every((head) => heads.includes(head)), `${heads}`);
    }
  }
  assert.doesNotMatch((await hindscopeHere(['stats', ...runs])).stdout, /hidden columns/, 'a file has room for all');
});

test('help fits into a narrow terminal', hasScript, () => {
  for (const call of ['--help', 'history --help']) {
    const { stdout } = onTerminal(`stty columns 50; hindscope ${call}`);
    const lines = stdout.replaceAll(SGR, '').split('\n');
    // Calls stay whole, to be copied.
    for (const line of lines.filter((line) => !/hindscope [a-z]/.test(line))) assert.ok([...line].length <= 50, line);
    assert.ok(lines.length > 20);
  }
});

/** Runs a line on a terminal while the test talks with it; `input` is what it finds as file 3. */
function talk(t, line, input = 'ignore') {
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: home, env: onPath(), stdio: ['pipe', 'pipe', 'ignore', input] });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  /** Waits for something that is said after what was waited for before. */
  const until = (pattern) =>
    new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`${pattern} never came: ${JSON.stringify(said)}`)), 120_000);
      const look = (piece) => {
        said += piece;
        if (!pattern.test(said)) return;
        clearTimeout(timer);
        child.stdout.off('data', look);
        said = '';
        done();
      };
      child.stdout.on('data', look);
      look('');
    });
  return { child, until, ended: once(child, 'exit') };
}

test('long work says how far it is, on a terminal only', hasScript, async (t) => {
  const inPipe = spawn(process.execPath, [program, 'stats', '-'], { cwd: home, env: plainEnv(), stdio: ['pipe', 'ignore', 'pipe'] });
  t.after(() => inPipe.kill('SIGKILL'));
  const closed = once(inPipe, 'close');
  let beside = '';
  inPipe.stderr.on('data', (piece) => (beside += piece));
  const { child, until, ended } = talk(t, 'hindscope stats - <&3', 'pipe');
  const inputs = [inPipe.stdin, child.stdio[3]];
  const feed = () => inputs.forEach((input) => input.write('{"loop_id":"ralph-slow","iteration":1,"self_reflection":{"reflection_text":"Slow."}}\n'));
  const feeding = setInterval(feed, 50);
  t.after(() => clearInterval(feeding));
  await until(/Reading: .*B/);
  clearInterval(feeding);
  for (const input of inputs) input.end();
  await until(/\x1b\[K.*No outcome is recorded[^]*1 file/);
  assert.equal((await ended)[0], 0);
  await closed;
  assert.equal(beside, '');
});

test('a replay goes step by step', hasScript, async (t) => {
  const { child, until, ended } = talk(t, `hindscope replay task-lantern --attempt 1 --step ${TREE}`);
  await until(/1\/4 .*q quit/);
  child.stdin.write(' ');
  await until(/Action 1 of 2[^]*2\/4/);
  child.stdin.write('\x1b[C');
  await until(/Action 2 of 2[^]*make flash[^]*3\/4/);
  child.stdin.write('\x1b[D');
  await until(/Action 1 of 2[^]*2\/4/);
  child.stdin.write('e');
  await until(/Outcome of attempt 1[^]*verify failed/);
  assert.equal((await ended)[0], 0);
});

test('a replay is interrupted', hasScript, async (t) => {
  const { child, until, ended } = talk(t, `hindscope replay task-lantern --step ${TREE}`);
  await until(/q quit/);
  child.stdin.write('\x03');
  assert.equal((await ended)[0], 130);
});

test('a reader that has read enough is no mistake', () => {
  const line = (n) => `{"loop_id":"ralph-long","iteration":${n},"self_reflection":{"reflection_text":"the same again ${n}"}}\n`;
  writeFileSync(join(home, 'long.jsonl'), Array.from({ length: 5000 }, (_, n) => line(n)).join(''));
  for (const call of ['search again long.jsonl', 'convert --to records --supply \'{}\' long.jsonl', 'convert long.jsonl', 'history ralph-long long.jsonl', 'stats --json long.jsonl']) {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', `set -o pipefail; hindscope ${call} | head -c 10`], { cwd: home, env: onPath(), encoding: 'utf8' });
    assert.ok(stdout.length <= 10);
    assert.doesNotMatch(stderr, /EPIPE|at /, call);
    if (!call.includes('records')) assert.equal(status, 0, `${call}: ${stderr}`);
  }
});

test('an interrupted command is one', async (t) => {
  const child = spawn(process.execPath, [program, 'stats', '-'], { cwd: home, env: plainEnv(), stdio: ['pipe', 'ignore', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  // More than a pipe holds: when all of it is taken, the command is reading.
  await new Promise((taken) => child.stdin.write('\n'.repeat(1 << 22), taken));
  child.kill('SIGINT');
  assert.deepEqual(await ended, [null, 'SIGINT']);
});
