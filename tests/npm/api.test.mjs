// The package as its users meet it: installed from the tarball, used through its exports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';
import { imported, project, scratch } from './package.mjs';

const consumer = project();
const hindscope = await imported(consumer);
const { History, HindscopeError, OUTCOMES, ReflectionWindow, Validator, autoScale, explain, jsonSchema, openHistory, ready, render, validate } =
  hindscope;
const fixture = (path) => join(root, 'tests/fixtures', path);

/** A record that the schema accepts. */
function record(changes = {}) {
  return {
    loop_id: 'ralph-demo',
    iteration: 0,
    timestamp: '2026-03-01T09:00:00Z',
    actor_output: { actions: [], rationale: 'Change one thing.' },
    evaluator_output: { passed: false, verification_type: 'unit_tests' },
    self_reflection: { reflection_text: 'The cache was read before it was filled.' },
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
    ...changes,
  };
}

/** Fails with this code, as an error of the package, and gives the error. */
function fails(code, call) {
  let caught;
  try {
    call();
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof HindscopeError, `threw ${caught}`);
  assert.equal(caught.code, code);
  assert.equal(caught.name, 'HindscopeError');
  assert.ok(caught instanceof Error && caught.message.length > 10);
  assert.deepEqual(Object.getPrototypeOf(caught.details), Object.prototype);
  return caught;
}

/** The package does its work: asked after everything that might have hurt it. */
function works() {
  assert.equal(validate(record(), { profile: 'strict' }).valid, true);
}

test('exports nothing but its API', () => {
  assert.deepEqual(Object.keys(hindscope).sort(), [
    'HindscopeError',
    'History',
    'OUTCOMES',
    'ReflectionWindow',
    'Validator',
    'autoScale',
    'explain',
    'insightRules',
    'jsonSchema',
    'omegaAdvice',
    'openHistory',
    'ready',
    'render',
    'validate',
  ]);
});

test('is ready at once in Node', async () => {
  assert.equal(await ready, undefined);
});

describe('validate', () => {
  test('takes objects, text and bytes alike', () => {
    const text = JSON.stringify(record());
    const bytes = new TextEncoder().encode(text);
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes, 4);
    for (const form of [
      record(),
      text,
      bytes,
      bytes.buffer,
      Buffer.from(text),
      padded.subarray(4, 4 + bytes.length),
      new DataView(padded.buffer, 4, bytes.length),
    ]) {
      assert.deepEqual(validate(form, { profile: 'strict' }), { valid: true, verdict: 'conforms', findings: [] });
    }
  });

  test('says what is wrong and where', () => {
    const text = JSON.stringify(record({ iteration: -1.5, memory_metadata: { omega_capacity: 3 } }), undefined, 2);
    const { valid, verdict, findings } = validate(text, { profile: 'strict' });
    assert.equal(valid, false);
    assert.equal(verdict, 'unusable');
    const places = findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
    assert.ok(places.includes('strict/required /memory_metadata'), places.join(', '));
    assert.ok(places.some((place) => place.endsWith(' /iteration')), places.join(', '));
    for (const { line, column, offset, severity, message } of findings) {
      assert.ok(line >= 1 && column >= 1 && offset >= 0 && severity === 'error' && message);
    }
    assert.equal(text.slice(findings.find(({ pointer }) => pointer === '/iteration').offset).slice(0, 4), '-1.5');
  });

  test('is lenient unless it is told otherwise', () => {
    const odd = record({ loop_id: 'Nightly Build' });
    assert.equal(validate(odd, { profile: 'strict' }).valid, false);
    for (const options of [undefined, null, {}, { profile: null }, { profile: undefined }]) {
      const { valid, verdict, findings } = validate(odd, options);
      assert.deepEqual([valid, verdict], [true, 'usable']);
      assert.ok(findings.length > 0);
    }
  });

  test('leaves out what is not known', () => {
    for (const finding of validate('no json', { profile: 'strict' }).findings) {
      for (const value of Object.values(finding)) assert.notEqual(value, undefined);
      assert.ok(!('run' in finding) && !('source' in finding));
    }
  });

  test('gives findings for whatever is JSON', () => {
    for (const form of [null, 1, true, [], '', '{', '[1,2', 'null', new Uint8Array(0), new Date(0), new Map(), 'x'.repeat(1e5)]) {
      const { valid, findings } = validate(form);
      assert.equal(valid, false);
      assert.ok(findings.length > 0);
    }
    const many = Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`key${i}`, i]));
    assert.equal(validate({ ...record(), ...many }, { profile: 'strict' }).valid, true);
    const named = JSON.parse('{"__proto__": {"iteration": 3}, "constructor": 1, "toString": null}');
    assert.equal(validate(named).valid, false);
    assert.equal(validate(record({ task_description: 'half \ud83d pair' }), { profile: 'strict' }).valid, true);
    const deep = `${'['.repeat(1e5)}${']'.repeat(1e5)}`;
    assert.equal(validate(`{"notes": ${deep}}`).valid, false);
    works();
  });

  test('throws a typed error for what is no JSON', () => {
    const cyclic = record();
    cyclic.self = cyclic;
    let deep = {};
    for (let i = 0; i < 1e5; i += 1) deep = { deep };
    const detached = new Uint8Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const odd of [
      cyclic,
      deep,
      detached,
      detached.buffer,
      revoked.proxy,
      record({ iteration: 1n }),
      { get loop_id() { throw new Error('not now'); } },
      { toJSON() { throw 'a string'; } },
      { toJSON() { throw { get message() { throw 1; }, toString() { throw 2; } }; } },
      () => 1,
      Symbol('record'),
      undefined,
      1n,
    ]) {
      fails('invalid-record', () => validate(odd));
      works();
    }
  });

  test('refuses options that it does not have', () => {
    const throwing = { get profile() { throw new Error('no'); } };
    for (const options of [{ profile: 'Strict' }, { profile: 3 }, { profil: 'strict' }, 'strict', 7, throwing, ['strict']]) {
      fails('invalid-option', () => validate(record(), options));
    }
    works();
  });
});

