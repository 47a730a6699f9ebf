// The package as its users meet it: installed from the tarball, used through its exports.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { consumer, fails, fixture, hindscope, record, works } from './installed.mjs';
import { WASM } from './package.mjs';

const { History, HindscopeError, ReflectionWindow, Validator, explain, isReflectionRecord, jsonSchema, openHistory, ready, render, validate } = hindscope;

test('exports nothing but its API', () => {
  assert.deepEqual(Object.keys(hindscope).sort(), [
    'EpisodicMemory',
    'HindscopeError',
    'History',
    'LoopMachine',
    'ModelError',
    'OUTCOMES',
    'ReflectionConfigError',
    'ReflectionFailedError',
    'ReflectionTemplateError',
    'ReflectionUsageError',
    'ReflectionWindow',
    'Validator',
    'autoScale',
    'coerce',
    'explain',
    'formats',
    'hookSettings',
    'insightRules',
    'isReflectionRecord',
    'jsonSchema',
    'omegaAdvice',
    'openFiles',
    'openHistory',
    'openaiChat',
    'parseLoopConfig',
    'queryError',
    'ready',
    'reflectionCorrect',
    'reflectionEvaluate',
    'reflectionEvents',
    'reflectionLoop',
    'render',
    'renderTemplate',
    'toRecord',
    'unpack',
    'validate',
    'windowOf',
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
      assert.deepEqual(validate(form, { profile: 'strict' }), { valid: true, usable: true, findings: [], record: record() });
    }
  });

  test('carries what can be used', () => {
    const usable = record({ loop_id: 'Nightly Build' });
    assert.equal(validate(usable).record, usable);
    assert.equal(validate(usable, { profile: 'strict' }).record, usable);
    assert.ok(!('record' in validate({})));
    const bytes = new TextEncoder().encode(JSON.stringify(usable));
    const answer = validate(bytes);
    bytes.fill(0);
    assert.deepEqual([answer.record, answer.record === answer.record], [usable, true]);
    assert.deepEqual(validate('{"iteration": 2, "self_reflection": {"reflection_text": "a",},}').record, {
      iteration: 2,
      self_reflection: { reflection_text: 'a' },
    });
    const own = new Validator({ type: 'integer' });
    assert.deepEqual([own.validate(7).record, own.validate('7').record, own.validate('"7"').record], [7, 7, undefined]);
    own.free();
  });

  test('isReflectionRecord knows records from everything else', () => {
    assert.equal(isReflectionRecord(record()), true);
    const cyclic = record();
    cyclic.self = cyclic;
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const text = JSON.stringify(record());
    for (const other of [record({ iteration: -1 }), {}, null, undefined, 1, text, new TextEncoder().encode(text), cyclic, revoked.proxy, record({ iteration: 1n }), () => {}]) {
      assert.equal(isReflectionRecord(other), false);
    }
    works();
  });

  test('says what is wrong and where', () => {
    const text = JSON.stringify(record({ iteration: -1.5, memory_metadata: { omega_capacity: 3 } }), undefined, 2);
    const { valid, usable, findings } = validate(text, { profile: 'strict' });
    assert.deepEqual([valid, usable], [false, false]);
    const places = findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
    assert.ok(places.includes('strict/required /memory_metadata'), places.join(', '));
    assert.ok(places.some((place) => place.endsWith(' /iteration')), places.join(', '));
    for (const { line, column, offset, severity, message } of findings) {
      assert.ok(line >= 1 && column >= 1 && offset >= 0 && severity === 'error' && message);
    }
    assert.equal(text.slice(findings.find(({ pointer }) => pointer === '/iteration').offset).slice(0, 4), '-1.5');
  });

  test('is lenient unless options say otherwise', () => {
    const odd = record({ loop_id: 'Nightly Build' });
    assert.equal(validate(odd, { profile: 'strict' }).valid, false);
    for (const options of [undefined, null, {}, { profile: null }, { profile: undefined }]) {
      const { valid, usable, findings } = validate(odd, options);
      assert.deepEqual([valid, usable], [false, true]);
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
    assert.equal(validate(named).usable, false);
    assert.equal(validate(record({ task_description: 'half \ud83d pair' }), { profile: 'strict' }).valid, true);
    const deep = `${'['.repeat(1e5)}${']'.repeat(1e5)}`;
    assert.equal(validate(`{"notes": ${deep}}`).usable, false);
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
    // V8 writes this since Node 26, and before it runs out of stack.
    const canWrite = Number(process.versions.v8.split('.')[0]) >= 14;
    if (canWrite) assert.equal(validate(deep).usable, false);
    else fails('invalid-record', () => validate(deep));
    works();
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
    for (const profile of ['lenient', 'strict']) {
      const { valid, usable } = validate(action, { schema: 'action', profile });
      assert.deepEqual([valid, usable], [false, true]);
    }
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

  test('that of records has its name, its defaults and words for its members', () => {
    const { $id, properties } = jsonSchema();
    assert.equal($id, 'https://aiwg.io/schemas/ralph/reflection-memory.json');
    const { omega_capacity, window_policy } = properties.memory_metadata.properties;
    assert.deepEqual([omega_capacity.default, window_policy.default, properties.context_injected.default], [3, 'fifo', false]);
    assert.match(properties.self_reflection.properties.reflection_text.description, /first person/);
    assert.equal(jsonSchema('reflection').properties.learning.description, 'What to do differently');
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
    assert.deepEqual([text.validate('"a"').valid, text.validate('1').usable], [true, false]);
    if (Symbol.dispose) text[Symbol.dispose]();
    assert.equal(new Validator(false).validate(1).usable, false);
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
    const other = record({ iteration: 3, self_reflection: { reflection_text: 'The port was taken by another server.' } });
    const [still, moved] = [same, [...same, other]].map((records) => explain(records, { rules: ['stuck/*'] }));
    assert.deepEqual([still.isStuck, moved.isStuck, explain([]).isStuck], [true, false, false]);
    assert.match(moved.findings[0].message, /The loop was stuck at attempts \d to \d, and moved on\.$/);
    const [lost] = explain([same[0], '{', same[1]]).findings;
    assert.deepEqual([lost.source, lost.record], [1, undefined]);
    for (const odd of [undefined, null, {}, 'x', texts.join('\n'), 3]) fails('invalid-record', () => explain(odd));
    assert.deepEqual(fails('invalid-record', () => explain([same[0], 1n])).details, { position: 1 });
  });

  test('judges by the rules that are asked for', () => {
    const rules = (options) => explain(same, options).findings.map(({ rule }) => rule);
    assert.deepEqual(rules({ rules: ['stuck/repeated-reflection'] }), ['stuck/repeated-reflection']);
    for (const [name, meant] of [['stuk/*', 'stuck/*'], ['stuck/near-repeats', 'stuck/near-repeat'], ['zzzz', undefined], ['', undefined]]) {
      const { message } = fails('invalid-option', () => explain(same, { rules: ['stuck/*', name] }));
      assert.equal(message.match(/Did you mean `(.*)`/)?.[1], meant, message);
      const { run, history } = reading(texts);
      fails('invalid-option', () => run.explain({ rules: [name] }));
      history.free();
    }
    assert.ok(rules({ maxIterations: 2, rules: ['budget/*'] }).includes('budget/over'));
    for (const odd of [{ rule: [] }, { rules: 'stuck/*' }, { rules: [3] }, { selection: 'best' }, { diminishingPoints: NaN }, { now: 'x' }, { nowMs: 1 }]) {
      fails('invalid-option', () => explain(same, odd));
    }
    fails('omega-out-of-range', () => explain(same, { omega: 11 }));
  });

  test('reads of a run what it needs, and that once', () => {
    const { history, run, asked } = reading(texts);
    const columns = run.explain({ rules: ['trajectory/class'] });
    assert.deepEqual([asked.length, columns.trajectory.class], [0, 'stable']);
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
    const attempt = (iteration, reflection_text, errors) =>
      record({
        iteration,
        evaluator_output: { passed: false, verification_type: 'lint', errors },
        self_reflection: { reflection_text },
        memory_metadata: { omega_capacity: 1, current_memory_size: 1, window_policy: 'relevance_weighted' },
      });
    const failure = [{ type: 'test_failure', message: 'token expiry was ignored' }];
    // The last one has errors, and no reflection that would bring them along.
    const records = [attempt(0, 'Mind the token expiry.', []), attempt(1, 'Imports were unused.', []), attempt(2, ' ', failure)];
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
    assert.equal(history.retries(0).with, 8);
    assert.equal(history.aggregate(0).attempts.length, 4);
    for (const odd of [1, -1, 0.5, '0', null, undefined, {}]) {
      for (const name of ['trust', 'retries', 'aggregate', 'headline']) fails('no-such-group', () => history[name](odd));
      fails('no-such-group', () => history.compare([0, odd]));
    }
    for (const odd of [0.5, NaN, '1', -1]) fails('invalid-option', () => history.compare([0], { attempts: odd }));
    for (const odd of [[], [0], [0, 0], 0, undefined]) fails('invalid-option', () => history.compare(odd));
    for (const odd of [[9], ['0'], [-1]]) fails('no-such-run', () => history.verdicts(odd));
    fails('invalid-option', () => history.verdicts(0));
    history.free();
    for (const name of ['trust', 'retries', 'aggregate', 'headline']) fails('freed', () => history[name](0));
    fails('freed', () => history.verdicts());
    fails('freed', () => history.compare([0, 1]));
  });
});

test('every exception of the package is of one class, with a code', async () => {
  const machine = () => new hindscope.LoopMachine({ generator: { callback: true }, evaluator: { schema: true } });
  const calls = {
    config_schema_missing: () => hindscope.reflectionLoop({ generate: () => 1, evaluate: { type: 'schema' } }),
    reflection_failed: () => hindscope.reflectionLoop({ generate: () => 1, evaluate: () => false, maxIterations: 1, onFailure: 'raise' }),
    template_failed: () => hindscope.renderTemplate('{{ name }}', {}),
    unknown_step: () => machine().resume(99, { type: 'value', value: 1 }),
    connection: () => hindscope.openaiChat({ baseUrl: 'http://127.0.0.1:9/v1', model: 'tiny', retries: 0 })({ prompt: 'Hello' }),
    config: () => hindscope.openaiChat({ baseUrl: 'ftp://127.0.0.1' }),
    'unreadable-input': () => hindscope.openFiles({ get [Symbol.iterator]() { throw new Error('not now'); } }),
  };
  for (const [code, call] of Object.entries(calls)) {
    const error = await Promise.resolve().then(call).then(() => undefined, (error) => error);
    assert.ok(error instanceof HindscopeError, `${code}: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.ok(error.name.endsWith('Error') && error.stack.startsWith(error.name), error.stack);
  }
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
    const entry = (name) => import('./node_modules/hindscope/' + name + '/web.mjs');
    const entries = await Promise.all(['contract', 'history', 'loop', 'memory'].map(entry));
    for (const { ready } of entries) await ready;
    const web = Object.assign({}, ...entries);
    const history = web.openHistory([{ name: 'a.json', data: ${JSON.stringify(JSON.stringify(record()))} }]);
    console.log(Object.keys(web).sort().join(), history.runCount, web.validate({}).valid, new web.Validator(true).validate(1).valid);
    try { web.openHistory('a/path'); } catch (error) { console.log(error.code); }
  `);
  assert.equal(said, `${Object.keys(hindscope).sort().join()} 1 false true\nunreadable-input\n`);
});

test('a call before the wasm is there is an error, not a trap', () => {
  const said = printed(`
    globalThis.fetch = () => new Promise(() => {});
    const { validate, HindscopeError } = await import('./node_modules/hindscope/contract/web.mjs');
    try { validate({}); } catch (error) { console.log(error instanceof HindscopeError, error.code); }
  `);
  assert.equal(said, 'true not-ready\n');
});

test('an entry starts its own wasm and no other', () => {
  const said = printed(`
    const compiled = [];
    WebAssembly.Module = new Proxy(WebAssembly.Module, {
      construct(Module, [bytes]) {
        compiled.push(bytes.length);
        return new Module(bytes);
      },
    });
    const { validate } = await import('hindscope');
    const [first] = compiled;
    await import('hindscope/history');
    await import('hindscope/memory');
    const [, second] = compiled;
    console.log(compiled.length, first < second / 2, validate({}).usable);
  `);
  assert.equal(said, '2 true false\n');
});

test('the package holds its wasm, its licences and no loose ends', () => {
  const facts = JSON.parse(readFileSync(join(consumer, 'node_modules/hindscope/package.json'), 'utf8'));
  assert.deepEqual([facts.name, facts.license, facts.type], ['hindscope', 'MIT OR Apache-2.0', 'module']);
  assert.ok(!facts.dependencies && !facts.scripts);
  for (const [name, path] of Object.values(WASM)) {
    const wasm = printed(`console.log(import.meta.resolve('${name}'))`).trim();
    assert.ok(wasm.endsWith(`/node_modules/hindscope/${path}`), wasm);
  }
});
