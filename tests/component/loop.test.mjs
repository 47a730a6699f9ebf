// The reflection loop of the component in a JavaScript host: transpiled by jco, run by Node.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';
import { difference } from '../loop/compare.mjs';
import { isMissing, path, read, sharedCases } from '../loop/shared.mjs';
import { checkSteps } from '../loop/steps.mjs';
import { free } from './face.mjs';
import { transpiled } from './lib.mjs';

const folder = transpiled();
const built = pathToFileURL(join(folder, 'hindscope/hindscope.js')).href;
const { loops: loop, validation } = await import(built);
// The address distinguishes them: this is an instance of its own.
const { loops: elsewhere } = await import(`${built}?elsewhere`);

const { ReflectionLoop } = loop;
const json = JSON.stringify;
const host = json({ llm: true, actions: ['write'], languages: ['python'], clock: true });
const config = json({
  state: { topic: 'tides' },
  generator: { action: 'write', prompt: 'About {{ topic }}, round {{ reflection_iteration }}' },
  evaluator: { type: 'custom', run: 'check(output)' },
  corrector: { callback: 'mend' },
  max_iterations: 3,
  budget: { calls: 9 },
});
const value = (given, more = {}) => ({ answer: { tag: 'value', val: json(given) }, notFinite: [], ...more });
const failure = (more) => ({ answer: { tag: 'error', val: { message: 'busy', kind: 'error', retryable: false, fatal: false, ...more } }, notFinite: [] });

/** What a call is refused with. */
function refusal(call) {
  try {
    call();
  } catch ({ payload, message }) {
    assert.ok(payload?.message, message);
    assert.ok(json(JSON.parse(payload.details)));
    return [payload.type, payload.code];
  }
  return assert.fail('it was not refused');
}

/** Answers the first refused attempt of the loop above, up to its correction. */
function untilCorrection(run) {
  run.resume(1, value('Tides rise.', { ms: 20, now: 20, usage: { inputTokens: 7, outputTokens: 5 } }));
  return run.resume(2, value({ valid: false, score: 0.5, errors: ['no moon'], suggestions: ['Name the moon.'] }));
}

function finish(run) {
  const [judge] = run.resume(3, value({ candidate: 'The moon pulls.' }));
  const [end] = run.resume(judge.id, value(true));
  return end;
}

test('a loop from its start to its result', () => {
  const run = ReflectionLoop.start(config, host, 0);
  const [generate] = run.steps();
  assert.deepEqual([generate.id, generate.iteration, generate.candidate, generate.try, generate.timeoutMs], [1, 1, 1, 1, undefined]);
  assert.equal(generate.kind.tag, 'generate');
  const { call, isLast, budgetLeft } = generate.kind.val;
  assert.deepEqual([call.tag, call.val.action, JSON.parse(call.val.params)], ['action', 'write', { prompt: 'About tides, round 1' }]);
  assert.deepEqual([isLast, budgetLeft], [false, { iterations: 3, calls: 9n, tokens: undefined, cost: undefined, ms: undefined }]);
  const state = JSON.parse(run.state(1));
  assert.deepEqual([state.topic, state.reflection_iteration, state.reflection_history], ['tides', 1, []]);
  assert.deepEqual(run.events().map(({ seq, type, iteration }) => [seq, type, iteration]), [[1, 'started', 0]]);
  assert.deepEqual(run.events(), []);

  const [correct] = untilCorrection(run);
  assert.equal(run.state(1), undefined);
  const asked = correct.kind.val;
  assert.deepEqual([correct.kind.tag, asked.call], ['correct', { tag: 'callback', val: { callback: 'mend', params: '{}' } }]);
  assert.deepEqual([asked.output, asked.errors, asked.suggestions], ['"Tides rise."', '[{"message":"no moon"}]', '["Name the moon."]']);
  assert.match(asked.feedback, /no moon/);
  assert.equal(JSON.parse(run.state(3)).reflection_history.length, 1);

  const [judge] = run.resume(3, value({ candidate: 'The moon pulls.' }));
  const { evaluator, output, call: code } = judge.kind.val;
  assert.deepEqual([evaluator, output, code], ['custom', '"The moon pulls."', { tag: 'run', val: { run: 'check(output)', language: 'python' } }]);
  assert.equal(JSON.parse(run.state(judge.id)).output, 'The moon pulls.');
  const [end] = run.resume(judge.id, value(true));
  assert.equal(end.kind.tag, 'done');
  const result = JSON.parse(end.kind.val);
  assert.deepEqual([result.success, result.result, result.reflection_iteration], [true, 'The moon pulls.', 2]);
  assert.deepEqual([result.usage.input_tokens, result.usage.total_tokens, result.usage.ms], [7, 12, 20]);
  assert.deepEqual(run.steps(), [end]);
  const events = run.events();
  assert.deepEqual(events.map(({ type }) => type), [
    'generated', 'parsed', 'evaluated', 'best', 'corrected', 'generated', 'parsed', 'evaluated', 'best', 'stopped',
  ]);
  assert.equal(JSON.parse(events[2].details).entry.score, 0.5);
  assert.deepEqual(JSON.parse(events.at(-1).details), { stop_reason: 'valid', stop_detail: null });
  free(run);
});

