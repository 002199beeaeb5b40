// The frame around every page: navigation, the line to the server, the player bar, and the page itself.
import '../components/player-bar/player-bar.js';
import {avatar} from '../components/avatar/avatar.js';
import {isSignedIn, match, withReturn} from '../router.js';
import {describe, i18n, t} from '../store/i18n.js';
import {me} from '../store/me.js';
import {Blocked, player} from '../store/player.js';
import {server} from '../store/server.js';
import {session} from '../store/session.js';
import {h} from './dom.js';
import {firstContent, saidOfServer} from './first-screen.js';
import {icon, mark} from './icons.js';
import {toast, toastPlace} from './toasts.js';

/** The links of the navigation, and the pages that belong to each. */
const places = () => [
  {path: '/', name: t('nav.explore'), icon: 'compass', pages: ['home', 'room']},
  {path: '/search', name: t('nav.search'), icon: 'search', pages: ['search']},
  {path: '/library', name: t('nav.library'), icon: 'library', pages: ['library', 'album', 'artist', 'genre', 'track', 'playlist']},
  {path: '/rooms', name: t('nav.rooms'), icon: 'rooms', pages: ['rooms'], needsAccount: true},
  {path: '/people', name: t('nav.people'), icon: 'people', pages: ['people', 'user', 'friends'], needsAccount: true},
];
/** The links of one's own corner. On a phone they are symbols at the top. */
const corner = () => [
  {path: '/host', name: t('nav.host'), icon: 'mic', pages: ['host'], needsAccount: true},
  {path: '/settings', name: t('nav.settings'), icon: 'settings', pages: ['settings']},
  ...me.isAdmin ? [{path: '/admin', name: t('nav.admin'), icon: 'shield', pages: ['admin'], needsAccount: true}] : [],
];

const main = h('main', {id: 'main', tabindex: '-1'});
const bar = h('player-bar', {hidden: true});
const head = h('header', {class: 'shell-head'});
const lineState = h('div', {class: 'line-state', role: 'status', 'aria-live': 'polite'});
const banner = h('div', {class: 'server-banner', role: 'status', hidden: true});
const bellPlace = h('span', {class: 'bell-place'});
const news = h('div', {class: 'visually-hidden', role: 'status', 'aria-live': 'polite'});
let current = {page: 'home'};

const who = () => {
  // Somebody who is not known yet is a guest, unless this browser remembers an account.
  if (session.user === null && session.credentials.kept?.user.guest === false) return null;
  if (!isSignedIn()) {
    return [
      h('a', {class: 'button quiet small-button', href: withReturn('/sign-in')}, t('nav.sign-in')),
      server.takesAccounts ? h('a', {class: 'button primary small-button', href: withReturn('/sign-up')}, t('nav.sign-up')) : null,
    ];
  }
  const name = session.user.username ? `@${session.user.username}` : t('name.none');
  return h(
    // On a phone the photo stands alone.
    'a', {class: 'who-link', 'aria-label': name, href: session.user.username ? '/profile' : '/username', 'aria-current': current.page === 'profile' ? 'page' : null},
    avatar({user: session.user, profile: me.data?.profile}, 36), h('span', {class: 'truncate'}, name));
};

let drawn = '';
const drawHead = () => {
  // Only changed parts are rebuilt, because the focus may be here.
  const content = JSON.stringify([i18n.code, current.page, session.user, me.data?.profile?.photo?.id, withReturn(''), server.title, server.logo, server.takesAccounts, me.isAdmin]);
  if (content === drawn) return;
  drawn = content;
  const links = (all) => h('ul', {}, all.filter((place) => !place.needsAccount || isSignedIn()).map((place) => h(
    'li', {}, h('a', {href: place.path, 'aria-current': place.pages.includes(current.page) ? 'page' : null}, icon(place.icon), h('span', {class: 'nav-name'}, place.name)))));
  head.replaceChildren(
    h('a', {class: 'wordmark', href: '/', 'aria-label': t('nav.start', {name: server.title})},
      server.logo ? h('img', {class: 'server-logo', src: server.logo, alt: ''}) : mark(), h('span', {class: 'truncate', 'aria-hidden': 'true'}, server.title)),
    h('nav', {class: 'nav', 'aria-label': t('nav.label')}, links(places())),
    h('nav', {class: 'nav corner', 'aria-label': t('nav.corner')}, links(corner())),
    h('div', {class: 'who'}, bellPlace, who()));
  // What waits for a decision is counted for administrators alone.
  if (me.isAdmin) import('./open-reports.js').then(({showIn}) => showIn(head.querySelector('a[href="/admin"]'))).catch(() => { /* Without a number, then. */ });
};

