// The dialog that tells the administrators that a room, a message or a user should not be there.
import {dialog} from './dialogs.js';
import {choice, field, form} from './forms.js';
import {toast} from './toasts.js';
import {t} from '../store/i18n.js';
import {session} from '../store/session.js';

/** Source: Protocol/spec/reports.md, "Report". */
const KINDS = ['spam', 'abuse', 'rights', 'illegal', 'other'];
const TEXT_MAX = 1000;

/** Opens the dialog. `about` names what is reported: {room}, {room, message} or {user}; `title` says it to the reader. */
export const report = (about, title) => {
  let kind = 'spam';
  const element = dialog({
    title,
    body: form({
      fields: [
        choice({name: 'kind', label: t('report.kind'), value: kind, options: KINDS.map(one => [one, t(`report.kind.${one}`)]), onchange: one => { kind = one; }}),
        field({name: 'text', label: t('report.text'), hint: t('report.text-hint'), tag: 'textarea', rows: 3, maxlength: TEXT_MAX, bytes: TEXT_MAX}),
      ],
      submit: t('report.send'),
      send: async ({text}) => {
        await session.request('report.send', {...about, kind, ...(text.trim() === '' ? {} : {text: text.trim()})});
        toast(t('report.done'), {kind: 'ok'});
        element.close();
      },
    }),
  });
  return element;
};
