// A shelf of Explore: public rooms that open soon.
import {shelf} from '../explore-shelves/shelf.js';
import {cover} from '../cover/cover.js';
import {roomPath} from '../room-card/room-card.js';
import {h} from '../../shell/dom.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {moment} from './slot-words.js';

await looks('room-schedule.css', import.meta.url);

const MOST = 20;
/** How often the list is asked for while it is seen, ms. */
const AGAIN = 60_000;

class ComingUp extends HTMLElement {
  #ending = null; #drawn = '';

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    for (const type of ['fresh', 'user']) session.addEventListener(type, () => this.#load(), {signal});
    i18n.addEventListener('change', () => this.#load(), {signal});
    const timer = setInterval(() => { if (!document.hidden && session.status === 'online') this.#load(); }, AGAIN);
    signal.addEventListener('abort', () => clearInterval(timer));
    this.#load();
  }

  disconnectedCallback() { this.#ending.abort(); }

  async #load() {
    if (!session.features.has('schedules')) return;
    try {
      const {rooms} = await session.request('schedule.upcoming', {limit: MOST});
      if (this.isConnected) this.#draw(rooms);
    } catch { /* The shelf stays as it is. */ }
  }

  #draw(rooms) {
    const content = JSON.stringify([i18n.code, rooms.map(({room, occurrence}) => [room.id, room.title, room.picture?.id, occurrence])]);
    if (content === this.#drawn || this.contains(document.activeElement)) return;
    this.#drawn = content;
    const card = ({room, occurrence}) => h('div', {class: 'coming-card', role: 'listitem', dataset: {room: room.id}}, cover(room, '64'),
      h('div', {class: 'coming-words'},
        h('a', {class: 'truncate', href: roomPath(room), dir: 'auto'}, occurrence.title ?? room.title),
        h('span', {class: 'muted small truncate', dir: 'auto'}, occurrence.title ? room.title : `@${room.owner.username ?? ''}`),
        occurrence.start_ms <= Date.now() ? h('span', {class: 'badge live'}, t('schedule.now'))
          : h('time', {class: 'small tabular', datetime: new Date(occurrence.start_ms).toISOString()}, moment(occurrence.start_ms))));
    this.replaceChildren(...rooms.length ? [shelf({title: t('schedule.coming'), kind: 'rows', items: rooms.map(card)})] : []);
  }
}
customElements.define('coming-up', ComingUp);
