// What friends play who let one see it, the last first.
import {avatar} from '../avatar/avatar.js';
import {musicCover} from '../cover/music-cover.js';
import {likeButton} from '../like-button/like-button.js';
import {userPath} from '../people-page/user-path.js';
import {artistLinks} from '../track-list/track-row.js';
import {openTrackMenu} from '../track-menu/track-menu.js';
import {ago} from '../../shell/ago.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, t} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';

const PAGE = 50;
const source = () => ({kind: 'tracks', id: null, name: t('friends.title'), href: '/friends'});
export const nameOf = ({user, display_name: display}) => display ?? `@${user.username ?? ''}`;

/** The feed as an element; it asks again when the line is back, until `signal` ends that. */
export const feed = (signal) => {
  const list = h('ul', {class: 'list feed', 'aria-label': t('friends.lately')}), status = h('div', {role: 'status'});
  const more = h('button', {type: 'button', hidden: true, onclick: () => load()}, t('home.more'));
  let cursor = null, plays = [], turn = 0;
  const row = (play) => {
    const {user, at_ms: at, track} = play;
    const press = h('button', {type: 'button', class: 'feed-press', 'aria-label': t('track.play', {title: track.title}), onclick: () => {
      if (solo.track?.id === track.id) solo.toggle();
      else solo.play(plays.map((one) => one.track), {index: plays.indexOf(play), source: source(), shuffle: false});
    }}, musicCover(track, '64'), h('span', {class: 'feed-play', 'aria-hidden': 'true'}, icon('play')));
    const menu = h('button', {type: 'button', class: 'icon-button', 'aria-haspopup': 'menu', 'aria-label': t('track.more', {title: track.title}), onclick: () => openTrackMenu([track], {anchor: menu, source: source()})}, icon('more'));
    return h('li', {class: 'feed-row', dataset: {user: user.user.uid}}, press,
      h('div', {class: 'feed-words'},
        h('a', {class: 'feed-title truncate', href: `/track/${track.id}`, dir: 'auto'}, track.title), h('span', {class: 'muted small truncate'}, artistLinks(track.artists)),
        h('span', {class: 'feed-who'}, h('a', {class: 'feed-person', href: userPath(user.user)}, avatar(user, 20), h('span', {class: 'truncate'}, nameOf(user))), ago(at))),
      h('span', {class: 'feed-acts'}, likeButton('track', track), menu));
  };
  const load = async (isAnew = false) => {
    const mine = ++turn;
    more.disabled = true;
    try {
      const page = await askPatiently('plays.feed', {limit: PAGE, ...cursor && !isAnew ? {cursor} : {}});
      if (mine !== turn) return;
      if (isAnew) list.replaceChildren();
      plays = isAnew ? page.plays : [...plays, ...page.plays];
      list.append(...page.plays.map(row));
      cursor = page.next_cursor;
      status.replaceChildren(...plays.length || cursor ? [] : [h('div', {class: 'empty'}, icon('people'), h('h2', {}, t('friends.none')), h('p', {}, t('friends.none.about')),
        h('a', {class: 'button', href: '/people'}, t('home.find-people')))]);
      more.textContent = t('home.more');
    } catch (error) {
      if (mine !== turn) return;
      status.replaceChildren(h('p', {class: 'notice error'}, describe(error)));
      more.textContent = t('load.again');
      cursor ??= '';
    } finally {
      if (mine === turn) {
        more.disabled = false;
        more.hidden = cursor === null;
        list.removeAttribute('aria-busy');
      }
    }
  };
  list.setAttribute('aria-busy', 'true');
  session.addEventListener('fresh', () => load(true), {signal});
  load(true);
  return h('div', {class: 'stack'}, list, status, h('div', {class: 'row center'}, more));
};
