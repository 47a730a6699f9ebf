// The component in a JavaScript host: transpiled by jco, run by Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { filesOf, gzip, tar, zip } from '../archives.mjs';
import { canonical, dump, fixtures, root } from '../faces.mjs';
import { face, free, open, together, withoutEmpty } from './face.mjs';
import { asked, transpiled } from './lib.mjs';

const folder = transpiled();
const hindscope = await import(pathToFileURL(join(folder, 'hindscope/hindscope.js')).href);
const { archive } = hindscope;
const api = together(hindscope);

const fixture = (path) => join(root, 'tests/fixtures', path);
const bytes = (text) => new TextEncoder().encode(text);
const record = (iteration, text) =>
  bytes(JSON.stringify({
    iteration,
    evaluator_output: { passed: false },
    self_reflection: { reflection_text: text },
  }));

/** What a call is refused with. */
function refusal(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error.payload?.code, error);
    assert.ok(error.payload.message, 'it says nothing');
    return error.payload;
  }
  return assert.fail('it was not refused');
}

describe('parity', () => {
  for (const [name, path] of fixtures()) {
    test(name, () => {
      const { expected, files } = asked(path);
      const own = dump(face(api, files));
      assert.equal(canonical(withoutEmpty(JSON.parse(canonical(own))), 1), canonical(withoutEmpty(expected), 1));
    });
  }
});

test('opens a folder of trials', () => {
  const path = fixture('reflexion/2023/alfworld');
  const history = open(api, [0, 1, 2, 3].map((n) => {
    const name = `env_results_trial_${n}.json`;
    return [`${basename(path)}/${name}`, readFileSync(join(path, name))];
  }));
  const [group] = history.groups();
  assert.deepEqual([group.runs, Array.from(group.solvedAfter)], [5, [1, 2, 4, 5]]);
  assert.deepEqual(history.aggregate(group.id).attempts.map(({ solvedAfter }) => solvedAfter), [1, 2, 4, 5]);
  const run = history.findRun('env_3');
  assert.deepEqual(Array.from(history.columns(run).rewards), [0, 0, 0, 1]);
  const window = history.window(run, 3n, { omega: 1 });
  assert.deepEqual([window.held.length, window.evicted.length, window.omegaProvenance], [1, 2, 'configured']);
});

test('absent options are the defaults', () => {
  const text = record(1, 'Clear the cache.');
  assert.deepEqual(api.validate(text), api.validate(text, { profile: 'lenient', schema: 'reflection-memory' }));
  assert.deepEqual(api.explain([text]), api.explain([text], { rules: [], diminishingSteps: 2 }));
  const window = api.ReflectionWindow.create();
  assert.equal(window.omega(), 3);
  for (const n of [1, 2, 3, 4]) window.push(record(n, `Lesson ${n}.`));
  assert.deepEqual(Array.from(window.held()), [2n, 3n, 4n]);
  // What the window knows itself stays, beside what is given.
  const { total, omega } = window.renderOptions();
  assert.deepEqual([total, omega], [4, 3]);
  assert.equal(window.render('aiwg-memory', { total: 9 }), api.render(window.entries(), 'aiwg-memory', { total: 9, omega }));
});

describe('archives', () => {
  /** Opens an archive that lies in memory. */
  function opened(name, data, limits) {
    const history = new api.History('lenient');
    const unpacker = new archive.Unpacker(name, BigInt(data.length), limits, undefined);
    let source;
    for (;;) {
      const { tag, val } = unpacker.next();
      if (tag === 'wants') unpacker.give(data.subarray(Number(val.start), Number(val.end)));
      else if (tag === 'entry') source = history.open(val.path);
      else if (tag === 'data') history.push(source, val);
      else if (tag === 'end') history.finish(source);
      else if (tag === 'refused') history.refuse(source, val);
      else break;
    }
    free(unpacker);
    return history;
  }

  const files = filesOf(fixture('reflexion/2023/alfworld'));

  for (const [name, data] of [['a.zip', zip(files)], ['a.tar', tar(files)], ['a.tar.gz', gzip(tar(files))]]) {
    test(`${name} is a folder of its name`, () => {
      const packed = opened(name, data);
      const plain = open(api, files.map(([path, bytes]) => [`${name}/${path}`, bytes]));
      for (const ask of ['sources', 'groups', 'runs', 'findings']) assert.deepEqual(packed[ask](), plain[ask](), ask);
      assert.equal(packed.runs().length, 5);
    });
  }

  test('refusals and limits', () => {
    const line = record(1, 'Retry.');
    const flags = (entry) => ({ ...entry, flags: 1 });
    const [view] = opened('a.zip', zip([['a.json', line]], { change: flags })).sources();
    assert.deepEqual([view.path, view.state], ['a.zip/a.json', 'refused']);
    assert.match(view.reason, /encrypted/);
    const findings = opened('a.zip', zip([['a.json', line]]), { total: 10n }).findings();
    assert.ok(findings.some(({ rule }) => rule === 'container/bomb'));
    const unpacker = new archive.Unpacker('a.zip', 10n);
    assert.equal(refusal(() => unpacker.give(line)).code, 'wrong-bytes');
    assert.deepEqual([archive.recognises(zip([])), archive.recognises(line)], [true, false]);
    const history = new api.History('lenient');
    assert.equal(refusal(() => history.refuse(7, { kind: 'bomb', reason: '' })).code, 'no-such-source');
  });
});

