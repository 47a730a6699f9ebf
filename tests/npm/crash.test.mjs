// A crash of the wasm is a HindscopeError, the handle that was asked is lost, and everything else
// goes on. None is known to happen, so the exports of the instance are exchanged for a real trap.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imported } from './package.mjs';

const trap = new WebAssembly.Instance(
  // (module (func (export "trap") unreachable))
  new WebAssembly.Module(
    Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0],
      ...[7, 8, 1, 4, 0x74, 0x72, 0x61, 0x70, 0, 0, 10, 5, 1, 3, 0, 0, 11],
    ]),
  ),
).exports.trap;

/** Names of exports that crash. */
const broken = new Set();

/** Names of the exports of all instances. */
const known = [];

/** Names of exports in the order of their calls. */
const called = [];

const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const own = Object.entries(new Instance(module, imports).exports).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    return [name, (...given) => (called.push(name), broken.has(name) ? trap() : value(...given))];
  });
  known.push(...own.map(([name]) => name));
  return { exports: Object.fromEntries(own) };
};

const { HindscopeError, History, LoopMachine, ReflectionFailedError, ReflectionWindow, Validator, explain, reflectionEvaluate, reflectionLoop, validate } = await imported();
WebAssembly.Instance = Instance;

/** Asks while an export is broken, and gives what was thrown. */
function crashing(name, call) {
  assert.ok(known.includes(name), `${name} is not among ${known.join()}`);
  broken.add(name);
  try {
    call();
  } catch (error) {
    return crashed(error);
  } finally {
    broken.delete(name);
  }
  return assert.fail('nothing was thrown');
}

function crashed(error) {
  assert.ok(error instanceof HindscopeError, `threw ${error}`);
  assert.equal(error.code, 'crashed');
  return error;
}

function isLost(call) {
  assert.throws(call, (error) => Boolean(crashed(error)));
}

const record = { iteration: 0, evaluator_output: { passed: false }, self_reflection: { reflection_text: 'Slower.' } };

function works() {
  assert.equal(validate(record).usable, true);
}

test('a function crashes once', () => {
  const error = crashing('validate', () => validate(record));
  assert.ok(error.cause instanceof WebAssembly.RuntimeError);
  assert.match(error.message, /unreachable/);
  crashing('explain', () => explain([record]));
  assert.equal(explain([record]).reflections.length, 1);
  works();
});

test('a handle that crashed is lost, and the others are not', () => {
  const [window, other] = [new ReflectionWindow(), new ReflectionWindow()];
  crashing('reflectionwindow_push', () => window.push(record));
  for (const call of [() => window.push(record), () => window.held, () => window.render(), () => (window.omega = 2)]) isLost(call);
  window.free();
  isLost(() => window.held);
  other.push(record);
  assert.deepEqual(other.held, [0]);
  other.free();
  const validator = new Validator(true);
  crashing('validator_validate', () => validator.validate(record));
  isLost(() => validator.validate(record));
  works();
});

test('a history that crashed is lost with its runs, and one question about a run is not all of it', () => {
  const log = JSON.stringify(record);
  const history = new History({ read: (_, start, end) => log.slice(start, end) });
  const source = history.open('loop.json');
  history.push(source, log);
  history.finish(source);
  const run = history.run(0);
  crashing('loadedrun_explain', () => run.explain());
  assert.equal(run.explain().reflections.length, 1);
  crashing('loadedrun_window', () => run.window(1).text);
  assert.equal(run.window(1).text, '[0] failure: Slower.\n');
  crashing('history_load', () => run.explain());
  for (const call of [() => history.runs(), () => run.iterations(), () => run.explain(), () => run.window(1)]) isLost(call);
  history.free();
  isLost(() => history.runs());
  crashing('history_new', () => new History());
  new History().free();
  works();
});

