// The pages of administrators. Each part of them is a module of its own, fetched when it is opened.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {shade} from '../../store/settings.js';

// Neither the style sheet nor the words are fetched before an administrator needs them. Kinds of reports and lengths of bans
// are called as in the dialogs of a room.
await Promise.all([
  i18n.also('order.').then(() => i18n.also('admin.')),
  new Promise((done, fail) => document.head.append(h('link', {
    rel: 'stylesheet', href: new URL('admin-page.css', import.meta.url).href,
    onload: done, onerror: () => fail(new TypeError('The looks of the page did not come.')),
  }))),
]);

/** The parts, each with the permission it takes; null: any of the others. Source: Protocol/spec/permissions.md. */
const PARTS = [
  ['reports', 'reports.handle', 'flag'], ['users', 'users.list', 'people'], ['rooms', 'content.take_down', 'music'],
  ['registration', 'registration.manage', 'user'], ['content', 'content.take_down', 'close'], ['bans', 'addresses.ban', 'lock'], ['words', 'words.manage', 'edit'], ['journal', 'journal.read', 'history'], ['server', null, 'settings'],
];
const OF_ADMINS = PARTS.map(([, permission]) => permission).filter(Boolean);

class AdminPage extends HTMLElement {
  #ending = null; #drawn = null; #part = null;

  get pageTitle() { return this.#part ? `${t(`admin.${this.#part}`)} · ${t('admin.title')}` : t('admin.title'); }

  connectedCallback() {
    shade(null);
    const {signal} = this.#ending = new AbortController();
    me.addEventListener('change', () => this.#draw(), {signal});
    this.#draw();
  }

  disconnectedCallback() { this.#ending.abort(); }

  /** Built again only if what the user may do has changed: a dialog's answer may be on its way. */
  #draw() {
    const permissions = me.data ? (me.data.permissions ?? []).filter(one => OF_ADMINS.includes(one)) : null;
    const content = JSON.stringify(permissions);
    if (content === this.#drawn) return;
    this.#drawn = content;
    if (!permissions) return void this.replaceChildren(h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
    if (permissions.length === 0) return void this.#refuse();
    const parts = PARTS.filter(([, permission]) => permission === null || permissions.includes(permission));
    const asked = this.getAttribute('part');
    [this.#part] = parts.find(([part]) => part === asked) ?? parts[0];
    const place = h('div', {class: 'stack admin-part', 'aria-busy': 'true'});
    this.replaceChildren(h('div', {class: 'stack admin'},
      h('h1', {}, t('admin.title')),
      h('nav', {class: 'admin-nav', 'aria-label': t('admin.title')}, h('ul', {class: 'list row tight'}, parts.map(([part, , symbol]) => h('li', {},
        h('a', {class: 'button chip', href: `/admin/${part}`, 'aria-current': part === this.#part ? 'page' : null}, icon(symbol), t(`admin.${part}`)))))),
      h('section', {class: 'stack', 'aria-label': t(`admin.${this.#part}`)}, h('h2', {}, t(`admin.${this.#part}`)), place)));
    // On a phone the links take more than the width.
    const here = this.querySelector('[aria-current]'), line = here.closest('nav');
    line.scrollLeft = here.offsetLeft - line.offsetLeft - (line.clientWidth - here.offsetWidth) / 2;
    this.dispatchEvent(new Event('titlechange'));
    this.#open(this.#part, place);
  }

  #refuse() {
    this.#part = null;
    this.replaceChildren(h('div', {class: 'empty'}, icon('lock'), h('h1', {}, t('admin.refused')), h('p', {role: 'alert'}, t('admin.refused.about')),
      h('a', {class: 'button', href: '/'}, t('nav.explore'))));
    this.dispatchEvent(new Event('titlechange'));
  }

  async #open(part, place) {
    try {
      await import(`./admin-${part}.js`);
      place.replaceChildren(document.createElement(`admin-${part}`));
    } catch (error) {
      place.replaceChildren(h('p', {class: 'notice error'}, describe(error)),
        h('div', {class: 'row'}, h('button', {type: 'button', onclick: () => this.#open(part, place)}, t('load.again'))));
    }
    place.removeAttribute('aria-busy');
  }
}
customElements.define('admin-page', AdminPage);
