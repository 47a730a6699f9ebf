// A static server for one folder, on this machine only. `cargo xtask serve` runs it, and tests serve
// their pages with it.
//
//   node web/serve.mjs FOLDER PORT
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const LOOPBACK = '127.0.0.1';

/** Browsers stream wasm and load modules only with the right type. */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.jsonl': 'application/jsonl',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
};

/** Types that are compressed already. */
const IS_PACKED = /^(?:image\/(?!svg)|font\/|application\/octet-stream)/;

/** No `Cross-Origin-Opener-Policy`: a page that opens this one may hand files over to it. */
const GUARDS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

const compress = promisify(brotliCompress);

/**
 * Serves a folder the way the plainest static host would: no header helps the page along, so whatever it
 * needs, it brings itself.
 *
 * `mount` puts it below a path, as project pages are. `headers` are added to every answer. With `brotli`,
 * files are compressed for browsers that accept it.
 */
export async function serveFolder(folder, { mount = '/', port = 0, headers = {}, brotli = false } = {}) {
  const root = await realpath(folder);
  const site = { root, mount, headers, packed: brotli ? new Map() : undefined };
  const server = createServer((request, response) => {
    answer(site, request, response).catch(() => response.destroy());
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  const origin = `http://${LOOPBACK}:${server.address().port}`;
  return {
    server,
    origin,
    url: origin + mount,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(site, request, response) {
  const refuse = (status, more) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...more, ...site.headers }).end();
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, { allow: 'GET, HEAD' });
  const file = await fileFor(site, request.url);
  const facts = file && (await stat(file));
  if (!facts?.isFile()) return refuse(404);
  const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  const headers = { 'content-type': type, ...site.headers };
  if (site.packed && !IS_PACKED.test(type)) {
    headers.vary = 'accept-encoding';
    if (/\bbr\b/.test(request.headers['accept-encoding'])) {
      const body = await packed(site.packed, file, facts);
      response.writeHead(200, { ...headers, 'content-encoding': 'br', 'content-length': body.length });
      return response.end(request.method === 'GET' ? body : undefined);
    }
  }
  response.writeHead(200, { ...headers, 'content-length': facts.size });
  if (request.method === 'HEAD') return response.end();
  return createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/** The file that an address means, if there is one in the folder. */
async function fileFor({ root, mount }, url) {
  let address;
  try {
    address = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  if (!address.startsWith(mount)) return undefined;
  const parts = address.slice(mount.length).split('/').filter((part) => part !== '');
  // No way up, no other drive, and no hidden file.
  if (parts.some((part) => part.startsWith('.') || /[\\:\0]/.test(part))) return undefined;
  const named = path.join(root, ...parts);
  try {
    const file = (await stat(named)).isDirectory() ? path.join(named, 'index.html') : named;
    // A link could lead out of the folder without any dots.
    const real = await realpath(file);
    return real.startsWith(root + path.sep) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** A file compressed, once as long as it does not change. */
function packed(cache, file, { mtimeMs, size }) {
  const key = `${file} ${mtimeMs} ${size}`;
  if (!cache.has(key)) {
    // The highest quality takes seconds for the wasm.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
    cache.set(key, readFile(file).then((bytes) => compress(bytes, { params })));
  }
  return cache.get(key);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, port] = process.argv.slice(2);
  const { origin } = await serveFolder(folder, { port: Number(port), headers: GUARDS, brotli: true });
  console.log(`
hindscope is at ${origin}
Open it and drop a folder of finished runs on the page, or take its sample history.
Nothing you drop leaves this machine. Ctrl-C ends it.`);
}