test('a history takes no more memory than it may', () => {
  const line = (loop, at) => `{"loop_id":"${loop}-${Math.floor(at / 100)}","iteration":${at % 100},"self_reflection":{"reflection_text":"Again"}}\n`;
  const filled = (limit) => {
    const history = new api.History('lenient');
    if (limit !== undefined) history.limitMemory(limit);
    const mores = ['a', 'b'].map((name) => {
      const id = history.open(`${name}.jsonl`);
      const more = history.push(id, bytes(Array.from({ length: 6000 }, (_, at) => line(name, at)).join('')));
      history.finish(id);
      return more;
    });
    return { history, mores, sources: history.sources() };
  };
  const { history, mores, sources } = filled(1);
  const [first, second] = sources;
  assert.deepEqual(mores, ['enough', 'enough'], 'the host need not read on');
  assert.ok(first.kept > 500 && first.kept < 6000, `${first.kept} are kept`);
  assert.deepEqual([second.kept, second.state], [0, 'refused']);
  const left = history.findings().find(({ rule }) => rule === 'size/memory');
  assert.deepEqual([left.count, left.severity], [2, 'error']);
  assert.match(left.first[0].message, /^The memory limit of 1 MB is reached\./);
  assert.equal(history.runs().length, Math.ceil(first.kept / 100), 'what is kept can be asked');
  free(history);
  // Without a limit of the host's, and with one beyond the highest, all of it fits.
  for (const limit of [undefined, 2 ** 32 - 1]) {
    const whole = filled(limit);
    assert.deepEqual(whole.sources.map(({ kept }) => kept), [6000, 6000]);
    assert.ok(!whole.history.findings().some(({ rule }) => rule === 'size/memory'));
    free(whole.history);
  }
});

test('a host counts tokens itself', () => {
  const window = api.ReflectionWindow.create({ tokenBudget: 5 });
  for (const n of [1, 2]) window.push(record(n, 'Three words here.'));
  for (const entry of window.uncounted()) window.setTokens(entry.number, entry.text.split(' ').length);
  assert.deepEqual([Array.from(window.held()), Array.from(window.dropped()), window.tokens()], [[2n], [1n], 3]);
  assert.equal(api.tokensEstimated(window.entries()[0]), 5);
});

test('the schemas are those that validate', () => {
  const [schemas, given] = [['reflection-memory', 'task-metadata', 'trajectory', 'reflection', 'attempt', 'action'], bytes('{"iteration": 0}')];
  for (const schema of schemas) {
    const validator = api.Validator.create(api.jsonSchema(schema));
    assert.deepEqual(validator.validate(given), api.validate(given, { schema, profile: 'strict' }), schema);
  }
});

test('categories of several runs', () => {
  const of = (category, reflections) => ({ category, reflections });
  const sums = api.failureCategories([[of('logic', 1), of('setup', 2)], [], [of('logic', 4)]]);
  assert.deepEqual(sums, [of('logic', 5), of('setup', 2)]);
});

test('a loop that is doing badly gets a longer memory', () => {
  const pace = { consecutiveFailures: 3, meanQuality: 0, iterationsToFinish: 0 };
  assert.deepEqual([api.autoScale(3, pace), api.autoScale(10, pace)], [4, 10]);
  assert.deepEqual(api.advice()[0], { situation: 'Fixes in a single function', omega: 1 });
});

test('a loaded run outlives the handle of its history', () => {
  const text = record(1, 'Retry.');
  const history = open(api, [['a.json', text]]);
  const loadedRun = history.loadRun(0);
  free(history);
  const [{ record: id }] = loadedRun.needs();
  loadedRun.load(id, text);
  assert.equal(loadedRun.needs().length, 0);
  assert.equal(loadedRun.entries(loadedRun.window(2n).held)[0].text, 'Retry.');
  free(loadedRun);
});

