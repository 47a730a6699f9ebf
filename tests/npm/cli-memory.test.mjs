// `hindscope reflect` and `hindscope doctor`: memories on disk.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, lstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** A transcript as Claude Code writes it, and what it hands to a Stop hook. */
function session(cwd, entries, more) {
  const path = join(cwd, 'session.jsonl');
  writeFileSync(path, entries.map((entry) => JSON.stringify(entry)).join('\n') + '\n{"type": "assist');
  return JSON.stringify({ session_id: '0a1b', transcript_path: path, cwd, hook_event_name: 'Stop', stop_hook_active: false, ...more });
}

const prompt = (text, more) => ({ type: 'user', message: { role: 'user', content: text }, ...more });
const says = (text) => ({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
const calls = (id, name, input) => ({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] } });
const gets = (id, content, more) => ({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] } });

test('a Stop hook of Claude Code is an iteration: what came since the last prompt', () => {
  const cwd = place();
  const turn = [
    { type: 'summary', summary: 'Earlier.' },
    prompt('An earlier task.'), calls('t0', 'Bash', { command: 'ls' }), gets('t0', 'a'), says('Done before.'),
    prompt([{ type: 'text', text: 'Make the build green.' }]),
    calls('t1', 'Bash', { command: 'make\nmake test', description: 'Build' }),
    gets('t1', [{ type: 'text', text: 'exit 2: no rule' }], { is_error: true }),
    prompt('Caveat: of the system.', { isMeta: true }),
    prompt('Of a subagent.', { isSidechain: true }), { ...says('I am a subagent.'), isSidechain: true },
    calls('t2', 'Edit', { file_path: join(cwd, 'src/a.ts'), new_string: 'x' }), gets('t2', 'ok'),
    calls('t3', 'Write', { file_path: join(cwd, 'b.ts') }), gets('t3', 'denied', { is_error: true }),
    says('The rule was missing. Check the Makefile first.'),
  ];
  const reflect = (args, input) => hindscope(['reflect', ...args], { cwd, input });
  const first = reflect([], session(cwd, turn));
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /Check the Makefile first/);
  const text = readFileSync(join(cwd, '.aiwg/ralph/reflections/loops/0a1b/iteration-1.yaml'), 'utf8');
  assert.match(text, /\ntask: "Make the build green\."\n/);
  assert.match(text, /\n- "Bash: make"\n- "Edit: src\/a\.ts"\n- "Write: b\.ts"\n/);
  assert.match(text, /exit 2: no rule[^]*denied/);
  assert.match(text, /files_modified:\n- "src\/a\.ts"\nreflection/);
  assert.doesNotMatch(text, /outcome|subagent|Caveat|earlier|Done before/i);
  const named = JSON.parse(reflect(['coder', '--outcome', 'failure', '--json'], session(cwd, turn, { last_assistant_message: 'In its own words.' })).stdout);
  assert.deepEqual([named.loop, named.iteration, named.reflection], ['coder', 1, 'In its own words.']);
  const sub = { hook_event_name: 'SubagentStop', agent_id: 'a77', agent_transcript_path: join(cwd, 'session.jsonl'), transcript_path: '/nowhere' };
  assert.match(JSON.parse(reflect(['--json'], session(cwd, [prompt('Look.', { isSidechain: true }), { ...says('Seen.'), isSidechain: true }], sub)).stdout).path, /loops\/a77\/iteration-1/);
  reflect([], session(cwd, turn));
  const third = reflect(['--check'], session(cwd, turn));
  assert.equal(third.status, 1, 'the same three times');
  assert.match(third.stdout, /You Are Stuck/);
});

