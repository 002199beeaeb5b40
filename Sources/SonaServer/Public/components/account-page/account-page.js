// The account: address, password, where it is signed in, and leaving.
import {navigate} from '../../router.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {checkEmail, checkPassword, Fault, field, form, passwordField, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {NarrowPage, section} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';
import {appPasswords} from './app-passwords.js';
import {withProof} from './proof.js';

const failed = (error) => { if (error.name !== 'AbortError') toast(describe(error), {kind: 'error'}); };

class AccountPage extends NarrowPage {
  static title = 'account.title';

  connectedCallback() {
    super.connectedCallback();
    this.follow(server, () => [server.sendsMail, server.contact]);
    if (!me.data) this.listen(me, 'change', () => { if (me.data && !this.querySelector('form')) this.draw(); });
  }

  build() {
    if (!me.data) return h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting'));
    return [this.#address(), this.#password(), session.features.has('app_passwords') ? appPasswords() : null, this.#signIns(), this.#leaving()];
  }

  #address() {
    const {email, email_confirmed: isConfirmed} = me.data;
    const state = !email ? h('p', {class: 'notice warn'}, t('account.no-email'))
      : h('div', {class: 'row'}, h('strong', {class: 'truncate'}, email), isConfirmed
        ? h('span', {class: 'badge'}, icon('check'), t('account.confirmed'))
        : [h('span', {class: 'badge'}, t('account.unconfirmed')), !server.sendsMail ? null : h('button', {
          type: 'button', class: 'small-button',
          onclick: async () => {
            try {
              await session.request('auth.request_confirmation');
              toast(t('account.confirmation-sent'), {kind: 'ok'});
            } catch (error) { failed(error); }
          },
        }, t('account.confirm'))]);
    const help = server.sendsMail ? null
      : h('p', {class: 'muted small'}, t('account.no-mail'), server.contact ? [' ', t('server.contact', {contact: server.contact})] : null);
    return section(t('field.email'), state, help, form({
      fields: [field({name: 'email', label: t('account.new-email'), type: 'email', autocomplete: 'email', required: true, maxlength: 254})],
      submit: t('account.change-email'), kind: '', check: ({email: address}) => checkEmail(address.trim()),
      send: async ({email: address}) => {
        await withProof('auth.change_email', {email: address.trim()});
        toast(t(server.sendsMail ? 'account.email-sent' : 'account.email-asked'), {kind: 'ok'});
        this.querySelector('input[name=email]').value = '';
      },
    }));
  }

  #password() {
    const password = passwordField({label: t('field.new-password'), autocomplete: 'new-password', hint: t('field.password-hint')});
    password.input.required = true;
    return section(t('field.password'), form({
      fields: [password], submit: t('account.change-password'), kind: '', check: ({password: secret}) => checkPassword(secret),
      send: async ({password: secret}) => {
        session.adopt(await withProof('auth.change_password', {new_password: secret}));
        password.input.value = '';
        toast(t('account.password-changed'), {kind: 'ok'});
      },
    }));
  }

  #signIns() {
    const out = async (everywhere) => {
      if (everywhere && !await confirm({title: t('account.everywhere'), text: t('account.everywhere-about'), action: t('account.everywhere')})) return undefined;
      try {
        await session.signOut(everywhere);
      } catch (error) {
        if (everywhere || !error.code?.startsWith('connection.')) return failed(error);
        // Another tab may have been faster, and this one became a guest before it had its answer.
        if (session.credentials.kept && !session.credentials.kept.user.guest) {
          session.credentials.forget();
          session.restart();
        }
      }
      return navigate('/');
    };
    return section(t('account.sessions'),
      h('p', {class: 'muted'}, t('account.sessions-about')),
      h('div', {class: 'row'},
        h('button', {type: 'button', onclick: () => out(false)}, icon('door'), t('account.sign-out')),
        h('button', {type: 'button', class: 'quiet', onclick: () => out(true)}, t('account.everywhere'))));
  }

  #leaving() {
    return section(t('account.leaving'),
      h('p', {class: 'muted'}, t('account.leaving-about')),
      h('div', {class: 'row'},
        h('button', {type: 'button', onclick: () => this.#export().catch(failed)}, icon('down'), t('account.export')),
        h('button', {type: 'button', class: 'danger', onclick: () => this.#remove().catch(failed)}, t('account.delete'))));
  }

  async #export() {
    const reply = await withProof('account.export');
    const link = h('a', {
      href: URL.createObjectURL(new Blob([JSON.stringify(reply.export, null, 2)], {type: 'application/json'})), download: 'sona-account.json',
    });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return reply;
  }

  /** The protocol wants an export first, and the user types the name: this cannot be undone. */
  async #remove() {
    const {code} = await withProof('account.export');
    const name = session.user.username ?? t('account.delete-word');
    const typed = field({name: 'name', label: t('account.delete-type', {name}), required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'});
    const shown = dialog({
      title: t('account.delete-title'),
      body: [h('p', {}, t('account.delete-about')), form({
        fields: [typed, server.has('transfers') ? toggle({name: 'cohosts', label: t('account.delete-rooms'), hint: t('account.delete-rooms-hint')}) : null],
        submit: t('account.delete-submit'), kind: 'danger',
        check: ({name: given}) => { if (given.trim().toLowerCase() !== name.toLowerCase()) throw new Fault('name', 'account.delete-mismatch'); },
        send: async ({cohosts}) => {
          await withProof('account.remove', {code, ...(cohosts === 'on' ? {rooms: 'cohosts'} : {})});
          shown.close();
          session.credentials.forget();
          session.restart();
          toast(t('account.deleted'));
          navigate('/');
        },
        after: h('button', {type: 'button', class: 'quiet', onclick: () => this.#export().catch(failed)}, icon('down'), t('account.export')),
      })],
    });
    typed.input.focus();
  }
}
customElements.define('account-page', AccountPage);