describe('schemas', () => {
  test('validate knows those of an episodic memory, and a clock', () => {
    const action = { tool: 7, type: 'execution' };
    assert.equal(validate(action, { schema: 'action' }).verdict, 'usable');
    assert.equal(validate(action, { schema: 'action', profile: 'strict' }).valid, false);
    const rules = (options) => validate(record(), options).findings.map(({ rule }) => rule);
    for (const now of [new Date('2026-02-01'), Date.parse('2026-02-01')]) assert.ok(rules({ now }).includes('rm/future'));
    for (const now of [new Date('2026-05-01'), null, undefined]) assert.ok(!rules({ now }).includes('rm/future'));
    fails('invalid-option', () => validate(record(), { schema: 'Action' }));
    for (const now of [NaN, new Date(NaN), '2026-02-01', {}]) fails('invalid-option', () => validate(record(), { now }));
  });

  test('each can be had as an object of its own', () => {
    const own = jsonSchema('action');
    own.properties = {};
    assert.ok(Object.keys(jsonSchema('action').properties).length > 3);
    assert.deepEqual(jsonSchema(null), jsonSchema('reflection-memory'));
    fails('invalid-option', () => jsonSchema('plan'));
  });

  test('one of your own judges as the core judges with it', () => {
    const strict = new Validator(jsonSchema());
    for (const form of [record(), record({ iteration: 'one' }), '{', {}]) {
      assert.deepEqual(strict.validate(form), validate(form, { profile: 'strict' }));
    }
    strict.free();
    strict.free();
    fails('freed', () => strict.validate({}));
    const text = new Validator('{"type": "text"}'.replace('text', 'string'));
    assert.deepEqual([text.validate('"a"').verdict, text.validate('1').verdict], ['conforms', 'unusable']);
    if (Symbol.dispose) text[Symbol.dispose]();
    assert.equal(new Validator(false).validate(1).valid, false);
  });

  test('what is no schema says where', () => {
    const cyclic = {};
    cyclic.self = cyclic;
    for (const odd of [undefined, null, 3, '{', '[]', { type: 'text' }, { $ref: '#/nowhere' }, { pattern: '(' }, cyclic, () => {}, 1n]) {
      fails('invalid-schema', () => new Validator(odd));
    }
    assert.match(fails('invalid-schema', () => new Validator({ items: { minimum: 'a' } })).message, /\/items\/minimum/);
    works();
  });
});

