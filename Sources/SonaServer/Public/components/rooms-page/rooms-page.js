// The rooms that the user owns: what each does now, who may come in, and the ways to its settings and to going live.
import {publicSwitch, myRooms} from './public-switch.js';
import {cover} from '../cover/cover.js';
import {roomPath, stateLine} from '../room-card/room-card.js';
import {dialog, openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {field, form, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {NarrowPage} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';

// The words of settings are also those of this page.
await i18n.also('order.');

/** How often the list is asked for while it is seen, ms: no event tells of a room that is not watched. */
const AGAIN = 15_000;

class RoomsPage extends NarrowPage {
  static title = 'rooms.title';
  #rooms = null; #transfers = []; #shown = null; #timer = null;

  connectedCallback() {
    super.connectedCallback();
    this.listen(me, 'change', () => this.#show());
    for (const type of ['fresh', 'resumed']) this.listen(session, type, () => this.#load());
    this.listen(window, 'sona-transfers', () => this.#load());
    this.#timer = setInterval(() => { if (!document.hidden && session.status === 'online') this.#load(); }, AGAIN);
    this.#load();
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  build() {
    this.#shown = null;
    return [
      this.about = h('div', {class: 'card'}),
      this.alert = h('div', {role: 'status'}),
      this.offers = h('ul', {class: 'list room-offers', hidden: true}),
      this.duties = h('ul', {class: 'list room-duties', hidden: true}),
      this.list = h('ul', {class: 'list own-rooms', 'aria-busy': 'true', tabindex: '-1'}),
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'primary', onclick: () => this.#make()}, icon('plus'), t('rooms.new'))),
    ];
  }

  async #load() {
    try {
      this.#rooms = await myRooms();
      this.#transfers = server.has('transfers') ? (await session.request('room.transfers')).transfers : [];
      this.alert.replaceChildren();
    } catch (error) {
      if (this.#rooms === null) this.alert.replaceChildren(h('p', {class: 'notice error'}, describe(error)), h('button', {type: 'button', onclick: () => this.#load()}, t('load.again')));
    }
    if (this.isConnected) this.#show();
    await this.#showDuties();
  }

  /** Slots to host, which most people have none of. */
  async #showDuties() {
    if (!server.has('djs') || session.user?.guest !== false) return;
    try {
      const {dutyRows} = await import('./duties.js'), rows = await dutyRows(() => this.#load());
      const text = (element) => element.outerHTML, before = [...this.duties.children].map(text).join(), after = rows.map(text).join();
      if (before !== after) this.duties.replaceChildren(...rows);
      this.duties.hidden = rows.length === 0;
    } catch { /* The rooms are there. */ }
  }

  /** Draws what has changed. The focused element keeps the focus. */
  #show() {
    if (this.#rooms === null) return;
    const content = JSON.stringify([this.#rooms, this.#transfers, me.data?.settings?.visibility]);
    if (content === this.#shown) return;
    this.#shown = content;
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.act ?? document.activeElement.name : null;
    this.about.replaceChildren(publicSwitch({rooms: this.#rooms, changed: () => this.#load()}));
    const offered = this.#transfers.filter(({to}) => to.uid === session.user?.uid);
    this.offers.hidden = offered.length === 0;
    this.offers.replaceChildren(...offered.map(transfer => this.#offer(transfer)));
    this.list.removeAttribute('aria-busy');
    this.list.replaceChildren(...this.#rooms.length === 0 ? [h('li', {class: 'empty'}, icon('music'), h('p', {}, t('rooms.none')))] : this.#rooms.map(room => this.#row(room)));
    if (focused) (this.querySelector(`[data-act="${CSS.escape(focused)}"], [name="${CSS.escape(focused)}"]`) ?? this.list).focus({preventScroll: true});
  }

  /** A room that somebody wants to give us. */
  #offer({room, title, from, expires_ms: expires}) {
    const answer = (type, key, done, kind) => h('button', {
      type: 'button', class: `small-button ${kind}`, dataset: {act: `${type}-${room}`},
      onclick: once(async () => {
        try {
          await session.request(type, {room});
          toast(t(done, {title}), {kind: 'ok'});
        } catch (error) {
          toast(describe(error), {kind: 'error'});
        }
        await this.#load();
      }),
    }, t(key));
    return h('li', {class: 'card stack tight', dataset: {offer: room}},
      h('p', {}, t('transfer.offered', {name: `@${from.username ?? ''}`, title})), h('p', {class: 'muted small'}, t('room-settings.banned.until', {time: i18n.date(expires)})),
      h('div', {class: 'row tight'}, answer('room.accept_transfer', 'transfer.accept', 'transfer.accepted', 'primary'), answer('room.refuse_transfer', 'transfer.refuse', 'transfer.refused', '')));
  }

  #row(room) {
    const isPrivate = room.visibility === 'private', transfer = this.#transfers.find(one => one.room === room.id && one.from.uid === session.user?.uid);
    return h('li', {class: 'card own-room', dataset: {room: room.id}}, cover(room, '64'),
      h('div', {class: 'grow stack tight'},
        h('h2', {}, h('a', {href: roomPath(room), dir: 'auto', dataset: {act: `open-${room.id}`}}, room.title)),
        h('p', {class: 'row tight'},
          room.live ? h('span', {class: 'badge live'}, t('room-card.live')) : null,
          h('span', {class: 'badge'}, isPrivate ? icon('lock') : null, t(isPrivate ? 'room-card.private' : 'room-settings.public')),
          h('span', {class: 'muted small truncate', dir: 'auto'}, stateLine(room)),
          transfer ? h('span', {class: 'muted small'}, t('transfer.pending', {name: `@${transfer.to.username ?? ''}`, time: i18n.date(transfer.expires_ms)})) : null,
          room.listeners > 0 ? h('span', {class: 'muted small tabular'}, tn('room-card.listeners', room.listeners)) : null),
        h('div', {class: 'row tight'},
          h('a', {class: 'button small-button', href: `/host?room=${room.id}`, 'aria-label': t('rooms.go-live.in', {title: room.title}), dataset: {act: `live-${room.id}`}}, icon('mic'), t('nav.host')),
          h('button', {
            type: 'button', class: 'small-button', 'aria-label': t('rooms.settings.of', {title: room.title}), dataset: {act: `settings-${room.id}`},
            onclick: () => openLater(() => import('../room-page/room-settings.js'), ({openSettings}) => openSettings({id: room.id, room}, () => this.#load())),
          }, icon('settings'), t('room-settings')),
          server.has('webhooks') ? h('button', {
            type: 'button', class: 'small-button', 'aria-label': t('rooms.webhooks.of', {title: room.title}), dataset: {act: `webhooks-${room.id}`},
            onclick: () => openLater(() => import('./webhooks-dialog.js'), ({openWebhooks}) => openWebhooks(room)),
          }, icon('link'), t('rooms.webhooks')) : null)));
  }

  #make() {
    const element = dialog({
      title: t('rooms.new'),
      body: form({
        fields: [field({name: 'title', label: t('room-settings.title'), maxlength: 200, bytes: 200, required: true, autocomplete: 'off', dir: 'auto'})],
        submit: t('rooms.make'),
        send: async ({title}) => {
          const {visibility = 'private', delivery = 'party'} = me.data?.settings ?? {};
          const {room} = await session.request('room.create', {title: title.trim(), visibility, delivery});
          this.#rooms = [room, ...this.#rooms ?? []];
          toast(t('rooms.made', {title: room.title}), {kind: 'ok'});
          element.close();
          this.#show();
          this.querySelector(`[data-act="open-${room.id}"]`)?.focus();
        },
      }),
    });
  }
}
customElements.define('rooms-page', RoomsPage);
