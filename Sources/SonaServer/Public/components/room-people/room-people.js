// The people in the room, and those who wait for admission.
import {avatar} from '../avatar/avatar.js';
import {RoomPart, isBelowUs, nameOf} from '../room-page/room-part.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';
import {settings} from '../../store/settings.js';

/** What names a member in a report: a guest is known by the room alone. */
const reported = ({id}, {uid, guest}) => guest ? {room: id, user: uid} : {user: uid};

class RoomPeople extends RoomPart {
  #drawn = null;

  build() {
    this.#drawn = null;
    this.replaceChildren(
      this.door = h('div', {class: 'stack', hidden: true}),
      this.count = h('p', {class: 'muted small', tabindex: '-1'}),
      this.list = h('ul', {class: 'list entries'}),
      this.tools = h('div', {class: 'row tight people-tools'}),
      toggle({name: 'unseen', label: t('people.here.ghost'), hint: t('people.here.ghost-hint'), checked: settings.get('unseen'), onchange: (on) => {
        settings.set('unseen', on);
        player.rejoin();
      }}));
  }

  /** What there is beside the list, as far as one may. */
  #showTools() {
    const tool = (key, module, name) => h('button', {
      type: 'button', class: 'small-button', dataset: {act: key}, onclick: () => openLater(module, (found) => found[name](this.room)),
    }, t(key));
    const tools = () => import('./tools.js');
    this.tools.replaceChildren(
      tool('people.here.meter', () => import('./meter-dialog.js'), 'openMeter'),
      ...this.room.may('moderate') ? [tool('people.here.bans', tools, 'openBans'), tool('people.here.roles', tools, 'openRoles')] : [],
      ...this.room.may('host') ? [tool('people.here.invites', tools, 'openInvites')] : []);
  }

  update(what) {
    if (!this.room || !['all', 'people', 'room', 'waiting', 'you'].includes(what)) return;
    const {people, count, ghosts, knocking} = this.room;
    const counts = count === null ? [] : [tn('people.here.count', count), ...ghosts > 0 ? [tn('people.here.unseen', ghosts)] : []];
    this.count.textContent = counts.join(' · ');
    // Only changed rows are rebuilt. The focused element keeps the focus; if it is gone, its place gets it.
    const content = JSON.stringify([people, knocking, session.user?.uid, this.room.you?.may]);
    if (content === this.#drawn) return;
    this.#drawn = content;
    const focused = this.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    this.list.replaceChildren(...people.map(member => this.#member(member)));
    this.#showTools();
    this.door.hidden = knocking.length === 0;
    this.door.replaceChildren(
      h('h3', {}, tn('people.here.knocking', knocking.length)),
      h('ul', {class: 'list entries'}, knocking.map(card => this.#knocker(card))));
    if (focused) (this.querySelector(`[data-act="${CSS.escape(focused)}"]`) ?? this.count).focus({preventScroll: true});
  }

  #name({user, display_name: displayed}, place) {
    const name = displayed ?? nameOf(user);
    return user.username
      ? h('a', {href: `/u/${encodeURIComponent(`@${user.username}`)}`, class: 'truncate', dir: 'auto', dataset: {act: `${place}-${user.uid}`}}, name)
      : h('span', {class: 'truncate', dir: 'auto'}, name);
  }

  #member(member) {
    const {user: card, standing, host} = member;
    const isUs = card.user.uid === session.user?.uid;
    return h('li', {class: 'entry'}, avatar(card, 36),
      h('div', {class: 'grow row tight'}, this.#name(card, 'here'), isUs ? h('span', {class: 'muted small'}, t('people.here.you')) : null),
      host ? h('span', {class: 'badge'}, icon('mic'), t('people.here.host')) : null,
      standing === 'listener' ? null : h('span', {class: 'badge'}, t(`people.here.standing.${standing}`)),
      isBelowUs(this.room, member) ? h('button', {
        class: 'icon-button', type: 'button', dataset: {act: `manage-${card.user.uid}`}, 'aria-label': t('member.manage', {name: card.display_name ?? nameOf(card.user)}),
        onclick: () => openLater(() => import('./member-dialog.js'), ({manage}) => manage(this.room, member)),
      }, icon('more')) : isUs ? null : h('button', {
        class: 'icon-button', type: 'button', dataset: {act: `report-${card.user.uid}`}, 'aria-label': t('people.here.report', {name: card.display_name ?? nameOf(card.user)}),
        onclick: () => openLater(() => import('../../shell/report.js'), ({report}) => report(reported(this.room, card.user), t('report.user', {name: card.display_name ?? nameOf(card.user)}))),
      }, icon('flag')));
  }

  #knocker(card) {
    const answer = (type, key, kind) => h('button', {
      class: `small-button ${kind}`, type: 'button', dataset: {act: `${type}-${card.user.uid}`},
      onclick: async ({currentTarget: button}) => {
        // A disabled button would lose the focus.
        if (button.ariaDisabled === 'true') return;
        button.ariaDisabled = 'true';
        try {
          await session.request(type, {room: this.room.id, user: card.user.uid});
        } catch (error) {
          toast(describe(error), {kind: 'error'});
          button.ariaDisabled = 'false';
        }
        this.room.loadKnocking().catch(() => {});
      },
    }, t(key));
    return h('li', {class: 'entry'}, avatar(card, 36), h('div', {class: 'grow'}, this.#name(card, 'door')),
      answer('room.admit', 'people.here.admit', 'primary'), answer('room.deny', 'people.here.deny', ''));
  }
}

customElements.define('room-people', RoomPeople);
