// The driver of the reflection loop: callbacks of every kind, time, signals, and what must not
// happen whatever they do.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { consumer, hindscope, works } from './installed.mjs';

const {
  LoopMachine,
  ReflectionConfigError,
  ReflectionFailedError,
  ReflectionTemplateError,
  ReflectionUsageError,
  coerce,
  parseLoopConfig,
  reflectionCorrect,
  reflectionEvaluate,
  reflectionEvents,
  reflectionLoop,
  renderTemplate,
  toRecord,
  validate,
} = hindscope;

after(() => {
  works();
  assert.deepEqual(coerce({ type: 'integer' }, '7').value, 7);
});

const never = () => new Promise(() => {});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** A signal that keeps the process alive until it is given. */
const soon = (ms) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
};
const integer = { schema: { type: 'integer' } };

/** What a loop is refused with. */
async function fails(options, Class = ReflectionConfigError) {
  const error = await reflectionLoop(options).then((result) => assert.fail(JSON.stringify(result)), (error) => error);
  assert.ok(error instanceof Class, error.stack);
  assert.equal(error.name, Class.name);
  return error;
}

// --- Callbacks -----------------------------------------------------------------------------------

test('callbacks may be synchronous or not', async () => {
  const options = (wrap) => ({
    generate: ({ iteration, isLast, params, budgetLeft }) => wrap({ iteration, isLast, params, left: budgetLeft.iterations }),
    evaluate: ({ output, evaluator, state }) => wrap({ valid: false, score: output.iteration / 10, errors: [`${evaluator} ${state.reflection_iteration}`] }),
    correct: ({ output, errors, suggestions, feedback }) => wrap({ context: { received: [output.iteration, errors[0].message, suggestions, feedback] } }),
  });
  const sync = await reflectionLoop(options((value) => value));
  const later = await reflectionLoop(options(async (value) => (await wait(1), value)));
  const plain = ({ usage, attempts: history, ...rest }) => ({ ...rest, history: history.map(({ ms, evaluators, ...entry }) => entry) });
  assert.deepEqual(plain(sync), plain(later));
  assert.deepEqual(sync.output, { iteration: 3, isLast: true, params: {}, left: 1 });
  assert.equal(sync.stopReason, 'exhausted');
});

test('a long history is that of its step, whenever it is looked at', async () => {
  const kept = [];
  const at = [];
  const { attempts: all } = await reflectionLoop({
    maxIterations: 45,
    historyLimit: 2,
    now: () => 0,
    generate: ({ state, iteration }) => {
      kept.push(state);
      at.push(JSON.parse(JSON.stringify(state)));
      return { iteration };
    },
    // The best moves on now and then, and what is neither best nor new loses its output.
    evaluate: ({ output: { iteration } }) => ({ valid: false, score: Math.floor(iteration / 7) / 10 }),
    correct: ({ iteration }) => {
      if (iteration % 5 === 0) throw new Error('no idea');
      return { context: { reflection_history: 'for one moment', seen: iteration } };
    },
  });
  assert.equal(all.length, 45);
  assert.deepEqual(kept.map(({ reflection_history: history }) => history.length), [...Array(45).keys()]);
  assert.deepEqual(kept.map((state) => structuredClone(state)), at);
  assert.ok(at[40].reflection_history.some((entry) => entry.output_omitted) && at[40].reflection_history.some((entry) => entry.corrector_error));
  const [, , state] = kept.slice(-3);
  state.reflection_history.push('spoilt');
  assert.equal(state.reflection_history.length, 45);
  state.reflection_history = 'set';
  assert.deepEqual([state.reflection_history, { ...state }.reflection_history], ['set', 'set']);
  assert.equal(kept.at(-2).reflection_history.length, 43);
});

test('a state is a copy, as it was when the step was made', async () => {
  const state = { task: { words: ['a'] } };
  const seen = [];
  await reflectionLoop({
    state,
    generate: (call) => {
      seen.push(JSON.stringify(call.state.task));
      call.state.task.words.push('spoilt');
      call.state.reflection_history.push('spoilt');
      return call.state.reflection_history.length;
    },
    evaluate: ({ output }) => output > 2,
  });
  assert.deepEqual(state, { task: { words: ['a'] } });
  assert.deepEqual(seen, ['{"words":["a"]}', '{"words":["a"]}', '{"words":["a"]}']);
});

