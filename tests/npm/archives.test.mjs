// Archives in the package: the same answers as from their folder, by every way in.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { filesOf, gzip, tar, zip } from '../archives.mjs';
import { canonical, dump, native, root } from '../faces.mjs';
import { face } from './face.mjs';
import { fails, hindscope } from './installed.mjs';

const { History, openFiles, openHistory, unpack } = hindscope;
const folder = mkdtempSync(join(tmpdir(), 'hindscope-archives-'));
after(() => rmSync(folder, { recursive: true }));

const fixture = (name) => join(root, 'tests/fixtures', name);
const LINE = Buffer.from('{"trial_number":1,"loop_id":"a","outcome":"failure","reflection":"Too fast."}\n');

function written(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Everything that a history answers, every record inspected. */
function answers(history) {
  const records = Array.from({ length: history.recordCount }, (_, record) => [history.inspect(record), history.raw(record)]);
  const all = { sources: history.sources(), runs: history.runs(), findings: history.eachFinding(), records };
  history.free();
  return all;
}

const names = [
  'reflexion/2023/alfworld', 'aiwg/2026.1/ralph-token-expiry', 'aiwg/2026.1/array.json', 'defects/1/utf16le.jsonl',
  ...['bom.jsonl', 'conflict.jsonl', 'cut-in-array.json', 'invalid-utf8.jsonl', 'list.yaml', 'string-document.json'].map((name) => `defects/1/${name}`),
];
const packers = {
  'a.zip': (files) => zip(files),
  'b.zip': (files) => zip(files, { method: 0 }),
  'c.tar': tar,
  'd.tar.gz': (files) => gzip(tar(files)),
  'e.zip': (files) => zip(files.map(([name, bytes]) => [`${name}.gz`, gzip(bytes)])),
};

describe('an archive is a folder of its name', () => {
  for (const name of names) {
    for (const [archive, pack] of Object.entries(packers)) {
      test(`${name} in ${archive}`, async () => {
        const files = filesOf(fixture(name));
        const bytes = pack(files);
        const path = written(archive, bytes);
        const expected = answers(openHistory(files.map(([inner, data]) => ({ name: `${archive}/${inner}`, data }))));
        assert.deepEqual(answers(openHistory(path)), expected);
        assert.deepEqual(answers(openHistory({ name: archive, data: bytes })), expected);
        assert.deepEqual(answers(await openFiles([new File([bytes], archive)])), expected);
        assert.deepEqual(answers(await openFiles([{ name: archive, data: new Blob([bytes]) }])), expected);
      });
    }
  }
});

for (const name of names) {
  test(`${name} zipped: what the native core says`, () => {
    const path = written('parity.zip', zip(filesOf(fixture(name))));
    const history = openHistory(path);
    const entries = Object.fromEntries(Array.from(unpack(path), ({ path: inner, data }) => [inner, data]));
    const paths = history.sources().map(({ path: inner }) => inner);
    const own = dump(face(hindscope, history, (source, start, end) => entries[paths[source]].subarray(start, end)));
    history.free();
    assert.equal(canonical(own, 1), canonical(native(path), 1));
  });
}

// Files of a folder are sorted here, and entries of an archive by the core.
test('an archive of files with awkward names is in the order of their folder', () => {
  const names = [
    '1a02', '01a2', 'x10', 'x9', 'x010', 'x0', 'x00', 'x', 'x1y', 'x01y', 'X2', 'trial', 'trial-2', 'trial_10', 'trial_2',
    'trial_007', 'trial_7', '99999999999999999999', '100000000000000000000', 'ä1', 'z1', '\u{1f600}', '\uff01', ':', '5',
  ];
  const inner = join(folder, 'order');
  mkdirSync(inner);
  for (const name of names) writeFileSync(join(inner, name), LINE);
  const paths = (history) => {
    const found = history.sources().map(({ path }) => path.split('/').at(-1));
    history.free();
    return found;
  };
  const expected = paths(openHistory(written('order.zip', zip(names.map((name) => [name, LINE])))));
  assert.equal(expected.length, names.length);
  assert.ok(expected.indexOf('x9') < expected.indexOf('x10') && expected.indexOf('x10') < expected.indexOf('x010'));
  assert.deepEqual(paths(openHistory(inner)), expected);
});

test('archives in folders, beside files', () => {
  mkdirSync(join(folder, 'mixed/.hidden'), { recursive: true });
  writeFileSync(join(folder, 'mixed/a.jsonl'), LINE);
  writeFileSync(join(folder, 'mixed/b.jsonl.gz'), gzip(LINE));
  writeFileSync(join(folder, 'mixed/.hidden/c.zip'), zip([['inner/c.jsonl', LINE], ['__MACOSX/._c', LINE]]));
  symlinkSync('/etc', join(folder, 'mixed/link'));
  const history = openHistory(join(folder, 'mixed'));
  const sources = history.sources().map(({ path, state }) => `${path} ${state}`);
  assert.deepEqual(sources, [
    'mixed/.hidden/c.zip/inner/c.jsonl read',
    'mixed/a.jsonl read',
    'mixed/b.jsonl read',
    'mixed/link refused',
  ]);
  history.free();
});

test('what is refused is listed with its rule and reason', () => {
  const bytes = zip([['1.jsonl', LINE], ['2.jsonl', LINE], ['3.zip', zip([['a', LINE]])], ['../4.jsonl', LINE]], {
    change: (entry, name) =>
      name === '1.jsonl' ? { ...entry, flags: 1 } : name === '2.jsonl' ? { ...entry, crc: 1 } : entry,
  });
  const entries = Array.from(unpack({ name: 'x.zip', data: bytes }));
  assert.deepEqual(
    entries.map(({ path, data, refusal }) => [path, data.length, refusal?.rule]),
    [
      ['x.zip/../4.jsonl', LINE.length, undefined],
      ['x.zip/1.jsonl', 0, 'source/refused'],
      ['x.zip/2.jsonl', LINE.length, 'source/unreadable'],
      ['x.zip/3.zip', 0, 'source/refused'],
    ],
  );
  const history = openHistory({ name: 'x.zip', data: bytes });
  const states = history.sources().map(({ state, reason = '' }) => `${state} ${reason}`);
  assert.match(states[1], /^refused it is encrypted/);
  assert.match(states[2], /^read its checksum does not match/);
  assert.match(states[3], /^refused it is a zip archive inside another archive/);
  assert.equal(history.recordCount, 2);
  history.free();
});

test('limits are those of the caller', () => {
  const data = zip([['a.txt', Buffer.alloc(1 << 20)]]);
  const refused = (limits) => unpack({ name: 'x.zip', data }, limits).next().value.refusal?.rule;
  assert.equal(refused(undefined), undefined);
  assert.equal(refused({ ratio: 100, ratioAfter: 1000 }), 'container/bomb');
  assert.equal(refused({ total: 1000 }), 'container/bomb');
  const history = openHistory({ name: 'x.zip', data }, { limits: { total: 1000, ratio: null } });
  assert.ok(history.findings().some(({ rule }) => rule === 'container/bomb'));
  history.free();
  for (const wrong of [{ total: -1 }, { total: 1.5 }, { most: 1 }, { entries: '3' }]) {
    fails('invalid-option', () => Array.from(unpack({ name: 'x.zip', data }, wrong)));
    fails('invalid-option', () => openHistory({ name: 'x.zip', data }, { limits: wrong }));
  }
});

test('entries beyond what is kept are unpacked again, in order and out of it', () => {
  // 300 MiB of records of 1 MiB: more than a history keeps.
  const filler = 'x'.repeat(1 << 20);
  const record = (n) => `${JSON.stringify({ trial_number: n, loop_id: 'a', outcome: 'failure', reflection: `Lesson ${n}.`, filler })}\n`;
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, n) => record(n)).join(''));
  const path = written('large.jsonl.gz', gzip(bytes, { level: 1 }));
  const history = openHistory(path, { limits: { ratio: 1e6 } });
  assert.equal(history.recordCount, 300);
  for (const record of [0, 1, 299, 150, 151, 3]) {
    assert.equal(history.inspect(record).reflections[0].text, `Lesson ${record}.`);
  }
  writeFileSync(path, gzip(LINE));
  fails('unreadable-input', () => history.inspect(0));
  history.free();
});

