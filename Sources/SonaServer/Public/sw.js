// Keeps the shell of the page, and nothing of what the server tells: so that it opens at once, and opens offline.
const ASSETS = '{{assets}}';
const FILES = {{files}};
const CACHE = `sona-shell ${ASSETS}`;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([...FILES.map((file) => `${ASSETS}/${file}`), new Request('/', {cache: 'reload'})]);
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

const asset = async (request) => await caches.match(request) ?? fetch(request);

self.addEventListener('fetch', (event) => {
  const {request} = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && !url.pathname.startsWith('/v1/')) event.respondWith(page(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
});