test('odd transcripts are read as far as they go', () => {
  const cwd = place();
  const path = join(cwd, 'session.jsonl');
  const stored = (entries, more, args = []) => JSON.parse(answers(['reflect', '--json', ...args], { cwd, input: session(cwd, entries, more) }));
  const text = ({ path }) => readFileSync(join(cwd, '.aiwg/ralph', path), 'utf8');
  const odd = [prompt('Go.'), { type: 'x', message: null }, { type: 'x', message: 'text' }, null, 5, calls('a'), calls('b', 5), calls('c', 'Bash', { command: `${cwd}/a.sh ../../x` }), says('Went.')];
  assert.match(text(stored(odd)), /trajectory:\n- "Bash: \S+\/a\.sh \.\.\/\.\.\/x"\n/);
  const side = [prompt('Main.'), calls('a', 'Bash', { command: 'main' }), { ...calls('b', 'Bash', { command: 'sub' }), isSidechain: true }, { ...says('Of the subagent.'), isSidechain: true }, says('Of the session.')];
  const sub = stored(side, { hook_event_name: 'SubagentStop', agent_id: 'a9' });
  assert.deepEqual([sub.loop, sub.reflection], ['a9', 'Of the subagent.']);
  assert.match(text(sub), /trajectory:\n- "Bash: sub"\nreflection/);
  const again = [prompt('Go.'), calls('a', 'Bash', { command: 'first' }), says('Done.'), prompt('Stop hook feedback: test it.', { isMeta: true }), calls('b', 'Bash', { command: 'second' }), says('Tested.')];
  assert.match(text(stored(again, { stop_hook_active: true, session_id: 'b' })), /loop_id: "b"\ntrajectory:\n- "Bash: second"\nreflection: "Tested\."/);
  const many = Array.from({ length: 600 }, (_, at) => calls(`t${at}`, 'Bash', { command: `run ${at}` }));
  assert.match(text(stored([prompt('x'.repeat(3000)), ...many, says('y'.repeat(30_000))], { session_id: 'c' })), /x…"\n[^]*- "100 calls before are left out"\n- "Bash: run 100"\n[^]*y…"/);
  writeFileSync(path, '');
  const long = session(cwd, [prompt('Far away.'), ...Array.from({ length: 90 }, (_, at) => says('z'.repeat(100_000) + at)), says('The end.')], { session_id: 'd' });
  const { stdout, stderr } = hindscope(['reflect', '--json'], { cwd, input: long });
  assert.equal(JSON.parse(stdout).reflection, 'The end.');
  assert.match(stderr, /the first calls of this iteration are missing/);
});

test('with --out the lessons stay until there are new ones', () => {
  const cwd = place();
  const reflect = (more) => hindscope(['reflect', 'coder', '--out', '.aiwg/lessons.md'], { cwd, input: session(cwd, [prompt('Go.'), says('Clear the cache.')], more) });
  const first = reflect();
  assert.deepEqual([first.status, first.stdout], [0, '']);
  const lessons = () => readFileSync(join(cwd, '.aiwg/lessons.md'), 'utf8');
  assert.match(lessons(), /Clear the cache/);
  reflect({ transcript_path: join(cwd, 'none.jsonl') });
  assert.match(lessons(), /Clear the cache/);
  assert.deepEqual(readdirSync(join(cwd, '.aiwg')).sort(), ['lessons.md', 'ralph']);
  symlinkSync('target.md', join(cwd, 'link.md'));
  // A pipe of its own stands for devices: were one of the machine's replaced, other programs would suffer.
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  for (const path of [pipe, 'link.md']) answers(['reflect', 'coder', '--out', path], { cwd, input: iteration() });
  closeSync(reader);
  assert.ok(lstatSync(pipe).isFIFO(), 'a pipe stays one');
  assert.ok(lstatSync(join(cwd, 'link.md')).isSymbolicLink(), 'and a link');
  assert.match(readFileSync(join(cwd, 'target.md'), 'utf8'), /Clear the cache/);
});

