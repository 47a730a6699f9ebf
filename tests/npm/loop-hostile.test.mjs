// A driver that keeps what was achieved, whatever callbacks, clocks, listeners and texts do.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hindscope, works } from './installed.mjs';

const { LoopMachine, ReflectionConfigError, ReflectionUsageError, coerce, parseLoopConfig, reflectionCorrect, reflectionEvaluate, reflectionEvents, reflectionLoop, renderTemplate, toRecord } = hindscope;

after(works);

const never = () => new Promise(() => {});
const integer = { schema: { type: 'integer' } };
const nested = (levels) => {
  let value = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

// --- Halves of surrogate pairs -------------------------------------------------------------------

test('half a surrogate pair becomes U+FFFD, wherever a text comes in', async () => {
  const half = 'x\ud800';
  const whole = 'x\ufffd';
  const wraps = [(value) => value, async (value) => value];
  for (const wrap of wraps) {
    const made = await reflectionLoop({ generate: () => wrap({ [half]: [half] }), evaluate: () => wrap(true), state: { a: half } });
    assert.deepEqual(made.output, { [whole]: [whole] });
    const judged = await reflectionLoop({ generate: () => wrap(1), evaluate: () => wrap({ valid: false, reason: half, errors: [{ message: half, pointer: `/${half}` }] }), maxIterations: 2 });
    assert.deepEqual(judged.errors.map(({ message, pointer }) => [message, pointer]), [[whole, `/${whole}`]]);
    assert.equal(judged.attempts.length, 2);
    const corrected = await reflectionLoop({ generate: () => wrap(1), evaluate: () => wrap(false), correct: () => wrap({ candidate: half }), maxIterations: 2 });
    assert.equal(corrected.attempts[1].output, whole);
  }
  const sync = await reflectionLoop({ generate: () => { throw new Error(half); }, evaluate: integer, maxIterations: 1 });
  const late = await reflectionLoop({ generate: async () => { throw new Error(half); }, evaluate: integer, maxIterations: 1 });
  for (const { errors: [error] } of [sync, late]) assert.equal(error.message, whole);
  const aborted = await reflectionLoop({ generate: () => 1, evaluate: integer, signal: AbortSignal.abort(half) });
  assert.equal(aborted.stopDetail, whole);
  assert.equal((await reflectionEvaluate({ data: half, schema: { const: whole } })).valid, true);
  assert.equal((await reflectionCorrect({ data: half, correct: ({ output }) => ({ candidate: output + half }) })).output, whole + whole);
  assert.deepEqual(coerce({ properties: { n: { type: 'integer' } } }, { n: '7', s: half }).value, { n: 7, s: whole });
  assert.equal(renderTemplate('{{ a }}', { a: half }), whole);
  assert.equal(renderTemplate(half), whole);
  assert.equal(toRecord({ ...sync.attempts[0], feedback: half }, { loopId: 'ralph-x', at: half }), undefined);
  const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema: { const: whole } } });
  assert.equal(machine.resume(1, { type: 'value', value: half })[0].result.success, true);
  machine.free();
});

test('pairs that are whole, and texts that look like halves, stay', async () => {
  for (const text of ['\u{1F4A9}', '\\ud800', '\\\\ud800', '\\\ud83d\udca9', '\\\\\\ud800x']) {
    assert.equal((await reflectionLoop({ generate: () => text, evaluate: () => true })).output, text);
  }
  const mixed = (await reflectionLoop({ generate: () => '\\\ud800\\\\\udfff\\ud800', evaluate: () => true })).output;
  assert.equal(mixed, '\\\ufffd\\\\\ufffd\\ud800');
});

// --- Schemas -------------------------------------------------------------------------------------

test('alternatives that double with each level give a verdict, and one error', async () => {
  const down = { type: 'object', minProperties: 1, properties: { a: { $ref: '#/definitions/n' } } };
  const schema = { $ref: '#/definitions/n', definitions: { n: { anyOf: [{ type: 'null' }, { oneOf: [down, { ...down, required: ['b'] }] }] } } };
  const deep = (inside) => {
    let value = inside;
    for (let level = 0; level < 120; level += 1) value = { a: value };
    return value;
  };
  const refused = await reflectionEvaluate({ data: deep(1), schema });
  assert.deepEqual([refused.valid, refused.errors.map(({ code }) => code)], [false, ['errors_limit']]);
  assert.equal((await reflectionEvaluate({ data: deep(null), schema })).valid, true);
});

// --- Steps, clocks, listeners --------------------------------------------------------------------