test('what callbacks throw is data, and tried again where it says so', async () => {
  const thrown = [new Error('plain'), 'a text', { get message() { throw 1; } }, Object.assign(new Error('busy'), { kind: 'unavailable' }), Symbol('s')];
  for (const one of thrown) {
    const { attempts: [entry], success } = await reflectionLoop({ generate: () => { throw one; }, evaluate: integer, maxIterations: 1 });
    assert.deepEqual([success, entry.kind, entry.output], [false, 'generator', null]);
  }
  for (const [error, tries] of [[{ retryable: true }, 2], [{ status: 429 }, 2], [{ status: 503, retryAfterMs: 1 }, 2], [{ status: 400 }, 1], [{ status: 503, retryable: false }, 1]]) {
    let calls = 0;
    const retry = { max: 1, initialMs: 1 };
    await reflectionLoop({ generate: () => { calls += 1; throw Object.assign(new Error('no'), error); }, evaluate: integer, maxIterations: 1, retry }).catch(() => {});
    assert.equal(calls, tries, JSON.stringify(error));
  }
});

test('values without JSON are attempts like others', async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  let deep = 1;
  for (let i = 0; i < 1e5; i += 1) deep = [deep];
  const values = {
    cyclic, deep, Map: new Map([[1, 2]]), Set: new Set([1]), function: () => {}, symbol: Symbol('s'),
    toJSON: { toJSON() { throw new Error('no'); } }, proxy: new Proxy({}, { ownKeys() { throw new Error('no'); } }),
  };
  for (const [name, value] of Object.entries(values)) {
    const { attempts: [entry], success } = await reflectionLoop({ generate: () => value, evaluate: () => true, maxIterations: 1 });
    assert.equal(success, false, name);
    assert.equal(entry.errors[0].code, 'too_deep', name);
    const corrected = await reflectionLoop({ generate: () => 1, evaluate: () => false, correct: () => value, maxIterations: 2 });
    assert.equal(corrected.attempts.length, 2, name);
    assert.ok(corrected.attempts[0].correctorError, name);
    const judged = await reflectionLoop({ generate: () => 1, evaluate: () => value, maxIterations: 1 });
    assert.equal(judged.success, false, name);
  }
  const outputs = { undefined, null: null, big: 2n ** 60n, inner: { n: 5n, u: undefined, f: () => {} }, minus: -0, nan: NaN };
  const expected = { undefined: null, null: null, big: String(2n ** 60n), inner: { n: '5' }, minus: 0, nan: null };
  for (const [name, value] of Object.entries(outputs)) {
    const { output } = await reflectionLoop({ generate: () => value, evaluate: () => true });
    assert.deepEqual(output, expected[name], name);
  }
});

test('50 MB of text', async () => {
  const text = 'é'.repeat(25e6);
  const { output, success } = await reflectionLoop({ generate: () => text, evaluate: ({ output }) => output.length === 25e6 });
  assert.ok(success && output === text);
});

test('evaluators that lie about their types pass nothing', async () => {
  const verdicts = [undefined, null, '', 'fine', {}, { score: 1 }, { valid: 'maybe' }, { valid: null }, { valid: 2 }, NaN, Infinity, { valid: [], score: 1 }, ['wrong'], -1];
  for (const verdict of verdicts) {
    const { success, attempts: [entry] } = await reflectionLoop({ generate: () => 1, evaluate: () => verdict, maxIterations: 1 });
    assert.equal(success, false, JSON.stringify(verdict));
    assert.ok(entry.score >= 0 && entry.score <= 1);
  }
  const { attempts: [entry], warnings } = await reflectionLoop({ generate: () => 1, evaluate: () => ({ valid: true, score: NaN }), maxIterations: 1 });
  assert.deepEqual([entry.valid, entry.score], [true, 0]);
  assert.ok(warnings.some(({ code }) => code === 'score_not_finite'));
});

test('correctors that answer nonsense end nothing', async () => {
  for (const answer of [undefined, null, 7, 'text', [], true, { candidate: undefined, context: 1 }, { corrected_output: null }]) {
    const { attempts: history } = await reflectionLoop({ generate: () => 1, evaluate: () => false, correct: () => answer, maxIterations: 2 });
    assert.equal(history.length, 2, JSON.stringify(answer));
  }
});

test('thenables are promises, and broken ones fail', async () => {
  const { output } = await reflectionLoop({ generate: () => ({ then: (resolve) => resolve(7) }), evaluate: integer });
  assert.equal(output, 7);
  const broken = { then() { throw new Error('broken'); } };
  const { attempts: [entry] } = await reflectionLoop({ generate: () => broken, evaluate: integer, maxIterations: 1 });
  assert.equal(entry.kind, 'generator');
  let settle;
  const twice = { then(resolve, reject) { resolve(1); settle = () => (resolve(2), reject(3)); } };
  assert.equal((await reflectionLoop({ generate: () => twice, evaluate: integer })).output, 1);
  settle();
});