test('a hook never fails its agent; doctor shows what went wrong', () => {
  const cwd = place();
  const early = hindscope(['reflect'], { cwd, input: session(cwd, [], { transcript_path: '/none.jsonl' }) });
  assert.equal(early.status, 0);
  const { status, stderr } = hindscope(['doctor'], { cwd });
  assert.equal(status, 3, 'there is no memory yet');
  assert.match(stderr, /1 error of `hindscope reflect` as a hook[^]*none\.jsonl[^]*does not contain a memory/);
  for (const more of [{ transcript_path: cwd }, { hook_event_name: 'PreToolUse' }, { session_id: '../x' }, { transcript_path: undefined, session_id: undefined }]) {
    const { status, stdout, stderr } = hindscope(['reflect'], { cwd, input: session(cwd, [prompt('Go.'), says('Went.')], more) });
    assert.deepEqual([status, stdout], [0, ''], stderr);
    assert.match(stderr, /hindscope:/);
  }
  hindscope(['reflect'], { cwd, input: session(cwd, [prompt('Go.'), says('Went.')]) });
  const { hookErrors, isSound } = JSON.parse(answers(['doctor', '--json'], { cwd }));
  assert.equal(isSound, true, 'they are no problem of the memory');
  assert.deepEqual(hookErrors.map((line) => /\[(.*?)\]/.exec(line)[1]), ['unreadable-input', 'unreadable-input', 'invalid-request', 'path-refused', 'invalid-request']);
  assert.match(answers(['doctor'], { cwd }), /5 errors of `hindscope reflect` as a hook; delete .*hook-errors\.log once you have read this:\n.*none\.jsonl[^]*The memory has no problems\./);
  assert.deepEqual(JSON.parse(answers(['stats', '--json'], { cwd })).runs.map(({ key }) => key), ['0a1b'], 'and they are no history');
});

test('an iteration that cannot be stored in time waits, and is stored later, in order and once', async () => {
  const cwd = place();
  const root = join(cwd, '.aiwg/ralph');
  const { DirectoryStore } = await importedEntry(home, 'hindscope/stores/directory');
  const says1 = (text, args = []) => hindscope(['reflect', ...args], { cwd, input: session(cwd, [prompt('Go.'), says(text)]) });
  const stored = (number) => /\nreflection: "(.*)"\n/.exec(readFileSync(join(root, `reflections/loops/0a1b/iteration-${number}.yaml`), 'utf8'))[1];
  const doctor = (args = []) => JSON.parse(answers(['doctor', '--json', ...args], { cwd }));
  const release = await new DirectoryStore(root).lock(1000);
  const first = says1('First.');
  assert.deepEqual([first.status, first.stdout], [0, ''], first.stderr);
  assert.match(first.stderr, /The iteration waits in .*\.json/);
  const second = JSON.parse(says1('Second.', ['--json']).stdout);
  assert.deepEqual([second.kind, second.loop, second.waiting], ['waiting', '0a1b', 2]);
  compiles(cwd, [`export const a: answers.ReflectAnswer = ${JSON.stringify(second)};`]);
  assert.deepEqual([doctor().waiting, doctor().hookErrors], [2, []], 'nothing is lost, so it is no error');
  assert.match(answers(['doctor'], { cwd }), /2 iterations of `hindscope reflect` as a hook wait to be stored/);
  await release();
  const waiting = join(root, '.hindscope/waiting');
  const [name] = readdirSync(waiting).sort();
  const copy = readFileSync(join(waiting, name));
  assert.equal(says1('Third.').status, 0);
  assert.deepEqual([1, 2, 3].map(stored), ['First.', 'Second.', 'Third.']);
  assert.ok(!existsSync(waiting), 'none waits');
  // As if the process had died between storing and removing.
  mkdirSync(waiting);
  writeFileSync(join(waiting, name), copy);
  assert.equal(doctor(['--mend']).waiting, 0);
  assert.equal(readdirSync(join(root, 'reflections/loops/0a1b')).length, 3);
  answers(['reflect', 'ralph-001'], { cwd, input: iteration() });
  assert.equal(stored(1), 'First.');
});

