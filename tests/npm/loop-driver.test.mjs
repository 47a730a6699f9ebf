// What the driver owes beside results: timers and signals that it lets go of, what calls are given,
// what errors say, and options in every spelling.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hindscope, works } from './installed.mjs';
import { timersOf } from './timers.mjs';

const { HindscopeError, LoopMachine, ReflectionFailedError, coerce, parseLoopConfig, reflectionCorrect, reflectionEvaluate, reflectionEvents, reflectionLoop, renderTemplate } = hindscope;

after(works);

const never = () => new Promise(() => {});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const integer = { schema: { type: 'integer' } };
const LONGEST = 2 ** 31 - 1;

/** A signal, and how many listen to it. */
function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = { count: 0 };
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given) => ((listening.count += 1), add(...given));
  signal.removeEventListener = (...given) => ((listening.count -= 1), remove(...given));
  return { controller, signal, listening };
}

// --- Timers, signals, clocks ---------------------------------------------------------------------

test('no timer is left behind, and none is longer than timers can be', async () => {
  const answered = await timersOf(() => reflectionLoop({ generate: async () => 7, evaluate: integer, callTimeoutMs: 60_000 }));
  assert.deepEqual([answered.started.length, answered.left], [1, 0]);

  const ended = (controller) => reflectionLoop({ generate: () => (queueMicrotask(() => controller.abort()), never()), evaluate: integer, callTimeoutMs: 60_000, signal: controller.signal });
  assert.equal((await timersOf(() => ended(new AbortController()))).left, 0);

  const busy = () => { throw Object.assign(new Error('busy'), { retryable: true }); };
  const waiting = (controller) => reflectionLoop({ generate: () => (queueMicrotask(() => controller.abort()), busy()), evaluate: integer, retry: { max: 1, initialMs: 2 ** 40, maxMs: 2 ** 40 }, signal: controller.signal });
  const pause = await timersOf(() => waiting(new AbortController()));
  assert.deepEqual([pause.started, pause.left], [[LONGEST], 0]);

  const long = await timersOf(() => reflectionLoop({ generate: async () => 7, evaluate: integer, callTimeoutMs: 2 ** 40 }));
  assert.deepEqual(long.started, [LONGEST]);
});

test('a call that was given up learns why, even when it asks later', async () => {
  const reasons = [];
  const listen = (signal) => signal.addEventListener('abort', () => reasons.push(signal.reason));
  const generate = ({ candidate, signal }) => (candidate === 2 ? wait(5).then(() => 7) : (listen(signal), never()));
  await reflectionLoop({ generate, evaluate: integer, candidates: 2, earlyStop: true });
  assert.deepEqual([reasons[0].name, reasons[0].message], ['AbortError', 'The loop has ended.']);

  const controller = new AbortController();
  const mine = new RangeError('mine');
  await reflectionLoop({ generate: ({ signal }) => (listen(signal), queueMicrotask(() => controller.abort(mine)), never()), evaluate: integer, signal: controller.signal });
  assert.equal(reasons[1], mine);

  let call;
  await reflectionLoop({ generate: (given) => ((call = given), never()), evaluate: integer, maxIterations: 1, callTimeoutMs: 5 });
  assert.deepEqual([call.signal.aborted, call.signal.reason.name], [true, 'TimeoutError']);
  assert.equal(call.signal, call.signal);
});

test('a function that has a `then` is a promise', async () => {
  const later = Object.assign(() => {}, { then: (resolve) => resolve(7) });
  assert.equal((await reflectionLoop({ generate: () => later, evaluate: integer })).output, 7);
});

test('a signal without a reason says nothing', async () => {
  const signal = { aborted: true, addEventListener() {}, removeEventListener() {} };
  assert.equal((await reflectionLoop({ generate: never, evaluate: integer, signal })).stopDetail, '');
});

test('answers are taken in the order in which they come', async () => {
  const generated = [];
  const generate = ({ candidate }) => Promise.resolve(candidate);
  await reflectionLoop({ generate, evaluate: integer, candidates: 3, onEvent: ({ type, candidate }) => type === 'generated' && generated.push(candidate) });
  assert.deepEqual(generated, [1, 2, 3]);
});

test('a clock that gives no number stands at 0, and one that goes back takes no time', async () => {
  for (const now of [() => NaN, () => Infinity, () => '5', () => undefined, () => 5n]) {
    const { success, usage } = await reflectionLoop({ generate: () => 7, evaluate: integer, now });
    assert.deepEqual([success, usage.ms], [true, 0], String(now));
  }
  let moment = 1000;
  const { success, usage } = await reflectionLoop({ generate: () => 7, evaluate: integer, now: () => (moment -= 10) });
  assert.deepEqual([success, usage.ms], [true, 0]);
});

