// The page behind the link of a confirmation mail.
import {h} from '../../shell/dom.js';
import {form} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {NarrowPage} from '../../shell/page.js';
import {t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {takeCode} from '../recover-page/code.js';

class ConfirmPage extends NarrowPage {
  static title = 'confirm.title';
  static isCard = true;
  #isDone = false;

  build() {
    const code = this.code ??= takeCode();
    if (this.#isDone) return [h('p', {class: 'notice ok', role: 'status'}, icon('check'), h('span', {}, t('confirm.done'))), h('a', {class: 'button primary', href: '/'}, t('sign-in.go-on'))];
    if (!code) return [h('p', {class: 'notice warn'}, t('code.missing')), h('a', {class: 'button', href: '/'}, t('nav.explore'))];
    return [
      h('p', {class: 'muted'}, t('confirm.about')),
      // Pressed by a person: programs that look at links in mails do not use the code up.
      form({
        fields: [], submit: t('confirm.submit'),
        send: async () => {
          await session.request('auth.confirm_email', {code});
          this.#isDone = true;
          await me.load();
          this.draw();
        },
      }),
    ];
  }
}
customElements.define('confirm-page', ConfirmPage);
