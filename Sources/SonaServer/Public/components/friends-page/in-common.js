// Tracks that the user and some friends have in common.
import {nameOf} from './feed.js';
import {avatar} from '../avatar/avatar.js';
import {openPlaylistForm} from '../playlist-dialog/edit-dialog.js';
import {trackList} from '../track-list/track-list.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {askPatiently} from '../../store/patient.js';
import {playlists} from '../../store/playlists.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';
import {navigate} from '../../router.js';

/** People of one comparison, friends that can be chosen among, tracks that are shown. Source: Protocol/spec/discovering.md. */
const PEOPLE = 10, FRIENDS = 100, TRACKS = 100;

const chosenInAddress = () => new Set((new URLSearchParams(location.search).get('with') ?? '').split(',').filter(Boolean).slice(0, PEOPLE));

/** The part as an element; it asks again when the line is back, until `signal` ends that. */
export const inCommon = (signal) => {
  const chosen = chosenInAddress(), friends = new Map();
  const chips = h('div', {class: 'row tight common-people', role: 'group', 'aria-label': t('friends.choose')}), head = h('div', {class: 'row between common-head'}), place = h('div', {}), status = h('p', {class: 'visually-hidden', role: 'status'});
  let turn = 0;
  const say = (symbol, ...content) => { head.replaceChildren(); place.replaceChildren(h('div', {class: 'empty'}, icon(symbol), content)); };
  const names = () => new Intl.ListFormat(i18n.code, {type: 'conjunction'}).format([...chosen].map((uid) => friends.get(uid)).filter(Boolean).map(nameOf));
  const show = async () => {
    const mine = ++turn;
    if (!chosen.size) return void say('together', h('p', {}, t('friends.common.choose')));
    place.setAttribute('aria-busy', 'true');
    try {
      const {tracks, count} = await askPatiently('playlist.intersect', {users: [...chosen], limit: TRACKS});
      if (mine !== turn) return;
      status.textContent = tn('friends.common.count', count);
      if (!tracks.length) return void say('together', h('h2', {}, t('friends.common.none')), h('p', {}, t('friends.common.none.about')));
      const title = t('friends.common.with', {names: names()}), source = {kind: 'tracks', id: null, name: title, href: `/friends${location.search}`};
      head.replaceChildren(h('h2', {}, tn('friends.common.count', count)), h('div', {class: 'row tight'},
        h('button', {type: 'button', class: 'primary small-button', onclick: () => solo.play(tracks, {index: 0, source, shuffle: false})}, icon('play'), t('music.play')),
        playlists.mayMake ? h('button', {type: 'button', class: 'small-button', onclick: async () => {
          const made = await openPlaylistForm({tracks, title});
          if (made) await navigate(`/playlists/${made.id}`);
        }}, icon('plus'), t('friends.common.keep')) : null));
      place.replaceChildren(trackList({rows: new FixedRows(tracks), label: title, source, columns: {cover: true, album: true, meta: null}}));
    } catch (error) {
      if (mine !== turn) return;
      status.textContent = '';
      if (error.code === 'privacy.denied') say('lock', h('h2', {}, t('friends.common.denied')), h('p', {role: 'alert'}, t('friends.common.denied.about')));
      else say('together', h('p', {role: 'alert'}, describe(error)), h('button', {type: 'button', onclick: show}, t('load.again')));
    } finally {
      if (mine === turn) place.removeAttribute('aria-busy');
    }
  };
  const drawChips = () => chips.replaceChildren(...[...friends.values()].map((card) => {
    const {uid} = card.user, chip = h('button', {type: 'button', class: 'chip common-person', dataset: {user: uid}, 'aria-pressed': String(chosen.has(uid)), onclick: () => {
      if (!chosen.delete(uid) && chosen.size < PEOPLE) chosen.add(uid);
      chip.setAttribute('aria-pressed', String(chosen.has(uid)));
      history.replaceState(history.state, '', chosen.size ? `/friends?view=common&with=${[...chosen].join(',')}` : '/friends?view=common');
      show();
    }}, avatar(card, 28), h('span', {class: 'truncate'}, nameOf(card)));
    return chip;
  }));
  const load = async () => {
    try {
      const {users} = await askPatiently('people.friends', {limit: FRIENDS});
      friends.clear();
      for (const card of users) friends.set(card.user.uid, card);
      for (const uid of chosen) if (!friends.has(uid)) chosen.delete(uid);
      drawChips();
      if (!users.length) return void say('people', h('h2', {}, t('friends.nobody')), h('p', {}, t('friends.nobody.about')), h('a', {class: 'button', href: '/people'}, t('home.find-people')));
      await show();
    } catch (error) {
      say('people', h('p', {role: 'alert'}, describe(error)), h('button', {type: 'button', onclick: load}, t('load.again')));
    }
  };
  session.addEventListener('fresh', load, {signal});
  load();
  return h('div', {class: 'stack'}, h('p', {class: 'muted small'}, t('friends.common.about')), chips, status, head, place);
};