describe('ReflectionWindow', () => {
  const push = (window, iteration, text, passed = false) =>
    window.push(record({ iteration, evaluator_output: { passed, verification_type: 'lint' }, self_reflection: { reflection_text: text } }));

  test('holds the last Ω and says what it pushed out', () => {
    const window = new ReflectionWindow({ omega: 2 });
    assert.equal(window.render(), '');
    push(window, 8, 'First.');
    push(window, 9, 'Second.');
    push(window, 10, 'Third.', true);
    assert.deepEqual(window.held, [9, 10]);
    assert.deepEqual(window.evicted, [8]);
    assert.deepEqual(window.entries, [
      { number: 9, outcome: 'failure', text: 'Second.' },
      { number: 10, outcome: 'success', text: 'Third.' },
    ]);
    assert.equal(window.render(), '[9] failure: Second.\n\n[10] success: Third.\n');
    assert.equal(window.render('plain'), window.render(null));
    assert.deepEqual(window.metadata(), {
      omega_capacity: 2,
      current_memory_size: 2,
      reflections_in_context: [9, 10],
      window_policy: 'fifo',
      total_reflections_generated: 3,
    });
    window.free();
  });

  test('has Ω 3 unless it is told otherwise, and 0 holds nothing', () => {
    for (const options of [undefined, null, {}, { omega: null, policy: null }]) {
      assert.equal(new ReflectionWindow(options).metadata().omega_capacity, 3);
    }
    const none = new ReflectionWindow({ omega: 0 });
    push(none, 0, 'Gone at once.');
    assert.deepEqual([none.held, none.evicted, none.render()], [[], [0], '']);
  });

  test('does not keep what it cannot use, and says so', () => {
    const window = new ReflectionWindow();
    const findings = window.push('{"iteration": ');
    assert.ok(findings.some(({ severity }) => severity === 'error'));
    assert.deepEqual(window.held, []);
    fails('invalid-record', () => window.push({ iteration: 1n }));
    push(window, 0, 'Kept.');
    assert.deepEqual(window.held, [0]);
  });

  test('refuses an Ω outside 0 to 10', () => {
    for (const omega of [-1, 11, 255, 256, 2.5, NaN, Infinity, 1e300]) {
      const { details } = fails('omega-out-of-range', () => new ReflectionWindow({ omega }));
      assert.ok(Object.is(details.omega, omega));
    }
    for (const options of [{ omega: '3' }, { omega: {} }, { omega: 3n }, { policy: 'lifo' }, { policy: 1 }, { size: 3 }, 3]) {
      fails('invalid-option', () => new ReflectionWindow(options));
    }
    fails('invalid-option', () => new ReflectionWindow().render('fancy'));
    fails('invalid-option', () => new ReflectionWindow().render(3));
    works();
  });

  test('ends with free, once and for all', () => {
    const window = new ReflectionWindow();
    window.free();
    window.free();
    for (const call of [
      () => window.push(record()),
      () => window.render(),
      () => window.metadata(),
      () => window.held,
      () => window.evicted,
      () => window.entries,
    ]) {
      fails('freed', call);
    }
    const other = new ReflectionWindow();
    fails('freed', () => other.push({ get iteration() { return other.free() ?? 1; } }));
    if (Symbol.dispose) {
      const third = new ReflectionWindow();
      third[Symbol.dispose]();
      fails('freed', () => third.held);
    }
    works();
  });
});