test('a reply that cannot be read, as of a clock that leaps beyond numbers, is a failed call', async () => {
  let moment = -1.7e308;
  const { stopReason: reason, attempts: history } = await reflectionLoop({ generate: () => 7, evaluate: integer, now: () => (moment = -moment), maxIterations: 2 });
  assert.deepEqual([reason, history.map(({ kind }) => kind)], ['exhausted', ['generator', 'generator']]);
});

test('a date that cannot be had makes no record, and is asked for records only', async () => {
  for (const at of [() => { throw new Error('no'); }, () => 'soon', () => '\ud800', () => new Date(NaN)]) {
    const { success, records, warnings } = await reflectionLoop({ generate: () => 7, evaluate: integer, memory: { name: 'x' }, at });
    assert.deepEqual([success, records, warnings.map(({ code }) => code)], [true, [], ['record_no_time']]);
  }
  await reflectionLoop({ generate: () => 7, evaluate: integer, at: () => assert.fail('there is no memory') });
  let asked = 0;
  await reflectionLoop({ generate: () => 7, evaluate: integer, at: () => (asked += 1) });
  assert.equal(asked, 0);
});

test('an answer that comes late is nobody\'s, while the loop goes on', async () => {
  const answers = [];
  const generate = ({ iteration }) => (iteration === 1 ? new Promise((resolve) => answers.push(resolve)) : (answers[0]('late'), wait(5).then(() => 7)));
  const { output, attempts: history } = await reflectionLoop({ generate, evaluate: integer, callTimeoutMs: 50 });
  assert.deepEqual([output, history.map(({ kind }) => kind)], [7, ['generator', 'evaluation']]);
});

// --- Listeners -----------------------------------------------------------------------------------

test('a listener whose promise is rejected ends nothing, wherever the events are taken', async () => {
  const options = { generate: () => 7, evaluate: integer, onEvent: async () => { throw new Error('mine'); } };
  assert.equal((await reflectionLoop(options)).success, true);
  const types = [];
  for await (const { type } of reflectionEvents(options)) types.push(type);
  assert.equal(types.at(-1), 'result');
  await wait(5);
});

test('events: a signal is heard from the start and let go of, and what nobody took is dropped', async () => {
  const aborted = [];
  for await (const event of reflectionEvents({ generate: () => assert.fail('it was aborted'), evaluate: integer, signal: AbortSignal.abort('early') })) aborted.push(event);
  assert.deepEqual([aborted.at(-1).result.stopReason, aborted.at(-1).result.stopDetail], ['aborted', 'early']);

  const { signal, listening } = counted();
  for await (const _ of reflectionEvents({ generate: () => 7, evaluate: integer, signal }));
  assert.equal(listening.count, 0);

  const events = reflectionEvents({ generate: () => 7, evaluate: integer });
  await events.next();
  await wait(5);
  await events.return();
  assert.deepEqual(await events.next(), { value: undefined, done: true });

  let calls = 0;
  const unbegun = reflectionEvents({ generate: () => 7, evaluate: integer, onEvent: () => (calls += 1) });
  await unbegun.return();
  await unbegun.next();
  await wait(5);
  assert.equal(calls, 0);
});

test('a signal that cannot be listened to is refused, and one that cannot be let go of loses no result', async () => {
  const target = () => new AbortController().signal;
  const mute = { aborted: false, addEventListener() {} };
  const throwing = (method) => Object.assign(target(), { [method]: () => { throw 1; } });
  const rejected = { name: 'ReflectionConfigError', code: 'config_value', message: /`signal`/ };
  for (const signal of [mute, throwing('addEventListener')]) {
    const options = { generate: () => 7, evaluate: integer, signal };
    await assert.rejects(reflectionLoop(options), rejected);
    const events = reflectionEvents(options);
    await assert.rejects(events.next(), rejected);
    assert.deepEqual(await events.next(), { value: undefined, done: true });
    const { errors: [error] } = await reflectionEvaluate({ data: 7, ...integer, signal });
    assert.deepEqual([error.code, /`signal`/.test(error.message)], ['config_value', true]);
    assert.equal((await reflectionCorrect({ data: 7, correct: () => ({ candidate: 8 }), signal })).code, 'config_value');
  }
  const options = { generate: () => 7, evaluate: integer, signal: throwing('removeEventListener') };
  assert.equal((await reflectionLoop(options)).output, 7);
  const types = [];
  for await (const { type } of reflectionEvents(options)) types.push(type);
  assert.equal(types.at(-1), 'result');
});

test('events are ended by their scope', { skip: !Symbol.asyncDispose }, async () => {
  let isAborted = false;
  const events = reflectionEvents({ generate: ({ signal }) => (signal.addEventListener('abort', () => (isAborted = true)), never()), evaluate: integer });
  await events.next();
  await events[Symbol.asyncDispose]();
  assert.ok(isAborted);
});

// --- What calls are given ------------------------------------------------------------------------

