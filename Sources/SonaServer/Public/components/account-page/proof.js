// Proving again who one is, where the server wants it: Protocol/spec/accounts.md, "Proof".
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {form, passwordField} from '../../shell/forms.js';
import {t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

const ask = () => new Promise((resolve, reject) => {
  const password = passwordField({autocomplete: 'current-password'});
  password.input.required = true;
  let isProven = false;
  const shown = dialog({
    title: t('proof.title'),
    body: [h('p', {class: 'muted'}, t('proof.about')), form({
      fields: [password], submit: t('proof.submit'),
      send: async ({password: secret}) => {
        session.adopt(await session.request('auth.reauthenticate', {password: secret}));
        isProven = true;
        shown.close();
      },
    })],
    onclose: () => isProven ? resolve() : reject(new DOMException('Given up.', 'AbortError')),
  });
  password.input.focus();
});

/** The request's reply; the password is asked for if the last proof is too old. Throws AbortError where it is not given. */
export const withProof = async (type, data) => {
  try {
    return await session.request(type, data);
  } catch (error) {
    if (error.code !== 'auth.reauth_required') throw error;
    await ask();
    return session.request(type, data);
  }
};