test('what a step can be', () => {
  const schema = ReflectionLoop.start(json({ generator: { run: 'x' }, evaluator: { schema: { $ref: 'a/b.json' } } }), host);
  assert.deepEqual(schema.steps()[0].kind, { tag: 'resolve-schema', val: { uri: 'a/b.json', from: '' } });
  assert.equal(schema.resume(1, value('{"type": "integer"}'))[0].kind.val.call.tag, 'run');
  assert.equal(JSON.parse(schema.resume(2, value(4))[0].kind.val).result, 4);

  const judged = ReflectionLoop.start(json({
    generator: { callback: true }, evaluator: { type: 'llm', model: 'm' }, corrector: { prompt: 'Better: {{ reflection_output }}' },
    retry: { max: 1, initial_ms: 5 }, call_timeout_ms: 100,
  }), host, 0);
  const [generate] = judged.steps();
  assert.deepEqual([generate.timeoutMs, generate.kind.val.call.val.callback], [100, undefined]);
  const [wait] = judged.resume(1, failure({ retryable: true, retryAfterMs: 250 }));
  assert.deepEqual(wait.kind, { tag: 'wait', val: 250 });
  const [again] = judged.resume(wait.id, value(null));
  assert.equal(again.try, 2);
  const [judge] = judged.resume(again.id, value('a'));
  assert.deepEqual([judge.kind.tag, judge.kind.val.model, judge.kind.val.messages[0].role], ['evaluate-llm', 'm', 'system']);
  const [correct] = judged.resume(judge.id, value('{"valid": false}'));
  assert.deepEqual(correct.kind.val.call, { tag: 'prompt', val: { prompt: 'Better: a', params: '{}' } });

  const several = ReflectionLoop.start(json({ generator: { action: 'write' }, evaluator: { schema: true }, candidates: 2 }), host);
  assert.deepEqual(several.steps().map(({ candidate }) => candidate), [1, 2]);
});

test('one evaluation and one correction', () => {
  const judge = ReflectionLoop.evaluate(json({ schema: { type: 'integer' }, data: '7' }), 'null', host);
  const verdict = JSON.parse(judge.steps()[0].kind.val);
  assert.deepEqual([verdict.valid, verdict.output, verdict.coercions.length], [true, 7, 1]);
  // A request that is wrong is an answer, not an error.
  const wrong = ReflectionLoop.evaluate('{"type": "oracle"}', '{}', host);
  assert.equal(JSON.parse(wrong.steps()[0].kind.val).errors[0].code, 'config_evaluator_type');
  const state = json({ reflection_output: 'a', reflection_errors: ['b'] });
  const mend = ReflectionLoop.correct('{"corrector_action": "write"}', state, host);
  const { output, errors } = mend.steps()[0].kind.val;
  assert.deepEqual([output, errors], ['"a"', '[{"message":"b"}]']);
  const restored = elsewhere.ReflectionLoop.restore(
    json({ op: 'correct', params: { corrector_action: 'write' }, state: JSON.parse(state) }), host, mend.snapshot(),
  );
  for (const run of [mend, restored]) {
    assert.equal(JSON.parse(run.resume(1, value('c'))[0].kind.val).corrected_output, 'c');
  }
});

