// Forms whose errors stand where they belong and say what to do.
import {describe, t} from '../store/i18n.js';
import {h, uniqueId} from './dom.js';
import {icon} from './icons.js';

/** Which field an error of the server is about, where it does not say so itself. */
const FIELDS = {
  'auth.email_invalid': 'email', 'auth.email_taken': 'email', 'auth.password_unusable': 'password',
  'auth.invite_required': 'invite', 'invite.invalid': 'invite', 'invite.expired': 'invite', 'invite.used_up': 'invite', 'invite.revoked': 'invite',
  'username.invalid': 'username', 'username.taken': 'username', 'username.mismatch': 'username',
  'playlist.invalid_name': 'title',
};

/** How long a text is for the server, bytes: letters beside those of English take two or more. */
export const sizeOf = (text) => new TextEncoder().encode(text).length;

/** A refusal of our own, before anything was sent: `field` and a key of the catalogue. */
export class Fault extends Error {
  constructor(field, key, parameters) {
    super(key);
    Object.assign(this, {field, key, parameters});
  }
}

/**
 * A field: `{name, label, hint, type, value, …attributes}`; `tag` `textarea` for several lines, `control` for an input
 * that is made already; `bytes` is how many bytes of text the server takes. The element has `.input` and `.say(error)`.
 */
export const field = ({name, label, hint = '', tag = 'input', control = null, bytes = Infinity, ...attributes}) => {
  const id = uniqueId(name), hintId = `${id}-hint`, errorId = `${id}-error`;
  const input = control ?? h(tag, {name, ...attributes});
  input.id = id;
  const hintPart = h('p', {class: 'hint', id: hintId}, hint);
  const error = h('p', {class: 'error', id: errorId});
  input.setAttribute('aria-describedby', [hint && hintId, errorId].filter(Boolean).join(' '));
  const element = h('div', {class: 'field'}, h('label', {for: id}, label), input, hintPart, error);
  element.input = input;
  element.name = name;
  element.bytes = bytes;
  element.say = (text) => {
    error.replaceChildren(...text ? [icon('close'), text] : []);
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  input.addEventListener('input', () => element.say(''));
  return element;
};

/** A field for a password, with what shows it. */
export const passwordField = ({label = t('field.password'), hint = '', autocomplete, name = 'password'}) => {
  const element = field({name, label, hint, type: 'password', autocomplete, maxlength: 512, autocapitalize: 'none', spellcheck: 'false'});
  const show = h('button', {class: 'quiet small-button show-password', type: 'button', 'aria-pressed': 'false'}, t('field.show'));
  show.addEventListener('click', () => {
    const isShown = element.input.type === 'text';
    element.input.type = isShown ? 'password' : 'text';
    show.setAttribute('aria-pressed', String(!isShown));
    element.input.focus();
  });
  const holder = h('div', {class: 'with-button'});
  element.input.replaceWith(holder);
  holder.append(element.input, show);
  return element;
};

/** What a button does when it is pressed. A press while that is still going on does nothing. */
export const once = (run) => async (event) => {
  const button = event.currentTarget;
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await run(event);
  } finally {
    button.removeAttribute('aria-busy');
  }
};

/** A choice that is on or off, with its words. */
export const toggle = ({name, label, hint = '', checked = false, onchange}) => {
  const id = uniqueId(name), hintId = `${id}-hint`;
  return h('div', {class: 'toggle'},
    h('div', {class: 'grow'}, h('label', {for: id}, label), hint ? h('p', {class: 'muted small', id: hintId}, hint) : null),
    h('input', {
      type: 'checkbox', role: 'switch', class: 'switch', id, name, checked, 'aria-describedby': hint ? hintId : null,
      onchange: (event) => onchange?.(event.target.checked, event.target),
    }));
};

/** One of several: a group of radio buttons that look like chips. `options` are `[value, label]`. */
export const choice = ({name, label, hint = '', options, value, onchange}) => {
  const group = uniqueId(name);
  return h('fieldset', {class: 'choice'}, h('legend', {}, label), hint ? h('p', {class: 'muted small'}, hint) : null,
    h('div', {class: 'row tight'}, options.map(([option, words]) => h(
      'label', {class: 'pick'},
      h('input', {type: 'radio', name: group, value: String(option), checked: option === value, onchange: () => onchange?.(option)}),
      h('span', {}, words)))));
};

const present = (fault) => fault instanceof Fault ? t(fault.key, fault.parameters) : describe(fault);

/**
 * A form. `check(values)` may throw a Fault; `send(values)` does what it is for and may throw what the server refused.
 * Errors go to their field, others above the button. The element has `.button`.
 */
export const form = ({fields, submit, kind = 'primary', check = () => {}, send, after = []}) => {
  const alert = h('div', {role: 'alert'});
  const button = h('button', {type: 'submit', class: kind}, submit);
  const element = h('form', {class: 'stack', novalidate: true}, fields, alert, h('div', {class: 'row'}, button, after));
  const parts = fields.flat(Infinity).filter((part) => part?.say);
  const say = (fault) => {
    const name = fault.field?.replace(/^data\.(new_)?/, '') ?? FIELDS[fault.code];
    const part = parts.find((candidate) => candidate.name === name);
    if (!part) {
      alert.replaceChildren(h('p', {class: 'notice error'}, icon('close'), h('span', {}, present(fault))));
      return;
    }
    part.say(present(fault));
    part.input.focus();
  };
  element.button = button;
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    alert.replaceChildren();
    for (const part of parts) part.say('');
    const values = Object.fromEntries(new FormData(element));
    button.setAttribute('aria-busy', 'true');
    try {
      for (const part of parts) {
        if (part.input.required && !String(values[part.name] ?? '').trim()) throw new Fault(part.name, 'field.needed');
        if (!part.hidden && sizeOf(String(values[part.name] ?? '').trim()) > part.bytes) throw new Fault(part.name, 'field.too-long');
      }
      await check(values);
      await send(values);
    } catch (fault) {
      if (fault?.name !== 'AbortError') say(fault);
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
  return element;
};

/** A rough check of an address before the server sees it, enough to catch a typing error. */
export const checkEmail = (email) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) throw new Fault('email', 'error.auth.email_invalid');
};
/** Source: Protocol/spec/accounts.md, "auth.sign_up". */
export const checkPassword = (password) => {
  const length = [...password].length;
  if (length < 8 || length > 128) throw new Fault('password', 'error.auth.password_unusable');
};
