// The pages of administrators. Each part of them is a module of its own, fetched when it is opened.
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {shade} from '../../store/settings.js';

// Neither the style sheets nor the words are fetched before an administrator needs them. Kinds of reports and lengths of bans
// are called as in the dialogs of a room.
await Promise.all([
  i18n.also('order.').then(() => i18n.also('admin.')).then(() => i18n.also('operator.')),
  ...['admin-page.css', 'operating.css', 'figures.css'].map(name => new Promise((done, fail) => document.head.append(h('link', {
    rel: 'stylesheet', href: new URL(name, import.meta.url).href,
    onload: done, onerror: () => fail(new TypeError('The looks of the page did not come.')),
  })))),
]);

/** The parts in groups, each with the permission it takes; null: any of the others. Source: Protocol/spec/permissions.md. */
const GROUPS = [
  ['people', [
    ['reports', 'reports.handle', 'flag'], ['users', 'users.list', 'people'], ['registration', 'registration.manage', 'user'],
    ['content', 'content.take_down', 'close'], ['bans', 'addresses.ban', 'lock'], ['words', 'words.manage', 'edit'], ['plans', 'plans.manage', 'list'],
  ]],
  ['music', [['submissions', 'library.curate', 'check'], ['rooms', 'content.take_down', 'wave'], ['folders', 'library.manage', 'folder'], ['jobs', 'library.manage', 'queue'], ['storage', 'library.manage', 'disk']]],
  ['server', [['server', null, 'settings'], ['journal', 'journal.read', 'history']]],
];
const PARTS = GROUPS.flatMap(([, parts]) => parts);
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
    // Whoever decides on submissions and nothing else looks after music, not after the server.
    const isTheirs = ([, permission]) => permission === null ? permissions.some((one) => one !== 'library.curate') : permissions.includes(permission);
    const parts = PARTS.filter(isTheirs), asked = this.getAttribute('part');
    [this.#part] = parts.find(([part]) => part === asked) ?? parts[0];
    const place = h('div', {class: 'stack admin-part', 'aria-busy': 'true'});
    this.replaceChildren(h('div', {class: 'admin'},
      h('h1', {}, t('admin.title')),
      this.#links(isTheirs),
      h('section', {class: 'stack', 'aria-label': t(`admin.${this.#part}`)}, h('h2', {}, t(`admin.${this.#part}`)), place)));
    this.dispatchEvent(new Event('titlechange'));
    this.#open(this.#part, place);
  }

  /** Links to the parts: at the side where there is room, else behind a button that names the present part. */
  #links(isTheirs) {
    const id = uniqueId('admin-parts'), [, , symbol] = PARTS.find(([part]) => part === this.#part);
    const groups = h('div', {class: 'admin-groups', id}, GROUPS.map(([group, parts]) => [group, parts.filter(isTheirs)]).filter(([, parts]) => parts.length > 0).map(([group, parts]) => {
      const heading = uniqueId('admin-group');
      return h('div', {class: 'stack tight'}, h('p', {class: 'admin-group', id: heading}, t(`admin.group.${group}`)),
        h('ul', {class: 'list', 'aria-labelledby': heading}, parts.map(([part, , sign]) => h('li', {},
          h('a', {class: 'admin-link', href: `/admin/${part}`, 'aria-current': part === this.#part ? 'page' : null}, icon(sign), t(`admin.${part}`))))));
    }));
    const button = h('button', {
      type: 'button', class: 'admin-menu', 'aria-expanded': 'false', 'aria-controls': id,
      onclick: () => {
        const isOpen = groups.toggleAttribute('data-open');
        button.setAttribute('aria-expanded', String(isOpen));
        if (isOpen) groups.querySelector('[aria-current]').focus();
      },
    }, icon(symbol), h('span', {class: 'grow'}, t(`admin.${this.#part}`)), h('span', {class: 'visually-hidden'}, t('admin.menu')), icon('down'));
    return h('nav', {
      class: 'admin-nav', 'aria-label': t('admin.title'),
      onkeydown: (event) => {
        if (event.key !== 'Escape' || button.getAttribute('aria-expanded') === 'false') return;
        groups.removeAttribute('data-open');
        button.setAttribute('aria-expanded', 'false');
        button.focus();
      },
    }, button, groups);
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
