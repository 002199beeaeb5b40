// What was played, as a file for other programs: Protocol/spec/listening.md, "room.recap".
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, form} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

const FORMATS = ['m3u', 'jspf', 'csv', 'json'];
/** From when on, ms before now; null: the last broadcast. */
const SPANS = [['broadcast', null], ['day', 86_400_000], ['week', 604_800_000]];

/** Opens the dialog about a room. */
export const openRecap = (room) => {
  let format = 'm3u', span = 'broadcast';
  const element = dialog({
    title: t('recap.title'),
    body: form({
      fields: [
        choice({name: 'span', label: t('recap.span'), value: span, options: SPANS.map(([name]) => [name, t(`recap.span.${name}`)]), onchange: name => { span = name; }}),
        choice({name: 'format', label: t('recap.format'), value: format, options: FORMATS.map(one => [one, t(`recap.format.${one}`)]), onchange: one => { format = one; }}),
      ],
      submit: t('recap.save'),
      send: async () => {
        const past = SPANS.find(([name]) => name === span)[1];
        const {text, media_type: type, count} = await session.request('room.recap', {room: room.id, format, ...past === null ? {} : {from_ms: Date.now() - past}});
        const url = URL.createObjectURL(new Blob([text], {type}));
        const name = (room.title ?? '').replace(/[\u0000-\u001f\u007f"*/:<>?\\|]+/g, ' ').trim().slice(0, 80) || 'sona';
        h('a', {href: url, download: `${name}.${format === 'json' ? 'json' : format}`}).click();
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
        toast(tn('recap.saved', count), {kind: 'ok'});
        element.close();
      },
    }),
  });
};
