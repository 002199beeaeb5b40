// The form to choose or change the user's own username.
import {comeFrom, navigate} from '../../router.js';
import {h} from '../../shell/dom.js';
import {form} from '../../shell/forms.js';
import {NarrowPage} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {checkUsername, usernameField} from '../../shell/username-field.js';
import {t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

class UsernamePage extends NarrowPage {
  static title = 'username.title';
  static isCard = true;

  build() {
    const current = session.user?.username ?? null;
    return [
      h('p', {class: 'muted'}, t(current ? 'username.change-about' : 'username.claim-about')),
      form({
        fields: [usernameField({value: current ?? ''})], submit: t(current ? 'username.change' : 'username.claim'),
        check: ({username}) => checkUsername(username),
        send: async ({username}) => {
          if (username === current) return navigate('/profile');
          session.adopt(await (current
            ? session.request('username.change', {old_username: current, username})
            : session.request('username.claim', {username})));
          toast(t('username.done', {name: `@${username}`}), {kind: 'ok'});
          return navigate(current ? '/profile' : comeFrom());
        },
      }),
    ];
  }
}
customElements.define('username-page', UsernamePage);