test('a loop within a loop, and many at a time', async () => {
  const inner = () => reflectionLoop({ generate: () => 7, evaluate: integer });
  const { output } = await reflectionLoop({ generate: async () => (await inner()).output, evaluate: integer });
  assert.equal(output, 7);
  const many = await Promise.all(Array.from({ length: 50 }, (_, n) => reflectionLoop({ generate: async () => (await wait(n % 5), n), evaluate: integer })));
  assert.deepEqual(many.map(({ output: n }) => n), Array.from({ length: 50 }, (_, n) => n));
});

test('usage is said by callbacks and by messages', async () => {
  const { usage, attempts: [entry] } = await reflectionLoop({
    generate: ({ usage }) => {
      usage({ inputTokens: 3, outputTokens: 4 });
      usage({ total_tokens: 7, cost: 0.5 });
      usage(null);
      usage({ inputTokens: NaN });
      return { content: '7', usage: { total_tokens: 99 } };
    },
    parse: 'json',
    evaluate: integer,
  });
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens, usage.cost, usage.calls.total], [3, 4, 7, 0.5, 1]);
  assert.equal(entry.usage.totalTokens, 7);
});

// --- Configuration -------------------------------------------------------------------------------

test('options are spelled in either way, and not in both', async () => {
  const both = await fails({ generate: () => 1, evaluate: integer, maxIterations: 1, max_iterations: 1 });
  assert.deepEqual([both.code, both.field], ['config_value', '/max_iterations']);
  assert.equal((await fails({ generate: () => 1, generator: () => 2, evaluate: integer })).field, '/generator');
  assert.equal((await fails({ generate: () => 1, evaluate: { ...integer, schemaScore: 'binary', schema_score: 'binary' } })).field, '/evaluator/schema_score');
  for (const spelling of [{ maxIterations: 1, onFailure: 'return_last' }, { max_iterations: 1, on_failure: 'return_last' }]) {
    const { iterations } = await reflectionLoop({ generator: () => 'x', evaluator: integer, ...spelling });
    assert.equal(iterations, 1);
  }
  const { attempts: [{ score }] } = await reflectionLoop({ generate: () => ({}), evaluate: { schema: { required: ['a'] }, schemaScore: 'graded' }, maxIterations: 1 });
  assert.equal(score, 0.8);
});

test('parameters and schemas keep their own spelling', async () => {
  const generator = { callback: ({ params }) => params, maxTokens: 5, onFailure: '{{ state.x }}' };
  const { output } = await reflectionLoop({ generator, evaluate: { schema: { properties: { maxTokens: { const: 5 } } } }, state: { x: 1 } });
  assert.deepEqual(output, { maxTokens: 5, onFailure: '1' });
});

test('a configuration that cannot be run is refused before anything is called', async () => {
  let calls = 0;
  const generate = () => (calls += 1);
  const cases = [
    [{}, 'config_generator'],
    [{ generate }, 'config_evaluator'],
    [{ generate, evaluate: { type: 'magic' } }, 'config_evaluator_type'],
    [{ generate, evaluate: {} }, 'config_schema_missing'],
    [{ generate, evaluate: { schema: { type: 'str' } } }, 'config_schema_invalid'],
    [{ generate, evaluate: integer, maxIterations: 0 }, 'config_max_iterations'],
    [{ generate, evaluate: integer, onFailure: 'explode' }, 'config_on_failure'],
    [{ generate: { action: 'nobody' }, evaluate: integer }, 'config_unknown_action'],
    [{ generate: { run: 'return 1', language: 'cobol' }, evaluate: integer }, 'config_unknown_language'],
    [{ generate, evaluate: { type: 'llm' } }, 'config_unknown_action'],
    [{ generate: { action: 'a', prompt: '{{ x' }, evaluate: integer, actions: { a: generate } }, 'config_template'],
    [{ generate, evaluate: { schema: { $ref: 'x.json' } } }, 'config_schema_unresolved'],
    [{ generate, evaluate: integer, state: 7 }, 'config_value'],
    [{ generate, evaluate: integer, mystery: 1 }, 'config_unknown_key'],
    [{ generate, evaluate: integer, llm: 'gpt' }, 'config_value'],
    [{ generate, evaluate: integer, signal: {} }, 'config_value'],
    [{ generate, evaluate: integer, onEvent: 1 }, 'config_value'],
    [{ generate, evaluate: integer, actions: [] }, 'config_value'],
    [{ generate, evaluate: integer, get state() { throw new Error('no'); } }, 'config_value'],
    [{ generate, evaluate: integer, state: { big: Object.assign([], { toJSON() { throw 1; } }) } }, 'config_value'],
    [undefined, 'config_value'],
    [null, 'config_value'],
    ['loop', 'config_value'],
    [new Proxy({}, { ownKeys() { throw new Error('no'); } }), 'config_value'],
  ];
  for (const [options, code] of cases) {
    const error = await fails(options);
    assert.equal(error.code, code, error.message);
    assert.ok(error.problems.length > 0 && error.problems[0].code === code && typeof error.field === 'string');
  }
  let deep = {};
  for (let i = 0; i < 1e5; i += 1) deep = { deep };
  assert.match((await fails({ generate, evaluate: integer, state: deep })).code, /^config_value|too_deep$/);
  assert.equal(calls, 0);
});

