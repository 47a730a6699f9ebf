// The example workflows, as a person has them, with a model that is scripted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../faces.mjs';
import { completions } from './completions.mjs';
import { consumer, hindscope } from './installed.mjs';

const { validate } = hindscope;

cpSync(join(root, 'examples'), join(consumer, 'examples'), { recursive: true });
const { run } = await import(pathToFileURL(join(consumer, 'examples/run.mjs')).href);

/** A model that answers with these, one after the other, and keeps what it was asked. */
function scripted(...answers) {
  const asked = [];
  const llm = async (request) => {
    asked.push(request);
    const answer = answers[asked.length - 1];
    assert.notEqual(answer, undefined, `asked once more: ${JSON.stringify(request)}`);
    return { role: 'assistant', content: typeof answer === 'string' ? answer : JSON.stringify(answer), usage: { total_tokens: 10 } };
  };
  return { llm: Object.assign(llm, { model: 'scripted' }), asked };
}

test('JSON by schema', async () => {
  const { llm, asked } = scripted('Sure! Here is Ada.', '```json\n{"name": "Ada", "born": "1815"}\n```', { name: 'Ada', born: '1815', fields: ['mathematics'] });
  const result = await run('profile', { person: 'Ada Lovelace' }, { llm });
  assert.equal(result.success, true);
  assert.deepEqual(result.output, { name: 'Ada', born: 1815, fields: ['mathematics'] });
  assert.deepEqual(result.attempts.map(({ kind, origin }) => [kind, origin]), [['parse', 'generated'], ['evaluation', 'corrected'], ['evaluation', 'corrected']]);
  assert.deepEqual(result.attempts[2].coercions, [{ pointer: '/born', from: '1815', to: 1815 }]);
  assert.match(asked[0].prompt, /profile of Ada Lovelace/);
  assert.match(asked[2].prompt, /fields/);
  assert.equal(result.usage.totalTokens, 30);
});

test('JSON by schema, never right: everything is on the error', async () => {
  const { llm } = scripted('{}', '{}', '{}', '{"name": "Ada"}');
  const error = await run('profile', { person: 'Ada' }, { llm }).catch((error) => error);
  assert.deepEqual([error.name, error.stopReason, error.iterations, error.attempts.length], ['ReflectionFailedError', 'exhausted', 4, 4]);
});

const cases = [{ given: [[3, 1, 2]], expected: [1, 2, 3] }, { given: [[10, 9]], expected: [9, 10] }];

test('code by tests, run apart from everything else', async () => {
  const { llm, asked } = scripted(
    'function sort(list) { return list.sort( }',
    '```js\n(list) => list.sort()\n```',
    '(list) => { process.exit(1); }',
    '(list) => [...list].sort((a, b) => a - b)',
  );
  const result = await run('function', { task: 'Sort numbers', cases }, { llm });
  assert.equal(result.success, true);
  assert.equal(result.output, '(list) => [...list].sort((a, b) => a - b)');
  assert.deepEqual(result.attempts.map(({ score }) => score), [0, 0.5, 0, 1]);
  assert.match(result.attempts[2].errors[0].message, /'process' is not defined/);
  assert.match(asked[3].prompt, /For \[\[10,9\]\] it gives \[10,9\]/);
  assert.equal(result.records.length, 4);
  for (const record of result.records) assert.deepEqual(validate(record, { profile: 'strict' }).findings, []);
});

test('code by tests stops when nothing new comes', async () => {
  const { llm, asked } = scripted(...Array.from({ length: 6 }, () => '(list) => list'));
  const result = await run('function', { task: 'Sort numbers', cases }, { llm });
  assert.deepEqual([result.stopReason, result.output], ['stalled', '(list) => list']);
  assert.ok(asked.length < 6, String(asked.length));
});

test('text by judge', async () => {
  const text = 'The bridge opened in 1932 and has eight lanes.';
  const { llm, asked } = scripted(
    'Too short.',
    'The bridge opened in 1923 with eight lanes.',
    'I think it is fine.',
    { valid: false, score: 0.2, reason: 'The year is wrong.', suggestions: ['Copy numbers.'] },
    'The bridge opened in 1932 with eight lanes.',
    { valid: true, score: 0.9, reason: 'Good.' },
  );
  const result = await run('summary', { text, most_words: 20 }, { llm });
  assert.equal(result.success, true);
  assert.deepEqual(result.attempts.map(({ valid }) => valid), [false, false, true]);
  assert.deepEqual([asked[0].temperature, asked[1].temperature, asked[4].temperature], [0.2, 0.7, 0.7]);
  assert.equal(asked[2].messages.length, 6);
  assert.equal(asked[2].model, 'scripted');
  assert.match(asked[4].prompt, /The year is wrong\.[\s\S]*Copy numbers\./);
  assert.equal(result.usage.calls.total, 6);
});

test('from the command line, over a server', async (t) => {
  const address = await completions(t, () => '{"name": "Ada", "born": 1815, "fields": ["x"]}');
  const env = { ...process.env, OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: 'k', OPENAI_MODEL: 'tiny' };
  const { stdout, stderr } = await promisify(execFile)('node', ['examples/run.mjs', 'profile', '{"person": "Ada"}'], { cwd: consumer, env });
  assert.deepEqual(JSON.parse(stdout), { name: 'Ada', born: 1815, fields: ['x'] });
  assert.match(stderr, /round 1: accepted, score 1\nvalid after 1 calls, 9 tokens/);
});

test('each workflow says what it is for', () => {
  for (const name of ['profile', 'function', 'summary']) {
    assert.match(readFileSync(join(root, `examples/${name}.yaml`), 'utf8'), /^# .*:/);
  }
});
