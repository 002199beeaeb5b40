// Making an account; a guest becomes it and keeps their place. Some servers want an invite, or approve accounts first:
// Protocol/spec/registration.md.
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

// The words for invites and approval.
await i18n.also('order.');

class SignUpPage extends NarrowPage {
  static title = 'sign-up.title';
  static isCard = true;
  /** The address of an account that was made here and waits, or null. */
  #pending = null;

  get pageTitle() { return t(this.#pending ? 'sign-up.pending' : 'sign-up.title'); }

  connectedCallback() {
    super.connectedCallback();
    this.follow(server, () => [server.registration, server.policy, server.wantsTerms, server.contact]);
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

  /** What a server asks for that does not take everybody at once. */
  #entry() {
    const isByInvite = server.registration === 'invite';
    if (!isByInvite && server.registration !== 'approval') return {about: null, fields: []};
    const code = new URLSearchParams(location.search).get('invite') ?? '';
    const invite = field({
      name: 'invite', label: t('sign-up.invite'), hint: isByInvite ? '' : t('sign-up.invite-optional'), value: code, required: isByInvite, maxlength: 64,
      autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false',
    });
    if (isByInvite) return {about: code ? null : h('p', {class: 'notice'}, t('sign-up.invite-needed')), fields: [invite]};
    const introduction = field({name: 'introduction', label: t('sign-up.introduction'), hint: t('sign-up.introduction-hint'), tag: 'textarea', rows: 3, maxlength: 1000, bytes: 1000});
    const settle = () => { introduction.hidden = invite.input.value.trim() !== ''; };
    invite.input.addEventListener('input', settle);
    settle();
    return {about: code ? null : h('p', {class: 'notice'}, t('sign-up.approval')), fields: [introduction, invite]};
  }

  build() {
    if (isSignedIn()) {
      return [h('p', {}, t('sign-in.already', {name: `@${session.user.username ?? ''}`})), h('a', {class: 'button primary', href: comeFrom()}, t('sign-in.go-on'))];
    }
    if (this.#pending) {
      return [
        h('p', {role: 'status'}, t('sign-up.pending.about')),
        h('p', {class: 'muted'}, server.sendsMail ? t('sign-up.pending.mail', {email: this.#pending}) : t('sign-up.pending.no-mail')),
        !server.sendsMail && server.contact ? h('p', {class: 'muted'}, t('server.contact', {contact: server.contact})) : null,
        h('a', {class: 'button', href: '/'}, t('nav.explore')),
      ];
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
    const {about, fields} = this.#entry();
    return [
      about,
      player.room ? h('p', {class: 'notice'}, t('sign-up.stay')) : null,
      form({
        fields: [usernameField(), email, password, fields, terms], submit: t('sign-up.submit'),
        check: (values) => {
          checkUsername(values.username);
          checkEmail(values.email.trim());
          checkPassword(values.password);
        },
        send: async ({username, email: address, password: secret, terms: accepted, invite = '', introduction = ''}) => {
          let grant;
          try {
            grant = await session.request('auth.sign_up', {
              username, email: address.trim(), password: secret, locale: i18n.locale, ...(accepted ? {accepts_terms: true} : {}),
              ...(invite.trim() === '' ? {} : {invite: invite.trim()}), ...(introduction.trim() === '' ? {} : {introduction: introduction.trim()}),
            });
          } catch (error) {
            // The account is made, and nobody can sign in to it yet.
            if (error.code !== 'auth.approval_pending') throw error;
            this.#pending = address.trim();
            this.draw();
            this.dispatchEvent(new Event('titlechange'));
            const heading = this.querySelector('h1');
            heading.tabIndex = -1;
            heading.focus();
            return;
          }
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
