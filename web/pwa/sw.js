// Keeps the app's own files for days without a network. It never sees what is opened in the app:
// that is read from files, and no request carries it.
//
// One build, one cache. Everything but the page itself has a name by its content, so files of two
// builds cannot be taken for each other; the page itself comes from the own build's cache only.

// Both are written when the page is built: xtask/src/seal.
const BUILD = '';
const FILES = [];

const OURS = `hindscope ${registration.scope} `;
const CACHE = OURS + BUILD;
const HOME = new URL('./', registration.scope).href;

addEventListener('install', (event) => event.waitUntil(fill()));

async function fill() {
  const cache = await caches.open(CACHE);
  const response = await fetch(HOME, { cache: 'no-store' });
  const page = await response.text();
  // In the middle of an update of the host, page and service worker may be of two builds.
  if (!response.ok || !page.includes(`content="${BUILD}"`)) {
    throw new Error('the host has another build of the page than of its service worker');
  }
  const headers = new Headers();
  for (const name of ['content-type', 'content-security-policy']) {
    if (response.headers.has(name)) headers.set(name, response.headers.get(name));
  }
  await cache.addAll(FILES);
  await cache.put(HOME, new Response(page, { headers }));
}

// The build before stays: another tab may still be using it.
addEventListener('activate', (event) => event.waitUntil(tidy()));

async function tidy() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

addEventListener('message', (event) => {
  if (event.data === 'use') skipWaiting();
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(HOME)) return;
  url.search = '';
  url.hash = '';
  if (request.mode !== 'navigate') {
    event.respondWith(kept(url.href, request));
  } else if (url.href === HOME || url.href === `${HOME}index.html`) {
    event.respondWith(kept(HOME, request));
  }
});

async function kept(address, request) {
  const own = await (await caches.open(CACHE)).match(address);
  if (own || address === HOME) return own ?? fetch(request);
  return (await caches.match(address)) ?? fetch(request);
}
