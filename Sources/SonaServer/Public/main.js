// The start of the page: words, frame, connection, and the page of the address.
import * as router from './router.js';
import * as keys from './shell/keys.js';
import {policy} from './shell/policy.js';
import './shell/host-offers.js';
import './shell/upload-drops.js';
import {begin, place} from './shell/shell.js';
import {toast} from './shell/toasts.js';
import {h} from './shell/dom.js';
import {describe, i18n, t} from './store/i18n.js';
import {me} from './store/me.js';
import {player} from './store/player.js';
import {server} from './store/server.js';
import {session} from './store/session.js';
import {settings} from './store/settings.js';
import {solo} from './store/solo.js';

const theme = () => {
  const chosen = settings.get('theme');
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
};

/** The user, as soon as the server has answered. The wait has a limit. */
const known = () => new Promise((resolve) => {
  if (session.user) return resolve();
  const settle = () => { clearTimeout(timer); session.removeEventListener('user', settle); resolve(); };
  const timer = setTimeout(settle, 4000);
  session.addEventListener('user', settle);
});

/**
 * Whether a module could not be had because another version is served by now: then loading anew helps. Not while
 * somebody listens, and not twice in a row.
 */
const isOutdated = (error) => {
  if (!(error instanceof TypeError) || navigator.onLine === false || player.playing) return false;
  try {
    const before = Number(sessionStorage.getItem('sona.reloaded') ?? 0);
    sessionStorage.setItem('sona.reloaded', String(Date.now()));
    return Date.now() - before > 30_000;
  } catch {
    return false;
  }
};

const wasOnAir = () => {
  try { return sessionStorage.getItem('sona.on-air') !== null; } catch { return false; }
};

const wasKept = () => {
  try { return localStorage.getItem('sona.offline') !== null; } catch { return false; }
};

const mount = async (found, options) => {
  let element;
  try {
    if (found.needsAccount) {
      await known();
      if (!options.isCurrent()) return;
    }
    if (found.needsAccount || session.isAnonymous && !found.isForAll) {
      if (session.user && !router.isSignedIn()) return router.navigate(router.withReturn('/sign-in'), {replace: true});
    }
    await import(`./components/${found.page}-page/${found.page}-page.js`);
    element = document.createElement(`${found.page}-page`);
    if (found.attribute) element.setAttribute(found.attribute, found.value ?? '');
  } catch (error) {
    if (!options.isCurrent()) return;
    if (isOutdated(error)) return location.reload();
    element = h('div', {class: 'empty'}, h('h1', {}, t('load.failed')), h('p', {}, describe(error)),
      h('button', {class: 'primary', type: 'button', onclick: () => location.reload()}, t('load.again')));
    console.error(error);
  }
  if (options.isCurrent()) place(element, found, options);
};

/** Has the worker keep what is loaded, by it from now on and without it until then. */
const keepForOffline = async () => {
  const {serviceWorker} = navigator;
  const tell = worker => worker?.postMessage({keep: performance.getEntriesByType('resource').map(({name}) => name)});
  // A worker of another version has no use for it; the one of this version does, as soon as it takes over.
  serviceWorker.addEventListener('controllerchange', () => tell(serviceWorker.controller));
  await serviceWorker.register('/sw.js');
  tell((await serviceWorker.ready).active);
};

const start = async () => {
  theme();
  const words = i18n.use(settings.get('locale') ?? navigator.language ?? 'en');
  settings.addEventListener('change', async ({detail}) => {
    if (detail.key === 'theme') theme();
    if (detail.key === 'locale') {
      const before = i18n.code;
      await i18n.use(detail.value ?? navigator.language);
      // If the account has the same language as the browser, the page is not rebuilt, so that typed text stays.
      if (i18n.code !== before) router.refresh();
    }
  });
  session.addEventListener('user', ({detail}) => { if (detail?.other || session.isAnonymous) router.refresh(); });
  session.addEventListener('signedout', () => toast(t('line.signed-out')));
  me.addEventListener('failed', ({detail}) => toast(describe(detail), {kind: 'error'}));
  me.begin();
  server.begin();
  // Connected while the words are on their way.
  session.start();
  await words;
  begin();
  keys.add('?', 'keys.help', () => keys.help());
  keys.add('/', 'keys.search', async () => {
    if (!document.querySelector('search-page')) await router.navigate('/search');
    document.querySelector('search-page input[type=search]')?.focus();
  });
  keys.add(' ', 'keys.play', () => { if (player.room) player.toggle(); else solo.toggle(); });
  keys.add('m', 'keys.mute', () => { player.muted = !player.muted; });
  keys.add('-', 'keys.quieter', () => { player.volume = Math.max(0, player.volume - 0.05); }, {repeats: true});
  keys.add('=', 'keys.louder', () => { player.volume = Math.min(1, player.volume + 0.05); }, {repeats: true});
  keys.listen();
  await router.start(mount);
  // Whoever was on air when the page was loaded anew goes on, wherever they are.
  if (wasOnAir()) import('./components/host-page/on-air.js').catch(error => console.error(error));
  // What is kept on this device is looked after: brought up to date, or thrown away when somebody else signs in.
  if (wasKept()) import('./store/offline.js').catch((error) => console.error(error));
  if (policy.mayWorkOffline) keepForOffline().catch(() => { /* It works without. */ });
};

start().catch((error) => {
  console.error(error);
  document.body.replaceChildren(h('main', {class: 'empty'}, h('h1', {}, 'Sona'), h('p', {}, 'The page could not be loaded. Try again in a moment.')));
});
