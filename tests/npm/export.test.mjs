// Exports of the npm package.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hindscope } from './installed.mjs';

const { History, openHistory, validate } = hindscope;

const LOG = [1, 2]
  .map((iteration) =>
    JSON.stringify({
      loop_id: 'ralph-a',
      iteration,
      evaluator_output: { passed: iteration > 1, reward_signal: iteration / 2 },
      self_reflection: { reflection_text: `Lesson ${iteration}.` },
    }),
  )
  .join('\n');

const opened = () => openHistory({ name: 'demo/loop.jsonl', data: LOG });

test('open, export, open, export gives the same bytes', () => {
  const history = opened();
  const first = history.export({ created: new Date(0) });
  assert.equal(first.name, 'hindscope-ralph-a-1970-01-01.hindscope.jsonl');
  const again = openHistory({ name: first.name, data: first.bytes() });
  assert.equal(again.export({ created: new Date(0) }).text(), first.text());
  assert.deepEqual(again.sources().map(({ path }) => path), ['demo/loop.jsonl']);
  assert.deepEqual(
    again.runs().map(({ key, best }) => [key, best]),
    history.runs().map(({ key, best }) => [key, best]),
  );
  const { record } = again.run('ralph-a').iterations()[1];
  assert.equal(again.raw(record), LOG.split('\n')[1]);
  assert.equal(validate(again.raw(record), { profile: 'strict' }).valid, false);
});

test('outputs, prompts and folders can be left out, and the records with them', () => {
  const record = { loop_id: 'ralph-a', iteration: 1, evaluator_output: { passed: false, verification_type: 'unit_tests', results: [{ tool: 'x', status: 'fail', stdout: 'printed' }] }, self_reflection: { reflection_text: 'See /home/ann/shop/a.py.' } };
  const history = openHistory({ name: 'a.jsonl', data: JSON.stringify(record) });
  const of = (options) => history.export(options).text();
  assert.match(of({}), /printed/);
  const lean = of({ outputs: false });
  assert.doesNotMatch(lean, /printed/);
  assert.match(lean, /"leftOut":\["originals","outputs"\][^]*\/home\/ann/);
  assert.match(of({ paths: false }), /See \u2026\/a\.py\./);
  assert.doesNotMatch(of({ kind: 'markdown', paths: false }), /home/);
  assert.throws(() => of({ outputs: 'no' }), { code: 'invalid-option' });
});

test('pieces come one by one, as texts and as bytes', async () => {
  const table = opened().export({ kind: 'csv' });
  const texts = Array.from(table);
  assert.equal(texts.join(''), table.text());
  const chunks = [];
  for await (const chunk of table) chunks.push(Buffer.from(chunk));
  assert.equal(Buffer.concat(chunks).toString(), table.text());
  for (const _ of table) break;
});

test('records go out as they came', () => {
  assert.equal(opened().export({ kind: 'records' }).text(), `${LOG}\n`);
});

test('a run is a picture, and a page that runs nothing and asks for nothing', () => {
  const history = opened();
  const svg = history.export({ kind: 'chart', first: 2, points: true }).text();
  assert.match(svg, /^<\?xml [^>]*>\n<svg /);
  assert.match(svg, /1 of 2 iterations\. Rewards are points/);
  const html = history.export({ kind: 'report' }).text();
  const [, style] = /<style>([^]*?)<\/style>/.exec(html);
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(html.includes(`style-src 'sha256-${hash}'`));
  assert.match(html, /Lesson 2\./);
  assert.doesNotMatch(history.export({ kind: 'report', reflections: false }).text(), /Lesson 2\./);
});

test('misuse has its code', () => {
  const history = opened();
  const fails = (code, options) => assert.throws(() => history.export(options).text(), { code });
  fails('no-such-run', { runs: [7] });
  fails('invalid-option', { runs: 7 });
  fails('invalid-option', { kind: 'pdf' });
  fails('invalid-option', { kind: 'chart', first: 'one' });
  fails('invalid-option', { created: '2026-03-10' });
  fails('invalid-option', { kind: 'records', supply: '[' });
  fails('invalid-option', { kind: 'records', layout: 'document' });
  const one = history.export();
  const pieces = one[Symbol.iterator]();
  pieces.next();
  const source = history.open('more.jsonl');
  history.push(source, LOG);
  history.finish(source);
  assert.throws(() => pieces.next(), { code: 'stale-export' });
  history.free();
  assert.throws(() => one.text(), { code: 'freed' });
  assert.throws(() => new History().export({ kind: 'csv', profile: 'analytics' }), { code: 'invalid-option' });
});
