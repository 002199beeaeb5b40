// What the server says of itself, and how busy it was. Its operator sets it up in the configuration, so that it is only shown
// here.
import './server-figures.js';
import {ask} from './parts.js';
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {server} from '../../store/server.js';

class AdminServer extends HTMLElement {
  #ending = null; #facts = null;

  connectedCallback() {
    this.#facts = h('div', {}, h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
    this.replaceChildren(h('div', {class: 'stack'}, this.#facts, server.has('figures') && me.may('server.inspect') ? h('server-figures') : null));
    const {signal} = this.#ending = new AbortController();
    server.addEventListener('change', () => this.#load(), {signal});
    this.#load();
  }

  disconnectedCallback() { this.#ending.abort(); }

  async #load() {
    try {
      this.#draw(await ask('server.info'));
    } catch (error) {
      this.#facts.replaceChildren(h('p', {class: 'notice error'}, describe(error)));
    }
  }

  #draw(info) {
    const yes = value => t(value ? 'admin.server.yes' : 'admin.server.no'), text = value => value ?? t('admin.server.none');
    const registration = info.registration ?? 'open', key = `admin.server.registration.${registration}`;
    const facts = {
      title: info.title, version: `${info.name} ${info.version}`, banner: text(info.banner), contact: text(info.contact), policy: text(info.policy_url),
      registration: i18n.has(key) ? t(key) : registration, guests: yes(info.guests ?? true), terms: yes(info.terms_required ?? false), mail: yes(info.mail ?? true),
      maintenance: yes(info.maintenance ?? false), features: info.features.join(', '),
    };
    this.#facts.replaceChildren(h('div', {class: 'card stack'},
      h('dl', {class: 'admin-facts'}, Object.entries(facts).map(([name, value]) => h('div', {dataset: {fact: name}}, h('dt', {}, t(`admin.server.${name}`)), h('dd', {dir: 'auto'}, value)))),
      h('p', {class: 'muted small'}, t('admin.server.about')),
      server.has('webhooks') && me.may('rooms.inspect') ? h('div', {class: 'row'}, h('button', {
        type: 'button', class: 'small-button', onclick: () => openLater(() => import('../rooms-page/webhooks-dialog.js'), ({openWebhooks}) => openWebhooks(null)),
      }, icon('link'), t('admin.server.webhooks'))) : null,
      server.has('setup') ? h('p', {class: 'small'}, h('a', {href: '/setup'}, t('admin.server.tour'))) : null));
  }
}
customElements.define('admin-server', AdminServer);