test('a snapshot goes on in another instance', () => {
  const first = ReflectionLoop.start(config, host, 0);
  const [correct] = untilCorrection(first);
  const bytes = first.snapshot();
  const second = elsewhere.ReflectionLoop.restore(config, host, bytes);
  assert.deepEqual(second.steps(), [correct]);
  assert.equal(second.state(3), first.state(3));
  assert.deepEqual(second.events(), first.events());
  assert.deepEqual(finish(second), finish(first));
  assert.deepEqual(second.events(), first.events());
  assert.deepEqual(second.snapshot(), first.snapshot());
});

test('an abort keeps what there is', () => {
  const run = ReflectionLoop.start(config, host, 0);
  untilCorrection(run);
  const [end] = run.abort('the user left');
  const result = JSON.parse(end.kind.val);
  assert.deepEqual([result.stop_reason, result.stop_detail, result.reflection_best], ['aborted', 'the user left', 'Tides rise.']);
  assert.deepEqual(run.abort('again'), []);
  // The step that was cancelled may still be answered; nothing comes of it.
  assert.deepEqual(run.resume(3, value(1)), []);
  const other = ReflectionLoop.start(config, host, 0);
  const [{ kind }] = other.resume(1, { answer: { tag: 'aborted', val: undefined }, notFinite: [] });
  assert.equal(JSON.parse(kind.val).stop_reason, 'aborted');
});

test('how a loop fails', () => {
  const { on_failure: _, ...settings } = JSON.parse(config);
  const raising = ReflectionLoop.start(json({ ...settings, on_failure: 'raise', max_iterations: 1 }), host, 0);
  const [failed] = untilCorrection(raising);
  assert.equal(failed.kind.tag, 'failed');
  const { type, code, field, details } = failed.kind.val;
  assert.deepEqual([type, code, field], ['failed', 'reflection-failed', undefined]);
  const { history, best, stop_reason: reason } = JSON.parse(details);
  assert.deepEqual([history.length, best, reason], [1, 'Tides rise.', 'exhausted']);

  const template = ReflectionLoop.start(json({ ...settings, generator: { action: 'write', prompt: '{{ nothing }}' } }), host, 0);
  const [{ kind: ended }] = template.steps();
  assert.deepEqual([ended.tag, ended.val.type, ended.val.code], ['failed', 'template', 'template-failed']);
});

describe('what stands by itself', () => {
  test('coerce', () => {
    const schema = json({ properties: { age: { type: 'integer' } } });
    assert.deepEqual(loop.coerce(schema, '{"z": 1.0, "age": " 30 "}'), {
      value: '{"z":1.0,"age":30}', coercions: [{ pointer: '/age', from: '" 30 "', to: '30' }],
    });
    // Every digit stays.
    assert.equal(loop.coerce('{}', '[9007199254740993]').value, '[9007199254740993]');
  });

  test('render', () => {
    assert.equal(loop.render('{{ a | tojson }}\n', '{"a": [1, "<"]}'), '[1, "\\u003c"]\n');
    assert.deepEqual(refusal(() => loop.render('{{ b }}', '{}')), ['template', 'template-failed']);
    assert.deepEqual(refusal(() => loop.render('{{', '{}')), ['template', 'config-template']);
  });

  test('YAML', () => {
    const text = 'nodes:\n- {name: a, uses: reflection.loop, with: {max_iterations: 2}}\n- {name: b, uses: reflection.evaluate, with: {schema: true}}\n';
    assert.deepEqual(loop.reflectionFromYaml(text), { action: 'reflection.loop', config: '{"max_iterations":2}' });
    assert.equal(loop.reflectionFromYaml(text, 'b').action, 'reflection.evaluate');
    assert.deepEqual(refusal(() => loop.reflectionFromYaml(text, 'c')), ['config', 'config-value']);
    assert.deepEqual(refusal(() => loop.reflectionFromYaml('a: [')), ['config', 'config-value']);
  });

  test('records', () => {
    const run = ReflectionLoop.start(config, host, 0);
    const entry = JSON.parse(finish((untilCorrection(run), run)).kind.val).reflection_history[0];
    const context = { loop_id: 'ralph-tides', at: '2026-03-01T10:00:00Z' };
    const record = loop.toRecord(json(entry), json(context));
    assert.equal(validation.validate(new TextEncoder().encode(record), { profile: 'strict' }).valid, true);
    assert.equal(loop.toRecord(json(entry), '{}'), undefined);
    assert.equal(loop.toRecord('[]', json(context)), undefined);
    for (const wrong of ['[]', 'null', '{"omega": "3"}', '{']) {
      assert.deepEqual(refusal(() => loop.toRecord(json(entry), wrong)), ['config', 'config-value']);
    }
  });
});

