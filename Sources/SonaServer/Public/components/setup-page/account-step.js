// The administrator's account, for whoever has the code of the setup link.
import {h} from '../../shell/dom.js';
import {checkEmail, checkPassword, field, form, passwordField} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {checkUsername, usernameField} from '../../shell/username-field.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';

const refused = error => [
  h('p', {class: 'notice error', role: 'alert'}, icon('close'), h('span', {}, error.code === 'auth.code_invalid' ? t('setup.code-invalid') : describe(error))),
  error.code === 'setup.done' ? h('div', {class: 'row'}, h('a', {class: 'button primary', href: '/sign-in'}, t('nav.sign-in')))
    : h('p', {class: 'muted'}, t('setup.new-link'), ' ', h('code', {}, 'sona setup-link')),
];

export const accountStep = ({code, finished, signal}) => {
  const place = h('div', {class: 'stack'}, h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
  const email = field({name: 'email', label: t('field.email'), hint: t('field.email-hint'), type: 'email', autocomplete: 'email', required: true, maxlength: 254, inputmode: 'email', autocapitalize: 'none', spellcheck: 'false'});
  const password = passwordField({autocomplete: 'new-password', hint: t('field.password-hint')});
  password.input.required = true;
  const build = until => [
    h('p', {}, t('setup.account.about')), h('p', {class: 'muted small'}, t('setup.account.until', {time: i18n.date(until)})),
    form({
      fields: [usernameField(), email, password], submit: t('setup.account.submit'),
      check: (values) => {
        checkUsername(values.username);
        checkEmail(values.email.trim());
        checkPassword(values.password);
      },
      send: async ({username, email: address, password: secret}) => {
        let grant;
        try {
          grant = await session.request('setup.finish', {code, username, email: address.trim(), password: secret, locale: i18n.locale});
        } catch (error) {
          if (!['setup.done', 'auth.code_invalid'].includes(error.code)) throw error;
          place.replaceChildren(...refused(error));
          return;
        }
        me.expectNew();
        session.adopt(grant);
        finished(t('setup.account.done', {name: `@${grant.user.username}`}));
      },
    }),
  ];
  const look = async () => {
    try {
      const {expires_ms: until} = await session.request('setup.state', {code});
      if (!signal.aborted) place.replaceChildren(...build(until));
    } catch (error) {
      if (signal.aborted) return;
      if (['setup.done', 'auth.code_invalid'].includes(error.code)) place.replaceChildren(...refused(error));
      else place.replaceChildren(h('p', {class: 'notice error', role: 'alert'}, icon('close'), h('span', {}, describe(error))), h('div', {class: 'row'}, h('button', {type: 'button', onclick: look}, t('load.again'))));
    }
  };
  look();
  return place;
};
