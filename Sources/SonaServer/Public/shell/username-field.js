// A field for a username that shows, while the user types, whether it is free.
import {describe, t} from '../store/i18n.js';
import {session} from '../store/session.js';
import {debounced, h, uniqueId} from './dom.js';
import {Fault, field} from './forms.js';
import {icon} from './icons.js';

const PAUSE = 300;

/** The form of Protocol/spec/identifiers.md, "Usernames". */
export const checkUsername = (username) => {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{2,23}$/.test(username)) throw new Fault('username', 'error.username.invalid');
};

export const usernameField = ({value = ''} = {}) => {
  const element = field({
    name: 'username', label: t('field.username'), hint: t('field.username-hint'), value, required: true, maxlength: 24,
    autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr',
  });
  const output = h('div', {class: 'availability', role: 'status', 'aria-live': 'polite', id: uniqueId('availability')});
  element.append(output);
  let turn = 0;
  const say = (kind, text, suggestions = []) => output.replaceChildren(
    h('p', {class: `small ${kind}`}, kind === 'good' ? icon('check') : kind === 'bad' ? icon('close') : null, text),
    suggestions.length ? h('div', {class: 'row tight'}, h('span', {class: 'muted small'}, t('username.free')), suggestions.map((name) => h(
      'button', {type: 'button', class: 'chip small-button', onclick: () => { element.input.value = name; element.say(''); look(); element.input.focus(); }}, name))) : '');
  const look = async () => {
    const mine = ++turn;
    const username = element.input.value;
    if (!username || username === value) return output.replaceChildren();
    try { checkUsername(username); } catch (fault) {
      if (username.length >= 3) say('bad', t(fault.key));
      return undefined;
    }
    try {
      const answer = await session.request('username.check', {username});
      if (mine !== turn) return undefined;
      if (answer.available) say('good', t('username.available', {name: username}));
      else say('bad', t(`username.reason.${answer.reason}`), answer.suggestions);
    } catch (error) { if (mine === turn) say('muted', describe(error)); }
    return undefined;
  };
  const later = debounced(PAUSE, look);
  element.input.addEventListener('input', () => {
    turn += 1;
    output.replaceChildren();
    later();
  });
  return element;
};