test('a generator is given its try, its time and what was refused', async () => {
  const calls = [];
  const generate = ({ iteration, tries, candidate, timeoutMs, feedback, isLast }) => {
    calls.push([iteration, tries, candidate, timeoutMs, feedback.includes('too small'), isLast]);
    if (tries === 1) throw Object.assign(new Error('busy'), { status: 503 });
    return 1;
  };
  await reflectionLoop({ generate, evaluate: () => ({ valid: false, errors: ['too small'] }), maxIterations: 2, retry: { max: 1, initialMs: 1 }, callTimeoutMs: 5000 });
  assert.deepEqual(calls, [[1, 1, 1, 5000, false, false], [1, 2, 1, 5000, false, false], [2, 1, 1, 5000, true, true], [2, 2, 1, 5000, true, true]]);
  const { usage } = await reflectionLoop({ generate: ({ timeoutMs }) => timeoutMs === undefined, evaluate: { schema: { const: true } } });
  assert.equal(usage.calls.generate, 1);
});

test('a corrector is given suggestions, feedback and what may be spent', async () => {
  let received;
  await reflectionLoop({
    generate: () => 1,
    evaluate: () => ({ valid: false, errors: ['no'], suggestions: ['Try 2.'] }),
    correct: ({ suggestions, feedback, isLast, budgetLeft, usage }) => {
      usage({ totalTokens: 5 });
      received = [suggestions, feedback.includes('try: Try 2.'), isLast, budgetLeft.iterations];
    },
    maxIterations: 2,
  });
  assert.deepEqual(received, [['Try 2.'], true, false, 2]);
});

test('evaluators of a list are called each by its own name', async () => {
  const calls = [];
  const judge = ({ evaluator, output }) => calls.push([evaluator, output]) > 0;
  const { attempts: [{ evaluators }] } = await reflectionLoop({ generate: () => 1, evaluate: [judge, { evaluate: (call) => !judge(call), name: 'second' }], maxIterations: 1 });
  assert.equal(new Set(calls.map(([name]) => name)).size, 2);
  assert.deepEqual(evaluators.map(({ name, valid }) => [name, valid]), [[calls[0][0], true], ['second', false]]);
});

test('code of a language is given what it may know, and no more', async () => {
  const calls = [];
  const language = (code, { signal, ...given }) => {
    calls.push([code, Object.keys(given).sort().join(), signal instanceof AbortSignal, given.output, given.timeoutMs]);
    return code === 'judge' ? false : 7;
  };
  const part = (run) => ({ run, language: 'mine' });
  await reflectionLoop({ generate: part('make'), evaluate: { type: 'custom', ...part('judge') }, correct: part('mend'), languages: { mine: language }, maxIterations: 2, callTimeoutMs: 5000 });
  assert.deepEqual(calls.slice(0, 3), [['make', 'state,timeoutMs', true, undefined, 5000], ['judge', 'output,state,timeoutMs', true, 7, 5000], ['mend', 'output,state,timeoutMs', true, 7, 5000]]);
  await reflectionEvaluate({ data: 1, evaluatorType: 'custom', ...part('free'), languages: { mine: { run: language } } });
  assert.equal(calls.at(-1)[1], 'output,state');
});

test('models and actions: a prompt keeps its parameters, and an action of the caller comes first', async () => {
  const asked = [];
  const llm = (request, { prompt, iteration }) => (asked.push([request, prompt, iteration]), '3');
  const fixed = await reflectionCorrect({ data: 1, prompt: 'Fix {{ reflection_output }}.', state: {}, llm });
  assert.equal(fixed.output, '3');
  await reflectionLoop({ generate: () => 1, evaluate: () => false, correct: { prompt: 'Fix it.', temperature: 0.5 }, llm, maxIterations: 2 });
  assert.deepEqual(asked, [[{ prompt: 'Fix 1.' }, 'Fix 1.', asked[0][2]], [{ temperature: 0.5, prompt: 'Fix it.' }, 'Fix it.', 1]]);
  const own = await reflectionLoop({ generate: { action: 'llm.call', prompt: 'x' }, parse: 'none', evaluate: integer, llm, actions: { 'llm.call': ({ prompt }, { iteration }) => prompt.length + iteration } });
  assert.equal(own.output, 2);
  assert.equal(asked.length, 2);
});

test('a judge is asked for the model that is configured, else for that of the endpoint', async () => {
  const asked = [];
  const llm = Object.assign(({ model }) => (asked.push(model), { valid: true }), { model: 'tiny' });
  const judge = { type: 'llm' };
  await reflectionLoop({ generate: () => 1, evaluate: judge, llm });
  await reflectionLoop({ generate: () => 1, evaluate: judge, llm, llmDefaults: { provider: 'openai', model: 'large' } });
  await reflectionLoop({ generate: () => 1, evaluate: { ...judge, model: 'own' }, llm });
  await reflectionEvaluate({ data: 1, evaluatorType: 'llm', llm });
  await reflectionEvaluate({ data: 1, evaluatorType: 'llm', llm, llmDefaults: { provider: 'openai', model: 'large' } });
  assert.deepEqual(asked, ['tiny', 'large', 'own', 'tiny', 'large']);
});

