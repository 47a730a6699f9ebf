// Every command over histories of the project: what it answers, in words and in JSON, and how it
// refuses what cannot be answered.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { zip } from '../archives.mjs';
import { root } from '../faces.mjs';
import { RAW, answers, answersHere, compiles, golden, hindscope, hindscopeHere, home, installed, onPath, program, refuses, refusesHere, refusesPlainly } from './cli.mjs';

const TREE = 'runs/episodic-tree';
const COMMANDS = ['stats', 'history', 'replay', 'search', 'insights', 'compare', 'window', 'validate', 'reflect', 'task', 'doctor', 'loop', 'convert', 'view', 'completion'];

test('version and help', async () => {
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(await answersHere(['--version']), `${version}\n`);
  const overview = await answersHere(['--help']);
  for (const command of COMMANDS) {
    assert.match(overview, new RegExp(`^  ${command} `, 'm'));
    const help = await answersHere([command, '--help']);
    assert.equal(help, await answersHere(['help', command]));
    assert.match(help, new RegExp(`^Usage  hindscope ${command} `, 'm'));
    assert.match(help, new RegExp(`^  .*hindscope ${command}\\b.*\\n {6}\\S`, 'm'), 'it teaches by example');
    assert.match(help, /^Exit codes: 0 /m);
    for (const line of help.split('\n')) assert.ok(line.length <= 100 || line.startsWith('  '), line);
  }
  golden('help.txt', overview);
  golden('help-search.txt', await answersHere(['search', '--help']));
});

test('nothing at all is no call', () => {
  const { status, stdout, stderr } = hindscope([]);
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^Usage {2}hindscope COMMAND/m);
});

test('what does not fit into memory is left, said, and counted', async () => {
  mkdirSync('small', { recursive: true });
  const line = (at) => `{"loop_id":"ralph-${Math.floor(at / 100)}","iteration":${at % 100},"self_reflection":{"reflection_text":"Again"}}\n`;
  writeFileSync('small/a.jsonl', Array.from({ length: 6000 }, (_, at) => line(at)).join(''));
  writeFileSync('small/b.jsonl', line(1));
  const { status, stdout, stderr } = hindscope(['stats', '--json', '--memory', '1', 'small']);
  const { added, runs } = JSON.parse(stdout);
  assert.equal(status, 0);
  assert.ok(added.kept > 500 && added.kept < 6000, String(added.kept));
  assert.deepEqual([added.sources, added.refused, runs.length], [2, 1, Math.ceil(added.kept / 100)]);
  assert.match(stderr, new RegExp(`small/a\\.jsonl: The memory limit of 1 MB is reached\\. ${added.kept.toLocaleString("en")} records of this file are kept; .* \`--memory\` raises the limit\\.`));
  assert.equal(JSON.parse(await answersHere(['stats', '--json', '--memory', '64', 'small'])).added.kept, 6001);
  for (const memory of ['0', '1.5', 'all', '3073']) await refusesHere(2, 'invalid-option', ['stats', `--memory=${memory}`, 'small']);
  assert.equal(hindscope(['validate', '--memory', '1', 'small']).status, 1, 'not all of it was checked');
  // Where the limit is the highest, the advice is another one. A test cannot fill 3 GB, so it asks for the sentence.
  assert.match(stderr, /is not read\. 1 more file is not read to the end\. `--memory`/);
  const { memoryAdvice } = await import(pathToFileURL(join(installed, 'cli/open.mjs')));
  assert.equal(memoryAdvice(3, 3072), '2 more files are not read to the end. This limit cannot be raised. Name fewer files, or give a part of one: `head -n 100000 FILE | hindscope COMMAND -`.');
  assert.equal(memoryAdvice(1, 3071), '`--memory` raises the limit.');
  assert.equal(memoryAdvice(1, undefined), '`--memory` raises the limit.');
  // The way that it names leads there.
  const part = readFileSync('small/a.jsonl', 'utf8').split('\n').slice(0, 200).join('\n');
  const { stdout: parts, stderr: nothing } = hindscope(['stats', '--json', '--memory', '1', '-'], { input: part });
  assert.deepEqual([JSON.parse(parts).added.kept, nothing], [200, '']);
});

