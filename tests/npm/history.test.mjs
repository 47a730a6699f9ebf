// Histories that are opened through the package.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fails, fixture, hindscope, record, works } from './installed.mjs';
import { scratch } from './package.mjs';

const { History, OUTCOMES, openFiles, openHistory } = hindscope;

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
      const answer = [history.runs(), history.eachFinding(), history.run(0).window(undefined, { omega: 3 }).text];
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

  test('opens many files together as each by itself', async () => {
    const lines = (count, loop) => Array.from({ length: count }, (_, at) => `${JSON.stringify(record({ iteration: at + 1, loop_id: loop }))}\n`).join('');
    const inputs = [
      ...Array.from({ length: 5000 }, (_, at) => ({ name: `many/loop-${at % 7}/${String(at).padStart(4, '0')}.json`, data: JSON.stringify(record({ iteration: 1 + Math.floor(at / 7), loop_id: `loop-${at % 7}` })) })),
      { name: 'many/größe 😀.jsonl', data: lines(3, 'wide') },
      { name: 'many/packed.jsonl.gz', data: gzipSync(lines(4, 'packed')) },
      { name: 'many/empty.json', data: '' },
      { name: 'many/long.jsonl', data: lines(1 + Math.ceil(300_000 / lines(1, 'long').length), 'long') },
      { name: 'many/picture.png', data: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
      { name: `many/${'n'.repeat(2 ** 19)}.json`, data: JSON.stringify(record()) },
      ...Array.from({ length: 30 }, (_, at) => ({ name: `many/wide-${at}.jsonl`, data: lines(1 + Math.ceil(100_000 / lines(1, 'x').length), `wide-${at}`) })),
    ];
    const answers = (history) => {
      const { recordCount } = history;
      const some = [0, 4999, 5000, 5003, recordCount - 1].map((at) => [history.locate(at), history.raw(at)]);
      const answer = [history.sources(), history.runs(), history.findings(), some];
      history.free();
      return answer;
    };
    const read = [];
    const byHand = new History({ read: (source, start, end) => read[source].subarray(start, end) });
    for (const { name, data } of inputs) {
      const isPacked = name.endsWith('.gz');
      const bytes = isPacked ? gunzipSync(data) : Buffer.from(data);
      const source = byHand.open(isPacked ? 'many/packed.jsonl' : name);
      read[source] = bytes;
      byHand.push(source, bytes);
      byHand.finish(source);
    }
    const expected = answers(byHand);
    assert.deepEqual(answers(openHistory(inputs)), expected);
    const blobs = inputs.map(({ name, data }) => ({ name, data: new Blob([data]) }));
    assert.deepEqual(answers(await openFiles(blobs)), expected);
    const folder = scratch();
    for (const { name, data } of inputs.filter(({ name }) => name.length < 200)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), data);
    }
    const onDisk = openHistory(join(folder, 'many'));
    const short = expected[0].filter(({ path }) => path.length < 200);
    const known = ({ path, digest, state, kept }) => [path, digest, state, kept];
    assert.deepEqual(onDisk.sources().map(known).sort(), short.map(known).sort());
    assert.equal(onDisk.raw(0), JSON.stringify(record({ iteration: 1, loop_id: 'wide' })), 'names come in natural order');
    onDisk.free();
  });

  test('keeps what its memory holds, says what it left, and goes on answering', () => {
    const line = (at) => `{"loop_id":"my-${String(Math.floor(at / 1000)).padStart(3, '0')}","iteration":${at % 1000},"outcome":1,"cost":0.25,"self_reflection":{"reflection_text":"Again"}}\n`;
    const data = Buffer.from(Array.from({ length: 200_000 }, (_, at) => line(at)).join(''));
    const history = openHistory([{ name: 'a.jsonl', data }, { name: 'b.jsonl', data: line(7) }], { memory: 64 });
    const [first, second] = history.sources();
    assert.ok(first.kept > 50_000 && first.kept < 190_000, String(first.kept));
    assert.deepEqual([first.state, second.state, second.kept], ['read', 'refused', 0]);
    assert.equal(second.reason, 'the memory limit of 64 MB is reached');
    const left = history.findings().find(({ rule }) => rule === 'size/memory');
    assert.deepEqual([left.severity, left.count, left.first[0].source, left.first[1].source], ['error', 2, 0, 1]);
    assert.equal(data.subarray(0, left.first[0].offset).filter((byte) => byte === 0x0a).length, first.kept);
    assert.equal(history.runs().length, Math.ceil(first.kept / 1000));
    assert.equal(history.eachFinding({ from: 1000, count: 3 }).length, 3);
    assert.equal(history.run('my-000').columns().numbers.length, 1000);
    assert.equal(history.raw(first.kept - 1), line(first.kept - 1).trim());
    history.free();
    const all = openHistory({ name: 'a.jsonl', data }, { memory: 256 });
    assert.deepEqual([all.recordCount, all.findings().some(({ rule }) => rule === 'size/memory')], [200_000, false]);
    all.free();
    for (const memory of [-1, 1.5, 'much', 3073]) fails('invalid-option', () => openHistory([], { memory }));
  });

  test('a number of an iteration can be asked for, or is said to be too large', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const line = (n, quote = '') => `{"trial_number":${quote}${n}${quote},"loop_id":"a","outcome":"failure","reflection":"Lesson ${n}."}\n`;
    const yaml = (n) => `trial_number: ${n}\nloop_id: a\noutcome: failure\nreflection: Lesson ${n}.\n`;
    const csv = (n) => `iteration,timestamp,quality_score,quality_delta,tokens_used,cost_usd,execution_time_ms,verification_status\n1,,62,,1,0,1,failed\n${n},,64,,1,0,1,failed\n`;
    const ways = {
      JSON: (n) => [{ name: 'a.jsonl', data: line(1) + line(n) }],
      text: (n) => [{ name: 'a.jsonl', data: line(1, '"') + line(n, '"') }],
      YAML: (n) => [{ name: 'a.yaml', data: `${yaml(1)}---\n${yaml(n)}` }],
      CSV: (n) => [{ name: 'a.csv', data: csv(n) }],
      'names of files': (n) => ['1', n].map((k) => ({ name: `r/iteration-${k}.json`, data: '{"loop_id":"r","evaluator_output":{"passed":false},"self_reflection":{"reflection_text":"t"}}' })),
    };
    for (const [way, files] of Object.entries(ways)) {
      const held = openHistory(files(most));
      const run = held.run(0);
      assert.deepEqual(run.columns().numbers, Float64Array.of(1, most), way);
      assert.equal(run.window(most).at, most);
      assert.equal(run.attempt(most) !== undefined, true);
      held.free();
      for (const number of ['9007199254740992', '9007199254740993', '9223372036854775807', '18446744073709551616', '100000000000000000000']) {
        const history = openHistory(files(number));
        const about = history.eachFinding().filter(({ rule }) => rule === 'number/beyond');
        assert.equal(about.length, 1, `${way} ${number}`);
        assert.match(about[0].message, /is beyond ±9007199254740991\. It is treated as missing\.$/);
        const numbers = history.runs().flatMap(({ id }) => [...history.run(id).columns().numbers]);
        assert.ok(numbers.length > 0 && numbers.every((n) => n < 10), `${way} ${number}: ${numbers}`);
        for (const at of [Number(number), most + 1, -most - 1]) fails('no-such-iteration', () => history.run(0).window(at));
        history.free();
      }
    }
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
    const unreadable = history.eachFinding().filter(({ rule }) => rule === 'source/unreadable');
    assert.deepEqual(unreadable.map(({ source }) => source), [1, 2]);
    assert.match(unreadable[0].message, /symbolic link/);
    assert.equal(history.runCount, 1);
    history.free();
  });

  test('a link to nothing is no problem: there was nothing to read', () => {
    const folder = join(scratch(), 'linked');
    mkdirSync(folder);
    cpSync(fixture('aiwg/2026.1/one-record.json'), join(folder, 'one.json'));
    symlinkSync(join(folder, 'gone.json'), join(folder, 'latest.json'));
    symlinkSync('itself.json', join(folder, 'itself.json'));
    const history = openHistory(folder);
    const about = history.eachFinding().filter(({ rule }) => rule.startsWith('source/'));
    assert.deepEqual(about.map(({ rule, severity }) => [rule, severity]), [['source/refused', 'info'], ['source/refused', 'info']]);
    assert.match(about[1].message, /latest\.json is not opened: it is a symbolic link to nothing\./);
    assert.equal(history.runCount, 1);
    history.free();
  });

  test('files are in the natural order of the core', () => {
    const names = ['a', 'a1', 'a01', 'a001b', 'a1b', 'a2', 'a10', 'a1.5', 'a1-5', 'a 1', 'A1', 'Z', '_', '~', '7', '007', '07x', 'é1', 'e\u03011', 'ﬀ2', '\u{1F600}2', '\u{1F600}10', '\uFFFD1', '９', '10９', '1'.repeat(130), '0'.repeat(140), `x${'9'.repeat(129)}`, `x1${'0'.repeat(129)}`];
    const folder = join(scratch(), 'names');
    for (const name of names) {
      // Of a file in a folder, the bar counts, too.
      for (const path of [`${name}.jsonl`, join(name, 'in.jsonl')]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), `${JSON.stringify({ record_id: 0, attempt: 0, feedback: `Of ${path}.` })}\n`);
      }
    }
    const history = openHistory(folder);
    const paths = history.sources().map(({ path }) => path);
    assert.equal(paths.length, 2 * names.length);
    // Each file is a group, and the core sorts groups.
    assert.deepEqual(history.groups().map(({ label }) => label), paths);
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
    assert.match(history.findings()[0].first[0].message, /permission denied/);
    history.free();
  });

  test('groups findings, of all sources and of each', () => {
    const history = new History();
    const odd = (iteration) => JSON.stringify(record({ iteration, timestamp: '2026-01-01' }));
    for (const [name, lines] of [['one.jsonl', [1]], ['many.jsonl', [1, 2, 3, 4, 5]]]) {
      const source = history.open(name);
      history.push(source, lines.map((n) => `${odd(n)}\n`).join(''));
      history.finish(source);
    }
    const counted = (options) => history.findings(options).find(({ rule }) => rule === 'lenient/timestamp').count;
    assert.deepEqual([counted(), counted({}), counted({ source: null }), counted({ source: 0 }), counted({ source: 1 })], [6, 6, 6, 1, 5]);
    for (const { first } of history.findings({ source: 1 })) assert.ok(first.every(({ source }) => source === 1));
    for (const source of [2, -1, 0.5, '0', NaN]) fails('no-such-source', () => history.findings({ source }));
    assert.deepEqual(fails('no-such-source', () => history.findings({ source: 2 })).details, { source: 2 });
    for (const options of [{ from: 0 }, 1, [0]]) fails('invalid-option', () => history.findings(options));
    history.free();
    works();
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
      () => history.findings({ source }),
      () => history.eachFinding(),
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
