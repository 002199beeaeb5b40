// A shelf of Explore: what friends play lately.
import {nameOf} from './feed.js';
import {avatar} from '../avatar/avatar.js';
import {musicCover} from '../cover/music-cover.js';
import {shelf} from '../explore-shelves/shelf.js';
import {ago} from '../../shell/ago.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';

await Promise.all([i18n.also('friends.'), looks('friends-page.css', import.meta.url)]);

/** `plays` as `plays.feed` has them. */
export const friendsShelf = (plays) => {
  const source = {kind: 'tracks', id: null, name: t('friends.play'), href: '/friends'};
  return shelf({title: t('friends.play'), href: '/friends', kind: 'rows', items: plays.map(({user, at_ms: at, track}, index) => h('div', {class: 'friend-card', role: 'listitem'},
    h('button', {type: 'button', class: 'feed-press', 'aria-label': t('track.play', {title: track.title}), onclick: () => {
      if (solo.track?.id === track.id) solo.toggle();
      else solo.play(plays.map((play) => play.track), {index, source, shuffle: false});
    }}, musicCover(track, '64'), h('span', {class: 'feed-play', 'aria-hidden': 'true'}, icon('play'))),
    h('div', {class: 'feed-words'}, h('a', {class: 'feed-title truncate', href: `/track/${track.id}`, dir: 'auto'}, track.title),
      h('span', {class: 'feed-who'}, avatar(user, 20), h('span', {class: 'truncate muted'}, nameOf(user)), ago(at)))))});
};