test('options that are undefined are none', async () => {
  const { warnings } = await reflectionLoop({ generate: () => 7, evaluate: integer, parse: undefined, mystery: undefined });
  assert.deepEqual(warnings, []);
});

test('schemas that refer elsewhere are asked for, and nothing else is opened', async () => {
  const asked = [];
  const resolveSchema = async (uri, { from }) => {
    asked.push([uri, from]);
    return uri === 'a.json' ? '{"$ref": "b.yaml"}' : 'type: integer';
  };
  const { success } = await reflectionLoop({ generate: () => 7, evaluate: { schema: { $ref: 'a.json' } }, resolveSchema });
  assert.ok(success);
  assert.deepEqual(asked, [['a.json', ''], ['b.yaml', 'a.json']]);
  assert.equal((await fails({ generate: () => 7, evaluate: { schema: { $ref: '/etc/passwd' } } })).code, 'config_schema_unresolved');
});

// --- Time and signals ----------------------------------------------------------------------------

test('a promise that never settles ends by its time', async () => {
  let aborted;
  const generate = ({ signal }) => {
    signal.addEventListener('abort', () => (aborted = signal.reason.name));
    return never();
  };
  const { attempts: [entry] } = await reflectionLoop({ generate, evaluate: integer, maxIterations: 1, callTimeoutMs: 30 });
  assert.deepEqual([entry.kind, entry.errors[0].code, aborted], ['generator', 'timeout', 'TimeoutError']);
  const limits = [[{ deadlineMs: performance.now() + 60 }, 'deadline'], [{ budget: { ms: 60 } }, 'budget']];
  for (const [limit, reason] of limits) {
    assert.equal((await reflectionLoop({ generate: never, evaluate: integer, ...limit })).stopReason, reason);
  }
});

test('a late answer changes nothing', async () => {
  let answer;
  const calls = [];
  const result = await reflectionLoop({
    generate: ({ iteration }) => {
      calls.push(iteration);
      return iteration === 1 ? new Promise((resolve) => (answer = resolve)) : (answer(1), 7);
    },
    evaluate: integer,
    callTimeoutMs: 20,
  });
  assert.deepEqual([result.output, calls], [7, [1, 2]]);
});

test('a signal ends the loop before, between and during calls', async () => {
  const before = await reflectionLoop({ generate: never, evaluate: integer, signal: AbortSignal.abort(new Error('too late')) });
  assert.deepEqual([before.stopReason, before.stopDetail, before.attempts, before.output], ['aborted', 'too late', [], null]);
  assert.deepEqual([before.iterations, before.usage.calls.total], [0, 0]);

  const controller = new AbortController();
  const generate = ({ iteration }) => {
    if (iteration === 2) controller.abort('enough');
    return iteration;
  };
  const between = await reflectionLoop({ generate, evaluate: () => false, maxIterations: 9, signal: controller.signal });
  assert.equal(between.stopReason, 'aborted');
  assert.equal(between.stopDetail, 'enough');
  assert.equal(between.best, 1);

  let seen;
  const during = await reflectionLoop({
    generate: ({ signal }) => {
      seen = signal;
      return never();
    },
    evaluate: integer,
    signal: soon(30),
  });
  assert.deepEqual([during.stopReason, during.attempts, seen.aborted], ['aborted', [], true]);

  const waiting = await reflectionLoop({
    generate: () => { throw Object.assign(new Error('busy'), { retryable: true, retryAfterMs: 60_000 }); },
    evaluate: integer,
    retry: { max: 3 },
    signal: soon(30),
  });
  assert.equal(waiting.stopReason, 'aborted');

  const raised = await fails({ generate: never, evaluate: integer, onFailure: 'raise', signal: soon(20) }, ReflectionFailedError);
  assert.deepEqual([raised.stopReason, raised.iterations, raised.attempts, raised.best], ['aborted', 1, [], null]);
});

test('a signal is let go of, and configuration errors come first', async () => {
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given) => ((listeners += 1), add(...given));
  signal.removeEventListener = (...given) => ((listeners -= 1), remove(...given));
  await reflectionLoop({ generate: () => 7, evaluate: integer, signal });
  assert.equal(listeners, 0);
  await fails({ evaluate: integer, signal: AbortSignal.abort() });
});

