// One page on loopback, for whoever has its whole address.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { said } from '../error.mjs';
import { EXIT, Refusal } from './errors.mjs';

const LOOPBACK = '127.0.0.1';

/** Serves the pieces of a page; `source` is where its own policy stands. */
export async function serve(html, source, port) {
  // Any user and any page of this machine can reach loopback; neither knows this.
  const path = `/${randomBytes(16).toString('base64url')}/`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': html.reduce((sum, { length }) => sum + length, 0),
    'content-security-policy': `${policyOf(source)}; frame-ancestors 'none'`,
    ...GUARDS,
  };
  const server = createServer((request, response) => {
    const refusal = refused(request, server.address().port, path);
    if (refusal) {
      const [status, why] = refusal;
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...(status === 405 && { allow: 'GET, HEAD' }), ...GUARDS });
      response.end(`${why}\n`);
      return;
    }
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

const GUARDS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The policy that the page brings itself, which names its scripts by their hashes. */
function policyOf(source) {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(source)?.[1];
  if (policy) return policy;
  throw new Refusal('no-page', 'The page of this package has no content policy: it is of another build.', { exit: EXIT.unread });
}

/** Why a request is not answered, if so. */
function refused({ method, url, headers }, port, path) {
  // A name that someone lets point to this machine would be another origin with our page in it.
  if (![`${LOOPBACK}:${port}`, `localhost:${port}`].includes(headers.host)) return [421, 'This is not the host that was asked for.'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'Only GET and HEAD are answered.'];
  const isForeign = headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
  const site = headers['sec-fetch-site'];
  // A link may lead here; nothing of another page may fetch or embed it.
  const isEmbedded = site !== undefined && !['none', 'same-origin'].includes(site) && headers['sec-fetch-dest'] !== 'document';
  if (isForeign || isEmbedded) return [403, 'This page is for nobody else.'];
  if (url !== path) return [404, 'The address is longer: `hindscope view` has printed it.'];
  return undefined;
}

function listening(server, port) {
  return new Promise((done, fail) => {
    server.once('error', (cause) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program has it' : said(cause);
      fail(new Refusal('port-taken', `Port ${port} cannot be had: ${why}.`, { exit: EXIT.unread, hint: 'Without --port a free one is found.', details: { port }, cause }));
    });
    server.listen(port, LOOPBACK, done);
  });
}