describe('a window by any rule', () => {
  const lesson = (iteration, reflection_text, more = {}) => record({ iteration, self_reflection: { reflection_text }, ...more });
  const words = (text) => text.split(' ').length;
  const texts = ['Clear the cache.', 'Port was wrong.', 'Retry.'];
  const filled = (options) => {
    const window = new ReflectionWindow(options);
    for (const [iteration, text] of texts.entries()) window.push(lesson(iteration, text));
    return window;
  };

  test('has settings that can be changed while the loop runs', () => {
    const window = filled();
    assert.deepEqual([window.omega, window.tokenBudget, window.query, window.tokens], [3, undefined, undefined, undefined]);
    window.omega = 2;
    assert.deepEqual([window.omega, window.held, window.evicted, window.metadata().omega_capacity], [2, [1, 2], [0], 2]);
    window.omega = 3;
    assert.deepEqual(window.held, [0, 1, 2]);
    window.tokenBudget = 6;
    assert.deepEqual([window.held, window.dropped, window.tokens, window.tokenBudget], [[1, 2], [0], 6, 6]);
    window.tokenBudget = null;
    assert.deepEqual([window.held.length, window.dropped, window.tokenBudget], [3, [], undefined]);
    for (const odd of [11, -1, 2.5, NaN]) fails('omega-out-of-range', () => (window.omega = odd));
    for (const odd of ['3', null, undefined, 3n]) fails('invalid-option', () => (window.omega = odd));
    for (const odd of [-1, 2.5, NaN, '9', 2 ** 32]) fails('invalid-option', () => (window.tokenBudget = odd));
    for (const odd of [3, {}]) fails('invalid-option', () => (window.query = odd));
    assert.deepEqual([window.omega, window.held.length], [3, 3]);
    window.free();
    for (const call of [() => window.omega, () => (window.omega = 2), () => window.tokenBudget, () => (window.tokenBudget = 2)]) fails('freed', call);
    for (const call of [() => window.query, () => (window.query = 'x'), () => window.dropped, () => window.tokens, () => window.notes]) fails('freed', call);
  });

  test('keeps what helps with the task', () => {
    const window = filled({ omega: 1, policy: 'relevance_weighted' });
    assert.deepEqual([window.held, window.notes[0]?.rule], [[2], 'window/no-relevance']);
    window.query = 'the port of the server';
    assert.deepEqual([window.held, window.notes, window.query], [[1], [], 'the port of the server']);
    window.query = null;
    assert.deepEqual([window.held, window.query], [[2], undefined]);
    window.free();
  });

  test('is counted by the host, each reflection once, and only with a budget', () => {
    const asked = [];
    const countTokens = (text, entry) => asked.push(entry.number) && words(text);
    const window = filled({ countTokens });
    assert.deepEqual(asked, []);
    window.tokenBudget = 4;
    assert.deepEqual([asked, window.held, window.dropped, window.tokens], [[0, 1, 2], [1, 2], [0], 4]);
    window.omega = 1;
    window.omega = 3;
    window.push(lesson(3, 'Slow is smooth.'));
    assert.deepEqual([asked, window.held], [[0, 1, 2, 3], [2, 3]]);
    assert.deepEqual(window.entries.map(({ tokens }) => tokens), [1, 3]);
    window.free();
  });

  test('survives a counter that does not count', () => {
    for (const odd of [NaN, -1, 2.5, 2 ** 32, '3', undefined, Promise.resolve(3)]) {
      const window = new ReflectionWindow({ tokenBudget: 9, countTokens: () => odd });
      assert.deepEqual(fails('invalid-option', () => window.push(lesson(4, 'Slower.'))).details, { number: 4 });
      assert.deepEqual([window.held, window.tokens], [[4], 2]);
      window.free();
    }
    const cause = new Error('no tokenizer');
    const window = new ReflectionWindow({ tokenBudget: 9, countTokens: () => { throw cause; } });
    assert.equal(fails('invalid-option', () => window.push(lesson(4, 'Slower.'))).cause, cause);
    assert.deepEqual(window.held, [4]);
    window.free();
    works();
  });

  test('is laid out with what it knows, or is told', () => {
    const window = filled({ omega: 2 });
    assert.match(window.render('aiwg-memory'), /3/);
    assert.match(window.render('aiwg-memory', { total: 77 }), /77/);
    assert.match(window.render('reflexion-alfworld', { task: 'Find a pen.', absoluteNumbers: true }), /Trial 1:[^]*Find a pen\.\n$/);
    for (const options of [{ omega: 11 }, { omega: -1 }]) fails('omega-out-of-range', () => window.render('plain', options));
    for (const options of [{ total: -1 }, { attempts: 0.5 }, { task: 3 }, { verbatim: 'yes' }, { title: 'x' }, 'plain']) {
      fails('invalid-option', () => window.render('plain', options));
    }
    assert.equal(render(window.entries), window.render());
    assert.equal(render([]), '');
    const heading = [{ number: 1, outcome: 'failure', text: '# Title', insights: null }];
    assert.notEqual(render(heading, 'aiwg-guide'), render(heading, 'aiwg-guide', { verbatim: true }));
    window.free();
  });

  test('advice on Ω takes one step', () => {
    assert.deepEqual([autoScale(3), autoScale(3, { consecutiveFailures: 3 }), autoScale(10, { consecutiveFailures: 9 })], [3, 4, 10]);
    assert.equal(autoScale(3, { meanQuality: 0.95, iterationsToFinish: null }), 2);
    fails('omega-out-of-range', () => autoScale(11));
    fails('invalid-option', () => autoScale('3'));
    fails('invalid-option', () => autoScale(3, { consecutiveFailures: -1 }));
  });
});

