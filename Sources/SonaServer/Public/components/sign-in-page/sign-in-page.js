// Signing in, and asking for a new password.
import {comeFrom, isSignedIn, navigate, withReturn} from '../../router.js';
import {h} from '../../shell/dom.js';
import {Fault, checkEmail, field, form, passwordField} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {NarrowPage} from '../../shell/page.js';
import {t} from '../../store/i18n.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';

/** The message of an account that was rejected without a reason. */
const REJECTED = 'An administrator has rejected this account.';

class SignInPage extends NarrowPage {
  static title = 'sign-in.title';
  static isCard = true;
  #isForgotten = false;

  get pageTitle() { return t(this.#isForgotten ? 'recover.title' : 'sign-in.title'); }

  connectedCallback() {
    super.connectedCallback();
    this.follow(server, () => [server.takesAccounts, server.sendsMail, server.contact]);
  }

  #turn(isForgotten) {
    this.#isForgotten = isForgotten;
    this.draw();
    this.dispatchEvent(new Event('titlechange'));
    this.querySelector('input, button').focus();
  }

  build() {
    if (isSignedIn()) {
      return [h('p', {}, t('sign-in.already', {name: `@${session.user.username ?? ''}`})), h('a', {class: 'button primary', href: comeFrom()}, t('sign-in.go-on'))];
    }
    return this.#isForgotten ? this.#forgotten() : this.#signIn();
  }

  #email() {
    return field({name: 'email', label: t('field.email'), type: 'email', autocomplete: 'username', required: true, maxlength: 254, inputmode: 'email', autocapitalize: 'none', spellcheck: 'false'});
  }

  #signIn() {
    const password = passwordField({autocomplete: 'current-password'});
    password.input.required = true;
    return [
      form({
        fields: [this.#email(), password], submit: t('sign-in.submit'),
        send: async ({email, password: secret}) => {
          try {
            session.adopt(await session.request('auth.sign_in', {email: email.trim(), password: secret}));
          } catch (error) {
            // The administrator's own words, where there are any.
            if (error.code === 'auth.rejected' && error.message !== REJECTED) throw new Fault('', 'sign-in.rejected', {reason: error.message});
            throw error;
          }
          navigate(session.user.username ? comeFrom() : `/username${location.search}${location.hash}`);
        },
        after: h('button', {type: 'button', class: 'quiet', onclick: () => this.#turn(true)}, t('sign-in.forgotten')),
      }),
      server.takesAccounts ? h('p', {class: 'muted'}, t('sign-in.new'), ' ', h('a', {href: withReturn('/sign-up')}, t('nav.sign-up'))) : null,
    ];
  }

  #forgotten() {
    const said = h('div', {role: 'status', 'aria-live': 'polite'});
    if (!server.sendsMail) {
      return [
        h('p', {class: 'notice warn'}, t('recover.no-mail')), server.contact ? h('p', {}, t('server.contact', {contact: server.contact})) : null,
        h('button', {type: 'button', onclick: () => this.#turn(false)}, t('dialog.back')),
      ];
    }
    return [
      h('p', {class: 'muted'}, t('recover.about')),
      form({
        fields: [this.#email()], submit: t('recover.send'), check: ({email}) => checkEmail(email.trim()),
        send: async ({email}) => {
          await session.request('auth.request_recovery', {email: email.trim()});
          said.replaceChildren(h('p', {class: 'notice ok'}, icon('mail'), h('span', {}, t('recover.sent'))));
        },
        after: h('button', {type: 'button', class: 'quiet', onclick: () => this.#turn(false)}, t('dialog.back')),
      }),
      said,
    ];
  }
}
customElements.define('sign-in-page', SignInPage);
