// A room in a list.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {avatar} from '../avatar/avatar.js';
import {colorOf, cover} from '../cover/cover.js';

/** The current track as one line, or null. */
export const trackLine = (track) => [track?.artist, track?.title].filter(Boolean).join(' – ') || null;

/** What happens in a room now, in a line. */
export const stateLine = (room) => {
  if (room.live) return trackLine(room.track) ?? t('room-card.playing');
  return room.host_state === 'away' ? t('room-card.away') : t('room-card.quiet');
};

/** The address of a room's page. */
export const roomPath = (room) => `/r/${room.id}`;

/** A card; `kind` is `wide` for the one that stands first. */
export const roomCard = (room, kind = '') => {
  const owner = room.host ?? room.owner;
  const card = h(
    'article', {class: `room-card ${kind}`, dataset: {room: room.id}},
    h('div', {class: 'room-picture'},
      cover({...room, artwork: room.live ? room.track?.artwork : null}),
      room.live ? h('span', {class: 'badge live'}, t('room-card.live')) : null,
      h('span', {class: 'play-hint', 'aria-hidden': 'true'}, icon('play'))),
    h('div', {class: 'room-text'},
      h('h3', {}, h('a', {href: roomPath(room), class: 'room-link'}, room.title)),
      h('p', {class: 'room-track'}, room.live ? icon('wave') : null, h('span', {class: 'truncate'}, stateLine(room))),
      kind === 'wide' && room.description ? h('p', {class: 'muted room-description'}, room.description) : null,
      h('p', {class: 'room-meta muted small'},
        owner ? [avatar(owner, 20), h('span', {class: 'truncate'}, owner.username ? `@${owner.username}` : t('name.guest'))] : null,
        room.live ? h('span', {class: 'tabular listeners', title: tn('room-card.listeners', room.listeners)},
          icon('people'), i18n.number(room.listeners), h('span', {class: 'visually-hidden'}, tn('room-card.listeners', room.listeners))) : null,
        room.visibility === 'private' ? h('span', {class: 'badge'}, icon('lock'), t('room-card.private')) : null)));
  card.style.setProperty('--room', colorOf(room));
  return card;
};