describe('insight', () => {
  const same = [0, 1, 2].map((iteration) => record({ iteration, self_reflection: { reflection_text: 'Retry.' } }));
  const texts = same.map((one) => JSON.stringify(one));

  /** A history of a log, and the spans that its reader was asked for. */
  function reading(lines) {
    const log = lines.join('\n');
    const asked = [];
    const history = new History({ read: (_, start, end) => asked.push(start) && log.slice(start, end) });
    const source = history.open('loop.jsonl');
    history.push(source, log);
    history.finish(source);
    return { history, run: history.run(0), asked };
  }

  test('takes records in any form', () => {
    const expected = explain(same);
    assert.ok(expected.findings.some(({ rule }) => rule === 'stuck/repeated-reflection'));
    assert.deepEqual(explain(texts), expected);
    assert.deepEqual(explain([same[0], texts[1], new TextEncoder().encode(texts[2])]), expected);
    assert.deepEqual(explain([]).findings, []);
    const [lost] = explain([same[0], '{', same[1]]).findings;
    assert.deepEqual([lost.source, lost.record], [1, undefined]);
    for (const odd of [undefined, null, {}, 'x', texts.join('\n'), 3]) fails('invalid-record', () => explain(odd));
    assert.deepEqual(fails('invalid-record', () => explain([same[0], 1n])).details, { position: 1 });
  });

  test('judges by the rules that are asked for', () => {
    const rules = (options) => explain(same, options).findings.map(({ rule }) => rule);
    assert.deepEqual(rules({ rules: ['stuck/repeated-reflection'] }), ['stuck/repeated-reflection']);
    assert.deepEqual(rules({ rules: ['no/such-rule'] }), []);
    assert.ok(rules({ maxIterations: 2, rules: ['budget/*'] }).includes('budget/over'));
    for (const odd of [{ rule: [] }, { rules: 'stuck/*' }, { rules: [3] }, { selection: 'best' }, { diminishingPoints: NaN }, { now: 'x' }, { nowMs: 1 }]) {
      fails('invalid-option', () => explain(same, odd));
    }
    fails('omega-out-of-range', () => explain(same, { omega: 11 }));
  });

  test('reads of a run what it needs, and that once', () => {
    const { history, run, asked } = reading(texts);
    const columns = run.explain({ rules: ['trajectory/class'] });
    assert.deepEqual([asked.length, columns.course.trajectory], [0, 'stable']);
    const { findings, missing, leftOut } = run.explain();
    assert.deepEqual([asked.length, new Set(asked).size, missing, leftOut], [3, 3, [], []]);
    assert.ok(findings.some(({ rule }) => rule === 'stuck/repeated-reflection'));
    asked.length = 0;
    const window = run.window(2, { omega: 1 });
    assert.deepEqual([asked.length, window.text, window.render('episodic') !== '', asked.length], [0, '[1] failure: Retry.\n', true, 1]);
    asked.length = 0;
    const counted = [];
    const fitting = run.window(2, { tokenBudget: 1, countTokens: (text) => counted.push(text) && 1 });
    assert.deepEqual([fitting.held.map(({ number }) => number), fitting.tokens, counted.length, asked.length], [[1], 1, 2, 2]);
    assert.deepEqual([fitting.entries[0].tokens, fitting.text, asked.length], [1, '[1] failure: Retry.\n', 2]);
    fitting.entries[0].text = 'mine';
    assert.equal(fitting.entries[0].text, 'Retry.');
    asked.length = 0;
    assert.deepEqual([run.injected(1).numbers, run.injected().at, asked.length], [[0], 3, 4]);
    fails('no-such-iteration', () => run.injected(9));
    fails('invalid-option', () => run.window(2, { countTokens: 3 }));
    for (const odd of [NaN, -1]) fails('invalid-option', () => run.window(2, { tokenBudget: 9, countTokens: () => odd }));
    history.free();
    for (const call of [() => run.explain(), () => run.injected(), () => run.window(2, { tokenBudget: 1 }), () => fitting.text, () => fitting.entries]) {
      fails('freed', call);
    }
  });

  test('reads for relevance the attempts too, also where a record says that it went by relevance', () => {
    const told = (iteration, reflection_text, errors) =>
      record({
        iteration,
        evaluator_output: { passed: false, verification_type: 'lint', errors },
        self_reflection: { reflection_text },
        memory_metadata: { omega_capacity: 1, current_memory_size: 1, window_policy: 'relevance_weighted' },
      });
    const failure = [{ type: 'test_failure', message: 'token expiry was ignored' }];
    // The last one has errors, and no reflection that would bring them along.
    const records = [told(0, 'Mind the token expiry.', []), told(1, 'Imports were unused.', []), told(2, ' ', failure)];
    const { history, run, asked } = reading(records.map((one) => JSON.stringify(one)));
    const window = run.window(3, { omega: 1, policy: 'relevance_weighted' });
    assert.deepEqual([window.held.map(({ number }) => number), window.text], [[0], '[0] failure: Mind the token expiry.\n']);
    assert.deepEqual([asked.length, new Set(asked).size], [3, 3]);
    asked.length = 0;
    assert.deepEqual([run.injected(3).computed, asked.length, new Set(asked).size], [[0], 3, 3]);
    history.free();
  });

  test('says of groups what their columns say', () => {
    const history = openHistory(fixture('reflexion/2023/alfworld'));
    assert.equal(history.trust(0), undefined);
    assert.deepEqual([history.retries(0).with, history.compareRetries(0, 0, 1).withSuccesses], [8, 2]);
    assert.equal(history.aggregate(0).attempts.length, 4);
    for (const odd of [1, -1, 0.5, '0', null, undefined, {}]) {
      for (const name of ['trust', 'retries', 'aggregate']) fails('no-such-group', () => history[name](odd));
      fails('no-such-group', () => history.compareRetries(0, odd, 1));
    }
    for (const odd of [0.5, NaN, '1', null]) fails('no-such-iteration', () => history.compareRetries(0, 0, odd));
    history.free();
    for (const name of ['trust', 'retries', 'aggregate']) fails('freed', () => history[name](0));
  });
});