test('doctor stores what waits, in a new memory, too; what can never be stored is kept aside', async () => {
  const cwd = place();
  const waiting = join(cwd, '.aiwg/ralph/.hindscope/waiting');
  mkdirSync(waiting, { recursive: true });
  const wait = (at, value) => writeFileSync(join(waiting, `${String(at).padStart(15, '0')}-00000000.json`), typeof value === 'string' ? value : JSON.stringify(value));
  wait(1, { loop: '../x', iteration: { reflection: 'Out.' }, now: 0 });
  wait(2, 'half {');
  symlinkSync(join(cwd, 'elsewhere'), join(waiting, '000000000000004-00000000.json'));
  wait(3, { loop: 'b', iteration: { reflection: 'In.', eventId: 'e' }, now: Date.parse('2026-03-05T09:00:00Z') });
  const { waiting: left, refused, hookErrors, isSound } = JSON.parse(answers(['doctor', '--mend', '--json'], { cwd }));
  assert.deepEqual([left, refused.length, isSound], [0, 3, true]);
  assert.deepEqual(hookErrors.map((line) => /\[(.*?)\]/.exec(line)[1]), ['path-refused', 'invalid-request', 'path-refused']);
  assert.match(readFileSync(join(cwd, '.aiwg/ralph/reflections/loops/b/iteration-1.yaml'), 'utf8'), /timestamp: "2026-03-05T09:00:00\.000Z"/, 'at its own time');
  const [out, half, link] = refused;
  const asked = (path) => JSON.parse(readFileSync(join(cwd, path), 'utf8'));
  assert.deepEqual(asked(out.path), { refused: out.why, hint: out.hint, loop: '../x', iteration: { reflection: 'Out.' }, now: 0 });
  assert.match(out.why, /"\.\.\/x" cannot be the id of a loop: .* \[path-refused\]$/);
  assert.match(out.hint, /Correct .* `hindscope doctor --mend`/);
  assert.deepEqual(asked(half.path), { refused: half.why, hint: half.hint, text: 'half {' });
  assert.deepEqual([lstatSync(join(cwd, link.path)).isSymbolicLink(), link.why], [true, 'It cannot be read as an iteration.']);
  const listed = answers(['doctor'], { cwd });
  for (const { path, why, hint } of refused) assert.ok([path, why, hint].every((text) => listed.includes(text)), listed);
  // Refused again, and then corrected.
  const again = JSON.parse(answers(['doctor', '--mend', '--json'], { cwd }));
  assert.deepEqual([again.refused, again.hookErrors.length], [refused, 3]);
  compiles(cwd, [`export const a: answers.DoctorAnswer = ${JSON.stringify(again)};`]);
  writeFileSync(join(cwd, out.path), JSON.stringify({ ...asked(out.path), loop: 'x' }));
  rmSync(join(cwd, half.path));
  rmSync(join(cwd, link.path));
  assert.deepEqual(JSON.parse(answers(['doctor', '--mend', '--json'], { cwd })).refused, []);
  assert.match(readFileSync(join(cwd, '.aiwg/ralph/reflections/loops/x/iteration-1.yaml'), 'utf8'), /reflection: "Out\."/);
  assert.ok(!existsSync(waiting));
});

test('hooks alone store all that waits, however many there are, and write nowhere else', async () => {
  const cwd = place();
  const root = join(cwd, '.aiwg/ralph');
  const { DirectoryStore } = await importedEntry(home, 'hindscope/stores/directory');
  const says1 = (text) => hindscope(['reflect'], { cwd, input: session(cwd, [prompt('Go.'), says(text)]) });
  const waiting = () => JSON.parse(answers(['doctor', '--json'], { cwd })).waiting;
  const release = await new DirectoryStore(root).lock(1000);
  for (const text of ['1.', '2.', '3.', '4.']) says1(text);
  await release();
  const left = ['5.', '6.', '7.'].map((text) => {
    says1(text);
    return waiting();
  });
  assert.deepEqual(left, [3, 2, 0], 'two of them with each hook, and its own once it is the next');
  const texts = Array.from({ length: 7 }, (_, at) => readFileSync(join(root, `reflections/loops/0a1b/iteration-${at + 1}.yaml`), 'utf8'));
  assert.deepEqual(texts.map((text) => /\nreflection: "(.*)"\n/.exec(text)[1]), ['1.', '2.', '3.', '4.', '5.', '6.', '7.']);
  const other = place();
  symlinkSync(other, join(root, '.hindscope/waiting'));
  const again = await new DirectoryStore(root).lock(1000);
  assert.match(says1('8.').stderr, /symbolic link/);
  await again();
  assert.deepEqual(readdirSync(other), []);
});