test('names of entries of an archive are shown as what they are', async () => {
  const names = ['../../etc/x.jsonl', '/abs/y.jsonl', './k/../m.jsonl', 'a\\b.jsonl', 'C:\\c.jsonl', 'a//b.jsonl'];
  mkdirSync('odd');
  const record = (at) => Buffer.from(`{"loop_id":"lamp-${at}","iteration":1,"self_reflection":{"reflection_text":"Again"}}\n`);
  writeFileSync('odd/names.zip', zip(names.map((name, at) => [name, record(at)])));
  for (const [given, folder] of [['odd/names.zip', 'odd/names.zip'], ['odd', 'odd/names.zip'], ['odd/', 'odd/names.zip'], ['./odd/names.zip', './odd/names.zip'], [join(home, 'odd/names.zip'), join(home, 'odd/names.zip')]]) {
    const expected = names.map((name) => `${folder}/${name}`).sort();
    const { stdout } = await hindscopeHere(['validate', '--json', given]);
    assert.deepEqual(JSON.parse(stdout).files.map(({ path }) => path).sort(), expected, given);
    const found = await answersHere(['search', '--json', 'again', given]);
    assert.deepEqual([...new Set(JSON.parse(found).hits.map(({ path }) => path))].sort(), expected, given);
  }
  const [validated, searched] = [(await hindscopeHere(['validate', 'odd/names.zip'])).stdout, await answersHere(['search', 'lamp', 'odd/names.zip', '--part', 'task'])];
  for (const name of names) {
    assert.ok(validated.includes(`odd/names.zip/${name}`), `${name} in\n${validated}`);
    assert.ok(searched.includes(`odd/names.zip/${name}\n`), `${name} in\n${searched}`);
  }
});

test('what people read', () => {
  golden('stats.txt', answers(['stats', TREE]));
  golden('history.txt', answers(['history', 'task-lantern', TREE]));
  golden('history-attempt.txt', answers(['history', 'task-lantern', '--attempt', '1', TREE]));
  golden('history-reflections.txt', answers(['history', 'task-lantern', '--reflections', TREE]));
  golden('replay.txt', answers(['replay', 'task-lantern', '--attempt', '1', TREE]));
  golden('insights.txt', answers(['insights', 'runs/ralph-token-expiry']));
  golden('window.txt', answers(['window', 'task-lantern', '--omega', '1', TREE]));
  golden('search.txt', answers(['search', 'pin', TREE]));
  golden('validate.txt', hindscope(['validate', `${TREE}/tasks/task-gate`]).stdout);
});

test('every reflection that counts is listed, wherever it stands', async () => {
  // Records of a later attempt repeat them, or those of attempts that are not open.
  for (const [file, all] of [['cot_reflexion_3_trials.txt', 3], ['env_results_trial_5.json', 3]]) {
    const path = join(root, 'tests/fixtures/reflexion/2023', file);
    let listed = 0;
    for (const { key, reflections } of JSON.parse(await answersHere(['stats', '--json', path])).runs) {
      const answer = JSON.parse(await answersHere(['history', key, '--reflections', '--json', path]));
      assert.equal(answer.reflections.length, reflections, key);
      assert.ok(answer.reflections.every(({ text }) => text.trim() !== ''));
      listed += reflections;
    }
    assert.equal(listed, all, file);
  }
});

/** Every folder of fixtures, each with several histories in it. */
const folders = ['aiwg', 'defects', 'lats', 'reflexion', 'self-refine', 'study', 'the_edge_agent'].flatMap((writer) =>
  readdirSync(join(root, 'tests/fixtures', writer)).map((version) => join(root, 'tests/fixtures', writer, version)),
);

for (const folder of folders) {
  test(`every command over ${folder.slice(root.length + 1)}`, async () => {
    const parsed = async (args) => {
      const { status, stdout, stderr } = await hindscopeHere([...args, '--json', folder]);
      assert.ok(status === 0 || status === 1, `${args}: ${stderr}`);
      assert.doesNotMatch(stdout.trimEnd(), RAW);
      return JSON.parse(stdout);
    };
    const { runs, added, outcomes, groups } = await parsed(['stats', '--runs']);
    assert.ok(runs.length > 0 && added.kept > 0);
    assert.equal(Object.values(outcomes).reduce((sum, count) => sum + count), runs.length);
    const explained = (await parsed(['insights'])).runs;
    assert.deepEqual(explained.map(({ key }) => key), runs.map(({ key }) => key));
    const { files, valid } = await parsed(['validate']);
    assert.ok(files.length >= added.sources);
    assert.equal(valid, files.every((file) => file.valid));
    // Files pass alike, and groups count what is listed one by one.
    const counted = files.map(({ findings, ...file }) => ({ ...file, findings: findings.reduce((sum, { count }) => sum + count, 0) }));
    const listed = (await parsed(['validate', '--all'])).files.map(({ findings, ...file }) => ({ ...file, findings: findings.length }));
    assert.deepEqual(listed, counted);
    assert.equal((await parsed(['search', 'has:reward OR', '--limit', '3'])).query, 'has:reward OR');
    const run = runs.find(({ iterations }) => iterations > 0);
    const name = `${groups[run.group].label}/${run.key}`;
    const { attempts } = await parsed(['history', name]);
    assert.equal(attempts.length, run.iterations);
    const { at, attempt } = await parsed(['replay', name]);
    assert.equal(at, attempts.at(-1).number);
    assert.deepEqual(attempt, attempts.at(-1).details);
    assert.ok((await parsed(['window', name])).window.at > at);
    for (const args of [['insights'], ['history', name]]) {
      const { status, stdout } = await hindscopeHere([...args, folder]);
      assert.equal(status, 0, `${args}`);
      assert.doesNotMatch(stdout, RAW, `${args}`);
    }
  });
}