test('no timer is started unless one is asked for', async () => {
  const { setTimeout: real } = globalThis;
  let timers = 0;
  globalThis.setTimeout = (...given) => ((timers += 1), real(...given));
  try {
    await reflectionLoop({ generate: async () => 'x', evaluate: async () => false, correct: async () => ({ context: {} }), signal: new AbortController().signal, onEvent() {} });
    assert.equal(timers, 0);
    await reflectionLoop({ generate: () => 'x', evaluate: integer, callTimeoutMs: 1000 });
    assert.equal(timers, 0);
    await reflectionLoop({ generate: async () => 'x', evaluate: integer, callTimeoutMs: 1000 });
    assert.ok(timers > 0);
  } finally {
    globalThis.setTimeout = real;
  }
});

test('candidates are generated at the same time, and a winner needs no others', async () => {
  let most = 0;
  let open = 0;
  const generate = async ({ candidate }) => {
    open += 1;
    most = Math.max(most, open);
    await wait(10 * (4 - candidate));
    open -= 1;
    return { candidate };
  };
  const { output } = await reflectionLoop({ generate, evaluate: ({ output }) => ({ valid: true, score: output.candidate === 2 ? 0.9 : 0.5 }), candidates: 3 });
  assert.deepEqual([most, output], [3, { candidate: 2 }]);

  let ended = 0;
  const early = await reflectionLoop({
    generate: ({ candidate, signal }) => {
      if (candidate === 2) return wait(5).then(() => 7);
      signal.addEventListener('abort', () => (ended += 1));
      return never();
    },
    evaluate: integer,
    candidates: 3,
    earlyStop: true,
  });
  assert.deepEqual([early.output, early.attempts.length, ended], [7, 1, 2]);
});

test('the clock and the date can be passed in', async () => {
  let moment = 1000;
  const options = { generate: () => ((moment += 250), 'x'), evaluate: integer, now: () => moment, budget: { ms: 600 }, maxIterations: 9 };
  const { stopReason, attempts: history, usage } = await reflectionLoop(options);
  assert.deepEqual([stopReason, history.length, usage.ms], ['budget', 3, 750]);
  const { records } = await reflectionLoop({ generate: () => 7, evaluate: integer, memory: { name: 'Fix it' }, at: () => new Date(0) });
  assert.equal(records[0].timestamp, '1970-01-01T00:00:00.000Z');
});

// --- Events --------------------------------------------------------------------------------------

test('events come in order, and what a listener throws is its own affair', async () => {
  const types = [];
  const { success } = await reflectionLoop({
    generate: ({ iteration }) => iteration,
    evaluate: ({ output }) => output === 2,
    onEvent: ({ type, seq }) => {
      types.push(type);
      assert.equal(seq, types.length);
      throw new Error('mine');
    },
  });
  assert.ok(success);
  assert.deepEqual([types[0], types.at(-1), types.filter((type) => type === 'evaluated').length], ['started', 'stopped', 2]);
});

test('a loop as its events, with the result at last', async () => {
  const items = [];
  for await (const item of reflectionEvents({ generate: async ({ iteration }) => iteration, evaluate: ({ output }) => output === 2 })) items.push(item);
  assert.equal(items.at(-1).type, 'result');
  assert.equal(items.at(-1).result.output, 2);
  assert.equal(items[0].type, 'started');

  let ended = false;
  const generate = ({ signal }) => new Promise(() => signal.addEventListener('abort', () => (ended = true)));
  for await (const item of reflectionEvents({ generate, evaluate: integer })) {
    assert.equal(item.type, 'started');
    break;
  }
  assert.ok(ended, 'nobody listens: the loop is ended');

  await assert.rejects(async () => {
    for await (const item of reflectionEvents({ generate: () => 'x', evaluate: integer, onFailure: 'raise' })) items.push(item);
  }, ReflectionFailedError);
  await assert.rejects(reflectionEvents({}).next(), ReflectionConfigError);
});

// --- Errors --------------------------------------------------------------------------------------

test('what was achieved is on the error', async () => {
  const options = { generate: ({ iteration, usage }) => (usage({ cost: 1 }), { iteration }), evaluate: ({ output }) => ({ valid: false, score: output.iteration === 2 ? 0.9 : 0.1, errors: ['no'] }), onFailure: 'raise' };
  const error = await fails(options, ReflectionFailedError);
  assert.deepEqual([error.code, error.best, error.score, error.iterations, error.stopReason, error.attempts.length, error.usage.cost], ['reflection_failed', { iteration: 2 }, 0.9, 3, 'exhausted', 3, 3]);
  assert.equal(error.errors[0].message, 'no');
  assert.ok(Array.isArray(error.warnings));
});

