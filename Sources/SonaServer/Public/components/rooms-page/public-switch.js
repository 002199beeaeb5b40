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

const setRoom = (room, visibility) => session.request('room.update', {room, visibility});
const setNew = async (visibility) => { me.merge(await session.request('settings.update', {visibility})); };

/** Makes all rooms public, and those to come: all of it or nothing. Where something fails, the changed rooms are set back. */
const openAll = async () => {
  const changed = [];
  try {
    for (const {id, visibility} of await myRooms()) {
      if (visibility === 'public') continue;
      await setRoom(id, 'public');
      changed.push({id, visibility});
    }
    await setNew('public');
  } catch (error) {
    for (const {id, visibility} of changed) await setRoom(id, visibility).catch(() => {});
    throw error;
  }
};

/** Makes all rooms private, and those to come: as many as can be. Throws the first failure after that. */
const closeAll = async () => {
  const failures = [], attempt = work => work.catch(error => failures.push(error));
  await attempt(setNew('private'));
  for (const {id, visibility} of await myRooms()) if (visibility !== 'private') await attempt(setRoom(id, 'private'));
  if (failures.length > 0) throw failures[0];
};

/**
 * The switch. It shows the account's setting for new rooms, and says how many rooms are otherwise; `rooms` are those, and
 * `changed` is called when they have changed.
 */
export const publicSwitch = ({rooms, changed = () => {}}) => {
  const wanted = me.data?.settings?.visibility ?? 'private', isPublic = wanted === 'public';
  const others = rooms.filter(({visibility}) => visibility !== wanted).length;
  const element = h('div', {class: 'stack tight public-switch'}, toggle({
    name: 'public', label: t('rooms.public'), hint: t(others > 0 ? 'rooms.public.mixed' : isPublic ? 'rooms.public.on' : 'rooms.public.off'), checked: isPublic,
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
        await (on ? openAll() : closeAll());
        toast(t(`rooms.are-${visibility}`), {kind: 'ok'});
      } catch (error) {
        input.checked = me.data?.settings?.visibility === 'public';
        toast(describe(error), {kind: 'error'});
      } finally {
        input.disabled = false;
        // The switch may have been drawn anew meanwhile.
        (input.isConnected ? input : document.querySelector('.public-switch input'))?.focus();
      }
      changed();
    },
  }), others > 0 ? h('p', {class: 'small'}, tn(isPublic ? 'rooms.some-private' : 'rooms.some-public', others)) : null);
  return element;
};
