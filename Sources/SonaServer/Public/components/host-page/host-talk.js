// What listeners say and feel, beside the host's controls: the chat of the room, reactions, and who would like to play.
import '../room-chat/room-chat.js';
import {avatar} from '../avatar/avatar.js';
import {nameOf} from '../room-page/room-part.js';
import {EMOJI} from '../room-stage/sky.js';
import {HostPart, attempt} from './host-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';
import {host} from '../../store/host.js';

/** The chat, and reactions of the host's own. */
class HostTalk extends HostPart {
  build() {
    this.replaceChildren(
      h('h2', {}, t('chat.title')),
      h('div', {class: 'row tight reactions', role: 'group', 'aria-label': t('room.reactions')}, EMOJI.map(emoji => h(
        'button', {class: 'icon-button reaction', type: 'button', 'aria-label': t('room.react', {emoji}), onclick: () => attempt(() => host.room.react(emoji))}, emoji))),
      h('room-chat', {'.shownRoom': host.room}));
  }

  update() {}
}

customElements.define('host-talk', HostTalk);

/** Those who asked for the seat, until each has an answer. */
class HostRequests extends HostPart {
  #shown = '';

  build() {
    this.#shown = '';
    this.replaceChildren(h('h2', {class: 'visually-hidden'}, t('desk.requests')), h('div', {role: 'status'}, this.list = h('ul', {class: 'list entries'})));
  }

  update() {
    const {requests} = host, key = JSON.stringify(requests.map(({user}) => user.uid));
    this.hidden = requests.length === 0;
    if (key === this.#shown) return;
    this.#shown = key;
    this.list.replaceChildren(...requests.map(({user}) => {
      const name = nameOf(user);
      return h('li', {class: 'entry', dataset: {asks: user.uid}}, avatar({user}, 32),
        h('span', {class: 'grow', dir: 'auto'}, t('host.requested', {name})),
        h('button', {
          class: 'small-button primary', type: 'button', 'aria-label': t('desk.requests.offer', {name}),
          onclick: async () => { if (await attempt(() => host.offer(user.uid))) toast(t('host.offer.done', {name}), {kind: 'ok'}); },
        }, t('host.offer')),
        h('button', {class: 'icon-button', type: 'button', 'aria-label': t('desk.requests.not-now', {name}), onclick: () => host.decline(user.uid)}, icon('close')));
    }));
  }
}

customElements.define('host-requests', HostRequests);

/** On narrow windows: which part of the desk is shown, and how many messages nobody has looked at. */
class HostParts extends HostPart {
  #open = 'desk'; #seen = 0; #room = null;

  build() {
    const parts = [['desk', 'wave'], ['chat', 'chat'], ['room', 'people']];
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', t('desk.parts'));
    this.buttons = parts.map(([part, symbol]) => h('button', {
      class: 'chip', type: 'button', dataset: {part}, onclick: () => this.#show(part),
    }, icon(symbol), t(`desk.parts.${part}`)));
    this.count = h('span', {class: 'count', hidden: true});
    this.buttons[1].append(this.count);
    this.replaceChildren(...this.buttons);
  }

  begin(signal) {
    host.room?.addEventListener('change', ({detail}) => { if (detail === 'chat') this.update(); }, {signal});
    this.#show(this.#open);
  }

  #show(part) {
    this.#open = part;
    this.parentElement.dataset.open = part;
    for (const button of this.buttons) button.setAttribute('aria-pressed', String(button.dataset.part === part));
    this.update();
    const log = part === 'chat' ? this.parentElement.querySelector('.chat-log') : null;
    if (log) log.scrollTop = log.scrollHeight;
  }

  /** Whether the chat can be seen: here, or beside the controls where there is room for both. */
  get #isSeen() { return !document.hidden && this.parentElement?.querySelector('room-chat')?.offsetParent != null; }

  update() {
    const {room} = host;
    if (!room || !this.count) return;
    const newest = room.chat.at(-1)?.id ?? 0;
    // What was said before one came is not new.
    if (this.#room !== room || this.#isSeen) this.#seen = newest;
    this.#room = room;
    const unread = room.chat.filter(({id, user}) => id > this.#seen && user.uid !== host.session?.user?.uid).length;
    this.count.hidden = unread === 0;
    this.write(this.count, unread > 99 ? '99+' : String(unread));
    const label = unread > 0 ? t('desk.parts.unread', {count: unread}) : t('desk.parts.chat');
    if (this.buttons[1].getAttribute('aria-label') !== label) this.buttons[1].setAttribute('aria-label', label);
  }
}

customElements.define('host-parts', HostParts);
