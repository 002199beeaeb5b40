// The rooms that the people the user follows are in now.
import {h} from '../../shell/dom.js';
import {t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {avatar} from '../avatar/avatar.js';

/** How often the rooms of people are requested while the page is visible, ms: the server sends no events about it. */
const AGAIN = 20_000;

/** Calls `ask` whenever it is time to ask again, until the signal ends that. */
export const whenStale = (ask, signal) => {
  const look = () => { if (!document.hidden && session.status === 'online') ask(); };
  const timer = setInterval(look, AGAIN);
  signal.addEventListener('abort', () => clearInterval(timer));
  document.addEventListener('visibilitychange', look, {signal});
  for (const type of ['fresh', 'resumed']) session.addEventListener(type, look, {signal});
};

const name = ({user, display_name: display}) => display ?? `@${user.username}`;

/** One person and the room they are in, as a link to it. */
export const presenceLink = ({user: card, state, room}) => h(
  'a', {class: 'presence', href: `/r/${room.id}`},
  avatar(card, 44),
  h('span', {class: 'grow'}, h('strong', {class: 'truncate'}, name(card)),
    h('span', {class: 'muted small truncate'}, t(`presence.${state}`, {room: room.title}))),
  state === 'live' ? h('span', {class: 'badge live'}, t('room-card.live')) : null);

/** The server's answer; empty if it cannot be reached. */
export const presences = async () => {
  try { return (await session.request('people.presence')).people; } catch { return []; }
};

/** A strip for the top of a page, or null while nobody is anywhere. */
export const presenceStrip = (people) => people.length
  ? h('section', {class: 'stack strip', 'aria-label': t('presence.label')},
    h('div', {class: 'row between'}, h('h2', {}, tn('presence.count', people.length))),
    h('ul', {class: 'list presence-row'}, people.slice(0, 12).map((one) => h('li', {}, presenceLink(one)))))
  : null;