test('a score of a judge that is not a number is reported', async () => {
  const { warnings, attempts: [{ score }] } = await reflectionLoop({ generate: () => 1, evaluate: { type: 'llm' }, llm: () => ({ valid: true, score: NaN }) });
  assert.deepEqual([warnings.map(({ code }) => code), score], [['score_not_finite'], 0]);
  const bare = await reflectionLoop({ generate: () => 1, evaluate: () => Infinity, maxIterations: 1 });
  assert.deepEqual(bare.warnings.map(({ code }) => code), ['score_not_finite']);
});

test('a state that was looked at stays, even after the end', async () => {
  let call;
  let seen;
  await reflectionLoop({ generate: (given) => ((call = given), (seen = given.state), 7), evaluate: integer, state: { a: 1 } });
  assert.equal(call.state, seen);
  assert.equal(seen.a, 1);
});

// --- What errors and answers say -----------------------------------------------------------------

test('errors say what they are, and whether to try again', async () => {
  const codes = [[{ kind: 'unavailable' }, 'unavailable'], [{ kind: 'timeout' }, 'timeout'], [{ kind: 'magic' }, 'generator_failed'], [{ name: 'TimeoutError' }, 'timeout']];
  for (const [said, code] of codes) {
    const { attempts: [entry] } = await reflectionLoop({ generate: () => { throw Object.assign(new Error('no'), said); }, evaluate: integer, maxIterations: 1 });
    assert.deepEqual(entry.errors, [{ message: 'no', code }]);
  }
  const lacking = await reflectionLoop({ generator: { callback: 'mine' }, evaluate: integer }).catch((error) => error);
  assert.deepEqual([lacking.code, lacking.errors[0].code], ['call_failed', 'unavailable']);

  const retried = [[408, 2], [425, 2], [429, 2], [430, 1], [499, 1], [500, 2], [599, 2], [600, 1], ['503', 2]];
  for (const [status, tries] of retried) {
    let calls = 0;
    await reflectionLoop({ generate: () => { calls += 1; throw Object.assign(new Error('no'), { status }); }, evaluate: integer, maxIterations: 1, retry: { max: 1, initialMs: 1 } });
    assert.equal(calls, tries, String(status));
  }
});

const mistakes = {
  'a wrong key': Object.assign(new Error('no'), { status: 401 }),
  'an unknown model': Object.assign(new Error('no'), { statusCode: 404 }),
  'a wrong request, wrapped': Object.assign(new Error('no'), { lastError: Object.assign(new Error('no'), { statusCode: 400 }) }),
  'nobody at the address': new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
  'a TypeError': new TypeError('x.trim is not a function'),
  'a ReferenceError': new ReferenceError('x is not defined'),
  'another program says so': Object.assign(new Error('no'), { fatal: true }),
};

test('what no other try mends ends a loop at once, with its cause', async () => {
  for (const [name, cause] of Object.entries(mistakes)) {
    const thrown = () => { throw cause; };
    for (const call of [thrown, async () => thrown()]) {
      const parts = {
        generator: { generate: call, evaluate: integer },
        evaluator: { generate: () => 1, evaluate: call },
        corrector: { generate: () => 1.5, evaluate: integer, correct: call },
        judge: { generate: () => 1, evaluate: { type: 'llm' }, llm: call },
      };
      for (const [part, options] of Object.entries(parts)) {
        const error = await reflectionLoop({ ...options, maxIterations: 5, retry: { max: 3, initialMs: 1 } }).catch((error) => error);
        assert.ok(error instanceof ReflectionFailedError, `${name} in the ${part}: ${error}`);
        assert.deepEqual([error.code, error.stopReason, error.iterations, error.cause === cause], ['call_failed', 'call_failed', 1, true], `${name} in the ${part}`);
        assert.deepEqual([error.errors.length, error.errors[0].message], [1, cause.message]);
        assert.ok(error.message.includes(cause.message), error.message);
      }
    }
  }
});

test('what another try may mend does not', async () => {
  const passing = [
    new TypeError('Failed to fetch'), new TypeError('terminated'), new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNRESET' }) }),
    Object.assign(new TypeError('odd data'), { fatal: false }), Object.assign(new Error('later'), { status: 404, retryable: true }),
    new SyntaxError('Unexpected token'), Object.assign(new Error('busy'), { status: 429 }),
  ];
  for (const cause of passing) {
    let calls = 0;
    const { success } = await reflectionLoop({ generate: () => { calls += 1; if (calls === 1) throw cause; return 7; }, evaluate: integer });
    assert.deepEqual([success, calls], [true, 2], String(cause));
  }
});