describe('a hostile host gets typed errors', () => {
  const nested = (levels) => '['.repeat(levels) + ']'.repeat(levels);
  const run = ReflectionLoop.start(config, host, 0);
  const before = () => new TextDecoder().decode(run.snapshot());

  test('texts that are no JSON, or too deep', () => {
    for (const text of ['', '{', 'undefined', '{} {}', '\u0000', 'NaN', nested(129), nested(1_000_000), '['.repeat(1_000_000)]) {
      for (const call of [
        () => ReflectionLoop.start(text, host), () => ReflectionLoop.start(config, text), () => ReflectionLoop.evaluate(text, '{}', host),
        () => ReflectionLoop.evaluate('{}', text, host), () => ReflectionLoop.correct('{}', '{}', text),
        () => ReflectionLoop.restore(text, host, run.snapshot()), () => loop.coerce(text, '1'), () => loop.coerce('{}', text),
        () => loop.render('a', text), () => loop.toRecord(text, '{}'), () => loop.toRecord('{}', text),
      ]) assert.deepEqual(refusal(call), ['config', 'config-value'], text.slice(0, 20));
    }
    for (const text of ['null', '[]', '"any"', nested(128)]) {
      assert.deepEqual(refusal(() => ReflectionLoop.start(config, text)), ['config', 'config-value']);
      assert.deepEqual(refusal(() => loop.render('a', text)), ['config', 'config-value']);
    }
    assert.deepEqual(refusal(() => ReflectionLoop.start('{}', host)), ['config', 'config-generator']);
    assert.deepEqual(refusal(() => ReflectionLoop.start(config, '{}')), ['config', 'config-unknown-action']);
    assert.equal(loop.coerce('{}', nested(128)).value, nested(128));
  });

  test('clocks', () => {
    const { budget: _, ...settings } = JSON.parse(config);
    const timed = json({ ...settings, deadline_ms: 50 });
    for (const now of [undefined, NaN, Infinity]) assert.deepEqual(refusal(() => ReflectionLoop.start(timed, host, now)), ['config', 'config-clock-missing']);
    for (const now of [NaN, Infinity, -Infinity]) {
      const started = ReflectionLoop.start(config, host, now);
      assert.equal(started.steps()[0].id, 1);
      assert.deepEqual(refusal(() => started.resume(1, value(1, { now }))), ['usage', 'reply-invalid']);
    }
  });

  test('ids', () => {
    const was = before();
    for (const id of [0, 2, 9, 2 ** 32 - 1]) {
      assert.deepEqual(refusal(() => run.resume(id, value(1))), ['usage', 'unknown-step']);
      assert.equal(run.state(id), undefined);
    }
    assert.equal(before(), was);
  });

  test('replies', () => {
    const was = before();
    for (const reply of [
      ...['', '{', 'undefined', '1, "usage": {}', '1e999', 'NaN'].map((val) => ({ answer: { tag: 'value', val }, notFinite: [] })),
      ...[NaN, Infinity, -1].flatMap((number) => [
        value(1, { ms: number }), value(1, { usage: { cost: number } }), value(1, { usage: { inputTokens: number } }), failure({ retryAfterMs: number }),
      ]),
    ]) assert.deepEqual(refusal(() => run.resume(1, reply)), ['usage', 'reply-invalid'], json(reply));
    assert.equal(before(), was);
    // A value that is nested too deeply is a failed attempt.
    for (const answer of [{ tag: 'value', val: nested(129) }, { tag: 'value', val: nested(1_000_000) }, { tag: 'too-deep' }]) {
      const other = ReflectionLoop.start(config, host, 0);
      other.resume(1, { answer, notFinite: [] });
      const [entry] = JSON.parse(other.state(other.steps()[0].id)).reflection_history;
      assert.deepEqual([entry.kind, entry.errors[0].code], ['parse', 'too_deep']);
    }
    const deepest = ReflectionLoop.start(config, host, 0).resume(1, { answer: { tag: 'value', val: nested(128) }, notFinite: [] });
    assert.equal(deepest[0].kind.val.output, nested(128));
    const score = ReflectionLoop.start(config, host, 0);
    score.resume(1, value('a'));
    score.resume(2, value({ valid: true, score: null }, { notFinite: ['/score', '/nothing', 'odd', ''] }));
    assert.equal(JSON.parse(score.steps()[0].kind.val).reflection_best_score, 0);
  });

  test('snapshots', () => {
    const bytes = run.snapshot();
    const refused = (config, bytes) => refusal(() => ReflectionLoop.restore(config, host, bytes));
    const invalid = ['usage', 'snapshot-invalid'];
    for (let end = 0; end < bytes.length; end += 1 + (end >> 4)) assert.deepEqual(refused(config, bytes.subarray(0, end)), invalid);
    for (const at of Array.from({ length: 200 }, (_, n) => Math.floor((n * bytes.length) / 200))) {
      const damaged = bytes.slice();
      damaged[at] ^= 1;
      const [type, code] = refused(config, damaged);
      assert.equal(type, 'usage', String(at));
      assert.match(code, /^snapshot-(invalid|mismatch)$/);
    }
    for (const text of ['{}', 'null', nested(1_000_000), '{"hindscope_loop": 1}']) assert.deepEqual(refused(config, new TextEncoder().encode(text)), invalid);
    assert.deepEqual(refused(config, Uint8Array.of(0xff, 0)), invalid);
    assert.deepEqual(refused(config.replace('tides', 'waves'), bytes), ['usage', 'snapshot-mismatch']);
    assert.deepEqual(refused('{}', bytes), ['config', 'config-generator']);
  });

  test('and the loop still goes to its end', () => {
    untilCorrection(run);
    assert.equal(JSON.parse(finish(run).kind.val).success, true);
    assert.deepEqual(refusal(() => run.resume(99, value(1))), ['usage', 'loop-finished']);
    assert.deepEqual(run.abort('late'), []);
  });
});

