// The command line as its users have it: installed, and called as a program of its own. A start costs
// many times what a command does, so calls that need no process of their own are made in this one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../faces.mjs';
import { projectWithEngines, tsc } from './package.mjs';

/** The folder that commands are called in: a project with the package, and histories in `runs`. */
export const home = projectWithEngines();
export const installed = join(home, 'node_modules/hindscope');
/** The program as npm links it. */
export const program = join(home, 'node_modules/.bin/hindscope');

mkdirSync(join(home, 'runs'));
for (const path of ['aiwg/2026.1/ralph-token-expiry', 'reflexion/2023/alfworld', 'aiwg/2026.4/episodic-tree']) {
  cpSync(join(root, 'tests/fixtures', path), join(home, 'runs', basename(path)), { recursive: true });
}

// Calls in this process have no folder of their own.
process.chdir(home);

/** What the caller's terminal says must not decide what is tested. */
export function plainEnv(changes = {}) {
  const { NO_COLOR, FORCE_COLOR, COLORTERM, ...env } = process.env;
  return { ...env, TERM: 'xterm-256color', ...changes };
}

/** The same, where `hindscope` is a command, run by the Node that runs the test. */
export function onPath(changes) {
  return plainEnv({ PATH: [join(home, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter), ...changes });
}

/** Characters that steer a terminal, turn the reading direction, or hide. Joiners are parts of words and emoji. */
export const RAW = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

/** Calls the program; gives its exit code, its answer, and what it said beside it. */
export function hindscope(args, { input = '', env, cwd = home, ...options } = {}) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    input,
    env: plainEnv(env),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });
  return { status, signal, stdout, stderr };
}

/** A stream that keeps what is written. */
class Kept {
  isTTY = false;
  text = '';

  write(piece) {
    this.text += piece;
    return true;
  }

  on() {}

  once() {}
}

/** The same in this process: all that the program does but for its start, standard input and its end. With `columns` on a terminal. */
export async function hindscopeHere(args, { env, columns } = {}) {
  const { run } = await import(pathToFileURL(join(installed, 'cli/run.mjs')));
  const host = { stdout: new Kept(), stderr: new Kept(), env: plainEnv(env) };
  if (columns !== undefined) Object.assign(host.stdout, { isTTY: true, columns });
  const status = await run(args, host);
  return { status, stdout: host.stdout.text, stderr: host.stderr.text };
}

/** Its answer, where it must be fine. */
export async function answersHere(args, options) {
  const { status, stdout, stderr } = await hindscopeHere(args, options);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The refusal in JSON, where there must be one, with its exit code and its code. */
export async function refusesHere(exit, code, args) {
  return refusal(exit, code, args, await hindscopeHere([...args, '--json']));
}

/** Its answer, where it must be fine. */
export function answers(args, options) {
  const { status, stdout, stderr } = hindscope(args, options);
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The refusal in JSON, where there must be one, with its exit code and its code. */
export function refuses(exit, code, args, options) {
  return refusal(exit, code, args, hindscope([...args, '--json'], options));
}

function refusal(exit, code, args, { stdout, stderr, status }) {
  assert.equal(status, exit, `${args.join(' ')}: ${stderr}`);
  assert.equal(stdout, '');
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1));
  assert.equal(error.code, code, stderr);
  return error;
}

/** The same as people read it. */
export function refusesPlainly(exit, code, args, options) {
  const { stdout, stderr, status } = hindscope(args, options);
  assert.deepEqual([status, stdout], [exit, ''], `${args.join(' ')}: ${stderr}`);
  assert.match(stderr, new RegExp(`^hindscope: .*\\n(?: {2}.*\\n)* {2}\\[${code}\\]\\n$`), 'a sentence, a hint and the code, and no stack');
}

/** Calls it on a terminal of its own; gives everything that was written to the terminal. */
export function onTerminal(line, { input = '', env } = {}) {
  const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: home,
    input,
    env: onPath(env),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { stdout: stdout.replaceAll('\r\n', '\n'), status };
}

/** What must compile, with the types of the answers as `answers`. */
export function compiles(folder, lines) {
  writeFileSync(join(folder, 'shapes.ts'), `import type * as answers from 'hindscope/cli/answers';\n${lines.join('\n')}\n`);
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext'];
  const { stdout, status } = spawnSync(tsc, [...flags, 'shapes.ts'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

/** A text that was looked at once, in tests/npm/cli; HINDSCOPE_BLESS=1 writes it anew. */
export function golden(name, text) {
  const file = join(root, 'tests/npm/cli', name);
  if (process.env.HINDSCOPE_BLESS === '1') writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'), `${name} (HINDSCOPE_BLESS=1 writes it anew)`);
}