test('a single evaluation or correction answers, whatever was thrown', async () => {
  const thrown = () => { throw mistakes['a TypeError']; };
  const judged = await reflectionEvaluate({ data: 1, evaluate: thrown });
  assert.deepEqual([judged.valid, judged.errors[0].code], [false, 'evaluator_failed']);
  assert.equal((await reflectionCorrect({ data: 1, correct: thrown })).code, 'corrector_failed');
});

test('what the model will not say, or cannot finish, is named', async () => {
  const answers = { refused: { content: null, refusal: 'No.' }, cut_off: { content: '{"a": [1', finish_reason: 'length' } };
  for (const [code, message] of Object.entries(answers)) {
    const { errors: [error] } = await reflectionLoop({ generate: { action: 'llm.call', prompt: 'x' }, evaluate: { schema: true }, llm: () => message, maxIterations: 1 });
    assert.equal(error.code, code);
  }
});

test('usage is read in every spelling, from messages and from reports', async () => {
  const usages = [{ inputTokens: 7, outputTokens: 5 }, { promptTokens: 7, completionTokens: 5 }, { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }, { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 5 }, { input_tokens: 3, prompt_tokens: 7, cache_read_input_tokens: 4, output_tokens: 5 }];
  for (const given of usages) {
    const ways = { message: () => ({ content: 'x', usage: given }), report: ({ usage }) => (usage(given), 'x') };
    for (const [way, generate] of Object.entries(ways)) {
      const { stopReason: reason, usage: { inputTokens: input, outputTokens: output, totalTokens: total } } = await reflectionLoop({ generate, evaluate: () => false, budget: { tokens: 10 }, maxIterations: 9 });
      assert.deepEqual([reason, input, output, total], ['budget', 7, 5, 12], `${way} ${JSON.stringify(given)}`);
    }
  }
  const { usage, warnings } = await reflectionLoop({ generate: () => ({ content: 'x', usage: { tokens: 12 } }), evaluate: ({ usage: report }) => (report({ totalTokens: 0 }), true), budget: { tokens: 10 } });
  assert.deepEqual([usage.unknown, warnings.map(({ code }) => code)], [1, ['usage_unknown']]);
});

test('a score out of its range is reported, and passes nothing', async () => {
  for (const options of [{ evaluate: () => 40 }, { evaluate: () => ({ valid: true, score: 12 }), passScore: 0.8 }, { evaluate: { type: 'llm' }, llm: () => '{"score": 95}', passScore: 0.8 }]) {
    const { success, warnings } = await reflectionLoop({ generate: () => 1, maxIterations: 1, ...options });
    assert.deepEqual([success, warnings.map(({ code }) => code)], [false, ['score_clamped']]);
  }
});

test('a function that corrects returns what is judged next', async () => {
  let calls = 0;
  const generate = () => { calls += 1; return { name: 'Ada' }; };
  const { success, output } = await reflectionLoop({ generate, evaluate: { schema: { required: ['name', 'email'] } }, correct: ({ output }) => ({ ...output, email: 'ada@example.org' }) });
  assert.deepEqual([success, output, calls], [true, { name: 'Ada', email: 'ada@example.org' }, 1]);
});

test('no option is ignored in silence', async () => {
  const options = { generate: () => 7, evaluate: integer };
  const misspelt = { onEvnt: () => {}, singal: new AbortController().signal, resolveShema: () => {}, maxIteration: 2 };
  const meant = (problems) => problems.map(({ message }) => /Did you mean `(\w+)`/.exec(message)?.[1]);
  const names = ['onEvent', 'signal', 'resolveSchema', 'maxIterations'];
  const refused = await reflectionLoop({ ...options, ...misspelt }).catch((error) => error);
  assert.deepEqual([refused instanceof HindscopeError, refused.code, refused.field], [true, 'config_unknown_key', '/onEvnt']);
  assert.deepEqual(meant(refused.problems), names);
  await assert.rejects(reflectionEvents({ ...options, maxIteration: 2 }).next(), { code: 'config_unknown_key' });
  const { warnings } = await reflectionLoop({ ...options, ...misspelt, unknownKeys: 'warn' });
  assert.deepEqual(meant(warnings), names);
  assert.deepEqual((await reflectionLoop({ ...options, budget: () => 5 }).catch((error) => error)).field, '/budget');
  const single = await reflectionEvaluate({ data: 7, ...integer, onEvnt: () => {} });
  assert.deepEqual([single.success, meant(single.warnings)], [true, ['onEvent']]);
  const machine = () => new LoopMachine({ generator: { callback: true }, evaluator: integer, signal: new AbortController().signal });
  assert.throws(machine, { code: 'config_unknown_key', field: '/signal' });
});

