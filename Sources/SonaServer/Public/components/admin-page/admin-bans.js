// Bans of network addresses: those in force, making one, and lifting one.
import {banRange} from './acts.js';
import {ask, attempt, pages, person, time, until} from './parts.js';
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';

class AdminBans extends HTMLElement {
  connectedCallback() {
    const list = pages({
      none: t('admin.bans.none'),
      next: async () => ({items: (await ask('addresses.list')).bans, cursor: null}),
      row: ({range, until_ms: end, reason, created_ms: created, by}, self) => h('li', {class: 'entry', dataset: {range}},
        h('div', {class: 'grow'},
          h('p', {class: 'row tight'}, h('strong', {class: 'tabular'}, range), h('span', {class: 'badge'}, until(end))),
          reason === null ? null : h('p', {class: 'small', dir: 'auto'}, reason),
          h('p', {class: 'muted small'}, time(created), by === null ? '' : [' · ', person(by)])),
        h('button', {
          type: 'button', class: 'small-button',
          onclick: once(async () => {
            if (!await confirm({title: t('admin.bans.lift-title', {range}), text: t('admin.bans.lift-about'), action: t('admin.bans.lift')})) return;
            if (await attempt(() => ask('addresses.unban', {range}), t('admin.bans.lifted', {range}))) self.drop();
          }),
        }, t('admin.bans.lift'))),
    });
    this.replaceChildren(h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('admin.bans.about')),
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'primary', onclick: once(async () => { if (await banRange()) list.again(); })}, icon('plus'), t('admin.bans.add'))),
      list.element));
    list.again();
  }
}
customElements.define('admin-bans', AdminBans);
