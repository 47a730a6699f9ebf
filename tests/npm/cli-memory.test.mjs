// `hindscope reflect` and `hindscope doctor`: memories on disk.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answers, answersHere, compiles, hindscope, home, refuses, refusesPlainly } from './cli.mjs';
import { imported, importedEntry } from './package.mjs';

const place = () => mkdtempSync(join(home, 'memory-'));
const iteration = (more) => JSON.stringify({ outcome: 'failure', actions: ['Ran npm test'], reflection: 'Clear the cache.', ...more });

test('the hook keeps iterations, and says when the loop is stuck', () => {
  const cwd = place();
  const reflect = (args, more) => hindscope(['reflect', 'ralph-001', ...args], { cwd, input: iteration(more) });
  const first = reflect(['--check'], { files_modified: ['src/a.ts'], strategy_change: 'Look at the log.' });
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /^## Lessons from Previous Iterations\n[^]*Clear the cache\.[^]*Look at the log\./);
  assert.match(first.stderr, /Stored iteration 1 in \.aiwg\/ralph\/reflections\/loops\/ralph-001\/iteration-1\.yaml/);
  assert.match(readFileSync(join(cwd, '.aiwg/ralph/reflections/loops/ralph-001/iteration-1.yaml'), 'utf8'), /strategy_change: .*Look at the log/);
  assert.equal(reflect([]).status, 0);
  const third = reflect(['--check', '--json', '--omega', '2']);
  assert.equal(third.status, 1, 'it is stuck');
  const { isStuck, held, stuck } = JSON.parse(third.stdout);
  assert.deepEqual([isStuck, held], [true, [2, 3]]);
  assert.ok(stuck.some(({ rule }) => rule === 'stuck/repeated-reflection'));
  const { runs } = JSON.parse(answers(['stats', '--json'], { cwd }));
  assert.deepEqual(runs.map(({ key, trend }) => [key, trend]), [['ralph-001', 'FFF']], 'and every other command reads it');
  const facts = hindscope(['reflect', 'ralph-002', '--memory', 'elsewhere', '--layout', 'plain'], { cwd, input: '{"outcome":"success","actions":["Ran it"]}' });
  assert.equal(facts.status, 0);
  assert.match(facts.stderr, /made from its outcome, actions and errors/);
  assert.ok(existsSync(join(cwd, 'elsewhere/reflections/loops/ralph-002/iteration-1.yaml')));
});

test('what the hook cannot take is refused, and nothing is written', () => {
  const cwd = place();
  const refused = (exit, code, args, input) => refuses(exit, code, ['reflect', ...args], { cwd, input });
  refused(2, 'invalid-request', ['ralph-001'], 'no json');
  refused(2, 'invalid-request', ['ralph-001'], '[]');
  refused(2, 'invalid-request', ['ralph-001'], '{}');
  refused(2, 'invalid-option', ['ralph-001', '--omega', '11'], iteration());
  refused(2, 'missing-argument', [], iteration());
  for (const loop of ['../x', '/etc', 'a\u0007b', 'CON', '']) refused(2, 'path-refused', [loop], iteration());
  refused(2, 'invalid-request', ['ralph-001'], iteration({ outcome: 'timeout' }));
  for (const more of [{ now: 'x' }, { loop: 'ralph-002' }, { call: 'doctor' }, { loop_id: 'ralph-002' }, { timestamp: 'soon' }, { trajectory: [] }]) {
    refused(2, 'invalid-request', ['ralph-001'], iteration(more));
  }
  assert.deepEqual(readdirSync(cwd), [], 'no folder hides what the next command would open');
  writeFileSync(join(cwd, 'file'), '');
  refused(3, 'unreadable-input', ['ralph-001', '--memory', 'file'], iteration());
});

test('an attempt that goes on is listed as its task', async () => {
  const root = place();
  const { EpisodicMemory } = await imported(home);
  const { DirectoryStore } = await importedEntry(home, 'hindscope/stores/directory');
  const memory = await EpisodicMemory.open(new DirectoryStore(root));
  await memory.initTask({ description: 'Sort.' });
  await memory.startAttempt('task-001');
  await memory.completeAttempt('task-001', { outcome: 'failure', reflection: { learning: 'Halve it.' } });
  await memory.startAttempt('task-001');
  const rows = async () => (await answersHere(['history', 'task-001', root])).split('\n').flatMap((line) => /^([12]) +(\w+)/.exec(line)?.slice(1, 3) ?? []);
  assert.deepEqual(await rows(), ['1', 'failure', '2', 'running']);
  await memory.setStatus('task-001', 'paused');
  assert.deepEqual(await rows(), ['1', 'failure', '2', 'paused']);
});

