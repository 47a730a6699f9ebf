// The component in a JavaScript host: transpiled by jco, run by Node.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { canonical, dump, fixtures, given, native, root } from '../faces.mjs';

const component = resolve(given('HINDSCOPE_COMPONENT'));
const jco = join(root, 'node_modules/.bin/jco');
const fixture = (path) => join(root, 'tests/fixtures', path);

const folder = mkdtempSync(join(tmpdir(), 'hindscope-jco-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
execFileSync(jco, ['transpile', component, '--name', 'hindscope', '--quiet', '-o', folder], { stdio: 'inherit' });
const exported = await import(pathToFileURL(join(folder, 'hindscope.js')).href);
const { api } = exported;

/** Opens `[name, bytes]` pairs, each in slices of 64 KiB. */
function open(files, profile = 'lenient') {
  const history = new api.History(profile);
  for (const [name, bytes] of files) {
    const source = history.open(name);
    for (let at = 0; at < bytes.length; at += 1 << 16) {
      if (history.push(source, bytes.subarray(at, at + (1 << 16))) === 'enough') break;
    }
    history.finish(source);
  }
  return history;
}

/** What a call is refused with. */
function refusal(call) {
  try {
    call();
  } catch (error) {
    return error.payload;
  }
  return assert.fail('it was not refused');
}

/** The methods that `dump` asks for, over the component. */
function face(files) {
  const history = open(files);
  const bytes = (record) => {
    const { source, start, end } = history.locate(record);
    return files[source][1].subarray(Number(start), Number(end));
  };
  const coded = (ask) => {
    try {
      return ask();
    } catch (error) {
      throw Object.assign(new Error(error.payload.message), { code: error.payload.code });
    }
  };
  const inspect = (record, part) => JSON.parse(coded(() => history.inspect(record, part, bytes(record))));
  const run = (id) => ({
    iterations: () => history.iterations(id),
    reflections: () => history.reflections(id),
    columns: () => history.columns(id),
    window: (at, { omega }) => {
      const view = coded(() => history.window(id, BigInt(at), { omega, policy: 'fifo', failuresOnly: false, dynamicOmega: false }));
      const outcomes = new Map(history.iterations(id).map(({ number, outcome }) => [number, outcome]));
      const entries = view.held.map(({ number, record, part }) => {
        const { reflections = [] } = inspect(record, part);
        const text = reflections.find((reflection) => reflection.part === part)?.text ?? '';
        return { number, outcome: outcomes.get(number) ?? 'unknown', text, insights: [], lessons: [], actionItems: [] };
      });
      return { ...view, text: api.render(entries, 'plain') };
    },
  });
  const memory = (omega) => {
    const window = api.ReflectionWindow.create(omega, 'fifo');
    return {
      push: (record) => window.push(record),
      get entries() { return window.entries(); },
      get held() { return window.held(); },
      get evicted() { return window.evicted(); },
      render: (layout) => window.render(layout),
      // The record spells its members with underscores, WIT cannot.
      metadata: () =>
        Object.fromEntries(
          Object.entries(window.metadata()).map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]),
        ),
      free: () => window[Symbol.dispose ?? Symbol.for('dispose')](),
    };
  };
  return {
    sources: () => history.sources(),
    groups: () => history.groups(),
    runs: () => history.runs(),
    findings: () => history.findings(),
    recordCount: history.recordCount(),
    locate: (record) => history.locate(record),
    inspect,
    raw: (record) => coded(() => history.rawText(record, bytes(record))),
    run,
    bytes,
    validate: (record, profile) => api.validate(record, profile),
    memory,
  };
}

/** WIT has no absent lists: here an empty list and an absent one are the same. */
function withoutEmpty(value) {
  return JSON.parse(JSON.stringify(value), (_, member) =>
    Array.isArray(member) && member.length === 0 ? undefined : member,
  );
}

test('imports nothing', () => {
  const world = execFileSync(jco, ['wit', component], { encoding: 'utf8' });
  assert.doesNotMatch(world, /^\s*import /m);
  assert.match(world, /export hindscope:reflections\/api@/);
});

describe('parity', () => {
  for (const [name, path] of fixtures()) {
    test(name, () => {
      const expected = native(path);
      const files = expected.sources.map(({ path: name }) => [name, readFileSync(join(dirname(path), name))]);
      const own = dump(face(files));
      assert.equal(
        canonical(withoutEmpty(JSON.parse(canonical(own))), 1),
        canonical(withoutEmpty(expected), 1),
      );
    });
  }
});

test('opens a folder of trials', () => {
  const path = fixture('reflexion/2023/alfworld');
  const history = open([0, 1, 2, 3].map((n) => {
    const name = `env_results_trial_${n}.json`;
    return [`${basename(path)}/${name}`, readFileSync(join(path, name))];
  }));
  const [group] = history.groups();
  assert.deepEqual([group.runs, Array.from(group.solvedAfter)], [5, [1, 2, 4, 5]]);
  const run = history.findRun('env_3');
  assert.deepEqual(Array.from(history.columns(run).rewards), [0, 0, 0, 1]);
  const window = history.window(run, 3n, { omega: 1, policy: 'fifo', failuresOnly: false, dynamicOmega: false });
  assert.deepEqual([window.held.length, window.evicted.length, window.omegaProvenance], [1, 2, 'configured']);
});

test('refuses misuse with a record', () => {
  const history = open([['a.jsonl', Buffer.from('{}\n')]]);
  assert.deepEqual(refusal(() => history.push(7, new Uint8Array(1))), {
    code: 'no-such-source',
    message: refusal(() => history.push(7, new Uint8Array(1))).message,
    details: [{ name: 'source', value: 7 }],
  });
  assert.equal(refusal(() => history.finish(0)).code, 'source-finished');
  assert.equal(refusal(() => history.iterations(9)).code, 'no-such-run');
  assert.equal(refusal(() => history.locate(9)).code, 'no-such-record');
  assert.equal(refusal(() => api.ReflectionWindow.create(11, 'fifo')).code, 'omega-out-of-range');
  assert.equal(api.validate(new TextEncoder().encode('{}'), 'strict').valid, false);
});
