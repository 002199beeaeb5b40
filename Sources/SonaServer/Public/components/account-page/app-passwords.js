// Passwords for apps of other makers: made, shown once, listed and revoked. Protocol/spec/app-passwords.md.
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {field, form} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {section} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {withProof} from './proof.js';

await i18n.also('apps.');

const failed = (error) => { if (error.name !== 'AbortError') toast(describe(error), {kind: 'error'}); };

/** A line to be typed or copied elsewhere. */
const line = (label, value) => {
  const input = h('input', {type: 'text', readonly: true, value, 'aria-label': label, onfocus: ({target}) => target.select()});
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast(t('apps.copied'), {kind: 'ok'});
    } catch {
      // An address that is not secure has no clipboard: the line is selected to be copied by hand.
      input.focus();
      input.select();
    }
  };
  return h('div', {class: 'stack tight'}, h('span', {class: 'small muted'}, label), h('div', {class: 'row tight'},
    h('div', {class: 'grow'}, input),
    h('button', {class: 'icon-button', type: 'button', 'aria-label': t('apps.copy', {what: label}), onclick: copy}, icon('copy'))));
};

const show = (secret) => dialog({
  title: t('apps.made'),
  body: h('div', {class: 'stack app-password'}, h('p', {}, t('apps.once')),
    line(t('apps.server'), location.origin), line(t('field.username'), session.user.username ?? ''), line(t('field.password'), secret)),
});

/** A section about the account's apps. */
export const appPasswords = () => {
  const list = h('ul', {class: 'list entries', 'aria-label': t('apps.title')});
  const empty = h('p', {class: 'muted small', hidden: true}, t('apps.none'));
  const row = ({id, name, created_ms: made, used_ms: used, used_from: from, client}) => {
    const told = used === null ? t('apps.unused') : t('apps.used', {when: i18n.date(used), from: from ?? '', client: client ?? ''});
    return h('li', {class: 'entry'},
      h('div', {class: 'grow'}, h('p', {class: 'entry-title', dir: 'auto'}, name), h('p', {class: 'small muted'}, [t('apps.created', {when: i18n.date(made)}), told].join(' · '))),
      h('button', {type: 'button', class: 'small-button quiet', 'aria-label': t('apps.revoke-one', {name}), onclick: () => revoke(id, name)}, t('apps.revoke')));
  };
  const load = async () => {
    const {app_passwords: all} = await session.request('app_password.list');
    list.replaceChildren(...all.map(row));
    empty.hidden = all.length > 0;
  };
  const revoke = async (id, name) => {
    if (!await confirm({title: t('apps.revoke-one', {name}), text: t('apps.revoke-about'), action: t('apps.revoke'), danger: true})) return;
    try {
      await session.request('app_password.revoke', {id});
    } catch (error) { failed(error); }
    load().catch(failed);
  };
  load().catch(failed);
  const name = field({name: 'app', label: t('apps.name'), hint: t('apps.name-hint'), required: true, maxlength: 64, bytes: 64, autocomplete: 'off'});
  return section(t('apps.title'), h('p', {class: 'muted'}, t('apps.about')), list, empty, form({
    fields: [name], submit: t('apps.make'), kind: '',
    send: async ({app}) => {
      const {secret} = await withProof('app_password.create', {name: app.trim()});
      name.input.value = '';
      show(secret);
      load().catch(failed);
    },
  }));
};
