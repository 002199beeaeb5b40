// Making an account; a guest becomes it and keeps their place.
import {comeFrom, isSignedIn, navigate, withReturn} from '../../router.js';
import {h} from '../../shell/dom.js';
import {checkEmail, checkPassword, field, form, passwordField} from '../../shell/forms.js';
import {NarrowPage} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {checkUsername, usernameField} from '../../shell/username-field.js';
import {i18n, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {player} from '../../store/player.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';

class SignUpPage extends NarrowPage {
  static title = 'sign-up.title';
  static isCard = true;

  connectedCallback() {
    super.connectedCallback();
    this.follow(server, () => [server.takesAccounts, server.policy, server.wantsTerms, server.contact]);
  }

  /** The terms: to be accepted, or only to be read. */
  #terms() {
    const link = h('a', {href: server.policy, target: '_blank', rel: 'noopener noreferrer'}, t('sign-up.terms'));
    if (!server.wantsTerms) return h('p', {class: 'muted small'}, link);
    const control = h('input', {type: 'checkbox', name: 'terms', value: 'yes', required: true});
    const element = field({name: 'terms', label: [t('sign-up.accept'), ' ', link], control});
    element.classList.add('check');
    return element;
  }

  build() {
    if (isSignedIn()) {
      return [h('p', {}, t('sign-in.already', {name: `@${session.user.username ?? ''}`})), h('a', {class: 'button primary', href: comeFrom()}, t('sign-in.go-on'))];
    }
    if (!server.takesAccounts) {
      return [
        h('p', {class: 'notice warn'}, t('error.auth.registration_closed')), server.contact ? h('p', {}, t('server.contact', {contact: server.contact})) : null,
        h('a', {class: 'button', href: withReturn('/sign-in')}, t('nav.sign-in')),
      ];
    }
    const terms = server.policy ? this.#terms() : null;
    const email = field({name: 'email', label: t('field.email'), hint: t('field.email-hint'), type: 'email', autocomplete: 'email', required: true, maxlength: 254, inputmode: 'email', autocapitalize: 'none', spellcheck: 'false'});
    const password = passwordField({autocomplete: 'new-password', hint: t('field.password-hint')});
    password.input.required = true;
    return [
      player.room ? h('p', {class: 'notice'}, t('sign-up.stay')) : null,
      form({
        fields: [usernameField(), email, password, terms], submit: t('sign-up.submit'),
        check: (values) => {
          checkUsername(values.username);
          checkEmail(values.email.trim());
          checkPassword(values.password);
        },
        send: async ({username, email: address, password: secret, terms: accepted}) => {
          const grant = await session.request('auth.sign_up', {
            username, email: address.trim(), password: secret, locale: i18n.locale, ...(accepted ? {accepts_terms: true} : {}),
          });
          me.expectNew();
          session.adopt(grant);
          toast(t('sign-up.welcome', {name: `@${session.user.username}`}), {kind: 'ok'});
          navigate(comeFrom());
        },
      }),
      h('p', {class: 'muted'}, t('sign-up.have'), ' ', h('a', {href: withReturn('/sign-in')}, t('nav.sign-in'))),
    ];
  }
}
customElements.define('sign-up-page', SignUpPage);