/** The bell is fetched for those who can be notified. */
const drawBell = () => {
  if (bellPlace.childElementCount || !isSignedIn() || !session.features.has('notifications')) return;
  import('../components/notice-bell/notice-bell.js').then(({bell}) => { if (!bellPlace.childElementCount) bellPlace.replaceChildren(bell()); }).catch(() => { /* Without it, until the next connection. */ });
};

let patience;
const drawLine = () => {
  clearTimeout(patience);
  const say = (...content) => lineState.replaceChildren(...content.length ? [h('p', {}, ...content)] : []);
  if (session.status === 'online') return say();
  if (session.status === 'ended') {
    const again = h('button', {class: 'small-button', type: 'button', onclick: () => session.restart()}, t('line.again'));
    again.style.pointerEvents = 'auto';
    return say(describe({code: session.endedByCode}), again);
  }
  // A cut that mends itself needs no words.
  patience = setTimeout(() => say(t(navigator.onLine === false ? 'line.offline' : 'line.connecting')), 1500);
};

/** Says something to readers of the screen alone. */
export const announce = (text) => {
  news.textContent = '';
  setTimeout(() => { news.textContent = text; }, 60);
};

/**
 * Says why Play does nothing, wherever it was pressed. If the browser wants a click, the room's own page says so by
 * itself.
 */
const sayUnheard = (error) => {
  if (!(error instanceof Blocked)) toast(describe(error), {kind: 'error'});
  else if (!bar.hidden) toast(t(`player.blocked.${player.blockedBy}`));
};

/** What the operator says to everybody. */
const drawBanner = () => {
  const words = [server.isInMaintenance ? t('server.maintenance') : null, server.banner].filter(Boolean);
  banner.hidden = !words.length;
  banner.replaceChildren(...words.map((text) => h('p', {}, text)));
};

let pageTitle = '';
const titled = (text = pageTitle) => {
  pageTitle = text;
  document.title = text ? `${text} · ${server.title}` : server.title;
};

/** The skip link, the frame, and what lives in it, put into the document once. */
export const begin = () => {
  const skip = h('a', {class: 'skip button', href: '#main', onclick: (event) => { event.preventDefault(); main.focus(); }});
  const draw = () => {
    skip.textContent = t('nav.skip');
    drawHead();
    drawBanner();
    drawLine();
  };
  if (saidOfServer) server.expect(saidOfServer);
  current = match(location.pathname);
  main.replaceChildren(...firstContent());
  main.toggleAttribute('data-first', main.childElementCount > 0);
  document.body.replaceChildren(skip, h('div', {class: 'shell'}, head, banner, lineState, main), bar, news, toastPlace());
  draw();
  for (const event of ['user', 'fresh']) session.addEventListener(event, drawBell);
  drawBell();
  for (const event of ['user', 'status']) session.addEventListener(event, draw);
  me.addEventListener('change', drawHead);
  server.addEventListener('change', () => {
    draw();
    titled();
  });
  i18n.addEventListener('change', draw);
  session.on('room.transfer_changed', data => import('./room-offers.js').then(({tell}) => tell(data)).catch(() => { /* /rooms shows it. */ }));
  player.addEventListener('unheard', ({detail}) => sayUnheard(detail));
  for (const event of ['online', 'offline']) addEventListener(event, drawLine);
};

let isPlaced = false;
/** Puts a page in place of the one before. */
export const place = (element, found, {isNew}) => {
  const isFirst = !isPlaced;
  isPlaced = true;
  if (!isFirst) main.removeAttribute('data-first');
  // In other words, but the same page: a choice that was just made keeps the focus.
  const active = !isNew && main.contains(document.activeElement) && document.activeElement.matches('input[type=radio]') ? document.activeElement.value : null;
  main.replaceChildren(element);
  if (active !== null) main.querySelector(`input[type=radio][value="${CSS.escape(active)}"]`)?.focus();
  current = found;
  bar.page = found;
  drawHead();
  titled(element.pageTitle);
  element.addEventListener('titlechange', () => { if (element.isConnected) titled(element.pageTitle); });
  if (!isNew || isFirst) return;
  // The new page is read out by screen readers, and the next press of Tab begins there.
  const heading = main.querySelector('h1');
  if (main.contains(document.activeElement)) return;
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({preventScroll: true});
  } else {
    main.focus({preventScroll: true});
  }
};
