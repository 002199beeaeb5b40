// All accounts: found by their username, made admins, banned, and what they show taken down.
import {banAddressesOf, banUser, takeDown} from './acts.js';
import {ask, attempt, pages, time, until} from './parts.js';
import {avatar} from '../avatar/avatar.js';
import {dialog} from '../../shell/dialogs.js';
import {debounced, h} from '../../shell/dom.js';
import {choice} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';

const may = permission => me.data?.permissions?.includes(permission) ?? false;
const nameOf = ({user}) => user.username ? `@${user.username}` : t('name.none');
/** The buttons for an account of a role: the role that each gives, the word on it, what is said when it is done. */
const GIVEN = {
  user: [['admin', 'admin', 'admin'], ['curator', 'curator', 'curator']],
  curator: [['admin', 'admin', 'admin'], ['user', 'no-curator', 'no-curator']],
  admin: [['user', 'user', 'user']],
};
const FILTERS = [['all', {}], ['admins', {role: 'admin'}], ['curators', {role: 'curator'}], ['banned', {banned: true}]];

/** Opens the dialog about an account. `took` is given the account as it is after each change. */
const manage = (account, took) => {
  const {user, role, ban} = account, name = nameOf(account), isSelf = user.uid === session.user?.uid;
  const button = (key, kind, run) => h('button', {type: 'button', class: kind, onclick: run}, t(key));
  /** Another dialog takes its place. */
  const then = run => async () => {
    element.close();
    await run();
  };
  const setRole = async (wanted, done) => {
    let now = null;
    if (await attempt(async () => { ({user: now} = await ask('users.set_role', {user: user.uid, role: wanted})); }, t(`admin.users.role.done.${done}`, {name}))) took(now);
    element.close();
  };
  const element = dialog({
    title: name,
    body: [
      h('p', {}, h('a', {href: `/u/${encodeURIComponent(user.uid)}`, onclick: () => element.close()}, t('admin.users.profile'))),
      isSelf ? h('p', {class: 'muted'}, t('admin.users.self')) : null,
      isSelf || !may('users.set_role') ? null : h('div', {class: 'stack tight'}, h('h3', {}, t('admin.users.role')),
        h('p', {class: 'muted small'}, t(`admin.users.role.about.${role in GIVEN ? role : 'user'}`)),
        h('div', {class: 'row tight'}, (GIVEN[role] ?? GIVEN.user).map(([wanted, word, done]) =>
          button(`admin.users.role.${word}`, wanted === 'user' ? 'danger' : '', () => setRole(wanted, done))))),
      isSelf || !may('users.ban') ? null : h('div', {class: 'stack tight'}, h('h3', {}, t('admin.ban')),
        ban ? h('p', {class: 'small'}, [until(ban.until_ms), ban.reason].filter(Boolean).join(' · ')) : h('p', {class: 'muted small'}, t('admin.ban.about')),
        h('div', {class: 'row tight'},
          ban ? button('admin.unban', '', async () => {
            let now = null;
            if (await attempt(async () => { ({user: now} = await ask('users.unban', {user: user.uid})); }, t('admin.unban.done', {name}))) took(now);
            element.close();
          }) : null,
          button(ban ? 'admin.ban.change' : 'admin.ban', 'danger', then(() => banUser(user.uid, name, took))),
          may('addresses.ban') ? button('admin.bans.of', 'danger', then(() => banAddressesOf(user.uid, name))) : null)),
      may('content.take_down') ? h('div', {class: 'stack tight'}, h('h3', {}, t('admin.users.shown')),
        h('div', {class: 'row tight'}, button('admin.take-down', 'danger', then(() => takeDown({user: user.uid}))))) : null,
      may('journal.read') ? h('p', {}, h('a', {href: `/admin/journal?user=${encodeURIComponent(user.uid)}`, onclick: () => element.close()}, t('admin.users.journal'))) : null,
      h('p', {class: 'muted small'}, t('admin.users.operator')),
    ],
  });
};

class AdminUsers extends HTMLElement {
  #query = ''; #filter = 'all'; #search = null;

  connectedCallback() {
    const list = pages({
      none: t('admin.users.none'),
      next: async (cursor) => {
        const page = await ask('users.list', {
          limit: 30, ...(this.#query === '' ? {} : {query: this.#query}), ...FILTERS.find(([name]) => name === this.#filter)[1], ...(cursor === null ? {} : {cursor}),
        });
        return {items: page.users, cursor: page.next_cursor};
      },
      row: (account, self) => this.#row(account, self),
    });
    this.#search = debounced(250, (text) => {
      const query = text.trim().replace(/^@/, '');
      if (query === this.#query) return;
      this.#query = query;
      list.again();
    });
    this.replaceChildren(h('div', {class: 'stack'},
      h('div', {class: 'search', role: 'search'}, icon('search'), h('input', {
        type: 'search', 'aria-label': t('admin.users.search'), placeholder: t('admin.users.search'), maxlength: 100, autocomplete: 'off', spellcheck: 'false',
        oninput: ({target}) => this.#search(target.value),
      })),
      choice({name: 'filter', label: t('admin.users.show'), value: this.#filter, options: FILTERS.map(([name]) => [name, t(`admin.users.${name}`)]), onchange: name => { this.#filter = name; list.again(); }}),
      list.element));
    list.again();
  }

  disconnectedCallback() { this.#search.cancel(); }

  #row(account, self) {
    const {user, role, created_ms: created, ban} = account, name = nameOf(account);
    return h('li', {class: 'entry', dataset: {user: user.uid}}, avatar(user, 36),
      h('div', {class: 'grow'},
        h('p', {class: 'row tight'}, h('a', {class: 'entry-title', href: `/u/${encodeURIComponent(user.uid)}`, dir: 'auto'}, name),
          role === 'admin' ? h('span', {class: 'badge'}, icon('crown'), t('admin.users.admin')) : null,
          role === 'curator' ? h('span', {class: 'badge'}, icon('library'), t('admin.users.curator')) : null,
          ban ? h('span', {class: 'badge admin-banned'}, t('admin.users.is-banned')) : null),
        h('p', {class: 'muted small'}, t('admin.users.since'), ' ', time(created)),
        ban ? h('p', {class: 'small', dir: 'auto'}, [until(ban.until_ms), ban.reason].filter(Boolean).join(' · ')) : null),
      h('button', {class: 'icon-button', type: 'button', 'aria-label': t('member.manage', {name}), onclick: () => manage(account, now => self.put(now))}, icon('more')));
  }
}
customElements.define('admin-users', AdminUsers);