test('a template that names what is not there ends the loop', async () => {
  const error = await fails({ generate: { action: 'a', prompt: '{{ state.nobody.home }}' }, evaluate: integer, actions: { a: () => 1 } }, ReflectionTemplateError);
  assert.deepEqual([error.code, error.attempts], ['template_failed', []]);
  assert.throws(() => renderTemplate('{{ x'), { name: 'ReflectionTemplateError', code: 'config_template' });
  assert.throws(() => renderTemplate(7), ReflectionConfigError);
  assert.equal(renderTemplate('{{ x | tojson }}', { x: { b: 1, a: 2n ** 60n } }), `{"a": "${2n ** 60n}", "b": 1}`);
});

// --- Actions, models, languages ------------------------------------------------------------------

test('actions, a model and code of languages are found by their names', async () => {
  const { run } = await import(`${consumer}/node_modules/hindscope/languages/javascript.mjs`);
  const asked = [];
  const { config } = parseLoopConfig(`
name: demo
action: reflection.loop
with:
  generator: {action: llm.call, prompt: "{{ task }}: {{ reflection_iteration }}", temperature: 0.5}
  evaluator:
    - {type: schema, schema: {type: object, required: [n]}}
    - {type: custom, language: javascript, run: "return {valid: output.n > state.least, score: output.n / 10, errors: output.n > state.least ? [] : ['too small']}"}
    - {type: llm, prompt: "Good? {{ output | tojson }}"}
  corrector: {action: improve, by: "{{ reflection_errors[0].message }}"}
`);
  const llm = Object.assign((request) => {
    asked.push(request);
    return { content: request.messages ? '{"valid": true, "score": 1}' : '{"n": 3}' };
  }, { model: 'tiny' });
  const result = await reflectionLoop({
    ...config,
    state: { task: 'Count', least: 4 },
    llm,
    actions: { improve: ({ by }, { output }) => ({ candidate: { n: output.n + 2, by } }) },
    languages: { javascript: { run } },
  });
  assert.deepEqual(result.output, { n: 5, by: 'too small' });
  assert.equal(result.success, true);
  assert.deepEqual(asked[0], { prompt: 'Count: 1', temperature: 0.5 });
  assert.equal(asked.at(-1).model, 'tiny');
});

test('code that does not end is a failed evaluation', async () => {
  const { runner } = await import(`${consumer}/node_modules/hindscope/languages/javascript.mjs`);
  const { run, close } = runner({ timeoutMs: 200 });
  const { attempts: [entry] } = await reflectionLoop({ generate: () => 1, evaluate: { type: 'custom', run: 'for (;;);', language: 'javascript' }, languages: { javascript: run }, maxIterations: 1 });
  close();
  assert.deepEqual([entry.kind, entry.score, entry.valid], ['evaluator', 0, false]);
});

// --- Names ---------------------------------------------------------------------------------------

/** Members that hold data of users, which keep their names. */
const DATA = new Set(['output', 'rawOutput', 'best', 'details', 'state', 'context', 'params', 'errors', 'records', 'record', 'failure_category']);

/** Names of members in snake_case, with their places. */
function snakes(value, place = '') {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (DATA.has(key) ? [] : [...(key.includes('_') ? [`${place}/${key}`] : []), ...snakes(inner, `${place}/${key}`)]));
}