test('what is not there, or no file, is an error', () => {
  fails('unreadable-input', () => unpack(join(folder, 'nothing.zip')));
  fails('unreadable-input', () => unpack(folder));
  fails('unreadable-input', () => unpack(7));
  fails('unreadable-input', () => openHistory({ name: 'x', data: new Blob([]) }));
  const history = new History();
  const source = history.open('x');
  fails('invalid-option', () => history.refuse(source, 'source/unknown', 'why'));
  history.free();
});

test('a history by hand says how archives are opened', () => {
  const history = new History();
  const source = history.open('x.zip');
  history.push(source, zip([['a', LINE]]));
  history.finish(source);
  assert.match(history.sources()[0].reason, /it is a zip archive; unpack it first/);
  history.free();
});

test('Blobs that cannot be read are listed', async () => {
  const broken = new File([LINE], 'a.jsonl');
  broken.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) });
  const history = await openFiles([broken, new File([LINE], 'b.jsonl')]);
  assert.deepEqual(history.sources().map(({ state, reason }) => [state, reason]), [['refused', 'gone'], ['read', undefined]]);
  history.free();
  await assert.rejects(openFiles([7]), { code: 'unreadable-input' });
  const later = [];
  for await (const { path } of unpack(new File([zip([['a', LINE]])], 'x.zip'))) later.push(path);
  assert.deepEqual(later, ['x.zip/a']);
});
