// The rooms that can be found, live ones first: opening one, looking how it is heard, and taking it down.
import {moveRoom, takeDown} from './acts.js';
import {ask, pages} from './parts.js';
import {cover} from '../cover/cover.js';
import {openLater} from '../../shell/dialogs.js';
import {debounced, h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';

class AdminRooms extends HTMLElement {
  #query = ''; #search = null;

  connectedCallback() {
    const mayInspect = me.data?.permissions?.includes('rooms.inspect');
    const list = pages({
      none: t('admin.rooms.none'),
      next: async (cursor) => {
        const page = await ask('room.search', {query: this.#query, limit: 30, ...(cursor === null ? {} : {cursor})});
        return {items: page.rooms, cursor: page.next_cursor};
      },
      row: (room, self) => h('li', {class: 'entry', dataset: {room: room.id}}, cover(room, '64'),
        h('div', {class: 'grow'},
          h('p', {class: 'row tight'}, h('a', {class: 'entry-title', href: `/r/${room.id}`, dir: 'auto'}, room.title),
            room.live ? h('span', {class: 'badge live'}, t('room-card.live')) : null,
            room.visibility === 'private' ? h('span', {class: 'badge'}, icon('lock'), t('room-card.private')) : null),
          h('p', {class: 'muted small', dir: 'auto'}, [room.owner.username ? `@${room.owner.username}` : '', tn('room-card.listeners', room.listeners)].filter(Boolean).join(' · '))),
        mayInspect ? h('button', {
          type: 'button', class: 'small-button', onclick: () => openLater(() => import('../room-people/meter-dialog.js'), ({openMeter}) => openMeter(room)),
        }, t('room-meter')) : null,
        me.may('rooms.move') ? h('button', {
          type: 'button', class: 'small-button',
          onclick: once(async () => {
            const now = await moveRoom(room);
            if (now) self.put(now);
          }),
        }, t('admin.rooms.move')) : null,
        h('button', {
          type: 'button', class: 'small-button danger',
          onclick: once(async () => {
            if (!await takeDown({room: room.id})) return;
            // It may be gone, or be called otherwise now.
            const now = await ask('room.get', {room: room.id}).catch(() => null);
            if (now) self.put(now.room);
            else self.drop();
          }),
        }, t('admin.take-down'))),
    });
    this.#search = debounced(250, (text) => {
      this.#query = text.trim().slice(0, 100);
      list.again();
    });
    this.replaceChildren(h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('admin.rooms.about')),
      h('div', {class: 'search', role: 'search'}, icon('search'), h('input', {
        type: 'search', 'aria-label': t('home.search'), placeholder: t('home.search-hint'), maxlength: 100, autocomplete: 'off', spellcheck: 'false',
        oninput: ({target}) => this.#search(target.value),
      })),
      list.element));
    list.again();
  }

  disconnectedCallback() { this.#search.cancel(); }
}
customElements.define('admin-rooms', AdminRooms);