test('whatever the loop gives to JavaScript is in camelCase, and data of users keep their names', async () => {
  const given = { stop_reason: 'mine', raw_output: 1, reflection_history: [], input_tokens: 2, n: '7' };
  const events = [];
  const options = {
    generate: ({ usage, iteration, tries }) => {
      usage({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 });
      if (iteration === 1 && tries === 1) throw Object.assign(new Error('busy'), { retryable: true });
      return given;
    },
    evaluate: [{ schema: { properties: { n: { type: 'integer' } } } }, () => ({ valid: false, errors: [{ message: 'no', raw_output: 3 }], stop_detail: 4 })],
    correct: ({ tries, isLast, budgetLeft }) => {
      if (isLast === undefined || budgetLeft === undefined || tries !== 1) throw new Error('a member is missing');
      return { context: {}, failure_category: 'other' };
    },
    maxIterations: 3,
    historyLimit: 1,
    retry: { max: 1, initialMs: 0, on: ['generate'] },
    memory: { name: 'names' },
    events: 'full',
    onEvent: (event) => events.push(event),
  };
  const result = await reflectionLoop(options);
  assert.deepEqual(Object.keys(result).sort(), ['attempts', 'best', 'errors', 'feedback', 'iterations', 'output', 'records', 'score', 'stopReason', 'success', 'suggestions', 'usage', 'warnings']);
  assert.deepEqual([result.success, result.stopReason, result.iterations, result.score], [false, 'exhausted', 3, 0]);
  assert.deepEqual([result.output, result.best], [{ ...given, n: 7 }, { ...given, n: 7 }]);
  assert.deepEqual([result.usage.inputTokens, result.usage.outputTokens, result.usage.totalTokens], [4, 8, 12]);
  const [first, last] = [result.attempts[1], result.attempts.at(-1)];
  assert.deepEqual([first.output, first.outputOmitted], [null, true]);
  assert.deepEqual([last.rawOutput, last.usage.totalTokens, last.errors], [given, 3, [{ message: 'no', raw_output: 3, evaluator: 'custom' }]]);
  assert.equal(last.evaluators.length, 2);
  assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(['started', 'retry', 'generated', 'parsed', 'evaluated', 'best', 'corrected', 'record', 'stopped']));
  assert.ok(events.find(({ type }) => type === 'retry').delayMs >= 0);
  assert.equal(events.find(({ type }) => type === 'retry').tries, 2);
  const raised = await fails({ ...options, onEvent: undefined, onFailure: 'raise' }, ReflectionFailedError);
  assert.deepEqual([raised.stopReason, raised.attempts.length, raised.usage.totalTokens, raised.records.length], ['exhausted', 3, 12, 3]);
  const { usage } = await fails({});
  assert.deepEqual(usage, { calls: { generate: 0, evaluate: 0, correct: 0, total: 0 }, inputTokens: 0, outputTokens: 0, totalTokens: 0, cost: 0, ms: 0, unknown: 0 });
  const judged = await reflectionEvaluate({ data: given, evaluate: () => false, deadlineMs: 0 });
  assert.deepEqual([judged.stopReason, judged.output], ['deadline', given]);
  const corrected = await reflectionCorrect({ data: 1, correct: () => ({ candidate: given, reflection: 'r' }) });
  assert.deepEqual([corrected.success, corrected.output, corrected.usage.totalTokens], [true, given, 0]);

  const machine = new LoopMachine({ generate: { callback: true }, evaluate: { schema: true }, callTimeoutMs: 9, maxIterations: 1, memory: { loopId: 'ralph-x' } }, { clock: true, loopSuffix: 's' }, 0);
  const [step] = machine.steps();
  assert.deepEqual([step.timeoutMs, step.tries, step.isLast, step.budgetLeft.iterations], [9, 1, true, 1]);
  const [end] = machine.resume(step.id, { type: 'value', value: given, usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 }, now: 1, at: '2026-03-01T09:00:00Z' });
  assert.deepEqual([end.result.usage.totalTokens, end.result.records[0].loop_id], [3, 'ralph-x-s']);
  const all = { result, events, raised: { ...raised }, judged, corrected, step: { ...step }, end: { ...end }, more: machine.events() };
  machine.free();
  assert.deepEqual(snakes(all), []);
});

test('an attempt becomes a record', async () => {
  const { attempts: [one, two] } = await reflectionLoop({ generate: () => ({ n: '7' }), evaluate: [{ schema: { properties: { n: { type: 'integer' } } } }, () => 0.25], correct: () => { throw new Error('no idea'); }, maxIterations: 2 });
  assert.ok(one.rawOutput && one.correctorError);
  const context = { loopId: 'ralph-x', at: '2026-03-01T09:00:00Z', taskDescription: 'Count.' };
  const record = toRecord(two, { ...context, previous: one });
  assert.deepEqual([record.loop_id, record.task_description, record.iteration], ['ralph-x', 'Count.', 1]);
  assert.deepEqual(toRecord(two, { loop_id: 'ralph-x', task_description: 'Count.', at: context.at, previous: one }), record);
});

// --- Single forms --------------------------------------------------------------------------------

test('one evaluation and one correction, and what is wrong is answered', async () => {
  assert.deepEqual((await reflectionEvaluate({ data: { n: '5' }, schema: { properties: { n: { type: 'integer' } } } })).output, { n: 5 });
  assert.equal((await reflectionEvaluate({ data: 0, evaluate: ({ output }) => output === 0 })).valid, true);
  assert.equal((await reflectionEvaluate({ data: undefined, state: { output: 3 }, schema: { const: 3 } })).valid, true);
  for (const options of [{}, { evaluatorType: 'magic' }, { schema: 7 }, { schema: { type: 'str' } }, { evaluatorType: 'custom' }, null, { data: 1n, get schema() { throw 1; } }]) {
    const { valid, success, errors: [{ code }] } = await reflectionEvaluate(options);
    assert.deepEqual([valid, success], [false, false], JSON.stringify(code));
    assert.match(code, /^config_/);
  }
  assert.deepEqual((await reflectionCorrect({ data: 1, correct: ({ output }) => ({ candidate: output + 1 }) })).output, 2);
  const failed = await reflectionCorrect({ data: 1, correct: () => { throw new Error('no'); } });
  assert.deepEqual([failed.success, failed.output], [false, 1]);
  assert.match(failed.error, /no/);
  assert.equal((await reflectionCorrect({ data: 1 })).success, false);
  assert.equal((await reflectionCorrect(undefined)).success, false);
});