test('the `hook:` block of a workflow says how iterations are stored; options win', () => {
  const cwd = place();
  const block = (more) => `nodes: []\nhook:\n  name: post-iteration-reflect\n  type: post-iteration\n  enforcement: required\n${more}`;
  const write = (more, name = 'flow.yaml') => writeFileSync(join(cwd, name), block(more));
  const reflect = (args, more) => hindscope(['reflect', 'l', '--workflow', 'flow.yaml', '--json', ...args], { cwd, input: iteration(more) });
  const stored = (args) => JSON.parse(reflect(args).stdout);
  write('  scope:\n    - ralph-loop\n  output_path: "kept/reflections/loops/"\n  k: 2\n  stuck_after: 2\n');
  stored([]);
  assert.ok(existsSync(join(cwd, 'kept/reflections/loops/l/iteration-1.yaml')));
  assert.equal(reflect(['--check']).status, 1, 'twice is too often');
  const third = stored([]);
  assert.deepEqual([third.held, third.isStuck], [[2, 3], true]);
  const own = stored(['--omega', '3', '--stuck-after', '9', '--scope', 'ralph-loop']);
  const rules = ({ stuck }) => stuck.map(({ rule }) => rule);
  assert.deepEqual([own.held, rules(third).includes('stuck/repeated-reflection'), rules(own).includes('stuck/repeated-reflection')], [[2, 3, 4], true, false]);
  assert.equal(stored(['--memory', 'elsewhere']).iteration, 1);
  const out = reflect(['--scope', 'ralph-external']);
  assert.deepEqual(JSON.parse(out.stdout), { kind: 'out-of-scope', scope: ['ralph-loop'] });
  assert.equal(readdirSync(join(cwd, 'kept/reflections/loops/l')).length, 4);
  compiles(cwd, [`export const a: answers.ReflectAnswer = ${out.stdout};`]);
  writeFileSync(join(cwd, 'hook.md'), `# hook\n\n\`\`\`yaml\n${block('  k: 1\n')}\`\`\`\n`);
  assert.deepEqual(JSON.parse(answers(['reflect', 'm', '-w', 'hook.md', '--json'], { cwd, input: iteration() })).held, [1]);
});

test('a workflow that nobody can mean is refused, and never stops a hook', () => {
  const cwd = place();
  const other = place();
  symlinkSync(other, join(cwd, 'link'));
  symlinkSync(join(other, 'nothing'), join(cwd, 'dangling'));
  const refused = (block, message) => {
    writeFileSync(join(cwd, 'flow.yaml'), block);
    const error = refuses(2, 'invalid-request', ['reflect', 'l', '--workflow', 'flow.yaml'], { cwd, input: iteration() });
    assert.match(error.message, message);
  };
  refused('hook:\n  output_pth: x\n', /flow\.yaml: Unexpected member `output_pth` of `hook`\. Did you mean `output_path`\?/);
  refused('nodes: []\n', /no `hook:` block/);
  refused('hook:\n  k: 3\n  k: 4\n', /flow\.yaml: The `hook:` block is not valid YAML \(line 3, column 3\): the key "k" is given twice\./);
  refused('hook:\n\tk: 3\n', /The `hook:` block is not valid YAML \(line 2, column 2\): /);
  refused('hook:\n  k: many\n', /`hook\.k` must be an integer from 0 to 10/);
  refused('hook:\n  output_path: here\n', /must end with reflections\/loops/);
  for (const path of ['../x/reflections/loops', 'link/reflections/loops', 'a/../../reflections/loops']) {
    refused(`hook:\n  output_path: ${path}\n`, /outside the folder of the workflow/);
  }
  refused(`hook:\n  output_path: ${other}/reflections/loops\n`, /a path in the folder of the workflow/);
  refused('hook:\n  output_path: dangling/reflections/loops\n', /`hook\.output_path`: /);
  assert.deepEqual(readdirSync(other), []);
  refuses(3, 'unreadable-input', ['reflect', 'l', '--workflow', 'none.yaml'], { cwd, input: iteration() });
  refuses(2, 'invalid-option', ['reflect', 'l', '--scope', 'ralph-loop'], { cwd, input: iteration() });
  refuses(2, 'invalid-option', ['reflect', 'l', '--stuck-after', '1'], { cwd, input: iteration() });
  const hook = hindscope(['reflect', '--workflow', 'flow.yaml'], { cwd, input: session(cwd, [prompt('Go.'), says('Went.')]) });
  assert.deepEqual([hook.status, hook.stdout], [0, '']);
  assert.match(readFileSync(join(cwd, '.aiwg/ralph/.hindscope/hook-errors.log'), 'utf8'), /\[invalid-request\] flow\.yaml: /);
});