describe('a hostile caller gets typed errors', () => {
  const most = 2 ** 32 - 1;
  const [first, last] = [-(2n ** 63n), 2n ** 63n - 1n];
  const text = record(1, 'Retry.');
  const history = open(api, [['a.json', text]]);
  const loadedRun = history.loadRun(0);

  test('ids', () => {
    assert.deepEqual(refusal(() => history.push(7, new Uint8Array(1))).details, [{ name: 'source', value: 7 }]);
    const codes = {
      'no-such-source': [(id) => history.push(id, text), (id) => history.finish(id), (id) => history.fail(id, ''), (id) => history.findingsOf(id)],
      'no-such-run': [
        (id) => history.iterations(id), (id) => history.columns(id), (id) => history.reflections(id),
        (id) => history.window(id, 1n), (id) => history.loadRun(id),
      ],
      'no-such-record': [
        (id) => history.locate(id), (id) => history.inspect(id, 0, text), (id) => history.rawText(id, text),
        (id) => loadedRun.setTokens({ number: 1n, ordinal: 0, record: id, part: 0 }, 1),
      ],
    };
    for (const [code, calls] of Object.entries(codes)) {
      for (const call of calls) for (const id of [9, most]) assert.equal(refusal(() => call(id)).code, code);
    }
    assert.equal(refusal(() => history.finish(0)).code, 'source-finished');
    for (const id of [9, most]) {
      assert.deepEqual([history.trust(id), history.retries(id), history.aggregate(id)], [undefined, undefined, undefined]);
      assert.equal(refusal(() => history.compare([0, id])).code, 'invalid-option');
      assert.equal(history.headline(id), undefined);
    }
    assert.equal(refusal(() => history.compare([0, 0])).code, 'invalid-option');
    // A record that the loaded run does not need changes nothing.
    loadedRun.load(most, text);
    assert.deepEqual(loadedRun.entries([{ number: first, ordinal: most, record: most, part: most }]), []);
  });

  test('bytes of something else', () => {
    const other = record(2, 'Retry, once more.');
    for (const call of [
      () => history.inspect(0, 0, other), () => history.rawText(0, other), () => loadedRun.load(0, other),
      () => history.inspect(0, 0, new Uint8Array()),
    ]) assert.equal(refusal(call).code, 'wrong-bytes');
  });

  test('numbers of iterations', () => {
    const window = api.ReflectionWindow.create();
    for (const at of [first, 0n, 3n, last]) {
      for (const call of [
        () => history.window(0, at), () => loadedRun.window(at), () => loadedRun.renderOptions(at),
        () => loadedRun.injected(at), () => window.setTokens(at, 1),
      ]) assert.equal(refusal(call).code, 'no-such-iteration');
    }
    for (const n of ['9223372036854775807', '-9223372036854775808', '9223372036854775808', '1e400']) {
      window.push(bytes(`{"iteration":${n},"self_reflection":{"reflection_text":"Retry."}}`));
    }
    assert.equal(window.held().length, 0, 'no number that JavaScript cannot hold');
    for (const n of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      window.push(bytes(`{"iteration":${n},"self_reflection":{"reflection_text":"Retry."}}`));
    }
    assert.equal(window.held().length, 2);
    assert.match(window.render('reflexion-alfworld', { absoluteNumbers: true }), /Retry/);
  });

  test('rules', () => {
    const window = api.ReflectionWindow.create();
    const calls = [
      (rule) => api.ReflectionWindow.create(rule), (rule) => history.window(0, 1n, rule),
      (rule) => loadedRun.window(1n, rule), (rule) => loadedRun.renderOptions(1n, rule),
    ];
    for (const call of calls) {
      for (const omega of [11, 255, 256, 300, most]) {
        const { code, details } = refusal(() => call({ omega }));
        assert.deepEqual([code, details.at(-1)], ['omega-out-of-range', { name: 'omega', value: omega }]);
      }
      for (const halfLife of [0, -1, NaN, -Infinity]) {
        const { code, details } = refusal(() => call({ halfLife }));
        assert.deepEqual([code, details.at(-1)], ['invalid-option', { name: 'half-life', value: halfLife }]);
      }
    }
    const pace = { consecutiveFailures: 0, meanQuality: 0, iterationsToFinish: 0 };
    // No type is so narrow that 256 would be 0.
    for (const omega of [11, 256, most]) {
      for (const call of [
        () => api.autoScale(omega, pace), () => window.setOmega(omega), () => window.render('plain', { omega }),
        () => api.render([], 'plain', { omega }), () => api.explain([text], { omega }), () => loadedRun.explain({ omega }),
      ]) {
        const { code, message, details } = refusal(call);
        assert.deepEqual([code, details], ['omega-out-of-range', [{ name: 'omega', value: omega }]]);
        assert.match(message, new RegExp(`found ${omega}`));
      }
    }
    assert.equal(refusal(() => history.window(0, 1n, { dynamicOmega: true })).code, 'invalid-option');
    for (const halfLife of [Number.MIN_VALUE, Infinity]) {
      const rule = { policy: 'relevance-weighted', halfLife, tokenBudget: most, dynamicOmega: true };
      assert.equal(loadedRun.window(2n, rule).held.length, 1);
    }
    window.push(text);
    // What the types cannot hold is wrapped by the host: this is the largest budget.
    window.setTokenBudget(-1);
    assert.equal(window.held().length, 1);
    window.setTokenBudget(0);
    assert.equal(window.held().length, 0);
    window.setTokenBudget(undefined);
    window.setTokens(1n, most);
    assert.equal(window.held().length, 1);
  });

  test('schemas', () => {
    for (const schema of ['', '{', '7', '{"$ref": "http://localhost/"}', '{"pattern": "("}', '{"$schema": "urn:x"}']) {
      assert.equal(refusal(() => api.Validator.create(schema)).code, 'invalid-schema', schema);
    }
    const [schema, step] = ['{"items": {"$ref": "step.json"}}', '{"format": "date"}'];
    const rules = (format) => {
      const validator = api.Validator.create(schema, { format, documents: [{ address: 'step.json', schema: step }] });
      return validator.validate(bytes('["now"]')).findings.map(({ rule }) => rule);
    };
    assert.deepEqual([rules(undefined), rules('assertion'), rules('annotation')], [['strict/format'], ['strict/format'], []]);
  });

  test('numbers of options', () => {
    for (const number of [NaN, Infinity, -Infinity, 2 ** 1000, -0]) {
      assert.ok(api.validate(text, { nowMs: number }).findings);
      assert.equal(loadedRun.explain({
        rules: ['*', 'best/*'], omega: 10, diminishingRelative: number, diminishingPoints: number,
        diminishingSteps: most, selectionThreshold: number, maxIterations: 0, nowMs: number, objective: '',
      }).run, 0);
      api.autoScale(10, { consecutiveFailures: most, meanQuality: number, iterationsToFinish: most });
    }
    api.explain([text, text], { diminishingSteps: 0, omega: 0 });
  });

  test('rules that do not exist', () => {
    for (const rules of [['stuk/*'], ['*', 'nope'], ['']]) {
      for (const call of [() => api.explain([text], { rules }), () => loadedRun.explain({ rules })]) {
        assert.equal(refusal(call).code, 'invalid-option');
      }
    }
  });

  test('bytes that are nothing', () => {
    for (const odd of ['', '\u0000', '[', '[[', '"', '{"iteration":', '𝄞'].map(bytes).concat(Uint8Array.of(0xff, 0xfe, 0))) {
      for (const profile of ['strict', 'lenient']) assert.equal(api.validate(odd, { profile }).usable, false);
      assert.ok(api.explain([odd]).findings.length > 0);
      assert.ok(api.ReflectionWindow.create().push(odd).length > 0);
    }
    assert.equal(api.explain([]).run, undefined);
    const sums = [{ category: '', reflections: most }];
    assert.equal(api.failureCategories([sums, sums]).length, 1);
  });

  test('and the instance still answers', () => assert.equal(history.runs().length, 1));
});

describe('the examples of wit/README.md', () => {
  const text = readFileSync(join(root, 'wit/README.md'), 'utf8');
  const examples = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, code]) => code);
  assert.ok(examples.length >= 3, `${examples.length} examples`);
  for (const [number, code] of examples.entries()) {
    test(`number ${number + 1}`, () => {
      writeFileSync(join(folder, 'example.js'), code);
      const printed = execFileSync('node', ['example.js'], { cwd: folder, encoding: 'utf8' });
      const promised = Array.from(code.matchAll(/\/\/ →(?: (.*))?$/gm), ([, line = '']) => line);
      assert.ok(promised.length > 0);
      assert.deepEqual(printed.trimEnd().split('\n'), promised);
    });
  }
});