test('messages name options as the caller spells them', async () => {
  const says = async (options) => (await reflectionLoop(options).catch((error) => error)).problems.map(({ message }) => message).join(' ');
  const generate = () => 7;
  for (const [options, said, unsaid] of [
    [{ generate }, '`evaluate` must be', '`evaluator`'],
    [{ evaluate: integer, genrate: generate }, 'Did you mean `generate`?', '`generator`'],
    [{ generate, evaluate: { ...integer, assertFormat: true } }, 'Did you mean `assertFormats`?', '`assert_formats`'],
    [{ generate, evaluate: integer, retry: { max: 1, initialMs: -1 } }, '`initialMs` must be', '`initial_ms`'],
    [{ generate, evaluate: integer, memory: { loopId: 'x' } }, '`loopId` must be', '`loop_id`'],
    [{ generator: generate, evaluate: integer, maxIterations: 0 }, '`maxIterations` must be', '`max_iterations`'],
    [{ generator: 5, evaluate: integer }, '`generator` must be', '`generate`'],
    [{ generator: { callback: generate } }, '`evaluator` must be', '`evaluate`'],
    [{ generator: generate, evaluator: integer, max_iteration: 0 }, 'Did you mean `max_iterations`?', '`maxIterations`'],
    [{ generate, generator: generate, evaluate: integer }, '`generator` is given twice: `generate` is the same option.', ' names'],
  ]) {
    const message = await says(options);
    assert.ok(message.includes(said) && !message.includes(unsaid), message);
  }
  const names = { maxIteration: 'maxIterations', maxiterations: 'maxIterations', onFailur: 'onFailure', unknownKey: 'unknownKeys', earlyStp: 'earlyStop', callTimeoutM: 'callTimeoutMs', deadlinMs: 'deadlineMs' };
  const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  for (const [misspelt, name] of Object.entries(names)) {
    // The same two names in both: only where the options came from says how their writer spells.
    const code = await says({ generator: generate, evaluator: integer, [misspelt]: 1 });
    assert.ok(code.includes(`Unknown option \`${misspelt}\`. Did you mean \`${name}\`?`), code);
    for (const own of [misspelt, snake(misspelt)]) {
      const { config } = parseLoopConfig(`generator: {action: own}\nevaluator: {schema: {type: integer}}\n${own}: 1\n`);
      const yaml = await says({ ...config, actions: { own: generate }, onEvent: () => {} });
      assert.ok(yaml.includes(`Unknown option \`${own}\`. Did you mean \`${snake(name)}\`?`), yaml);
    }
  }
  const inner = await says({ ...parseLoopConfig('generator: {action: own}\nevaluator: {schema: true, assertFormat: true}\nretry: {initialM: 1}').config, actions: { own: generate } });
  assert.ok(['assert_formats', 'initial_ms'].every((name) => inner.includes(`Did you mean \`${name}\`?`)), inner);
});

test('a function that answers at once has asked no model', async () => {
  const unknown = async (options) => (await reflectionLoop({ maxIterations: 1, ...options })).usage.unknown;
  const [sync, later] = [() => 7, async () => 7];
  assert.equal(await unknown({ generate: sync, evaluate: integer }), 0);
  assert.equal(await unknown({ generate: later, evaluate: () => true }), 1);
  assert.equal(await unknown({ generate: later, evaluate: async () => true }), 2);
  assert.equal(await unknown({ generate: async ({ usage }) => (usage({ totalTokens: 3 }), 7), evaluate: () => true }), 0);
  assert.equal(await unknown({ generate: { action: 'llm.call', prompt: 'x' }, llm: () => '7', evaluate: () => true }), 1, 'a model may answer at once');
  assert.equal(await unknown({ generate: { action: 'own' }, actions: { own: sync }, evaluate: () => true }), 0);
  const { usage } = await reflectionLoop({ generate: () => ({ content: 'x', usage: { total_tokens: 5 } }), evaluate: () => true });
  assert.deepEqual([usage.totalTokens, usage.unknown], [5, 0]);
});

test('how long to wait is said in either spelling, and never below 0', async () => {
  for (const [said, delay] of [[{ retryAfterMs: 7 }, 7], [{ retry_after_ms: 8 }, 8], [{ retryAfterMs: -5 }, 2], [{ retryAfterMs: '9' }, 2], [{ retryAfterMs: 0 }, 2]]) {
    const delays = [];
    let calls = 0;
    const generate = () => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error('busy'), { retryable: true, ...said });
      return 7;
    };
    await reflectionLoop({ generate, evaluate: integer, retry: { max: 1, initialMs: 2 }, onEvent: ({ type, delayMs: ms }) => type === 'retry' && delays.push(ms) });
    assert.deepEqual([delays, calls], [[delay], 2], JSON.stringify(said));
  }
});

test('an error that throws when it is looked at is a failed call', async () => {
  const odd = [{ get kind() { throw 1; } }, { get status() { throw 1; } }, { get retryAfterMs() { throw 1; } }];
  for (const thrown of odd) {
    const { attempts: [entry] } = await reflectionLoop({ generate: async () => { throw thrown; }, evaluate: integer, maxIterations: 1 });
    assert.equal(entry.kind, 'generator');
  }
});

