// The menu of tracks, by the other mouse button, the menu key or the button of a row. What can be done is a list that
// other parts of the page add to.
import {navigate} from '../../router.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {announce} from '../../shell/shell.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {solo} from '../../store/solo.js';
import {mayEdit} from '../../store/track-changes.js';
import {copyLink, download, editTags, remove} from './track-acts.js';

await Promise.all([i18n.also('music.'), looks('track-menu.css', import.meta.url)]);

const one = (tracks) => tracks.length === 1;
/** A caller's own uploads, or anybody's for a curator. Tracks of folders cannot be removed here. */
const mayRemove = (tracks) => tracks.every((track) => track.owner && mayEdit(track));

/**
 * What can be done with tracks: `{id, group, icon, label, shows?, href?, run?, danger?}`; each function is given the tracks and
 * the context of the menu. Entries of a group stand together, groups in the order of their numbers. `href` makes a link.
 */
export const trackActions = [
  {id: 'play', group: 1, icon: 'play', label: () => t('track.act.play'), run: (tracks, {source}) => solo.play(tracks, {index: 0, source})},
  {id: 'next', group: 1, icon: 'skip', label: () => t('track.act.next'), run: (tracks) => { solo.playNext(tracks); announce(tn('track.done.next', tracks.length)); }},
  {id: 'queue', group: 1, icon: 'queue', label: () => t('track.act.queue'), run: (tracks) => { solo.add(tracks); announce(tn('track.done.queue', tracks.length)); }},
  {id: 'select', group: 2, icon: 'check', label: () => t('track.act.select'), shows: (_, {select}) => Boolean(select), run: (_, {select}) => select()},
  {id: 'album', group: 3, icon: 'disc', label: () => t('track.act.album'), shows: (tracks) => one(tracks) && Boolean(tracks[0].album), href: ([{album}]) => `/album/${album.id}`},
  {id: 'artist', group: 3, icon: 'user', label: () => t('track.act.artist'), shows: (tracks) => one(tracks) && tracks[0].artists.length > 0, href: ([{artists}]) => `/artist/${artists[0].id}`},
  {id: 'track', group: 3, icon: 'wave', label: () => t('track.act.details'), shows: one, href: ([{id}]) => `/track/${id}`},
  {id: 'link', group: 4, icon: 'link', label: () => t('track.act.link'), shows: one, run: ([track]) => copyLink(`/track/${track.id}`)},
  {id: 'download', group: 4, icon: 'lower', label: () => t('track.act.download'), shows: (tracks) => one(tracks) && tracks[0].access === 'full' && me.may('library.download'), run: ([track]) => download(track)},
  {id: 'tags', group: 5, icon: 'edit', label: () => t('track.act.tags'), shows: (tracks) => tracks.every(mayEdit), run: (tracks) => editTags(tracks)},
  {id: 'remove', group: 5, icon: 'close', danger: true, label: () => t('track.act.remove'), shows: mayRemove, run: (tracks) => remove(tracks)},
];

let open = null;

const run = async (action, tracks, context) => {
  try { await action.run(tracks, context); } catch (error) { toast(describe(error), {kind: 'error'}); }
};

/** Puts the menu where it has room. On a phone the style sheet has it at the foot. */
const put = (menu, anchor, at) => {
  const {width, height} = menu.getBoundingClientRect(), edge = 8;
  const box = at ? {left: at.x, right: at.x, top: at.y, bottom: at.y} : anchor.getBoundingClientRect();
  const isAtEnd = !at && box.width < 100;
  let x = isAtEnd ? box.right - width : at ? box.left : box.left + 56, y = box.bottom + (at ? 0 : 4);
  if (x + width > innerWidth - edge) x = at ? box.left - width : innerWidth - width - edge;
  if (y + height > innerHeight - edge) y = box.top - height - (at ? 0 : 4) > edge ? box.top - height - (at ? 0 : 4) : innerHeight - height - edge;
  menu.style.left = `${Math.max(edge, x)}px`;
  menu.style.top = `${Math.max(edge, y)}px`;
};

/** Arrow keys, Home, End and first letters move the focus; Tab leaves. Source: ARIA Authoring Practices, "Menu". */
const moves = (menu) => (event) => {
  const items = [...menu.querySelectorAll('[role=menuitem]')], at = items.indexOf(document.activeElement), {key} = event;
  const to = {ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1}[key];
  if (to !== undefined) items[to].focus();
  else if (key === 'Tab' || key === 'Escape') menu.hidePopover();
  else if (key === ' ' && at >= 0) items[at].click();
  else if (key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({textContent}) => textContent.trim().toLowerCase().startsWith(key.toLowerCase()))?.focus();
  } else return;
  event.stopPropagation();
  // Tab goes on from where the menu was opened.
  if (key !== 'Tab') event.preventDefault();
};

/**
 * Opens the menu of tracks at a place of the page `at` `{x, y}`, or beside the element `anchor`, which gets the focus back.
 * `context` is given to the actions, with `source`.
 */
export const openTrackMenu = (tracks, {anchor, at = null, source = null, context = {}} = {}) => {
  open?.hidePopover();
  const given = {...context, source}, shown = trackActions.filter(({shows}) => shows?.(tracks, given) ?? true).sort((first, second) => first.group - second.group);
  const item = (action, index) => {
    const content = [icon(action.icon), h('span', {}, action.label(tracks, given))];
    const options = {role: 'menuitem', tabindex: '-1', class: `menu-item${action.danger ? ' danger-item' : ''}`};
    const act = action.href
      ? h('a', {...options, href: action.href(tracks), onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        close(false);
        navigate(action.href(tracks));
      }}, content)
      : h('button', {...options, type: 'button', onclick: () => { close(); run(action, tracks, given); }}, content);
    return [index > 0 && shown[index - 1].group !== action.group ? h('div', {role: 'separator'}) : null, act];
  };
  const name = one(tracks) ? tracks[0].title : tn('track.selected', tracks.length);
  const menu = h('div', {class: 'track-menu', role: 'menu', popover: 'auto', 'aria-label': t('track.more', {title: name})},
    h('p', {class: 'menu-title truncate', role: 'presentation', 'aria-hidden': 'true', dir: 'auto'}, name), shown.map(item));
  let givesBack = true;
  const close = (back = true) => {
    givesBack = back;
    menu.hidePopover();
  };
  menu.addEventListener('keydown', moves(menu));
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  menu.addEventListener('toggle', ({newState}) => {
    if (newState !== 'closed') return;
    const hadFocus = menu.contains(document.activeElement) || document.activeElement === document.body;
    menu.remove();
    if (open === menu) open = null;
    if (anchor?.getAttribute('aria-expanded')) anchor.setAttribute('aria-expanded', 'false');
    if (givesBack && hadFocus) anchor?.focus({preventScroll: true});
  });
  // Outside of an open dialog nothing can be pressed, and outside of landmarks nothing is looked for.
  (anchor?.closest('dialog, main, [role=region]') ?? document.body).append(menu);
  menu.showPopover();
  put(menu, anchor, at);
  if (anchor?.matches('button')) anchor.setAttribute('aria-expanded', 'true');
  menu.querySelector('[role=menuitem]').focus({preventScroll: true});
  open = menu;
  return menu;
};
