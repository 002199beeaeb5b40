// Caches the used files of the page's shell, and nothing from the server's answers, so that the page opens at once and
// offline. Unused files are not fetched.
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

/** Fetches the page from the server again. If that fails, it uses the cached one. */
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
    // If it cannot be cached, it is still returned.
    event.waitUntil(caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => {}));
  }
  return answer;
};

/** Whether it belongs to this version of the page. */
const isOurs = (url) => url.startsWith(`${location.origin}${ASSETS}/`);

/** The page names the files it loaded before the worker was there. They are still in the browser's own cache. */
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
