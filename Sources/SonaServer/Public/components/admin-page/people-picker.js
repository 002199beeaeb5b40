// Choosing accounts: those that are chosen stand above a field that finds others by the beginning of their usernames.
import {ask, person} from './parts.js';
import {avatar} from '../avatar/avatar.js';
import {debounced, h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, t} from '../../store/i18n.js';

const FOUND_MAX = 8;

/** A part of a form: `{element, users}`, of which `users` are the identifiers of those who are chosen now, at most `max`. */
export const peoplePicker = ({label, users, max}) => {
  const chosen = new Map(), listId = uniqueId('found'), labelId = uniqueId('people'), hintId = uniqueId('hint');
  const list = h('ul', {class: 'list row tight picker-chosen', 'aria-labelledby': labelId});
  const found = h('ul', {class: 'list picker-found', role: 'listbox', id: listId, 'aria-label': t('admin.people.found'), hidden: true});
  const status = h('p', {class: 'hint', role: 'status', id: hintId}, t('admin.people.hint'));
  const input = h('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: 100, 'aria-labelledby': labelId,
    'aria-describedby': hintId, 'aria-controls': listId, 'aria-expanded': 'false', 'aria-autocomplete': 'list',
  });
  let active = -1, turn = 0;

  const mark = (index) => {
    active = index;
    [...found.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === index)));
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', found.children[index].id);
      found.children[index].scrollIntoView({block: 'nearest'});
    }
  };
  const close = () => {
    turn += 1;
    found.hidden = true;
    found.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    mark(-1);
  };
  const add = (uid, name) => {
    if (chosen.has(uid) || chosen.size >= max) return;
    const element = h('li', {class: 'badge picked', dataset: {user: uid}}, name ?? person(uid), h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('admin.people.remove'),
      onclick: () => {
        chosen.delete(uid);
        element.remove();
        input.focus();
      },
    }, icon('close')));
    chosen.set(uid, element);
    list.append(element);
  };
  const pick = (user) => {
    add(user.uid, `@${user.username}`);
    input.value = '';
    status.textContent = chosen.size >= max ? t('admin.people.full') : t('admin.people.added', {name: `@${user.username}`});
    close();
    input.focus();
  };
  const find = debounced(200, async () => {
    const query = input.value.trim().replace(/^@/, ''), mine = ++turn;
    if (query === '') return close();
    try {
      const {users: accounts} = await ask('users.list', {query, limit: FOUND_MAX});
      if (mine !== turn) return undefined;
      const shown = accounts.map(({user}) => user).filter(({uid, username}) => username && !chosen.has(uid));
      found.replaceChildren(...shown.map(user => h('li', {
        role: 'option', id: uniqueId('option'), 'aria-selected': 'false', onpointerdown: event => event.preventDefault(), onclick: () => pick(user),
      }, avatar(user, 28), h('span', {dir: 'auto'}, `@${user.username}`))));
      found.hidden = shown.length === 0;
      input.setAttribute('aria-expanded', String(shown.length > 0));
      status.textContent = shown.length === 0 ? t('admin.users.none') : '';
      mark(shown.length > 0 ? 0 : -1);
    } catch (error) {
      if (mine === turn) status.textContent = describe(error);
    }
    return undefined;
  });
  input.addEventListener('input', find);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const count = found.childElementCount;
    if (event.key === 'Enter') {
      event.preventDefault();
      found.children[active]?.click();
    } else if (event.key === 'Escape' && count > 0) {
      // The dialog around it stays open.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      mark((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
    }
  });
  for (const uid of users) add(uid, null);
  return {
    element: h('div', {class: 'field picker'}, h('span', {class: 'picker-label', id: labelId}, label), list, h('div', {class: 'picker-field'}, input, found), status),
    get users() { return [...chosen.keys()]; },
  };
};