test('steps that were cancelled are not called', async () => {
  const counted = async (options) => {
    let calls = 0;
    const controller = new AbortController();
    const generate = () => {
      calls += 1;
      options.abort?.(controller);
      return 7;
    };
    const result = await reflectionLoop({ generate, evaluate: integer, candidates: 5, signal: controller.signal, ...options.more });
    return [calls, result.stopReason];
  };
  assert.deepEqual(await counted({ more: { earlyStop: true } }), [1, 'valid']);
  assert.deepEqual(await counted({ abort: (controller) => controller.abort(), more: { evaluate: { schema: false } } }), [1, 'aborted']);
  let listening = 0;
  const controller = new AbortController();
  await reflectionLoop({ generate: () => (listening += 1), evaluate: () => false, candidates: 5, signal: controller.signal, onEvent: ({ type }) => type === 'generated' && controller.abort() });
  assert.equal(listening, 1);
  // A verdict of a function comes before the next candidate is made, as that of a schema does.
  assert.deepEqual(await counted({ more: { earlyStop: true, evaluate: () => true } }), [1, 'valid']);
  // Answers that came together: the first one ends the loop.
  const { stopReason: reason, usage } = await reflectionLoop({ generate: async () => 7, evaluate: integer, candidates: 5, earlyStop: true });
  assert.deepEqual([reason, usage.calls.generate], ['valid', 5]);
});

test('a clock that fails is reported, and nothing is lost', async () => {
  const failing = { generate: () => 1, evaluate: () => false, now: () => { throw new TypeError('no clock'); } };
  const refused = await reflectionLoop(failing).catch((error) => error);
  assert.ok(refused instanceof ReflectionConfigError, refused.stack);
  assert.deepEqual([refused.code, refused.field], ['config_value', '/now']);
  assert.match(refused.message, /no clock/);
  assert.equal((await reflectionEvaluate({ data: 1, schema: true, now: failing.now })).errors[0].code, 'config_value');
  assert.equal((await reflectionCorrect({ data: 1, correct: () => 2, now: failing.now })).code, 'config_value');
  for (const wrap of [(value) => value, async (value) => value]) {
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked > 6) throw new TypeError('no clock');
      return asked;
    };
    const late = await reflectionLoop({ generate: ({ iteration }) => wrap(iteration), evaluate: () => wrap(false), maxIterations: 50, now });
    assert.equal(late.stopReason, 'aborted');
    assert.match(late.stopDetail, /clock.*no clock/);
    assert.ok(late.attempts.length >= 1 && late.attempts.length < 5);
  }
  for (const now of [1n, '5', NaN, {}]) assert.throws(() => new LoopMachine({ generator: { callback: true }, evaluator: integer }, {}, now), { code: 'config_value', field: '/now' });
});

test('errors whose message is no text are failed calls', async () => {
  for (const message of [{ a: 1 }, 7, Symbol('s'), undefined]) {
    const thrown = new Error('x');
    Object.defineProperty(thrown, 'message', { value: message });
    const { attempts: [entry] } = await reflectionLoop({ generate: async () => { throw thrown; }, evaluate: integer, maxIterations: 1 });
    assert.equal(entry.kind, 'generator');
    assert.equal(typeof entry.errors[0].message, 'string');
  }
});

test('an endless wait is a long one', async () => {
  const controller = new AbortController();
  let calls = 0;
  const generate = () => {
    calls += 1;
    setTimeout(() => controller.abort(), 30);
    throw Object.assign(new Error('busy'), { retryable: true, retryAfterMs: Infinity });
  };
  const { stopReason: reason } = await reflectionLoop({ generate, evaluate: integer, retry: { max: 5, initialMs: 1 }, signal: controller.signal });
  assert.deepEqual([reason, calls], ['aborted', 1]);
});

test('a listener that stops is let go of at once, even while it waits', async () => {
  let aborted = false;
  const generate = ({ signal }) => {
    signal.addEventListener('abort', () => (aborted = true));
    return never();
  };
  const events = reflectionEvents({ generate, evaluate: integer });
  await events.next();
  const waiting = [events.next(), events.next()];
  const alive = setTimeout(() => {}, 60_000);
  const winner = await Promise.race([events.return('done'), new Promise((resolve) => setTimeout(resolve, 2000, 'late'))]);
  clearTimeout(alive);
  assert.deepEqual(winner, { value: 'done', done: true });
  assert.ok(aborted);
  for (const answer of [...(await Promise.all(waiting)), await events.next()]) assert.deepEqual(answer, { value: undefined, done: true });
  const unbegun = reflectionEvents({ generate: () => assert.fail('nobody asked'), evaluate: integer });
  await unbegun.return();
  assert.deepEqual(await unbegun.next(), { value: undefined, done: true });
  await assert.rejects(reflectionEvents({ generate, evaluate: integer }).throw(new RangeError('mine')), RangeError);
});

test('several may wait for the next event, and they get them in order', async () => {
  const events = reflectionEvents({ generate: async () => 7, evaluate: integer });
  const first = await Promise.all([events.next(), events.next(), events.next()]);
  assert.deepEqual(first.map(({ value: { seq } }) => seq), [1, 2, 3]);
  const rest = [];
  for await (const event of events) rest.push(event.type);
  assert.equal(rest.at(-1), 'result');
  const refused = reflectionEvents({});
  await assert.rejects(refused.next(), ReflectionConfigError);
  assert.equal((await refused.next()).done, true);
});

