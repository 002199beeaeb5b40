// Ways into the room: made, copied while their code is known, and taken back.
import {HostPart, attempt} from './host-part.js';
import {confirm} from '../../shell/dialogs.js';
import {choice, field} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {session} from '../../store/session.js';

const DAY = 86_400;
const AGES = [[DAY, 'day'], [7 * DAY, 'week'], [90 * DAY, 'quarter']];
const ROLES = ['listen', 'suggest', 'vote', 'control', 'cohost'];

class HostInvites extends HostPart {
  #role = 'listen'; #age = 7 * DAY; #invites = null; #links = new Map();

  build() {
    const roles = ROLES.filter(role => role !== 'cohost' || host.room?.may('manage'));
    this.hidden = !host.room?.may('host');
    this.replaceChildren(h('details', {ontoggle: ({target}) => { if (target.open && !this.#invites) this.#load(); }},
      h('summary', {}, h('h2', {}, t('host.invites'))),
      h('div', {class: 'stack'},
        h('p', {class: 'muted small'}, t('host.invites.about')),
        field({name: 'role', label: t('host.invite.role'), control: h('select', {
          name: 'role', onchange: ({target}) => { this.#role = target.value; },
        }, roles.map(role => h('option', {value: role, selected: role === this.#role}, t(`host.invite.role.${role}`))))}),
        choice({name: 'age', label: t('host.invite.age'), value: this.#age, options: AGES.map(([age, name]) => [age, t(`host.invite.age.${name}`)]),
          onchange: age => { this.#age = Number(age); }}),
        h('div', {class: 'row'}, h('button', {type: 'button', onclick: ({currentTarget}) => this.#make(currentTarget)}, icon('plus'), t('host.invite.make'))),
        this.list = h('ul', {class: 'list entries'}))));
    if (this.#invites) this.#draw();
  }

  update() {
    const may = host.room?.may('host') ?? false;
    if (this.hidden === may) this.hidden = !may;
  }

  async #load() {
    const {room} = host;
    await attempt(async () => {
      this.#invites = (await session.request('invite.list', {room: room.id})).invites.filter(({revoked}) => !revoked);
      this.#draw();
    });
  }

  async #make(button) {
    button.disabled = true;
    await attempt(async () => {
      const {invite, path} = await session.request('invite.create', {room: host.room.id, role: this.#role, expires_in_s: this.#age});
      this.#links.set(invite.id, `${location.origin}${path}`);
      this.#invites = [invite, ...this.#invites ?? []];
      this.#draw();
      await this.#copy(invite);
    });
    button.disabled = false;
  }

  async #copy({id}) {
    try {
      await navigator.clipboard.writeText(this.#links.get(id));
      toast(t('share.copied'), {kind: 'ok'});
    } catch {
      this.list.querySelector(`[data-invite="${id}"] input`)?.select();
    }
  }

  async #revoke(invite) {
    if (!await confirm({title: t('host.invite.revoke.title'), text: t('host.invite.revoke.text'), action: t('host.invite.revoke'), danger: true})) return;
    await attempt(async () => {
      await session.request('invite.revoke', {room: host.room.id, invite: invite.id});
      this.#invites = this.#invites.filter(one => one.id !== invite.id);
      this.#draw();
    });
  }

  #draw() {
    this.list.replaceChildren(...this.#invites.map(invite => {
      const link = this.#links.get(invite.id);
      return h('li', {class: 'entry', dataset: {invite: invite.id}},
        h('div', {class: 'grow'},
          h('p', {class: 'entry-title'}, invite.label ?? t(`host.invite.role.${invite.role}`)),
          h('p', {class: 'muted small'}, [tn('host.invite.uses', invite.uses), t('host.invite.until', {time: i18n.date(invite.expires_ms)})].join(' · ')),
          link ? h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: ({target}) => target.select()}) : null),
        link ? h('button', {class: 'icon-button', type: 'button', 'aria-label': t('share.copy'), onclick: () => this.#copy(invite)}, icon('copy')) : null,
        h('button', {class: 'small-button danger', type: 'button', onclick: () => this.#revoke(invite)}, t('host.invite.revoke')));
    }));
  }
}

customElements.define('host-invites', HostInvites);