test('an answer that throws when it is looked at is a failed call, at once or later', async () => {
  const odd = { get candidate() { throw new Error('no'); } };
  for (const wrap of [(value) => value, async (value) => value]) {
    const { attempts: history } = await reflectionLoop({ generate: () => 1, evaluate: () => false, correct: () => wrap(odd), maxIterations: 2 });
    assert.deepEqual([history.length, history[0].correctorError.message], [2, 'no']);
  }
});

test('values of 128 levels are taken, those of more are too deep', async () => {
  const nested = (levels) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  for (const wrap of [(value) => value, async (value) => value]) {
    const codes = [];
    for (const levels of [126, 127, 128, 129, 500]) {
      const { success, errors } = await reflectionLoop({ generate: () => wrap(nested(levels)), evaluate: () => true, maxIterations: 1 });
      codes.push(success || errors[0].code);
    }
    assert.deepEqual(codes, [true, true, true, 'too_deep', 'too_deep']);
  }
  const { value, coercions } = coerce({ type: 'array' }, nested(500));
  assert.deepEqual([JSON.stringify(value).length, coercions], [1000, []]);
});

test('a request is too deep from one level on, and below it is judged by what it says', async () => {
  for (let levels = 120; levels < 135; levels += 1) {
    const data = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    const judged = await reflectionEvaluate({ data, schema: true });
    // The request around it is a level, too.
    assert.equal(judged.valid || judged.errors[0].code, levels < 128 || 'too_deep', String(levels));
    const wrong = await reflectionEvaluate({ data, schema: true, signal: {} });
    assert.equal(wrong.errors[0].code, judged.valid ? 'config_value' : 'too_deep', String(levels));
  }
});

test('usage is said in either spelling, and adds up', async () => {
  const said = [{ inputTokens: 1, outputTokens: 2, totalTokens: 5, cost: 0.5 }, { input_tokens: 1, output_tokens: 2, total_tokens: 5, cost: 0.5 }, { cost: -1, totalTokens: Infinity }];
  const { usage } = await reflectionLoop({ generate: ({ usage }) => (said.forEach((one) => usage(one)), 7), evaluate: integer });
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens, usage.cost], [2, 4, 10, 1]);
});

test('a reply by hand is spelled in either way, and may have no JSON', () => {
  const machine = (evaluator) => new LoopMachine({ generator: { callback: true }, evaluator, retry: { max: 1, initialMs: 1 }, maxIterations: 1 }, { clock: true }, 0);
  for (const said of [{ retryAfterMs: 900 }, { retry_after_ms: 900 }]) {
    const one = machine(integer);
    assert.equal(one.resume(1, { type: 'error', message: 'busy', retryable: true, now: 1, ...said })[0].ms, 900);
    one.free();
  }
  const deep = machine(integer);
  assert.equal(deep.resume(1, { type: 'value', value: new Map(), now: 1 })[0].result.errors[0].code, 'too_deep');
  deep.free();
  const judged = machine({ type: 'custom', callback: true });
  judged.resume(1, { type: 'value', value: 7 });
  assert.deepEqual(judged.resume(2, { type: 'value', value: NaN })[0].result.warnings.map(({ code }) => code), ['score_not_finite']);
  judged.free();
});

test('the machine counts time from its start, and says why it was aborted', () => {
  const config = { generator: { callback: true }, evaluator: integer, budget: { ms: 100 } };
  const machine = new LoopMachine(config, { clock: true }, 1000);
  assert.equal(machine.resume(1, { type: 'value', value: 'x', now: 1050 })[0].type, 'generate');
  const [{ result }] = machine.abort();
  assert.deepEqual([result.stopReason, result.stopDetail], ['aborted', '']);
  machine.free();
  const step = LoopMachine.evaluate({ data: 1, evaluator_type: 'custom', callback: true, budget: { ms: 100 } }, null, { clock: true }, 1000);
  assert.equal(step.steps()[0].type, 'evaluate_custom');
  step.free();
});

test('a template says the line of what is wrong, and needs no state', () => {
  assert.throws(() => renderTemplate('a\nb\n{{ nobody.home }}', {}), { code: 'template_failed', line: 3 });
  assert.equal(renderTemplate('{{ 1 + 1 }}'), '2');
  const cyclic = {};
  cyclic.self = cyclic;
  assert.throws(() => renderTemplate('', cyclic), { code: 'config_value', field: '/state' });
});

test('of several nodes the name chooses one', () => {
  const node = (name, most) => `  - name: ${name}\n    action: reflection.loop\n    with: {generator: {run: x}, evaluator: {schema: true}, max_iterations: ${most}}\n`;
  const yaml = `nodes:\n${node('first', 1)}${node('second', 2)}`;
  assert.deepEqual(['first', 'second'].map((name) => parseLoopConfig(yaml, name).config.max_iterations), [1, 2]);
  assert.throws(() => parseLoopConfig(yaml, 'third'), { name: 'ReflectionConfigError' });
});