describe('openHistory', () => {
  test('reads a folder as one history', () => {
    const history = openHistory(fixture('reflexion/2023/alfworld'));
    assert.deepEqual(
      history.sources().map(({ path, format, state }) => [path, format, state]),
      [0, 1, 2, 3].map((n) => [`alfworld/env_results_trial_${n}.json`, 'env-results', 'read']),
    );
    const [group, ...others] = history.groups();
    assert.deepEqual(others, []);
    assert.deepEqual([group.runs, group.solvedAfter, group.attempted, group.reflections], [5, [1, 2, 4, 5], [5, 4, 3, 1], 8]);
    assert.equal(history.runCount, 5);
    const run = history.run('env_3');
    assert.equal(run.view.trend, 'FFFP');
    assert.equal(run.view.firstSuccess, 3);
    const { numbers, rewards, deltas, outcomes, errors, timesMs } = run.columns();
    assert.deepEqual([numbers, rewards], [Float64Array.of(0, 1, 2, 3), Float64Array.of(0, 0, 0, 1)]);
    assert.deepEqual(deltas, Float64Array.of(NaN, 0, 0, 1));
    assert.deepEqual(Array.from(outcomes, (code) => OUTCOMES[code]), ['failure', 'failure', 'failure', 'success']);
    assert.ok(errors instanceof Float64Array && timesMs instanceof Float64Array && outcomes instanceof Uint8Array);
    const window = run.window(3, { omega: 2 });
    assert.deepEqual(window.held.map(({ number }) => number), [1, 2]);
    assert.deepEqual(window.evicted.map(({ number }) => number), [0]);
    assert.equal(window.omegaProvenance, 'configured');
    assert.match(window.text, /^\[1\] failure: The second desk has the lamp .*\n\n\[2\] failure: Using the lamp .*\n$/);
    assert.ok(!('text' in JSON.parse(JSON.stringify(window))));
    assert.equal(run.window().at, 4);
    assert.deepEqual(history.findings(), []);
    history.free();
  });

  test('orders files by their numbers', () => {
    const history = openHistory([fixture('aiwg/2026.1/ralph-ten-after-nine')]);
    assert.deepEqual(
      history.sources().map(({ path }) => path),
      [8, 9, 10, 11].map((n) => `ralph-ten-after-nine/iteration-${n}.yaml`),
    );
    assert.deepEqual(history.run('ralph-ten-after-nine').columns().numbers, Float64Array.of(8, 9, 10, 11));
    history.free();
  });

  test('takes files from memory', () => {
    const text = readFileSync(fixture('aiwg/2026.1/two-loops.jsonl'), 'utf8');
    const from = (data) => {
      const history = openHistory({ name: 'two-loops.jsonl', data });
      const answer = [history.runs(), history.findings(), history.run(0).window(undefined, { omega: 3 }).text];
      history.free();
      return answer;
    };
    const expected = from(text);
    assert.equal(expected[0].length, 2);
    assert.deepEqual(from(Buffer.from(text)), expected);
    assert.deepEqual(from(new TextEncoder().encode(text).buffer), expected);
    const file = openHistory(pathToFileURL(fixture('aiwg/2026.1/two-loops.jsonl')));
    assert.deepEqual(file.runs(), expected[0]);
    assert.deepEqual(openHistory([]).runs(), []);
  });

  test('shows one record in full', () => {
    const history = openHistory(fixture('aiwg/2026.1/array.json'));
    const text = readFileSync(fixture('aiwg/2026.1/array.json'));
    const span = history.locate(1);
    const raw = history.raw(1);
    assert.deepEqual(JSON.parse(raw), JSON.parse(text)[1]);
    assert.equal(text.subarray(span.start, span.end).toString(), raw);
    assert.equal(text.subarray(0, span.start).toString().split('\n').length, span.line);
    const details = history.inspect(1);
    assert.equal(details.reflections[0].lessons.length, 2);
    assert.deepEqual(history.inspect(1, 0, raw), details);
    assert.deepEqual(history.inspect(1, null, null), details);
    assert.equal(details.actions[0].isCredited, true);
    history.free();
  });

  test('lists what it cannot read, with the reason', () => {
    const folder = join(scratch(), 'mixed');
    mkdirSync(join(folder, 'inner'), { recursive: true });
    cpSync(fixture('aiwg/2026.1/one-record.json'), join(folder, 'inner/one.json'));
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
    symlinkSync(join(folder, 'inner'), join(folder, 'link'));
    writeFileSync(join(folder, '.DS_Store'), 'litter');
    const history = openHistory(folder);
    const sources = history.sources();
    assert.deepEqual(sources.map(({ path, state }) => [path, state]), [
      ['mixed/inner/one.json', 'read'],
      ['mixed/link', 'refused'],
      ['mixed/pipe.jsonl', 'refused'],
    ]);
    const unreadable = history.findings().filter(({ rule }) => rule === 'source/unreadable');
    assert.deepEqual(unreadable.map(({ source }) => source), [1, 2]);
    assert.match(unreadable[0].message, /symbolic link/);
    assert.equal(history.runCount, 1);
    history.free();
  });

  test('says when a file has changed or gone', () => {
    const folder = scratch();
    const path = join(folder, 'one.json');
    cpSync(fixture('aiwg/2026.1/one-record.json'), path);
    const history = openHistory(path);
    assert.ok(history.raw(0));
    writeFileSync(path, '{}');
    const { details } = fails('unreadable-input', () => history.raw(0));
    assert.deepEqual(details, { record: 0, path: 'one.json' });
    assert.equal(history.runCount, 1);
    history.free();
  });

  test('refuses what is no input', () => {
    const gone = join(scratch(), 'gone');
    assert.equal(fails('unreadable-input', () => openHistory(gone)).details.path, gone);
    fails('unreadable-input', () => openHistory([fixture('aiwg/2026.1'), gone]));
    for (const odd of [undefined, null, 3, [4], { name: 'a' }, { name: 'a', data: 3 }, { name: 'a', data: null }, [[gone]]]) {
      fails('unreadable-input', () => openHistory(odd));
    }
    fails('invalid-option', () => openHistory({ data: '' }));
    fails('invalid-option', () => openHistory([], { profile: 'lax' }));
    fails('invalid-option', () => openHistory([], { read: () => '' }));
    fails('unreadable-input', () => openHistory({ get data() { throw new Error('no'); }, name: 'a' }));
    works();
  });
});

