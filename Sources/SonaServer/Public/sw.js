// Keeps what was used of the page's shell, and nothing of what the server tells: so that it opens at once, and opens
// offline. What nobody used is not fetched either.
const ASSETS = '{{assets}}';
const CACHE = `sona-shell ${ASSETS}`;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.add(new Request('/', {cache: 'reload'}));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('sona-shell') && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

/** The page anew from the server; without one, as it was. */
const page = async (request) => {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match('/', {cacheName: CACHE});
    if (kept) return kept;
    throw error;
  }
};

const asset = async (event) => {
  const {request} = event, kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.status === 200 && isOurs(request.url)) {
    const copy = answer.clone();
    // Where it cannot be kept, it is there all the same.
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => {}));
  }
  return answer;
};

/** Whether it belongs to this version of the page. */
const isOurs = (url) => url.startsWith(`${location.origin}${ASSETS}/`);

/** The page tells what it had loaded before the worker was there. That is in the browser's own cache still. */
const keep = async (urls) => {
  const cache = await caches.open(CACHE);
  await Promise.allSettled(urls.filter(isOurs).map(async (url) => await cache.match(url) ?? cache.add(url)));
};

self.addEventListener('message', (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep(event.data.keep));
});

self.addEventListener('fetch', (event) => {
  const {request} = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && !url.pathname.startsWith('/v1/')) event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(event));
});
