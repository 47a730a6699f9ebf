// What `hindscope view` serves, to whom, and how the page gets beside the command: no test here needs a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { given } from '../faces.mjs';
import { home, plainEnv, refuses, refusesHere } from '../npm/cli.mjs';
import { project, scratch } from '../npm/package.mjs';
import { addViewer, viewed } from './viewed.mjs';

const TREE = 'runs/episodic-tree';

/** Asks the server for something; gives status, headers and text. */
async function ask(address, { method = 'GET', path, headers = {} } = {}) {
  const { port, pathname } = new URL(address);
  const asked = request({ host: '127.0.0.1', port, path: path ?? pathname, method, headers }).end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: response.statusCode, headers: response.headers, text };
}

test('the page is served on loopback, to nobody else', async (t) => {
  const { line: address, end } = await viewed(t, [TREE]);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/$/);
  const { status, headers, text } = await ask(address);
  assert.equal(status, 200);
  assert.match(headers['content-security-policy'], /^default-src 'none'; .*connect-src 'none'.*frame-ancestors 'none'$/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(text, /id="hindscope-data" data-name="hindscope-[^"<>]+\.hindscope\.jsonl">[\w+/=]{1000,}<\/script>/);
  const head = await ask(address, { method: 'HEAD' });
  assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(Buffer.byteLength(text))]);
  const own = new URL(address).host;
  const refused = [
    [404, { path: '/' }],
    [404, { path: `${new URL(address).pathname}../package.json` }],
    [404, { path: `${new URL(address).pathname}%2e%2e/x` }],
    [404, { path: '/favicon.ico' }],
    [405, { method: 'POST' }],
    [405, { method: 'OPTIONS' }],
    [421, { headers: { host: 'evil.example' } }],
    [421, { headers: { host: `evil.example:${new URL(address).port}` } }],
    [403, { headers: { origin: 'https://evil.example' } }],
    [403, { headers: { origin: 'null' } }],
    [403, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' } }],
    [403, { headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' } }],
  ];
  for (const [expected, how] of refused) {
    const answer = await ask(address, how);
    assert.equal(answer.status, expected, JSON.stringify(how));
    assert.doesNotMatch(answer.text, /lantern|hindscope-data/);
  }
  assert.equal((await ask(address, { headers: { origin: `http://${own}` } })).status, 200);
  assert.equal((await ask(address, { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' } })).status, 200, 'a link may lead there');
  assert.deepEqual(await end(), { status: 0, signal: null });
  await assert.rejects(ask(address));
});

test('with --follow the page may ask for the files of the paths, and for no others', async (t) => {
  mkdirSync(join(home, 'grows/sub'), { recursive: true });
  writeFileSync(join(home, 'grows/sub/a b.jsonl'), '{"a":1}\n');
  writeFileSync(join(home, 'beside.jsonl'), 'secret');
  symlinkSync(join(home, 'beside.jsonl'), join(home, 'grows/link.jsonl'));
  const { line: address, end } = await viewed(t, ['--follow', 'grows']);
  const { pathname, host } = new URL(address);
  const live = (name, more) => ask(address, { path: `${pathname}live/${name}`, ...more });
  const page = await ask(address);
  assert.match(page.headers['content-security-policy'], /^default-src 'none'; .*connect-src 'self'.*frame-ancestors 'none'$/);
  assert.match(page.text, /connect-src 'self'[^>]*>/);
  assert.match(page.text, /id="hindscope-data" data-name="" data-live=""><\/script>/);
  assert.equal((await live('0/sub%2Fa%20b.jsonl')).status, 404, 'it was not listed yet');
  assert.deepEqual(JSON.parse((await live('')).text), [{ name: 'grows', isFolder: true }]);
  const { status, text, headers } = await live('0');
  assert.deepEqual([status, headers['x-content-type-options'], headers['cache-control']], [200, 'nosniff', 'no-store']);
  const [link, file] = JSON.parse(text);
  assert.deepEqual(link, { name: 'link.jsonl', problem: 'a symbolic link is not followed' });
  assert.deepEqual([file.name, file.size, Number.isInteger(file.modified)], ['sub/a b.jsonl', 8, true]);
  assert.deepEqual((await live('0/sub%2Fa%20b.jsonl')).text, '{"a":1}\n');
  assert.deepEqual((await live('0/sub%2Fa%20b.jsonl', { method: 'HEAD' })).text, '');
  for (const name of ['1', 'length', '__proto__', '0/', '0/link.jsonl', '0/..%2Fbeside.jsonl', '0/../../beside.jsonl', '0/%', '0/sub/a%20b.jsonl', '0/beside.jsonl']) {
    const { status, text } = await live(name);
    assert.deepEqual([status, text.includes('secret')], [404, false], name);
  }
  assert.equal((await live('0', { headers: { host: 'evil.example' } })).status, 421);
  assert.equal((await live('0', { headers: { origin: 'https://evil.example' } })).status, 403);
  assert.equal((await live('0', { headers: { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' } })).status, 403);
  assert.equal((await live('0', { method: 'POST' })).status, 405);
  assert.equal((await ask(address, { path: '/live/0' })).status, 404);
  assert.equal((await ask(`http://${host}/`, { path: `${pathname}live` })).status, 404);
  rmSync(join(home, 'grows'), { recursive: true });
  const gone = await live('0');
  assert.deepEqual([gone.status, /Cannot open .*grows: ENOENT/.test(gone.text)], [404, true], gone.text);
  assert.deepEqual(await end(), { status: 0, signal: null });
  await refusesHere(2, 'invalid-option', ['view', '--follow', '--empty']);
  await refusesHere(2, 'invalid-option', ['view', '--follow', '-']);
  await refusesHere(2, 'invalid-option', ['view', '--follow', '--query', 'outcome:failure', TREE]);
  await refusesHere(3, 'unreadable-input', ['view', '--follow', 'no-such-folder']);
  await refusesHere(3, 'unreadable-input', ['view', '--follow', '/dev/null']);
});

test('a port of one’s own, and addresses that are never the same', async (t) => {
  const first = await viewed(t, ['--json', TREE]);
  const { address, port, runs, carried } = JSON.parse(first.line);
  assert.equal(Number(new URL(address).port), port);
  assert.ok(runs === 4 && carried > 1000);
  const error = refuses(3, 'port-taken', ['view', '--port', String(port), TREE]);
  assert.match(error.message, /another program/);
  assert.deepEqual(await first.end('SIGTERM'), { status: 0, signal: null });
  const second = await viewed(t, ['--port', String(port), '--run', 'task-lantern', '--json', TREE]);
  const again = JSON.parse(second.line);
  assert.deepEqual([again.port, again.runs], [port, 1]);
  assert.notEqual(again.address, address);
  await second.end();
});

test('what is too large is said, with the ways to go on', async (t) => {
  const text = 'x'.repeat(200);
  const line = (n) => `{"loop_id":"ralph-large","iteration":${n},"self_reflection":{"reflection_text":"${text}${n}"}}\n`;
  writeFileSync(join(home, 'large.jsonl'), Array.from({ length: 5000 }, (_, n) => line(n)).join(''));
  const { message, hint, details } = await refusesHere(3, 'too-large', ['view', '--limit', '1', 'large.jsonl']);
  assert.match(message, /1\.0 MB/);
  for (const way of ['--query', '--limit', '--empty']) assert.ok(hint.includes(way));
  assert.deepEqual(details, { limit: 1_000_000 });
  const empty = await viewed(t, ['--empty']);
  assert.match((await ask(empty.line)).text, /id="hindscope-data" data-name=""><\/script>/);
  await empty.end();
  await refusesHere(2, 'invalid-option', ['view', '--empty', TREE]);
  await refusesHere(2, 'invalid-option', ['view', '--port', '70000', TREE]);
  await refusesHere(1, 'no-runs', ['view', '--query', 'outcome:running', TREE]);
});

/** npm that knows no registry, and has nothing in its cache. */
const NPM = plainEnv({ npm_config_cache: scratch(), npm_config_offline: 'true', npm_config_yes: 'true', npm_config_audit: 'false', npm_config_fund: 'false' });

/** A command with the packed tarballs in place of what the registry would give. */
function offline(command) {
  const tarballs = { hindscope: given('HINDSCOPE_TGZ'), 'hindscope-viewer': given('HINDSCOPE_VIEWER') };
  const version = JSON.parse(readFileSync(join(home, 'node_modules/hindscope/package.json'), 'utf8')).version;
  return command.replaceAll(/\b(hindscope|hindscope-viewer)@(\S+)/g, (_, name, asked) => {
    assert.equal(asked, version);
    return `'${resolve(tarballs[name])}'`;
  });
}

/** Calls `hindscope view`, which must be refused; gives the reason and the command that helps. */
async function refused(t, command, { cwd, env = NPM }) {
  let answer;
  await assert.rejects(viewed(t, [], { command: ['sh', '-c', `${command} --empty --json`], cwd, env }), (error) => {
    assert.equal(error.status, 3, error.message);
    answer = JSON.parse(error.said).error;
    return true;
  });
  const { code, message, hint, details } = answer;
  assert.equal(code, 'no-page');
  if (details.command !== undefined) assert.ok(hint.endsWith(`: ${details.command}`), hint);
  return { message, hint, command: details.command };
}

const npm = (command, { cwd, env = NPM }) => execFileSync('sh', ['-c', offline(command)], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });

/** Such a call must serve the page. */
async function serves(t, command, { cwd, env = NPM }) {
  const { line, end } = await viewed(t, [], { command: ['sh', '-c', `${command} --empty`], cwd, env });
  assert.match((await ask(line)).text, /^<!DOCTYPE html>[^]*<title>hindscope</);
  await end();
}

test('in a project, one command brings the page', async (t) => {
  const at = { cwd: project() };
  const view = 'node_modules/.bin/hindscope view';
  const { message, command } = await refused(t, view, at);
  assert.match(message, /hindscope-viewer, which is not installed/);
  assert.match(command, /^npm install hindscope-viewer@/);
  npm(command, at);
  await serves(t, view, at);
});

test('with a global installation, one command brings the page', async (t) => {
  const prefix = scratch();
  const at = { cwd: scratch(), env: { ...NPM, npm_config_prefix: prefix } };
  npm(`npm install --global '${resolve(given('HINDSCOPE_TGZ'))}'`, at);
  const view = `'${join(prefix, 'bin/hindscope')}' view`;
  const { command } = await refused(t, view, at);
  assert.match(command, /^npm install --global hindscope-viewer@/);
  npm(command, at);
  await serves(t, view, at);
});

test('with npx, one command has the page', async (t) => {
  const at = { cwd: scratch() };
  const { command } = await refused(t, `npx -p '${resolve(given('HINDSCOPE_TGZ'))}' hindscope view`, at);
  assert.match(command, /^npx -p hindscope@\S+ -p hindscope-viewer@\S+ hindscope view$/);
  await serves(t, offline(command), at);
});

test('where another program installed globally, no command is given that would be wrong', async (t) => {
  const global = project();
  const view = `'${join(global, 'node_modules/.bin/hindscope')}' view`;
  const { hint, command } = await refused(t, view, { cwd: scratch() });
  assert.equal(command, undefined);
  assert.match(hint, /^Install hindscope-viewer@\S+ where hindscope is installed, in \S+, in the way/);
  addViewer(global);
  await serves(t, view, { cwd: scratch() });
});

test('packages that are linked as pnpm links them have the page', async (t) => {
  const cwd = project();
  const at = (name) => join(cwd, 'node_modules', name);
  addViewer(cwd);
  for (const [name, beside] of [['hindscope', 'a'], ['hindscope-viewer', 'b']]) {
    mkdirSync(at(`.pnpm/${beside}/node_modules`), { recursive: true });
    renameSync(at(name), at(`.pnpm/${beside}/node_modules/${name}`));
    symlinkSync(at(`.pnpm/${beside}/node_modules/${name}`), at(name));
  }
  const view = 'node_modules/.bin/hindscope view';
  await refused(t, view, { cwd });
  symlinkSync(at('.pnpm/b/node_modules/hindscope-viewer'), at('.pnpm/a/node_modules/hindscope-viewer'));
  await serves(t, view, { cwd });
});

test('a page that is not beside the command is not served', async (t) => {
  const above = scratch();
  addViewer(above);
  const cwd = join(above, 'project');
  cpSync(project(), cwd, { recursive: true, verbatimSymlinks: true });
  const view = 'node_modules/.bin/hindscope view';
  for (const env of [NPM, { ...NPM, NODE_PATH: join(above, 'node_modules') }]) {
    assert.match((await refused(t, view, { cwd, env })).message, /not installed/);
  }
  // Beside the command, but in no `node_modules`.
  const loose = scratch();
  for (const name of ['hindscope', 'hindscope-viewer']) cpSync(join(name === 'hindscope' ? cwd : above, 'node_modules', name), join(loose, name), { recursive: true });
  assert.match((await refused(t, `node '${join(loose, 'hindscope/cli/main.mjs')}' view`, { cwd: loose })).message, /not installed/);
});

test('a page of another version, a damaged one and one from elsewhere are not served', async (t) => {
  const cwd = project();
  const view = `'${join(cwd, 'node_modules/.bin/hindscope')}' view`;
  const page = addViewer(cwd);
  const manifest = join(page, 'package.json');
  const whole = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(whole), version: '0.0.7' }));
  const { message, command } = await refused(t, view, { cwd });
  assert.match(message, /^hindscope-viewer 0\.0\.7 is installed, but hindscope (\S+) needs hindscope-viewer \1\.$/);
  npm(command, { cwd });
  await serves(t, view, { cwd });
  rmSync(join(page, 'viewer.html'));
  assert.match((await refused(t, view, { cwd })).message, /^Cannot read hindscope-viewer: .*viewer\.html/);
  // A folder of runs may hold anything, also something that looks like the page.
  rmSync(page, { recursive: true });
  const foreign = scratch();
  addViewer(foreign);
  assert.match((await refused(t, view, { cwd: foreign })).message, /not installed/);
});
