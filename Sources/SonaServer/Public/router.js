// Finds the page of an address, and moves between pages without loading again.
import {session} from './store/session.js';

/** Pages that need an account. */
const ACCOUNT = {needsAccount: true};
/** Pages that are shown also where nobody may come without an account. */
const ALL = {isForAll: true};
const routes = [
  [/^\/$/, 'home'],
  [/^\/r\/([^/]+)$/, 'room', {attribute: 'room'}],
  [/^\/embed\/r\/([^/]+)$/, 'embed', {...ALL, attribute: 'room'}],
  [/^\/embed\/requests\/([^/]+)$/, 'requests', {...ALL, attribute: 'room'}],
  [/^\/u\/([^/]+)$/, 'user', {attribute: 'user'}],
  [/^\/host$/, 'host', ACCOUNT],
  [/^\/sign-in$/, 'sign-in', ALL],
  [/^\/sign-up$/, 'sign-up', ALL],
  [/^\/library(?:\/([a-z]+))?$/, 'library', {attribute: 'part'}],
  [/^\/album\/([^/]+)$/, 'album', {attribute: 'album'}],
  [/^\/artist\/([^/]+)$/, 'artist', {attribute: 'artist'}],
  [/^\/genre\/([^/]+)$/, 'genre', {attribute: 'genre'}],
  [/^\/track\/([^/]+)$/, 'track', {attribute: 'track'}],
  [/^\/replay\/([^/]+)$/, 'replay', {attribute: 'replay'}],
  [/^\/playlists\/([^/]+)$/, 'playlist', {attribute: 'playlist'}],
  [/^\/search$/, 'search'],
  [/^\/playing$/, 'playing'],
  [/^\/car$/, 'car'],
  [/^\/rooms$/, 'rooms', ACCOUNT],
  [/^\/username$/, 'username', ACCOUNT],
  [/^\/people$/, 'people', ACCOUNT],
  [/^\/friends$/, 'friends', ACCOUNT],
  [/^\/profile$/, 'profile', ACCOUNT],
  [/^\/settings$/, 'settings', ALL],
  [/^\/admin(?:\/([a-z]+))?$/, 'admin', {...ACCOUNT, attribute: 'part'}],
  [/^\/setup$/, 'setup', ALL],
  [/^\/account$/, 'account', ACCOUNT],
  [/^\/account\/recover$/, 'recover', ALL],
  [/^\/account\/confirm$/, 'confirm', ALL],
];

const decoded = (segment) => {
  try { return decodeURIComponent(segment); } catch { return segment; }
};

/** Returns `{page, attribute, value, needsAccount, isForAll}` of a path. `page` is `lost` if there is none. */
export const match = (path) => {
  for (const [pattern, page, options = {}] of routes) {
    const found = pattern.exec(path.length > 1 ? path.replace(/\/+$/, '') || '/' : path);
    if (found) return {page, ...options, value: found[1] === undefined ? null : decoded(found[1])};
  }
  return {page: 'lost'};
};

let show = () => {};

/** In the page of somebody else only the embedded player is shown: whatever else is pressed there could be covered by that page. */
const isEmbedded = location.pathname.startsWith('/embed/');

const SIGNING_IN = ['/sign-in', '/sign-up'];

/** Goes to an address of ours; `replace` without leaving the present one in the history. */
export const navigate = (path, {replace = false} = {}) => {
  const url = new URL(path, location.href);
  if (isEmbedded && !url.pathname.startsWith('/embed/')) return void open(url, '_blank', 'noopener');
  if (url.href !== location.href) {
    history.replaceState({...history.state, scroll: scrollY}, '');
    history[replace ? 'replaceState' : 'pushState']({}, '', url);
  }
  return show({isNew: true});
};

/** Shows the current address again: in another language, or for another user. */
export const refresh = () => show({isNew: false});

/** The address to go to after signing in: the one that the user came from, if it is a page of ours. */
export const comeFrom = () => {
  const path = new URLSearchParams(location.search).get('from') ?? '/';
  return /^\/(?![/\\])/.test(path) && new URL(path, location.origin).origin === location.origin ? path + location.hash : '/';
};

/**
 * The address of a sign-in page that leads back here. The part after `#` is kept after `#`, not in `?from=`: it may
 * contain an invite's code, which must reach neither the server nor its logs.
 */
export const withReturn = (path) => {
  const {pathname, search, hash} = location;
  if (SIGNING_IN.includes(pathname)) return path + search + hash;
  return pathname === '/' ? path : `${path}?from=${encodeURIComponent(pathname + search)}${hash}`;
};
export const isSignedIn = () => Boolean(session.user && !session.user.guest);

/** Begins: `mount` is called with what to show, and answers when it stands. */
export const start = (mount) => {
  let turn = 0;
  show = async ({isNew, scroll = 0}) => {
    const mine = ++turn;
    const found = match(location.pathname);
    // A room on a screen on the wall is at the room's own address.
    if (found.page === 'room' && new URLSearchParams(location.search).has('display')) found.page = 'display';
    await mount(found, {isNew, isCurrent: () => mine === turn});
    if (mine !== turn || !isNew) return;
    scrollTo(0, scroll);
    // The page to return to may have to be loaded first.
    const end = performance.now() + 1500;
    let isMoved = false;
    for (const type of ['wheel', 'touchstart', 'keydown']) addEventListener(type, () => { isMoved = true; }, {once: true, passive: true});
    const again = () => {
      if (isMoved || mine !== turn || scrollY >= scroll || performance.now() > end) return;
      scrollTo(0, scroll);
      requestAnimationFrame(again);
    };
    if (scroll > 0) requestAnimationFrame(again);
  };
  history.scrollRestoration = 'manual';
  addEventListener('popstate', ({state}) => show({isNew: true, scroll: state?.scroll ?? 0}));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.('a[href]');
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || match(url.pathname).page === 'lost') return;
    // A place on this very page is the browser's to find.
    if (link.getAttribute('href').startsWith('#')) return;
    event.preventDefault();
    navigate(url.href);
  });
  return show({isNew: true});
};
