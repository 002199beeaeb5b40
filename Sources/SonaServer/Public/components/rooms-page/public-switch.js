// Whether one's rooms are public: one switch for the rooms there are and for those to come.
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';

/** The user's own rooms, the newest first. */
export const myRooms = async () => (await session.request('room.list', {mine: true, limit: 100})).rooms;

/** Sets the rooms that are otherwise, and what new ones begin with. The setting comes last: if a room fails, it stays. */
const setAll = async (visibility) => {
  for (const room of await myRooms()) {
    if (room.visibility !== visibility) await session.request('room.update', {room: room.id, visibility});
  }
  me.merge(await session.request('settings.update', {visibility}));
};

/**
 * The switch. It shows the account's setting for new rooms, and says how many rooms are otherwise; `rooms` are those, and
 * `changed` is called when they have changed.
 */
export const publicSwitch = ({rooms, changed = () => {}}) => {
  const wanted = me.data?.settings?.visibility ?? 'private', isPublic = wanted === 'public';
  const others = rooms.filter(({visibility}) => visibility !== wanted).length;
  const element = h('div', {class: 'stack tight public-switch'}, toggle({
    name: 'public', label: t('rooms.public'), hint: t(isPublic ? 'rooms.public.on' : 'rooms.public.off'), checked: isPublic,
    onchange: async (on, input) => {
      const visibility = on ? 'public' : 'private', count = rooms.filter(room => room.visibility !== visibility).length;
      input.disabled = true;
      try {
        await i18n.also('order.');
        if (count > 0 && !await confirm({
          title: t(`rooms.make-${visibility}.title`), text: tn(`rooms.make-${visibility}.text`, count), action: t(`rooms.make-${visibility}`),
        })) {
          input.checked = !on;
          return;
        }
        await setAll(visibility);
        toast(t(`rooms.are-${visibility}`), {kind: 'ok'});
      } catch (error) {
        input.checked = !on;
        toast(describe(error), {kind: 'error'});
      } finally {
        input.disabled = false;
        input.focus();
      }
      changed();
    },
  }), others > 0 ? h('p', {class: 'small'}, tn(isPublic ? 'rooms.some-private' : 'rooms.some-public', others)) : null);
  return element;
};