describe('History', () => {
  const log = `${[0, 1].map((iteration) => JSON.stringify(record({ iteration }))).join('\n')}\n`;

  /** A history fed byte by byte, without a reader. */
  function fed(options) {
    const history = new History(options);
    const source = history.open('loop.jsonl');
    for (const byte of Buffer.from(log)) history.push(source, Uint8Array.of(byte));
    history.finish(source);
    return { history, source };
  }

  test('takes slices of any length', () => {
    const { history } = fed();
    assert.equal(history.recordCount, 2);
    assert.equal(history.run('ralph-demo').iterations().length, 2);
    assert.equal(history.sources()[0].bytes, log.length);
    history.free();
  });

  test('asks its reader, or for bytes', () => {
    const { history } = fed();
    fails('unreadable-input', () => history.inspect(0));
    fails('unreadable-input', () => history.run(0).window(1).text);
    assert.equal(history.inspect(0, 0, log.split('\n')[0]).number, 0);
    fails('wrong-bytes', () => history.inspect(0, 0, 'x'));
    history.free();
    const asked = [];
    const read = (source, start, end) => asked.push([source, start, end]) && log.slice(start, end);
    const { history: reading } = fed({ read });
    assert.equal(reading.inspect(1).number, 1);
    assert.equal(asked[0][0], 0);
    for (const broken of [() => undefined, () => { throw new Error('gone'); }]) {
      fails('unreadable-input', () => fed({ read: broken }).history.raw(0));
    }
    fails('invalid-option', () => new History({ read: 3 }));
    works();
  });

  test('lists a source that failed', () => {
    const history = new History();
    const source = history.open('locked.json');
    history.fail(source, 'permission denied');
    assert.equal(history.sources()[0].state, 'refused');
    assert.match(history.findings()[0].message, /permission denied/);
    history.free();
  });

  test('refuses misuse with a code', () => {
    const { history, source } = fed();
    for (const odd of [1, -1, 1.5, NaN, '0', null, undefined, {}, 2 ** 32]) {
      fails('no-such-source', () => history.push(odd, ''));
      fails('no-such-source', () => history.finish(odd));
      fails('no-such-source', () => history.fail(odd, 'x'));
    }
    assert.deepEqual(fails('source-finished', () => history.push(source, '')).details, { source });
    fails('source-finished', () => history.finish(source));
    for (const odd of [2, -1, 'x', null]) {
      fails('no-such-record', () => history.locate(odd));
      fails('no-such-record', () => history.inspect(odd));
      fails('no-such-record', () => history.raw(odd, ''));
    }
    for (const odd of [9, -1, 'no such key', null, {}]) fails('no-such-run', () => history.run(odd));
    const run = history.run(0);
    for (const odd of [7, -1, 0.5, NaN, '1', 1n, 1e300]) fails('no-such-iteration', () => run.window(odd));
    assert.deepEqual(fails('no-such-iteration', () => run.window(7)).details, { run: 0, at: 7 });
    fails('omega-out-of-range', () => run.window(1, { omega: 11 }));
    fails('invalid-option', () => run.window(1, { omega: '1' }));
    fails('invalid-option', () => run.window(1, { layout: 'plain' }));
    fails('invalid-option', () => history.open());
    fails('unreadable-input', () => history.push(history.open('b'), 3));
    works();
  });

  test('ends with free, and its runs with it', () => {
    const { history, source } = fed({ read: (_, start, end) => log.slice(start, end) });
    const run = history.run(0);
    const window = run.window(1);
    assert.ok(window.text);
    history.free();
    history.free();
    for (const call of [
      () => history.open('x'),
      () => history.push(source, ''),
      () => history.finish(source),
      () => history.fail(source, 'x'),
      () => history.sources(),
      () => history.groups(),
      () => history.runs(),
      () => history.findings(),
      () => history.recordCount,
      () => history.runCount,
      () => history.findingCount,
      () => history.run(0),
      () => history.locate(0),
      () => history.inspect(0),
      () => history.raw(0),
      () => run.iterations(),
      () => run.columns(),
      () => run.reflections(),
      () => run.window(1),
      () => window.text,
    ]) {
      fails('freed', call);
    }
    assert.equal(run.view.id, 0);
    works();
  });
});