test('agents in any language keep tasks by JSON', () => {
  const cwd = place();
  const task = (args, input) => JSON.parse(answers(['task', ...args], { cwd, input }));
  const all = [
    task(['init', '{"description": "Make the build green.", "tags": ["build"]}']),
    task(['start', 'task-001', '{"agent": "coder"}']),
    task(['log', 'task-001', '{"type": "bash", "params": {"command": "make"}, "success": false, "error": "exit 2"}']),
    task(['result', 'task-001', '{"iteration": 1, "name": "log.txt", "text": "exit 2"}']),
    task(['complete', 'task-001', '-'], '{"outcome": "failure", "reflection": "Install make first."}'),
    task(['start', 'task-001']),
    task(['log', 'task-001', '-'], '{"attempt": 2, "type": "bash", "success": true}'),
    task(['recall', 'task-001', '{"outcome": "failure", "results": true}']),
    task(['list']),
  ];
  assert.deepEqual(all.map(({ kind }) => kind), ['task', 'attempt', 'action', 'result', 'completed', 'attempt', 'action', 'history', 'found']);
  assert.match(all[5].plan, /Install make first\./);
  assert.deepEqual([all[6].attempt, all[7].attempts.map(({ attempt }) => attempt)], [2, [1]]);
  const file = { name: 'log.txt', path: 'tasks/task-001/attempts/001/results/iter-001/log.txt', text: 'exit 2' };
  assert.deepEqual(all[7].attempts[0].results, [{ iteration: 1, files: [file] }]);
  assert.equal(readFileSync(join(cwd, '.aiwg/ralph', file.path), 'utf8'), 'exit 2');
  assert.deepEqual(all[8].tasks.map(({ task, status }) => [task, status]), [['task-001', 'running']]);
  assert.deepEqual(task(['list', '{"query": "which make"}']).tasks[0].terms, ['make']);
  assert.deepEqual(task(['list', '{"status": "paused"}']).tasks, []);
  compiles(cwd, all.map((answer, at) => `export const a${at}: answers.TaskCommandAnswer = ${JSON.stringify(answer)};`));
});

test('what `task` cannot take is refused as JSON', () => {
  const cwd = place();
  const refused = (exit, code, args, input) => refuses(exit, code, ['task', ...args], { cwd, input });
  refused(2, 'missing-argument', []);
  refused(2, 'invalid-option', ['forget']);
  refused(2, 'missing-argument', ['init']);
  refused(2, 'missing-argument', ['start']);
  refused(2, 'missing-argument', ['log', 'task-001']);
  refused(2, 'too-many-arguments', ['list', '{}', '{}']);
  refused(3, 'unreadable-input', ['start', 'task-001']);
  assert.deepEqual(readdirSync(cwd), [], 'only `init` creates a memory');
  answers(['task', 'init', '{"description": "Sort."}'], { cwd });
  refused(2, 'no-such-task', ['start', 'task-009']);
  refused(2, 'invalid-request', ['start', 'task-001', '[]']);
  refused(2, 'invalid-request', ['log', 'task-001', '-'], 'half {');
  refused(2, 'invalid-request', ['init', '{"descripton": "Sort."}']);
  refused(2, 'invalid-request', ['start', 'task-001', '{"task": "task-002"}']);
  const plain = (...args) => JSON.parse(hindscope(['task', ...args], { cwd }).stderr).error.code;
  assert.deepEqual(
    [plain('start', 'task-009'), plain('forget'), plain(), plain('list', '--memry', 'x'), plain('list', '{}', '{}', '{}')],
    ['no-such-task', 'invalid-option', 'missing-argument', 'unknown-option', 'too-many-arguments'],
    'without --json, too',
  );
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