// --- Options -------------------------------------------------------------------------------------

test('every option of a loop is spelled in either way', async () => {
  const loop = {
    maxIterations: 2, onFailure: 'return_last', correctorMode: 'replace', passScore: 0.5, scoreScale: 2, judgeRetries: 1, earlyStop: true, callTimeoutMs: 1000,
    llmDefaults: { provider: 'openai', model: 'm' }, attemptParams: [{}], deadlineMs: 1e15, failureLimits: { generator: 2 }, historyLimit: 5,
    retry: { max: 1, initialMs: 1, maxMs: 2 }, stall: { after: 2, minGain: 0.1 }, memory: { loopId: 'ralph-x', taskDescription: 'T' }, unknownKeys: 'error',
  };
  const evaluator = { schema: true, onFail: 'fail', verificationType: 'lint', assertFormats: false, schemaScore: 'graded' };
  const snake = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), snake(inner)]));
  };
  const at = () => '2026-03-01T09:00:00Z';
  const results = [];
  for (const spelled of [(value) => value, snake]) {
    const { usage, attempts: _, ...result } = await reflectionLoop({ ...spelled(loop), generate: () => 7, evaluate: spelled(evaluator), at, now: () => 0, loopSuffix: '' });
    results.push(result);
  }
  assert.deepEqual(results[0], results[1]);
  assert.deepEqual([results[0].warnings, results[0].records[0].task_description, results[0].records[0].evaluator_output.verification_type], [[], 'T', 'lint']);
});

test('every option of the single forms is spelled in camel case, too', async () => {
  const judged = async (options) => (await reflectionEvaluate({ data: 'x', ...options }));
  const graded = await judged({ schema: { type: 'integer' }, schemaScore: 'graded' });
  assert.equal(graded.score, 0.8);
  assert.equal((await judged({ schema: { format: 'email' }, assertFormats: false })).valid, true);
  assert.equal((await judged({ evaluate: () => 60, scoreScale: 100, passScore: 0.7 })).valid, false);
  assert.equal((await judged({ evaluate: () => 60, scoreScale: 100, passScore: 0.6 })).score, 0.6);
  let asked = 0;
  await judged({ evaluatorType: 'llm', llm: () => (asked += 1, 'prose'), judgeRetries: 2 });
  assert.equal(asked, 3);
  assert.equal((await judged({ evaluate: never, callTimeoutMs: 5 })).errors[0].code, 'timeout');
  assert.equal((await judged({ evaluate: () => true, deadlineMs: 0 })).stopReason, 'deadline');
  assert.equal((await reflectionCorrect({ data: 1, correctorAction: 'a', actions: { a: () => ({ candidate: 2 }) } })).output, 2);
});

test('null and undefined are no functions, and are not given', async () => {
  const { success, warnings } = await reflectionLoop({ generate: () => 7, evaluate: integer, llm: null, actions: undefined, languages: null, resolveSchema: null, signal: null, onEvent: null, now: null, at: null });
  assert.deepEqual([success, warnings], [true, []]);
  const spelled = await reflectionLoop({ generate: undefined, generator: () => 7, evaluate: integer, maxIterations: undefined, max_iterations: 1 });
  assert.equal(spelled.success, true);
  const lacking = await reflectionLoop({ generate: { action: 'gone' }, evaluate: integer, actions: { gone: undefined } }).catch((error) => error);
  assert.equal(lacking.code, 'config_unknown_action');
});

test('what is spelled twice is reported at its place', async () => {
  const refused = (options) => reflectionLoop({ generate: () => 7, evaluate: integer, ...options }).catch(({ code, field }) => [code, field]);
  assert.deepEqual(await refused({ retry: { maxMs: 1, max_ms: 1 } }), ['config_value', '/retry/max_ms']);
  assert.deepEqual(await refused({ evaluate: [integer, { ...integer, onFail: 'warn', on_fail: 'warn' }] }), ['config_value', '/evaluator/1/on_fail']);
});

test('a corrector may be an object with a function, and keeps its parameters', async () => {
  let received;
  await reflectionLoop({ generate: () => 1, evaluate: { callback: () => false }, correct: { callback: ({ params }) => (received = params), depth: '{{ reflection_iteration }}' }, maxIterations: 2 });
  assert.deepEqual(received, { depth: '1' });
});

test('the reason of an evaluator that lists no error is in the next prompt', async () => {
  const seen = [];
  await reflectionLoop({
    generate: ({ feedback }) => {
      seen.push(feedback);
      return 1;
    },
    evaluate: () => ({ valid: false, score: 0.2, reason: 'It takes too long.' }),
    maxIterations: 3,
  });
  const reason = '- It takes too long.';
  assert.deepEqual(seen, ['', `Attempt 1 (score 0.2)\n${reason}`, `Attempt 1 (score 0.2)\nAttempt 2 (score 0.2)\n${reason} (again: in 2 of these attempts)`]);
});
