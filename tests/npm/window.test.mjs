// The window of an agent that runs, as the package offers it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { fails, hindscope, record, works } from './installed.mjs';

const { ReflectionWindow, autoScale, render, validate, windowOf } = hindscope;

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

  test('has Ω 3 unless options say otherwise, and 0 holds nothing', () => {
    for (const options of [undefined, null, {}, { omega: null, policy: null }]) {
      assert.equal(new ReflectionWindow(options).metadata().omega_capacity, 3);
    }
    const none = new ReflectionWindow({ omega: 0 });
    push(none, 0, 'Gone at once.');
    assert.deepEqual([none.held, none.evicted, none.render()], [[], [0], '']);
  });

  test('writes metadata that the schema accepts, whatever Ω is', () => {
    for (const omega of [0, 1, 10]) {
      const window = new ReflectionWindow({ omega });
      push(window, 0, 'Gone or kept.');
      const { findings } = validate(record({ memory_metadata: window.metadata() }), { profile: 'strict' });
      assert.deepEqual(findings, [], `Ω ${omega}`);
      window.free();
    }
  });

  test('is made of records that there are', () => {
    const lesson = (iteration) => record({ iteration, self_reflection: { reflection_text: `Lesson ${iteration}.` } });
    const records = [lesson(2), JSON.stringify(lesson(0)), '{}', new TextEncoder().encode(JSON.stringify(lesson(1)))];
    const window = ReflectionWindow.from(records, { omega: 2 });
    assert.deepEqual([window.held, window.evicted], [[1, 2], [0]]);
    assert.ok(window.findings.length > 0 && window.findings.every(({ source }) => source === 2));
    window.push(lesson(3));
    assert.deepEqual(window.held, [2, 3]);
    window.free();
    fails('freed', () => window.findings);
    assert.deepEqual(ReflectionWindow.from([]).held, []);
    assert.deepEqual(fails('invalid-record', () => ReflectionWindow.from([lesson(0), 1n])).details, { position: 1 });
    for (const odd of [undefined, null, {}, 'x', 3]) fails('invalid-record', () => ReflectionWindow.from(odd));
    fails('omega-out-of-range', () => ReflectionWindow.from([], { omega: 11 }));
    fails('invalid-option', () => ReflectionWindow.from([lesson(0)], { tokenBudget: 9, countTokens: () => NaN }));
    works();
  });

  test('windowOf answers the same, and keeps nothing', () => {
    const lesson = (iteration) => record({ iteration, self_reflection: { reflection_text: `Lesson ${iteration}.` } });
    const records = [0, 1, 2, 3].map(lesson);
    for (const options of [undefined, { omega: 0 }, { omega: 2, policy: 'recency' }, { omega: 3, tokenBudget: 2, countTokens: () => 1 }]) {
      const window = new ReflectionWindow(options);
      for (const one of records) window.push(one);
      const { text, findings, ...state } = windowOf(records, options);
      assert.deepEqual([state, text, findings], [window.toJSON(), window.render(), []]);
      window.free();
    }
    const { held, findings, tokens } = windowOf([lesson(0), '{'], { tokenBudget: 9 });
    assert.deepEqual([held, findings[0].source, tokens > 0], [[0], 1, true]);
    // A wasm that kept them all would hold 300 MB more, and memory of a wasm is never given back.
    const long = record({ self_reflection: { reflection_text: 'x'.repeat(1e6) } });
    const times = (count) => {
      for (let i = 0; i < count; i += 1) windowOf([long], { omega: 1 });
      return process.memoryUsage().rss;
    };
    const before = times(50);
    assert.ok(times(300) - before < 200e6);
  });

  test('says what it is in JSON and on a console', () => {
    const window = new ReflectionWindow({ omega: 1, policy: 'recency' });
    push(window, 4, 'Units differ.');
    const { omega, policy, held, entries, metadata } = JSON.parse(JSON.stringify(window));
    assert.deepEqual([omega, policy, held, entries[0].text, metadata.omega_capacity], [1, 'recency', [4], 'Units differ.', 1]);
    assert.match(inspect(window), /^ReflectionWindow \{\s+omega: 1,[^]*held: \[ 4 \][^]*Units differ\./);
    assert.match(inspect({ window }), /window: ReflectionWindow/);
    window.free();
    assert.equal(inspect(window), 'ReflectionWindow { freed: true }');
    fails('freed', () => window.toJSON());
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

  test('is laid out with what it knows, or is given', () => {
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
