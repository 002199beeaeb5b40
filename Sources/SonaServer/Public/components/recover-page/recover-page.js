// The page behind the link of a recovery mail: it sets a new password.
import {navigate} from '../../router.js';
import {h} from '../../shell/dom.js';
import {checkPassword, form, passwordField} from '../../shell/forms.js';
import {NarrowPage} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';
import {RequestError, session} from '../../store/session.js';
import {takeCode} from './code.js';

class RecoverPage extends NarrowPage {
  static title = 'recover.title';
  static isCard = true;

  build() {
    const code = this.code ??= takeCode();
    if (!code) return [h('p', {class: 'notice warn'}, t('code.missing')), h('a', {class: 'button', href: '/sign-in'}, t('nav.sign-in'))];
    const password = passwordField({label: t('field.new-password'), autocomplete: 'new-password', hint: t('field.password-hint')});
    password.input.required = true;
    return form({
      fields: [password], submit: t('recover.set'), check: ({password: secret}) => checkPassword(secret),
      send: async ({password: secret}) => {
        // The request belongs to the holder of the code, not to the signed-in user, who stays signed in if it is
        // refused.
        const answer = await fetch('/v1/rpc/auth.recover', {
          method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({code, new_password: secret}),
        });
        const reply = await answer.json();
        if (reply.type !== 'ok') throw new RequestError(reply.error);
        session.credentials.keep(reply.data);
        session.restart();
        await session.request('user.me');
        toast(t('recover.done'), {kind: 'ok'});
        navigate(session.user.username ? '/' : '/username');
      },
    });
  }
}
customElements.define('recover-page', RecoverPage);