test('answers in JSON are what their types say', async () => {
  const made = join(home, 'shapes');
  mkdirSync(made);
  const json = async (...args) => (await answersHere([...args, '--json'])).trim();
  const shapes = {
    StatsAnswer: await json('stats', TREE),
    HistoryAnswer: await json('history', 'task-lantern', TREE),
    ReflectionsAnswer: await json('history', 'task-lantern', '--reflections', TREE),
    WrittenAnswer: await json('history', 'task-lantern', '--export', join(made, 'a.csv'), TREE),
    ConvertAnswer: await json('convert', '--out', join(made, 'b.md'), TREE),
    ReplayAnswer: await json('replay', 'task-lantern', '-a', '1', TREE),
    SearchAnswer: await json('search', 'pin', TREE),
    InsightsAnswer: await json('insights', 'runs/ralph-token-expiry'),
    RulesAnswer: await json('insights', '--rules'),
    WindowAnswer: await json('window', 'env_3', '--policy', 'relevance_weighted', '--budget', '40', 'runs/alfworld'),
    ValidateAnswer: await json('validate', 'runs/ralph-token-expiry'),
    ValidateAllAnswer: await json('validate', '--all', 'runs/ralph-token-expiry'),
    RefusedAnswer: (await hindscopeHere(['history', 'nobody', '--json', TREE])).stderr.trim(),
  };
  const lines = Object.entries(shapes).map(([type, text]) => `export const of${type}: answers.${type} = ${text};`);
  // A member that the type does not have, or one that lacks, does not compile.
  lines.push('// @ts-expect-error: paths, groups and the rest are missing', 'export const wrong: answers.StatsAnswer = { findings: 1 };');
  compiles(made, lines);
});