test('events are refused what a loop is refused', async () => {
  for (const wrong of [{ signal: {} }, { onEvent: 5 }, { now: 'x' }]) {
    const events = reflectionEvents({ generate: () => 7, evaluate: integer, ...wrong });
    await assert.rejects(events.next(), { code: 'config_value', field: `/${Object.keys(wrong)[0]}` });
  }
  const seen = [];
  const controller = new AbortController();
  const generate = () => (controller.abort('enough'), never());
  for await (const event of reflectionEvents({ generate, evaluate: integer, signal: controller.signal, onEvent: ({ type }) => seen.push(type) })) {
    if (event.type === 'result') assert.deepEqual([event.result.stopReason, event.result.stopDetail], ['aborted', 'enough']);
  }
  assert.deepEqual([seen[0], seen.at(-1)], ['started', 'stopped']);
});

// --- Single forms, machine, usage ----------------------------------------------------------------

test('data that are too deep are answered, not thrown', async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  for (const data of [nested(200), nested(1e5), cyclic]) {
    const judged = await reflectionEvaluate({ data, schema: true });
    assert.deepEqual([judged.valid, judged.success, judged.errors[0].code], [false, false, 'too_deep']);
    const corrected = await reflectionCorrect({ data, correct: () => 1 });
    assert.deepEqual([corrected.success, corrected.code], [false, 'too_deep']);
    assert.equal(corrected.output, data);
    assert.equal((await reflectionEvaluate({ data: 1, state: { data }, schema: true })).errors[0].code, 'too_deep');
  }
  assert.equal((await reflectionEvaluate({ data: nested(100), schema: true })).valid, true);
  let shared = {};
  for (let level = 0; level < 60; level += 1) shared = { a: shared, b: shared };
  assert.equal((await reflectionEvaluate({ data: { toJSON() { throw new Error('no'); }, shared }, schema: true })).errors[0].code, 'config_value');
});

test('what is no id of a step is none', () => {
  const machine = new LoopMachine({ generator: { callback: true }, evaluator: integer });
  for (const id of [2 ** 32 + 1, 1.9, '1', 1n, NaN, -1, 0, null, undefined, {}, Symbol('s'), true]) {
    assert.throws(() => machine.resume(id, { type: 'value', value: 7 }), (error) => error instanceof ReflectionUsageError && error.code === 'unknown_step', String(id));
  }
  assert.equal(machine.resume(1, { type: 'value', value: 7 })[0].type, 'done');
  machine.free();
});

test('usage that says nothing is none', async () => {
  const options = (said) => ({ generate: ({ usage }) => (usage(said), 1), evaluate: { schema: false }, budget: { strict: true, tokens: 10 } });
  for (const said of [{ foo: 1 }, {}, { inputTokens: -1 }, { cost: NaN }, null, 'x']) {
    const { stopReason: reason, usage } = await reflectionLoop(options(said));
    assert.deepEqual([reason, usage.unknown], ['budget', 1], JSON.stringify(said));
  }
  const result = await reflectionLoop({ ...options({ inputTokens: 0 }), maxIterations: 2 });
  assert.deepEqual([result.stopReason, result.usage.unknown], ['exhausted', 0]);
});

test('YAML that is none has the code that is documented', () => {
  for (const yaml of ['a: [', '5', 'action: reflection.loop\nwith: 5', 5, undefined]) {
    assert.throws(() => parseLoopConfig(yaml), (error) => error instanceof ReflectionConfigError && error.code === 'config_value', String(yaml));
  }
});

test('a template is refused or rendered, and never kills the package', () => {
  const forms = {
    '+': (n) => `{{ 1${'+1'.repeat(n)} }}`,
    '~': (n) => `{{ 1${' ~ 1'.repeat(n)} }}`,
    not: (n) => `{{ ${'not '.repeat(n)}1 }}`,
    '-': (n) => `{{ ${'-'.repeat(n)}1 }}`,
    if: (n) => `{{ 1${' if 1 else 1'.repeat(n)} }}`,
    '()': (n) => `{{ a${'()'.repeat(n)} }}`,
    '[]': (n) => `{{ a${'[0]'.repeat(n)} }}`,
    '.b': (n) => `{{ a${'.b'.repeat(n)} }}`,
    '|': (n) => `{{ a${'|upper'.repeat(n)} }}`,
    elif: (n) => `{% if a %}${'{% elif a %}'.repeat(n)}{% endif %}`,
    list: (n) => `{{ ${'['.repeat(n)}1${']'.repeat(n)} }}`,
  };
  let rendered = 0;
  for (const [name, form] of Object.entries(forms)) {
    for (const count of [40, 240, 490, 6_000, 20_000]) {
      try {
        renderTemplate(form(count), { a: 'x' });
        rendered += 1;
      } catch (error) {
        assert.match(error.code, /^(config_template|template_)/, `${name} ${count}: ${error.message}`);
      }
      assert.equal(renderTemplate('{{ 1 + 1 }}', {}), '2', `${name} ${count}`);
    }
  }
  assert.ok(rendered > 10, `${rendered} were rendered`);
});
