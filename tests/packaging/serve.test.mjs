// What `cargo xtask serve` runs: files of one folder, and nothing else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { serveFolder } from '../../web/serve.mjs';
import { root } from '../faces.mjs';

/** A folder with a page, a secret beside it, and a link to the secret. */
const folder = mkdtempSync(join(tmpdir(), 'hindscope-serve-'));
const page = join(folder, 'page');
mkdirSync(join(page, 'sub'), { recursive: true });
writeFileSync(join(page, 'index.html'), '<p>hi');
writeFileSync(join(page, 'sub/a b.wasm'), '\0asm');
writeFileSync(join(page, 'dot.png'), 'png');
writeFileSync(join(page, '.hidden'), 'no');
writeFileSync(join(folder, 'secret'), 'no');
symlinkSync(join(folder, 'secret'), join(page, 'link'));

const child = spawn(process.execPath, [join(root, 'web/serve.mjs'), page, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
const said = await new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
after(() => {
  child.kill();
  rmSync(folder, { recursive: true });
});

/** An answer to a path as it is, which `fetch` would tidy up. */
function get(path, { method = 'GET', headers = {}, from = origin } = {}) {
  const { hostname, port } = new URL(from);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }));
    }).on('error', reject).end();
  });
}

test('files come with type and length, and guarded', async () => {
  const html = await get('/');
  assert.equal(html.status, 200);
  assert.equal(html.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(String(html.body), '<p>hi');
  const wasm = await get('/sub/a%20b.wasm?v=1');
  assert.equal(wasm.headers['content-type'], 'application/wasm');
  assert.equal(wasm.headers['content-length'], '4');
  assert.equal(wasm.headers['x-content-type-options'], 'nosniff');
  assert.equal(wasm.headers['cross-origin-embedder-policy'], 'require-corp');
  assert.equal(wasm.headers['cache-control'], 'no-store');
});

test('HEAD sends no body', async () => {
  const { headers, body } = await get('/index.html', { method: 'HEAD' });
  assert.equal(headers['content-length'], '5');
  assert.equal(body.length, 0);
});

test('nothing outside of the folder is served', async () => {
  for (const path of [
    '/../secret', '/%2e%2e/secret', '/sub/..%2f..%2fsecret', '/sub/..%5c..%5csecret', '/link', '/.hidden', '/none', '/sub',
    '//etc/passwd', '/%00', '/%zz', '/%e4', '/index.html/',
  ]) {
    const { status, body } = await get(path);
    const isFile = path === '/index.html/';
    assert.deepEqual([status, String(body)], isFile ? [200, '<p>hi'] : [404, ''], path);
  }
});

test('other requests are refused', async () => {
  assert.equal((await get('/', { method: 'POST' })).status, 405);
  const { port } = new URL(origin);
  const answer = await new Promise((resolve) => {
    connect(port, '127.0.0.1').setEncoding('utf8').once('data', resolve).end('GET secret HTTP/1.1\r\n\r\n');
  });
  assert.match(answer, /^HTTP\/1.1 400 /);
});

test('a browser that accepts brotli gets it, and no other', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  for (let again = 0; again < 2; again += 1) {
    const html = await get('/', { headers });
    assert.equal(html.headers['content-encoding'], 'br');
    assert.equal(html.headers.vary, 'accept-encoding');
    assert.equal(Number(html.headers['content-length']), html.body.length);
    assert.equal(String(brotliDecompressSync(html.body)), '<p>hi');
  }
  assert.equal((await get('/', { headers, method: 'HEAD' })).headers['content-encoding'], 'br');
  assert.equal((await get('/', { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'], undefined);
  assert.equal((await get('/dot.png', { headers })).headers['content-encoding'], undefined);
  writeFileSync(join(page, 'index.html'), '<p>changed');
  assert.equal(String(brotliDecompressSync((await get('/', { headers })).body)), '<p>changed');
});

test('tests get a host that adds nothing, at a path of their choice', async (t) => {
  const site = await serveFolder(page, { mount: '/project/' });
  t.after(() => site.close());
  const { status, headers } = await get('/project/', { from: site.origin, headers: { 'accept-encoding': 'br' } });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(headers).sort(), ['connection', 'content-length', 'content-type', 'date']);
  assert.equal((await get('/', { from: site.origin })).status, 404);
});

test('it ends at Ctrl-C', async () => {
  child.kill('SIGINT');
  assert.equal(await ended, 'SIGINT');
});