test('a loop that crashes says why, and keeps what it has achieved', async () => {
  const scores = [0.2, 0.8, 0.4];
  for (const [name, seen] of [['loopmachine_proceed', 2], ['loopmachine_stateSince', 3]]) {
    for (const wrap of [(value) => value, async (value) => value]) {
      for (const more of [{}, { events: 'full' }, { memory: { name: 'demo' } }]) {
        const generate = ({ iteration, state, usage }) => {
          usage({ totalTokens: 5 });
          if (iteration === 3) broken.add(name);
          return wrap({ iteration, known: state.reflection_history.length });
        };
        const evaluate = ({ output }) => wrap({ valid: false, score: scores[output.iteration - 1], errors: [`no ${output.iteration}`] });
        const lost = await reflectionLoop({ generate, evaluate, maxIterations: 9, ...more }).catch((error) => error).finally(() => broken.delete(name));
        assert.ok(lost instanceof ReflectionFailedError, `${name}: ${lost.stack}`);
        assert.deepEqual([lost.code, lost.stopReason, lost.attempts.length, lost.best, lost.score], ['crashed', 'crashed', seen, { iteration: 2, known: 1 }, 0.8], name);
        assert.deepEqual([lost.errors[0].message, lost.iterations, lost.usage.calls.generate, lost.usage.totalTokens], [`no ${seen}`, seen + 1, seen + 1, 5 * seen]);
        assert.match(lost.message, /unreachable/);
        assert.ok(crashed(lost.cause).cause instanceof WebAssembly.RuntimeError, name);
        if (more.memory) assert.equal(lost.records.length, seen);
      }
    }
  }
  crashed(await reflectionEvaluate({ data: 1, evaluate: () => (broken.add('loopmachine_proceed'), true) }).catch((error) => error).finally(() => broken.clear()));
  // A crash at the start is no request that is wrong.
  crashed(await reflectionEvaluate({ data: 1, schema: (broken.add('loopmachine_evaluate'), true) }).catch((error) => error).finally(() => broken.clear()));
  assert.equal((await reflectionLoop({ generate: () => 7, evaluate: { schema: true } })).success, true);
  works();
});

test('a crash keeps outputs, costs and warnings as far as they are known outside', async () => {
  const lostBy = (options) => {
    const { generate, ...rest } = options;
    const last = (call) => {
      if (call.iteration === 2) broken.add('loopmachine_proceed');
      return generate(call);
    };
    return reflectionLoop({ generate: last, maxIterations: 9, ...rest }).catch((error) => error).finally(() => broken.clear());
  };
  const graded = { schema: { required: ['a', 'b'] }, schemaScore: 'graded' };
  const two = await lostBy({ generate: ({ candidate, usage }) => (usage({ cost: 0.5 }), candidate === 2 ? { a: 1 } : {}), evaluate: graded, candidates: 2, mystery: 1, unknownKeys: 'warn' });
  assert.deepEqual([two.best, two.score, two.usage.calls, two.usage.cost], [{ a: 1 }, 0.8, { generate: 3, evaluate: 0, correct: 0, total: 3 }, 1]);
  assert.deepEqual(two.warnings.map(({ code }) => code), ['config_unknown_key']);
  assert.deepEqual(two.attempts.map(({ output, outputOmitted: isOmitted }) => [output, isOmitted]), [[null, true], [null, true]]);

  const coerced = await lostBy({ generate: () => ({ n: '5' }), evaluate: [{ schema: { properties: { n: { type: 'integer' } } } }, () => false] });
  assert.deepEqual(coerced.best, { n: 5 });

  const long = await lostBy({ generate: () => 'x'.repeat(2 ** 20), evaluate: () => false, events: 'full' });
  assert.deepEqual([long.attempts[0].output, long.attempts[0].outputOmitted, long.best.length], [null, true, 2 ** 20]);
});

test('a machine is given back, whatever its loop ends with, and only once', async () => {
  const freed = async (call) => {
    called.length = 0;
    await call();
    return called.filter((name) => name === '__wbg_loopmachine_free').length;
  };
  const schema = { type: 'integer' };
  const loop = (options) => () => reflectionLoop({ generate: () => 'x', evaluate: { schema }, ...options }).catch(() => {});
  for (const options of [{}, { onFailure: 'raise' }, { maxIterations: 0 }, { signal: AbortSignal.abort() }]) assert.equal(await freed(loop(options)), 1, JSON.stringify(options));
  assert.equal(await freed(() => reflectionEvaluate({ data: 7, schema })), 1);
  const machine = new LoopMachine({ generator: { callback: true }, evaluator: { schema } });
  assert.equal(await freed(() => (machine.free(), machine.free())), 1);
});
