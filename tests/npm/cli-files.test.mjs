// Files of the user: what a command writes over, what it leaves behind, and how long names are printed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answersHere, home, plainEnv, program, refusesHere } from './cli.mjs';

const RUN = 'runs/ralph-token-expiry';
const isPosix = process.platform !== 'win32';

function folderOf(name) {
  const folder = join(home, name);
  mkdirSync(folder);
  return folder;
}

const convert = (...args) => answersHere(['convert', '--to', 'csv', ...args, RUN]);

test('a file that is written again keeps its permissions', { skip: !isPosix }, async () => {
  const file = join(folderOf('private'), 'a.csv');
  writeFileSync(file, 'mine');
  chmodSync(file, 0o600);
  await convert('--out', file, '--force');
  assert.equal((statSync(file).mode & 0o777).toString(8), '600');
  assert.match(readFileSync(file, 'utf8'), /^group,run/);
});

test('a link stays, and what it points to is written', { skip: !isPosix }, async () => {
  const folder = folderOf('links');
  const at = (name) => join(folder, name);
  writeFileSync(at('real.csv'), 'mine');
  symlinkSync('real.csv', at('link.csv'));
  symlinkSync('second.csv', at('first.csv'));
  symlinkSync('nothing.csv', at('second.csv'));
  symlinkSync('round.csv', at('round.csv'));
  for (const link of ['link.csv', 'first.csv']) {
    await refusesHere(2, 'file-exists', ['convert', '--out', at(link), RUN]);
    await convert('--out', at(link), '--force');
  }
  assert.match(readFileSync(at('real.csv'), 'utf8'), /^group,run/);
  assert.match(readFileSync(at('nothing.csv'), 'utf8'), /^group,run/);
  assert.deepEqual(['link.csv', 'first.csv', 'second.csv'].map((name) => readlinkSync(at(name))), ['real.csv', 'second.csv', 'nothing.csv']);
  await refusesHere(3, 'unwritable-output', ['convert', '--out', at('round.csv'), '--force', RUN]);
  assert.deepEqual(readdirSync(folder).sort(), ['first.csv', 'link.csv', 'nothing.csv', 'real.csv', 'round.csv', 'second.csv']);
});

test('a pipe or device gets the bytes, and stays what it is', { skip: !isPosix, timeout: 60_000 }, async () => {
  const folder = folderOf('pipes');
  const pipe = join(folder, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  await refusesHere(2, 'file-exists', ['convert', '--out', pipe, RUN]);
  const reader = spawn('cat', [pipe]);
  let got = '';
  reader.stdout.setEncoding('utf8').on('data', (text) => {
    got += text;
  });
  const ended = new Promise((go) => reader.once('close', go));
  await convert('--out', pipe, '--force');
  await ended;
  assert.equal(got, await convert());
  assert.ok(lstatSync(pipe).isFIFO());
});

/** `/dev/null`, which only root could replace; for root, who should not lose it, a device of the same kind. */
function nullDevice() {
  if (process.getuid() !== 0) return '/dev/null';
  const device = join(folderOf('devices'), 'null');
  try {
    execFileSync('mknod', [device, 'c', '1', '3'], { stdio: 'ignore' });
    writeFileSync(device, '');
    return device;
  } catch {
    return undefined;
  }
}

test('a device stays a device', { skip: !isPosix }, async (t) => {
  const device = nullDevice();
  if (device === undefined) return t.skip('No device can be made here.');
  const before = lstatSync(device);
  await refusesHere(2, 'file-exists', ['convert', '--out', device, '--to', 'csv', RUN]);
  await convert('--out', device, '--force');
  const after = lstatSync(device);
  assert.deepEqual([after.isCharacterDevice(), after.ino, after.rdev, after.mode], [true, before.ino, before.rdev, before.mode]);
  return assert.deepEqual(readdirSync(join(device, '..')).filter((name) => name.endsWith('.part')), []);
});

test('a command that is stopped while it writes leaves nothing', { skip: !isPosix, timeout: 120_000 }, async () => {
  const folder = folderOf('stopped');
  const line = (at) => `${JSON.stringify({ loop_id: `ralph-${Math.floor(at / 50)}`, iteration: at % 50, self_reflection: { reflection_text: 'Again. '.repeat(20) } })}\n`;
  const many = join(home, 'many.jsonl');
  writeFileSync(many, Array.from({ length: 60_000 }, (_, at) => line(at)).join(''));
  const isDraft = (name) => name.endsWith('.part');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL']) {
    const child = spawn(process.execPath, [program, 'convert', '--out', join(folder, 'all.hindscope.jsonl'), many], { env: plainEnv(), stdio: 'ignore' });
    const ended = new Promise((go) => child.once('close', (...how) => go(how)));
    while (!readdirSync(folder).some(isDraft) && child.exitCode === null) await new Promise((go) => setTimeout(go, 2));
    child.kill(signal);
    const [code] = await ended;
    const left = readdirSync(folder);
    if (signal !== 'SIGKILL') assert.deepEqual([code, left], [{ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal], []], signal);
    else assert.deepEqual(left.map(isDraft), [true], 'a killed process cannot remove its draft');
  }
  // The draft that a killed process left is not opened as a history.
  await refusesHere(1, 'no-runs', ['stats', folder]);
});

test('a very long name is cut, and whole in JSON', async () => {
  const id = 'r'.repeat(200_000);
  const file = join(home, 'long.jsonl');
  writeFileSync(file, [1, 2].map((n) => `${JSON.stringify({ trial_number: n, loop_id: id, outcome: 'failure', reflection: 'Too fast.' })}\n`).join(''));
  for (const args of [['stats', '--runs'], ['insights'], ['search', 'fast'], ['history', id]]) {
    const text = await answersHere([...args, file]);
    assert.ok(text.length < 5000, `${args[0]}: ${text.length} characters`);
    assert.match(text, /r{200}… \(200,000 characters\)/, args[0]);
  }
  assert.equal(JSON.parse(await answersHere(['stats', '--runs', '--json', file])).runs[0].key, id);

  const task = `Mend the lamp. ${'t'.repeat(199_985)}`;
  const asked = join(home, 'asked.jsonl');
  writeFileSync(asked, [1, 2].map((n) => `${JSON.stringify({ trial_number: n, loop_id: 'short', task, outcome: 'failure', reflection: 'Too fast.' })}\n`).join(''));
  for (const args of [['stats', '--runs'], ['insights'], ['history', 'short'], ['window', 'short']]) {
    const text = await answersHere([...args, asked]);
    assert.ok(text.length < 5000, `${args[0]}: ${text.length} characters`);
    assert.match(text, /Mend the lamp\. t{185,}… \(200,000 characters\)/, args[0]);
  }
  assert.equal(JSON.parse(await answersHere(['stats', '--runs', '--json', asked])).runs[0].task, task);
});