describe('cases', async () => {
  if (isMissing) console.log(`skipped: there is no ${path}`);
  // The adapter runs over whatever package it is given; here the component stands in for one.
  const face = pathToFileURL(join(import.meta.dirname, 'loop.mjs')).href;
  const names = ['LoopMachine', 'reflectionLoop', 'reflectionEvaluate', 'reflectionCorrect', 'coerce', 'renderTemplate',
    'ReflectionConfigError', 'ReflectionTemplateError', 'ReflectionFailedError'].join(', ');
  mkdirSync(join(folder, 'loop'));
  writeFileSync(join(folder, 'loop/node.mjs'), [
    `import { driver } from '${face}';`, `import { loops as loop } from '${built}';`, `export const { ${names} } = driver(loop);`, '',
  ].join('\n'));
  process.env.HINDSCOPE_PACKAGE = folder;
  const adapter = await import('../loop/adapter.mjs');

  test('the shared ones hold', { skip: isMissing && `there is no ${path}` }, async () => {
    const cases = sharedCases();
    const failed = [];
    for (const one of cases) {
      const found = difference(one, await adapter[one.op](one.input));
      if (found) failed.push(`${one.id}: ${found}`);
    }
    assert.deepEqual(failed, [], `${failed.length} of ${cases.length}`);
  });

  const own = join(root, 'tests/fixtures/loop');
  const files = readdirSync(own).filter((name) => name.endsWith('.jsonl')).sort();
  assert.ok(files.length >= 10, `${files.length} files`);
  for (const name of files) {
    test(`own ones hold, step by step, and with a snapshot before each: ${name}`, () => {
      assert.deepEqual(read(join(own, name)).flatMap((one) => checkSteps(adapter.hindscope, one) ?? []), []);
    });
  }

  test('a case that does not hold is reported', () => {
    const [one] = read(join(own, 'retry.jsonl'));
    const differenceWith = (change) => checkSteps(adapter.hindscope, { ...one, ...change });
    assert.equal(differenceWith({}), undefined);
    assert.match(differenceWith({ end: { type: 'failed' } }), /end\/type/);
    assert.match(differenceWith({ types: ['started'] }), /types/);
    assert.match(differenceWith({ error: { code: 'config_value' } }), /it starts/);
    assert.match(differenceWith({ steps: [{ expect: { type: 'wait' }, value: 1 }] }), /step 0\/type/);
  });
});
