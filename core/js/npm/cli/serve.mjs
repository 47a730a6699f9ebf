// Serves one page on the loopback address, to anyone who knows its secret path.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { messageOf } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';

const LOOPBACK = '127.0.0.1';
/** Below it, in the address, is what a page that follows files asks for. */
const LIVE = 'live/';

/**
 * Serves the pieces of a page. `source` is the page's HTML with its content security policy. `followed` answers the
 * requests of a page that follows files, for names below `live/`.
 */
export async function serve(html, source, port, followed) {
  // Every user and every page on this machine can reach loopback, but cannot guess this path.
  const path = `/${randomBytes(16).toString('base64url')}/`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': html.reduce((sum, { length }) => sum + length, 0),
    'content-security-policy': `${policyOf(source)}; frame-ancestors 'none'`,
    ...GUARDS,
  };
  const server = createServer((request, response) => {
    const say = (status, why) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...(status === 405 && { allow: 'GET, HEAD' }), ...GUARDS });
      response.end(`${why}\n`);
    };
    const refusal = refused(request, server.address().port);
    if (refusal) return say(...refusal);
    const live = `${path}${LIVE}`;
    if (followed && request.url.startsWith(live)) {
      return give(followed(request.url.slice(live.length)), response, say);
    }
    if (request.url !== path) return say(404, 'Not found: use the whole address that `hindscope view` has printed.');
    response.writeHead(200, headers);
    if (request.method === 'GET') for (const piece of html) response.write(piece);
    response.end();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await listening(server, port);
  const taken = server.address().port;
  return {
    port: taken,
    address: `http://${LOOPBACK}:${taken}${path}`,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

/** Gives what is there of a name; if nothing is, the reason. */
function give({ json, file, why = 'The file was removed, or was not listed.' }, response, say) {
  const begin = (type) => response.writeHead(200, { 'content-type': type, ...GUARDS });
  if (json) return begin('application/json; charset=utf-8').end(JSON.stringify(json));
  if (!file) return say(404, why);
  file.once('open', () => pipeline(file, begin('application/octet-stream'), () => {}));
  file.once('error', (cause) => response.headersSent || say(cause.code === 'ENOENT' ? 404 : 403, messageOf(cause)));
}

const GUARDS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The content security policy in the page, which lists its scripts by their hashes. */
function policyOf(source) {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(source)?.[1];
  if (policy) return policy;
  throw new Refusal('no-page', 'The page of hindscope-viewer has no content security policy: install the package again.', { exit: EXIT.io });
}

/** Status and reason if a request is refused. */
function refused({ method, headers }, port) {
  // Another host name that resolves to this machine would be another origin with this page in it.
  if (![`${LOOPBACK}:${port}`, `localhost:${port}`].includes(headers.host)) return [421, 'Unexpected Host header: use the address that `hindscope view` has printed.'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'Only GET and HEAD are allowed.'];
  const isForeign = headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
  const site = headers['sec-fetch-site'];
  // Links may lead here, but no other page may fetch or embed this one.
  const isEmbedded = site !== undefined && !['none', 'same-origin'].includes(site) && headers['sec-fetch-dest'] !== 'document';
  if (isForeign || isEmbedded) return [403, 'Other pages may not use this page.'];
  return undefined;
}

function listening(server, port) {
  return new Promise((done, fail) => {
    server.once('error', (cause) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program uses it' : messageOf(cause);
      fail(new Refusal('port-taken', `Cannot listen on port ${port}: ${why}.`, { exit: EXIT.io, hint: 'Choose another port, or leave out --port to get a free one.', details: { port }, cause }));
    });
    server.listen(port, LOOPBACK, done);
  });
}