// --- The machine ---------------------------------------------------------------------------------

test('a snapshot at every step goes on to the same result', async () => {
  const config = { generator: { callback: true }, evaluator: { type: 'custom', callback: true }, corrector: { callback: true }, maxIterations: 3 };
  const replies = (step) => ({ generate: step.iteration, evaluate_custom: { valid: step.output === 12, score: 0.1 * step.iteration }, correct: { candidate: step.iteration + 10 } })[step.type];
  const play = (machine, isMoved) => {
    let current = machine;
    for (;;) {
      const [step] = current.steps();
      if (step.type === 'done') return current.free() ?? step.result;
      if (isMoved) {
        const bytes = current.snapshot();
        current.free();
        current = LoopMachine.restore(config, {}, bytes);
        assert.deepEqual(current.steps().map(({ id }) => id), [step.id]);
      }
      current.resume(step.id, { type: 'value', value: replies(step) });
    }
  };
  const result = play(new LoopMachine(config), false);
  assert.equal(result.output, 12);
  assert.deepEqual(play(new LoopMachine(config), true), result);
});

test('the machine says what it was used wrongly for, and is as it was', async () => {
  const config = { generator: { callback: true }, evaluator: integer };
  const machine = new LoopMachine(config);
  const misuse = (code, call) => assert.throws(call, (error) => error instanceof ReflectionUsageError && error.code === code && error.name === 'ReflectionUsageError');
  misuse('unknown_step', () => machine.resume(9, { type: 'value', value: 1 }));
  for (const reply of [undefined, null, 7, 'x', {}, { type: 'value' }, { type: 'magic' }, { type: 'error', retryable: 1 }]) {
    misuse('reply_invalid', () => machine.resume(1, reply));
  }
  misuse('snapshot_invalid', () => LoopMachine.restore(config, {}, new Uint8Array([1, 2])));
  const bytes = machine.snapshot();
  misuse('snapshot_mismatch', () => LoopMachine.restore({ ...config, maxIterations: 5 }, {}, bytes));
  assert.throws(() => new LoopMachine({}), ReflectionConfigError);
  assert.throws(() => new LoopMachine(null), ReflectionConfigError);
  const [{ type }] = machine.resume(1, { type: 'value', value: 7 });
  assert.equal(type, 'done');
  misuse('loop_finished', () => machine.resume(1, { type: 'value', value: 7 }));
  machine.free();
  assert.throws(() => machine.steps(), { code: 'freed' });
  if (Symbol.dispose) assert.equal(LoopMachine.prototype[Symbol.dispose], LoopMachine.prototype.free);
});

test('a state of a step is read when it is looked at', () => {
  const machine = new LoopMachine({ generator: { callback: true }, evaluator: integer, state: { a: 1 } });
  const [step] = machine.steps();
  assert.equal(step.state.a, 1);
  step.state.a = 2;
  assert.equal(step.state.a, 1);
  machine.abort();
  assert.equal(step.state.a, 1, 'it was looked at before');
  machine.free();
});

// --- Memory --------------------------------------------------------------------------------------

test('a loop with a memory makes records that are valid, and hands earlier ones on', async () => {
  const options = (records) => ({
    generate: ({ state }) => ({ said: state.reflection_memory ?? '' }),
    evaluate: ({ output, iteration }) => ({ valid: iteration === 2, score: iteration / 2, errors: iteration === 2 ? [] : ['too early'] }),
    correct: () => ({ context: {}, reflection: 'Wait for the second round.' }),
    memory: { name: 'Be patient', taskDescription: 'Wait', omega: 2, records },
  });
  const first = await reflectionLoop(options([]));
  assert.equal(first.records.length, 2);
  for (const [at, record] of first.records.entries()) {
    assert.deepEqual(validate(record, { profile: 'strict' }).findings, []);
    assert.equal(record.iteration, at);
  }
  const second = await reflectionLoop(options(first.records));
  assert.match(second.attempts[0].output.said, /second round/);
  const record = toRecord(first.attempts[0], { loopId: 'ralph-be-patient', at: '2026-03-01T09:00:00Z' });
  assert.equal(validate(record, { profile: 'strict' }).valid, true);
  assert.equal(toRecord(first.attempts[0], { loopId: 'ralph-x', at: 'soon' }), undefined);
});
