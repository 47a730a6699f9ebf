// What a search of the component finds is what a search of the npm package finds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fixtures } from '../faces.mjs';
import { imported } from '../npm/package.mjs';
import { free, open, together } from './face.mjs';
import { transpiled } from './lib.mjs';

const { openHistory, queryError } = await imported();
const api = together(await import(pathToFileURL(join(transpiled(), 'hindscope/hindscope.js')).href));
const { Search } = api;

/** Compares the reflections of all runs, which some queries ask about. */
function compare(history, files) {
  for (const { id } of history.runs()) {
    const run = history.loadRun(id);
    for (const { record, source, start, end } of run.needsSketches()) {
      run.load(record, files[source][1].subarray(Number(start), Number(end)));
    }
    run.verdict();
    free(run);
  }
}

/** All hits, of a host that reads where it is told to; and how far the search came. */
function found(history, files, query, options) {
  if (api.asksInsight(query)) compare(history, files);
  const search = Search.start(history, query, options);
  const all = [];
  for (let hits = []; hits !== undefined; hits = search.hits()) {
    all.push(...hits);
    for (const { source, path, start, end } of search.needs()) {
      const [name, content] = files[source];
      assert.equal(path, name);
      search.supply(source, start, content.subarray(Number(start), Number(end)));
    }
  }
  const progress = search.progress();
  free(search);
  return [all, progress];
}

/** As JSON has it: numbers are numbers, and what is absent is not there. */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)));

const QUERIES = ['the', '"the "', 'outcome:failure', 'iter:..2 -error', 'has:reflection e', 'finding:stuck/', 'reward:0.. e', ''];

describe('parity', () => {
  let hits = 0;
  for (const [name, path] of fixtures()) {
    test(name, () => {
      const other = openHistory(path);
      const files = other.sources().map(({ path: name }) => [name, readFileSync(join(dirname(path), name))]);
      const history = open(api, files);
      for (const query of QUERIES) {
        for (const options of [undefined, { parts: ['output', 'raw', 'text'] }, { run: 0 }]) {
          if (options?.run === 0 && history.runs().length === 0) continue;
          const expected = other.search(query, options);
          const list = [...expected];
          const own = found(history, files, query, options);
          assert.deepEqual(plain(own), plain([list, expected.progress]), `${query} ${JSON.stringify(options)}`);
          hits += list.length;
        }
      }
      for (const query of ['outcome:failure', 'reward:..0.5', 'a']) {
        assert.deepEqual(Array.from(api.findRuns(history, query)), Array.from(other.findRuns(query)), query);
      }
      other.free();
      free(history);
    });
  }
  test('something was found', () => assert.ok(hits > 1000, `${hits} hits`));
});

/** What a call is refused with. */
function refusal(call) {
  try {
    call();
  } catch ({ payload, message }) {
    assert.ok(payload?.message, message);
    return payload;
  }
  return assert.fail('it was not refused');
}

test('a query that means nothing says where', () => {
  for (const [query, list] of [['omega:x', 'search'], ['"a', 'search'], ['colour:red', 'runs'], ['error:a', 'runs'], ['outcome:odd', 'findings'], ['é iter:', 'search']]) {
    const expected = queryError(query, list);
    assert.ok(expected, query);
    assert.deepEqual(refusal(() => api.check(query, list)), expected);
  }
  assert.equal(api.check('outcome:failure', 'search'), undefined);
  assert.deepEqual(['finding:stuck/', 'a'].map((query) => api.asksInsight(query)), [true, false]);
});

test('what is asked wrongly has a code', () => {
  const line = new TextEncoder().encode('{"loop_id":"a","trial_number":1,"outcome":"failure","reflection":"Add a null check."}\n');
  const history = open(api, [['loop.jsonl', line]]);
  for (const call of [
    () => Search.start(history, '"a'), () => api.findRuns(history, 'error:a'), () => api.asksInsight('omega:x'),
  ]) assert.equal(refusal(call).code, 'invalid-option');
  const { code, details } = refusal(() => Search.start(history, 'a', { run: 7 }));
  assert.deepEqual([code, details], ['no-such-run', [{ name: 'run', value: 7 }]]);

  const search = Search.start(history, 'null');
  assert.deepEqual(search.hits(), []);
  const [need] = search.needs();
  assert.equal(refusal(() => search.hits()).code, 'unread-record');
  assert.equal(refusal(() => search.supply(need.source, need.start, new Uint8Array(3))).code, 'wrong-bytes');
  // It goes on without what cannot be read.
  search.passOver(need.source, need.start);
  while (search.hits() !== undefined);
  assert.deepEqual([search.progress().unread, search.progress().isDone], [1, true]);

  const stale = Search.start(history, 'null');
  const source = history.open('b.jsonl');
  history.push(source, line);
  history.finish(source);
  assert.equal(refusal(() => stale.hits()).code, 'stale-export');
});

test('a search outlives the handle of its history', () => {
  const line = new TextEncoder().encode('{"loop_id":"a","trial_number":1,"outcome":"failure","reflection":"Add a null check."}\n');
  const history = open(api, [['loop.jsonl', line]]);
  const search = Search.start(history, '"null check"');
  free(history);
  assert.deepEqual(search.hits(), []);
  for (const { source, start, end } of search.needs()) search.supply(source, start, line.subarray(Number(start), Number(end)));
  const [{ excerpt, marks, number }] = search.hits();
  assert.deepEqual([excerpt, marks, number], ['Add a null check.', [{ start: 6, end: 16 }], 1n]);
});