test('codes of refusals are the ones that are declared', () => {
  const types = readFileSync(join(installed, 'cli/answers.d.cts'), 'utf8');
  const declared = new Set(Array.from(types.slice(types.indexOf('type RefusalCode')).matchAll(/'([\w-]+)'/g), ([, code]) => code));
  const api = ['types', 'data'].map((name) => readFileSync(join(installed, `${name}.d.cts`), 'utf8')).join('');
  const used = new Set();
  for (const file of readdirSync(join(installed, 'cli')).filter((name) => name.endsWith('.mjs'))) {
    const text = readFileSync(join(installed, 'cli', file), 'utf8');
    for (const [, code] of text.matchAll(/new Refusal\(\s*'([\w-]+)'/g)) used.add(code);
  }
  for (const code of used) assert.ok(declared.has(code) || api.includes(`'${code}'`), code);
  for (const code of declared) assert.ok(used.has(code), code);
});

test('bad input is refused with a code, and nothing is shown', async () => {
  assert.match((await refusesHere(2, 'unknown-command', ['sats'])).hint, /stats/);
  assert.match((await refusesHere(2, 'unknown-option', ['stats', '--rnus', TREE])).hint, /--runs/);
  await refusesHere(2, 'unknown-option', ['--runs']);
  await refusesHere(2, 'missing-argument', ['history']);
  await refusesHere(2, 'missing-argument', ['search']);
  // Before anything is opened.
  await refusesHere(2, 'invalid-query', ['search', 'pin rewrd<2', 'no-such-folder']);
  await refusesHere(2, 'invalid-option', ['insights', '--rule', 'no/such', 'no-such-folder']);
  await refusesHere(2, 'invalid-option', ['convert', '--to', 'csv', '--points', 'no-such-folder']);
  await refusesHere(2, 'invalid-option', ['history', 'env_3', '--export', 'a.b', 'no-such-folder']);
  assert.match((await hindscopeHere(['completion', 'bash', 'zsh'])).stderr, /\[too-many-arguments\]/);
  assert.match((await hindscopeHere(['completion', 'tcsh'])).stderr, /bash, zsh, or fish, not tcsh[^]*\[invalid-option\]/);
  await refusesHere(2, 'invalid-option', ['window', 'env_3', '--omega', '11', 'runs/alfworld']);
  await refusesHere(2, 'invalid-option', ['window', 'env_3', '--omega', 'two', 'runs/alfworld']);
  await refusesHere(2, 'invalid-option', ['window', 'env_3', '--policy', 'lifo', 'runs/alfworld']);
  await refusesHere(2, 'invalid-option', ['history', 'env_3', '--attempt', 'runs/alfworld']);
  await refusesHere(2, 'invalid-option', ['insights', '--rule', 'stuck/nothing', TREE]);
  await refusesHere(2, 'invalid-option', ['convert', '--run', 'env_3', '--query', 'has:reward', '--out', 'x.csv', 'runs/alfworld']);
  await refusesHere(2, 'no-terminal', ['replay', 'env_3', '--step', 'runs/alfworld']);
  assert.match((await refusesHere(2, 'no-such-run', ['history', 'task-lantren', TREE])).hint, /task-lantern/);
  await refusesHere(2, 'no-such-run', ['history', '../task-lantern', TREE]);
  await refusesHere(2, 'no-such-run', ['replay', '/etc/passwd', TREE]);
  await refusesHere(2, 'no-such-run', ['history', '', TREE]);
  assert.match((await refusesHere(2, 'no-such-iteration', ['replay', 'task-lantern', '-a', '9', TREE])).hint, /1\.\.3/);
  await refusesHere(2, 'no-such-iteration', ['history', 'task-lantern', '--attempt=-1', TREE]);
  const beyond = await refusesHere(2, 'invalid-option', ['history', 'task-lantern', '--attempt=9007199254740993', TREE]);
  assert.match(beyond.message, /an integer within ±9007199254740991, not 9007199254740993/);
  assert.match((await refusesHere(2, 'no-such-iteration', ['window', 'task-lantern', '--at', '9', TREE])).hint, /1\.\.3/);
  await refusesHere(3, 'unreadable-input', ['stats', 'runs/nowhere']);
  await refusesHere(3, 'unreadable-input', ['stats', '']);
  await refusesHere(3, 'unreadable-input', ['validate', '--schema', 'runs/no-schema.json', TREE]);
  writeFileSync(join(home, 'broken-schema.json'), '{"type": 7}');
  await refusesHere(2, 'invalid-schema', ['validate', '--schema', 'broken-schema.json', TREE]);
});

test('people read a sentence, a hint and the code', () => {
  refusesPlainly(2, 'unknown-command', ['sats']);
  refusesPlainly(2, 'invalid-option', ['window', 'env_3', '--omega', '11', 'runs/alfworld']);
  refusesPlainly(2, 'no-such-run', ['history', 'task-lantren', TREE]);
  refusesPlainly(3, 'unreadable-input', ['stats', 'runs/nowhere']);
});

test('a query with a mistake is underlined', async () => {
  const { status, stderr } = await hindscopeHere(['search', 'pin rewrd<2', TREE]);
  assert.equal(status, 2);
  assert.match(stderr, /^ {2}pin rewrd<2\n {6}\^{5}$/m);
  assert.equal((await refusesHere(2, 'invalid-query', ['search', 'pin rewrd<2', TREE])).details.start, 4);
});

test('the answer can be no', async () => {
  assert.equal((await hindscopeHere(['search', 'zeppelin', TREE])).status, 1);
  assert.deepEqual(JSON.parse((await hindscopeHere(['search', 'zeppelin', '--json', TREE])).stdout).hits, []);
  assert.equal((await hindscopeHere(['window', 'task-lantern', '--at', '1', TREE])).status, 1);
  assert.equal((await hindscopeHere(['insights', '--rule', 'stuck/*', '--check', 'runs/ralph-token-expiry'])).status, 1);
  assert.equal((await hindscopeHere(['insights', '--rule', 'stuck/*', '--check', 'runs/alfworld', '--level', 'error'])).status, 0);
  mkdirSync(join(home, 'empty'));
  assert.match((await refusesHere(1, 'no-runs', ['stats', 'empty'])).message, /0 files/);
  await refusesHere(1, 'no-runs', ['convert', '--query', 'outcome:running', '--out', 'none.csv', 'runs/alfworld']);
  await refusesHere(1, 'no-runs', ['insights', '--query', 'outcome:running', 'runs/alfworld']);
});

test('of two runs with one id it is said which there are', async () => {
  for (const group of ['a', 'b']) {
    mkdirSync(join(home, 'twins', group), { recursive: true });
    const record = { loop_id: 'ralph-twin', iteration: 1, evaluator_output: { passed: group === 'a' }, self_reflection: { reflection_text: group } };
    writeFileSync(join(home, 'twins', group, 'loop.jsonl'), `${JSON.stringify(record)}\n`);
  }
  const names = JSON.parse(await answersHere(['stats', '--json', 'twins/a', 'twins/b'])).groups.map(({ label }) => label);
  assert.deepEqual(names, ['a', 'b']);
  assert.match((await refusesHere(2, 'ambiguous-run', ['history', 'ralph-twin', 'twins/a', 'twins/b'])).hint, /a\/ralph-twin, b\/ralph-twin/);
  assert.equal(JSON.parse(await answersHere(['history', 'b/ralph-twin', '--json', 'twins/a', 'twins/b'])).run.outcome, 'failure');
});

test('without a path it is .aiwg/ralph, else the current folder', () => {
  const folder = join(home, 'agent');
  mkdirSync(join(folder, '.aiwg'), { recursive: true });
  writeFileSync(join(folder, 'loop.jsonl'), '{"loop_id":"ralph-here","iteration":1,"self_reflection":{"reflection_text":"Here."}}\n');
  const keys = () => JSON.parse(answers(['stats', '--json'], { cwd: folder })).runs.map(({ key }) => key);
  assert.deepEqual(keys(), ['ralph-here']);
  execFileSync('cp', ['-r', join(home, TREE), join(folder, '.aiwg/ralph')]);
  assert.ok(keys().includes('task-lantern') && !keys().includes('ralph-here'));
  mkdirSync(join(folder, '.aiwg/ralph-external/reflections'), { recursive: true });
  writeFileSync(join(folder, '.aiwg/ralph-external/reflections/reflection-1.json'), '{"iteration":1,"content":"Sort first.","type":"failure_pattern"}\n');
  assert.ok(keys().includes('task-lantern') && keys().includes('reflections'), 'both folders of aiwg are read');
});

test('loops of several projects in one folder are reached by their folders', async () => {
  const folder = join(home, 'work');
  for (const [name, task] of [['one', 'Tidy'], ['two', 'Test']]) {
    mkdirSync(join(folder, name, '.aiwg/ralph'), { recursive: true });
    writeFileSync(join(folder, name, '.aiwg/ralph/current-loop.json'), JSON.stringify({ task, status: 'completed', startedAt: '2026-03-01T09:00:00Z' }));
  }
  const names = JSON.parse(await answersHere(['stats', '--json', folder])).runs.map(({ key }) => key);
  assert.deepEqual(names, ['one/ralph', 'two/ralph']);
  for (const name of ['two/ralph', 'work/two/ralph']) {
    assert.equal(JSON.parse(await answersHere(['history', name, '--json', folder])).run.task, 'Test');
  }
  assert.match((await refusesHere(2, 'ambiguous-run', ['history', 'ralph', folder])).hint, /work\/one\/ralph, work\/two\/ralph/);
});

test('a pipe is read to its end', () => {
  const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} stats --json <(for n in 1 2 3; do cat runs/ralph-token-expiry/00$n.json; echo; done)`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: home, encoding: 'utf8', timeout: 60_000 });
  const piped = JSON.parse(stdout || '{"runs":[]}');
  assert.ok(piped.runs.length > 0, stderr);
  assert.ok(piped.runs[0].iterations > 0);
});

test('a part of a run is no export', async () => {
  const [key] = JSON.parse(await answersHere(['stats', 'runs', '--json'])).runs.map((run) => run.key);
  for (const more of [['--attempt', '1'], ['--reflections']]) {
    await refusesHere(2, 'invalid-option', ['history', key, 'runs', '--export', 'part.md', ...more]);
    assert.ok(!existsSync(join(home, 'part.md')));
  }
});

test('an answer that cannot be written is said', () => {
  const { status, stderr } = spawnSync('bash', ['-c', `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} stats runs > /dev/full`], { cwd: home, encoding: 'utf8' });
  assert.equal(status, 3);
  assert.match(stderr, /Cannot write to standard output[^]*\[unwritable-output\]/);
});

test('standard input is a path, too', () => {
  const input = readFileSync(join(root, 'tests/fixtures/aiwg/2026.1/two-loops.jsonl'));
  assert.equal(JSON.parse(answers(['stats', '--json', '-'], { input })).runs.length, 2);
  assert.equal(hindscope(['validate', '--strict', '-'], { input: '{"iteration": 1}' }).status, 1);
  assert.equal(hindscope(['stats', '-']).status, 1);
});

test('validation points into the file that was named', () => {
  const file = join(root, 'tests/fixtures/defects/1/schema-violations.jsonl');
  const { status, stdout } = hindscope(['validate', '--strict', file]);
  assert.equal(status, 1);
  assert.ok(stdout.includes(`${file}:1:12: error: Expected a string that matches`));
  const loose = hindscope(['validate', join(home, 'runs/ralph-token-expiry/001.json')]);
  assert.equal(loose.status, 0);
  // One line of three lacks what its schema asks for.
  const action = { timestamp: '2026-04-02T08:04:00Z', iteration: 1, type: 'edit' };
  writeFileSync(join(home, 'actions.jsonl'), [action, { ...action, iteration: '2' }, action].map((line) => JSON.stringify(line)).join('\n'));
  const lines = hindscope(['validate', '--schema', 'action', '--strict', '--all', '--json', 'actions.jsonl']);
  assert.equal(lines.status, 1);
  const [{ findings, kept, skipped }] = JSON.parse(lines.stdout).files;
  assert.deepEqual([kept, skipped, findings.length, findings[0].line, findings[0].pointer], [2, 1, 1, 2, '/iteration']);
  writeFileSync(join(home, 'own.json'), '{"required": ["steps"]}');
  writeFileSync(join(home, 'list.json'), '[{"steps": 1}, {}]');
  const own = JSON.parse(hindscope(['validate', '--schema', 'own.json', '--all', '--json', 'list.json']).stdout);
  assert.deepEqual([own.valid, own.files[0].kept, own.files[0].findings[0].pointer], [false, 1, '/1']);
});

test('validation lists findings about many records in groups', async () => {
  const record = (iteration) => ({
    loop_id: 'ralph-many',
    iteration,
    timestamp: iteration % 3 === 0 ? '2026-01-01T00:00:00Z' : '2026-01-01',
    mood: 'calm',
    evaluator_output: { reward_signal: iteration < 4 ? 700 : 0.5 },
    self_reflection: { reflection_text: `Attempt ${iteration}.` },
  });
  const records = Array.from({ length: 1500 }, (_, iteration) => record(iteration));
  writeFileSync(join(home, 'many.jsonl'), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  writeFileSync(join(home, 'few.jsonl'), `${JSON.stringify({ ...record(1), loop_id: 'ralph-few' })}\n`);
  const parsed = async (...args) => JSON.parse((await hindscopeHere(['validate', '--json', ...args])).stdout);
  const { valid, files: [{ findings: groups }] } = await parsed('many.jsonl');
  const [{ findings: all }] = (await parsed('--all', 'many.jsonl')).files;
  assert.equal(valid, false);
  assert.ok(all.length > 4000, `${all.length} findings`);
  const ofRule = (wanted) => groups.find(({ rule }) => rule === wanted);
  assert.deepEqual([groups[0].rule, groups[0].severity, groups[0].pointer, groups[0].count], ['reward/out-of-range', 'error', '/evaluator_output/reward_signal', 4]);
  assert.deepEqual([ofRule('lenient/timestamp').count, ofRule('lenient/unknown-member').count], [1000, 1500]);
  for (const { rule, pointer, first } of groups) {
    const places = (found) => found.map(({ line, column, message }) => [line, column, message]);
    assert.deepEqual(places(first), places(all.filter((each) => each.rule === rule && each.pointer === pointer).slice(0, 3)), rule);
  }

  // Each group has its first places as compilers write them, its hint once, and says how many more there are.
  const shown = await hindscopeHere(['validate', 'many.jsonl']);
  assert.equal(shown.status, 1);
  const lines = shown.stdout.trimEnd().split('\n');
  assert.match(lines[0], /^fails {2}many\.jsonl /);
  assert.deepEqual(lines.slice(1, 4).map((line) => line.split(': ')[0]), [0, 1, 2].map((at) => `  many.jsonl:${at + 1}:${JSON.stringify(records[at]).indexOf('700') + 1}`));
  assert.deepEqual(lines.slice(4, 6), ['      Write rewards between 0 and 1.', '      … and 1 more like this (--all lists each)']);
  assert.ok(lines.includes('      … and 1,497 more like this (--all lists each)'));
  assert.ok(lines.length <= 1 + 5 * groups.length, `${lines.length} lines of ${groups.length} groups`);
  const each = await hindscopeHere(['validate', '--all', 'many.jsonl']);
  assert.deepEqual([each.status, each.stdout.match(/^ {2}many\.jsonl:/gm).length], [1, all.length]);
  assert.doesNotMatch(each.stdout, /more like this/);

  // Several files have groups of their own; what is not there is not said to be more.
  const both = await hindscopeHere(['validate', '--all', '--json', 'few.jsonl', 'many.jsonl']);
  const [few, many] = JSON.parse(both.stdout).files;
  assert.deepEqual(many.findings.map(({ line }) => line), (await parsed('--all', 'many.jsonl')).files[0].findings.map(({ line }) => line));
  const own = (await parsed('few.jsonl', 'many.jsonl')).files[0].findings;
  assert.deepEqual(own.map(({ count, first }) => [count, first.length]), few.findings.map(() => [1, 1]));
  assert.doesNotMatch((await hindscopeHere(['validate', 'few.jsonl'])).stdout, /more like this/);

  // The level decides over groups as over single findings.
  writeFileSync(join(home, 'late.jsonl'), records.slice(4).map((each) => `${JSON.stringify(each)}\n`).join(''));
  for (const more of [[], ['--all']]) {
    assert.equal((await hindscopeHere(['validate', ...more, 'late.jsonl'])).status, 0);
    assert.equal((await hindscopeHere(['validate', ...more, '--level', 'warning', 'late.jsonl'])).status, 1);
    assert.equal((await hindscopeHere(['validate', ...more, '--quiet', 'late.jsonl'])).stdout, '');
  }
});

test('validation against one schema has groups of the same form', async () => {
  const action = (at) => ({ timestamp: at % 2 ? '2026-04-02T08:04:00Z' : 'soon', iteration: String(at), type: 'edit' });
  const actions = Array.from({ length: 50 }, (_, at) => JSON.stringify(action(at)));
  writeFileSync(join(home, 'odd.jsonl'), actions.join('\n'));
  writeFileSync(join(home, 'odd.json'), `[${actions.join(',\n')}]`);
  const judged = async (...args) => {
    const { status, stdout } = await hindscopeHere(['validate', '--schema', 'action', '--strict', '--json', ...args]);
    return [status, JSON.parse(stdout).files[0].findings];
  };
  const plain = ([status, groups]) => [status, ...groups.map(({ rule, severity, pointer, count, first }) => [rule, severity, pointer, count, ...first.map(({ line }) => line)])];
  assert.deepEqual(plain(await judged('odd.jsonl')), [
    1,
    ['strict/type', 'error', '/iteration', 50, 1, 2, 3],
    ['strict/format', 'error', '/timestamp', 25, 1, 3, 5],
  ]);
  // Every place in a list is one member.
  assert.deepEqual(plain(await judged('odd.json')), [
    1,
    ['strict/type', 'error', '/*/iteration', 50, 1, 2, 3],
    ['strict/format', 'error', '/*/timestamp', 25, 1, 3, 5],
  ]);
  const [status, all] = await judged('--all', 'odd.json');
  assert.deepEqual([status, all.length, all.at(-1).pointer], [1, 75, '/49/iteration']);
  // The history groups them alike.
  const { History } = await import(pathToFileURL(join(installed, 'history/node.mjs')));
  const history = new History({ profile: 'strict' });
  const source = history.open('records.jsonl');
  const records = actions.map((each) => JSON.stringify({ iteration: 1, ...JSON.parse(each), self_reflection: { reflection_text: 7 } }));
  history.push(source, records.join('\n'));
  history.finish(source);
  writeFileSync(join(home, 'records.jsonl'), records.join('\n'));
  const { stdout } = await hindscopeHere(['validate', '--schema', 'reflection-memory', '--strict', '--json', 'records.jsonl']);
  const bySchema = JSON.parse(stdout).files[0].findings;
  const ofRecords = history.findings({ source }).filter(({ rule }) => rule.startsWith('strict/'));
  const places = (groups) => groups.map(({ first, ...group }) => [group, first.map(({ line, column, message }) => [line, column, message])]);
  assert.deepEqual(bySchema.map(({ count }) => count), [200, 50, 50, 25]);
  assert.deepEqual(places(bySchema), places(ofRecords));
  history.free();
});

test('items of a list are judged as they are written, at their places', async () => {
  writeFileSync(join(home, 'exact.json'), '{"properties": {"n": {"maximum": 9007199254740992}, "a": {"type": "null"}}}');
  const judged = async (text) => {
    writeFileSync(join(home, 'items.json'), text);
    const { stdout } = await hindscopeHere(['validate', '--schema', 'exact.json', '--all', '--json', 'items.json']);
    const [{ kept, skipped, findings }] = JSON.parse(stdout).files;
    return [kept + skipped, ...findings.map(({ rule, pointer, line, column, offset, found }) => [rule, pointer, line, column, offset, found])];
  };
  const list = '\ufeff[{"s": "é\\"],[{", "l": [[1], {}]}, {"n": 9007199254740993},\r\n  {"a": 1,\n"a": 2}, 7\n]';
  const at = (text) => Buffer.byteLength(list.slice(0, list.indexOf(text)));
  assert.deepEqual(await judged(list), [
    4,
    ['strict/maximum', '/1/n', 1, list.indexOf('9007'), at('9007'), '9007199254740993'],
    ['json/duplicate-key', '/2', 3, 1, at('"a": 2'), 'another `a`'],
    ['strict/type', '/2/a', 3, 6, at('2}'), '2'],
  ]);
  assert.deepEqual(await judged('[]'), [0]);
  assert.deepEqual(await judged('\n{"a": 1}\n\n{"a": null}\n{"a": 3}'), [
    3,
    ['strict/type', '/a', 2, 7, 7, '1'],
    ['strict/type', '/a', 5, 7, 29, '3'],
  ]);
});

test('broken and unreadable files are reported beside the answer', (t) => {
  const folder = join(home, 'mixed');
  mkdirSync(join(folder, 'locked'), { recursive: true });
  writeFileSync(join(folder, 'loop.jsonl'), '{"loop_id":"ralph-half","iteration":1,"self_reflection":{"reflection_text":"a"}}\n{"iteration":2,"self_refl');
  writeFileSync(join(folder, 'picture.json'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
  assert.equal(JSON.parse(answers(['stats', '--json', folder])).added.refused, 1);
  writeFileSync(join(folder, 'locked/secret.jsonl'), '{}');
  chmodSync(join(folder, 'locked'), 0);
  t.after(() => chmodSync(join(folder, 'locked'), 0o755));
  if (process.getuid?.() === 0) {
    // Root reads everything; somebody else does not.
    execFileSync('chmod', ['755', home]);
    const nobody = { uid: 65534, gid: 65534 };
    const { status, stderr } = hindscope(['stats', folder], nobody);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /mixed\/locked: .*EACCES/);
    refuses(3, 'unreadable-input', ['stats', join(folder, 'locked')], nobody);
  } else {
    assert.match(hindscope(['stats', folder]).stderr, /mixed\/locked: .*EACCES/);
    refuses(3, 'unreadable-input', ['stats', join(folder, 'locked')]);
  }
});

test('totals of trials are a curve', async () => {
  const lines = (await answersHere(['stats', join(root, 'tests/fixtures/reflexion/2023/5_questions_results.json')])).split('\n');
  assert.ok(lines.some((line) => /totals of 4 trials/.test(line)));
  assert.deepEqual(lines.filter((line) => /%/.test(line)).map((line) => line.trim().split(/ +/).slice(0, 4)), [['1', '5', '2', '40'], ['2', '3', '3', '60'], ['3', '2', '4', '80'], ['4', '1', '5', '100']]);
});

test('every form is written, opens again, and replaces nothing', async () => {
  const folder = join(home, 'out');
  mkdirSync(folder);
  for (const form of ['history', 'csv', 'analytics', 'markdown', 'report', 'chart', 'runs', 'attempts', 'findings', 'explanation', 'records']) {
    const file = join(folder, form);
    const args = ['convert', '--to', form, '--run', 'ralph-token-expiry', 'runs/ralph-token-expiry'];
    const { bytes } = JSON.parse(await answersHere([...args, '--out', file, '--json']));
    const text = readFileSync(file, 'utf8');
    assert.equal(Buffer.byteLength(text), bytes);
    if (['history', 'csv', 'records'].includes(form)) assert.equal(await answersHere(args), text, `${form} on standard output is the same`);
  }
  const html = ['convert', '--run', 'ralph-token-expiry', 'runs/ralph-token-expiry', '--to'];
  assert.equal(await answersHere([...html, 'html']), readFileSync(join(folder, 'report'), 'utf8'), 'an extension stands for its form');
  // A folder is one whatever its name ends in.
  mkdirSync(join(folder, 'x.d'));
  const made = JSON.parse(await answersHere(['convert', '--out', join(folder, 'x.d'), '--json', 'runs/ralph-token-expiry']));
  assert.deepEqual([made.form, readdirSync(join(folder, 'x.d'))], ['history', [basename(made.file)]]);
  const again = JSON.parse(await answersHere(['stats', '--json', join(folder, 'history')])).runs;
  assert.deepEqual(again.map(({ key, trend }) => [key, trend]), [['ralph-token-expiry', JSON.parse(await answersHere(['stats', '--json', 'runs/ralph-token-expiry'])).runs[0].trend]]);
  const file = join(folder, 'kept.csv');
  writeFileSync(file, 'mine');
  await refusesHere(2, 'file-exists', ['convert', '--out', file, TREE]);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
  await answersHere(['convert', '--out', file, '--force', TREE]);
  assert.match(readFileSync(file, 'utf8'), /^group,run,number/);
  const named = JSON.parse(await answersHere(['convert', '--out', `${folder}/`, '--json', TREE])).file;
  assert.match(named, /hindscope-.*\.hindscope\.jsonl$/);
  await refusesHere(3, 'unwritable-output', ['convert', '--out', join(folder, 'no/such/place.csv'), TREE]);
  await refusesHere(2, 'invalid-option', ['convert', '--out', join(folder, 'what.xyz'), TREE]);
  await refusesHere(2, 'invalid-option', ['convert', '--to', 'chart', '--out', join(folder, 'many.svg'), TREE]);
  await refusesHere(2, 'invalid-option', ['convert', '--to', 'csv', '--points', '--out', join(folder, 'p.csv'), TREE]);
  await refusesHere(2, 'invalid-option', ['convert', '--to', 'chart', '--no-paths', '--out', join(folder, 'p.svg'), TREE]);
  assert.match(await answersHere(['convert', '--no-outputs', '--no-prompts', '--no-paths', 'runs/ralph-token-expiry']), /"leftOut":\["originals","outputs","prompts","paths"\]/);
  assert.deepEqual(readdirSync(folder).filter((name) => name.includes('.part')), [], 'no draft is left');
  assert.ok(!existsSync(join(folder, 'many.svg')));
});

/** The console blocks of a text: each command with what it prints. */
function consoles(text) {
  return Array.from(text.matchAll(/^```console\n([\s\S]*?)^```$/gm)).flatMap(([, block]) =>
    Array.from(block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm), ([, line, printed]) => [line, printed]),
  );
}

for (const [name, text] of [
  ['the project', readFileSync(join(root, 'README.md'), 'utf8')],
  ['the package', readFileSync(join(installed, 'README.md'), 'utf8')],
]) {
  const calls = consoles(text);
  test(`there are examples in the README of ${name}`, () => assert.ok(calls.length >= 2));
  for (const [line, printed] of calls) {
    test(`README of ${name}: ${line}`, () => {
      const { stdout } = spawnSync('bash', ['-c', line], { cwd: home, env: onPath(), encoding: 'utf8' });
      assert.equal(stdout, printed);
    });
  }
}