test('records of the hook of aiwg are taken as they are', () => {
  const cwd = place();
  const record = {
    trial_number: 3,
    timestamp: '2026-01-26T10:30:00Z',
    loop_id: 'ralph-001',
    trajectory: ['Modified src/auth/login.ts', 'Ran npm test', '3 tests failed'],
    outcome: 'failure',
    reflection: 'Expired tokens are taken for good ones.',
    strategy_change: 'Look at the expiry first',
  };
  const { path } = JSON.parse(answers(['reflect', 'ralph-001', '--json'], { cwd, input: `\ufeff${JSON.stringify(record)}` }));
  assert.equal(path, 'reflections/loops/ralph-001/iteration-3.yaml');
  const text = readFileSync(join(cwd, '.aiwg/ralph', path), 'utf8');
  assert.match(text, /^trial_number: 3\ntimestamp: "2026-01-26T10:30:00\.000Z"\nloop_id: "ralph-001"\ntrajectory:\n- "Modified/);
});

test('a half of a pair is kept as what can be written', () => {
  const cwd = place();
  const { findings, reflection } = JSON.parse(answers(['reflect', 'ralph-001', '--json'], { cwd, input: '{"outcome":"failure","reflection":"half \\ud83d of it"}' }));
  assert.equal(reflection, 'half \ufffd of it');
  assert.deepEqual(findings.map(({ rule, path }) => [rule, path]), [['json/lone-surrogate', 'reflections/loops/ralph-001/iteration-1.yaml']]);
});

test('the doctor looks, and mends only when asked', () => {
  const cwd = place();
  const attempt = join(cwd, '.aiwg/ralph/tasks/task-001/attempts/001');
  mkdirSync(attempt, { recursive: true });
  writeFileSync(join(attempt, 'actions.jsonl'), '{"type":"bash","success":true}\n{"type": "ba');
  const files = () => readdirSync(join(cwd, '.aiwg/ralph'), { recursive: true }).sort();
  const before = files();
  const ill = hindscope(['doctor'], { cwd });
  assert.equal(ill.status, 1);
  assert.match(ill.stdout, /^\.aiwg\/ralph {2}1 task · 1 attempt · 1 action/);
  assert.match(ill.stdout, /actions\.jsonl:2: warning: .*\[memory\/bad-line\]|actions\.jsonl.*\[memory\//);
  assert.match(ill.stdout, /--mend would write: .*metadata\.json/);
  assert.deepEqual(files(), before, 'nothing is written');
  const { isSound, isMended, folder, keptAside } = JSON.parse(answers(['doctor', '--mend', '--json'], { cwd }));
  assert.deepEqual([isSound, isMended, folder], [true, true, '.aiwg/ralph']);
  assert.match(keptAside[0], /actions\.jsonl\.broken-1$/);
  assert.match(answers(['doctor'], { cwd }), /No problems\.\n$/);
  assert.equal(JSON.parse(answers(['doctor', '--task', 'task-001', '--json'], { cwd })).actions, 1);
  refuses(2, 'no-such-task', ['doctor', '--task', 'task-009'], { cwd });
  refuses(2, 'path-refused', ['doctor', '--task', '../task-001'], { cwd });
  refusesPlainly(3, 'unreadable-input', ['doctor', 'nowhere'], { cwd });
  const other = place();
  writeFileSync(join(other, 'notes.md'), '');
  refusesPlainly(3, 'unreadable-input', ['doctor', '--mend', other], { cwd });
  assert.deepEqual(readdirSync(other), ['notes.md'], 'what is no memory is not made one');
});

test('their answers are what their types say', () => {
  const cwd = place();
  const reflected = answers(['reflect', 'ralph-001', '--json'], { cwd, input: iteration() }).trim();
  const health = answers(['doctor', '--json'], { cwd }).trim();
  compiles(cwd, [`export const a: answers.ReflectAnswer = ${reflected};`, `export const b: answers.DoctorAnswer = ${health};`]);
});