test('many windows and histories do not use up the wasm', () => {
  for (let i = 0; i < 2000; i += 1) {
    const window = new ReflectionWindow();
    window.push(record({ task_description: 'x'.repeat(1e4) }));
    window.free();
    fails('invalid-record', () => validate({ get a() { throw new Error('again'); } }));
  }
  works();
});

/** Runs a module in the consumer's folder, in a process that has not started the wasm yet. */
function printed(script) {
  return execFileSync('node', ['--input-type=module', '--eval', script], { cwd: consumer, encoding: 'utf8' });
}

test('the browser entry starts when its wasm is there', () => {
  // Node cannot fetch a file, so this stands in for the server; the rest is what a browser runs.
  const said = printed(`
    import { readFileSync } from 'node:fs';
    globalThis.fetch = async (url) =>
      new Response(readFileSync(url), { headers: { 'content-type': 'application/wasm' } });
    const web = await import('./node_modules/hindscope/web.mjs');
    await web.ready;
    const history = web.openHistory([{ name: 'a.json', data: ${JSON.stringify(JSON.stringify(record()))} }]);
    console.log(Object.keys(web).sort().join(), history.runCount, web.validate({}).valid);
    try { web.openHistory('a/path'); } catch (error) { console.log(error.code); }
  `);
  assert.equal(said, `${Object.keys(hindscope).sort().join()} 1 false\nunreadable-input\n`);
});

test('a call before the wasm is there is an error, not a trap', () => {
  const said = printed(`
    globalThis.fetch = () => new Promise(() => {});
    const { validate, HindscopeError } = await import('./node_modules/hindscope/web.mjs');
    try { validate({}); } catch (error) { console.log(error instanceof HindscopeError, error.code); }
  `);
  assert.equal(said, 'true not-ready\n');
});

test('the package holds one wasm, its licences and no loose ends', () => {
  const facts = JSON.parse(readFileSync(join(consumer, 'node_modules/hindscope/package.json'), 'utf8'));
  assert.deepEqual([facts.name, facts.license, facts.type], ['hindscope', 'MIT OR Apache-2.0', 'module']);
  assert.ok(!facts.dependencies && !facts.scripts);
  const wasm = printed("console.log(import.meta.resolve('hindscope/hindscope.wasm'))");
  assert.match(wasm, /node_modules\/hindscope\/hindscope_bg\.wasm\n$/);
});
