// The room that the user plays to: its link, its access, its people, and handing over.
import {avatar} from '../avatar/avatar.js';
import {cover} from '../cover/cover.js';
import {photoField} from '../photo-field/photo-field.js';
import {nameOf} from '../room-page/room-part.js';
import {HostPart, attempt} from './host-part.js';
import {share} from '../share-dialog/share.js';
import {confirm} from '../../shell/dialogs.js';
import {toggle} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {session} from '../../store/session.js';

class HostRoom extends HostPart {
  #shown = {};

  build() {
    this.#shown = {};
    this.replaceChildren(
      h('h2', {}, t('host.room')),
      h('div', {class: 'row tight'},
        h('button', {type: 'button', onclick: () => share(host.room)}, icon('share'), t('host.share'))),
      this.visibility = h('div', {}),
      this.recording = h('div', {}),
      this.picture = h('details', {hidden: true}, h('summary', {}, t('host.picture'))),
      this.people = h('div', {class: 'stack tight'}),
      h('div', {class: 'row'}, h('button', {class: 'danger', type: 'button', onclick: () => this.#end()}, t('host.end'))));
  }

  update() {
    const {room} = host;
    if (!room?.room) return;
    this.#showVisibility(room);
    this.#showRecording(room);
    this.#showPicture(room);
    this.#showPeople(room);
  }

  /** Only the host decides whether they are recorded, and only for as long as they host. */
  #showRecording(room) {
    const isThere = session.features.has('recording') && room.room.replays === true, key = `${isThere} ${room.room.recorded === true}`;
    if (this.#shown.recording === key) return;
    this.#shown.recording = key;
    const hadFocus = this.recording.contains(document.activeElement);
    this.recording.replaceChildren(...isThere ? [toggle({
      name: 'record', label: t('host.record'), hint: t('host.record-hint'), checked: room.room.recorded === true,
      onchange: async (on, input) => { if (!await attempt(() => host.record(on))) input.checked = !on; },
    })] : []);
    if (hadFocus) this.recording.querySelector('input')?.focus();
  }

  #showVisibility(room) {
    const key = `${room.room.visibility} ${room.may('manage')}`;
    if (this.#shown.visibility === key) return;
    this.#shown.visibility = key;
    const hadFocus = this.visibility.contains(document.activeElement);
    this.visibility.replaceChildren(room.may('manage') ? toggle({
      name: 'private', label: t('host.room.private'), hint: t('host.room.private-hint'), checked: room.room.visibility === 'private',
      onchange: async (on, input) => {
        if (!await attempt(() => session.request('room.update', {room: room.id, visibility: on ? 'private' : 'public'}))) input.checked = !on;
      },
    }) : h('p', {class: 'muted small'}, t(`host.visibility.${room.room.visibility}`)));
    if (hadFocus) this.visibility.querySelector('input')?.focus();
  }

  #showPicture(room) {
    this.picture.hidden = !room.may('manage');
    const shown = room.picture?.id ?? null;
    if (this.picture.hidden || this.#shown.picture === shown) return;
    this.#shown.picture = shown;
    if (this.field?.isConnected) this.field.draw();
    else this.picture.append(h('div', {class: 'stack'}, this.field = photoField({
      path: `/v1/rooms/${room.id}/picture`, remove: () => session.request('room.remove_picture', {room: room.id}),
      show: () => cover({picture: room.picture, id: room.id}), has: () => room.picture !== null,
    })));
  }

  #showPeople(room) {
    const others = room.people.filter(({user: card}) => card.user.uid !== session.user?.uid);
    const key = JSON.stringify([room.room.listeners, others.map(({user: card}) => [card.user.uid, card.display_name])]);
    if (this.#shown.people === key) return;
    this.#shown.people = key;
    const focused = document.activeElement?.closest?.('[data-user]')?.dataset.user;
    this.people.replaceChildren(
      h('h3', {}, tn('host.listeners', room.room.listeners)),
      h('ul', {class: 'list entries'}, others.slice(0, 50).map(({user: card}) => h('li', {class: 'entry'}, avatar(card, 32),
        h('span', {class: 'grow truncate', dir: 'auto'}, card.display_name ?? nameOf(card.user)),
        card.user.guest ? null : h('button', {class: 'small-button', type: 'button', dataset: {user: card.user.uid}, onclick: () => this.#offer(card)}, t('host.offer'))))));
    if (focused) this.people.querySelector(`[data-user="${focused}"]`)?.focus();
  }

  async #offer(card) {
    if (await attempt(() => host.offer(card.user.uid))) toast(t('host.offer.done', {name: card.display_name ?? nameOf(card.user)}), {kind: 'ok'});
  }

  async #end() {
    if (await confirm({title: t('host.end.title'), text: t('host.end.text'), action: t('host.end'), danger: true})) await host.end();
  }
}

customElements.define('host-room', HostRoom);
