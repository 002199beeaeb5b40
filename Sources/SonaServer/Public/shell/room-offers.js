// Rooms that are offered to pass to another owner. Protocol/spec/rooms.md, "Handing a room over".
import {toast} from './toasts.js';
import {navigate} from '../router.js';
import {i18n, t} from '../store/i18n.js';
import {session} from '../store/session.js';

/** Tells what has become of an offer to or by the user: `room.transfer_changed`. */
export const tell = async ({transfer, state}) => {
  await i18n.also('order.');
  const isOurs = transfer.from.uid === session.user?.uid, other = isOurs ? transfer.to : transfer.from, key = `transfer.${isOurs ? 'by' : 'to'}-us.${state}`;
  dispatchEvent(new Event('sona-transfers'));
  // What the user did is told where they did it.
  if (!i18n.has(key)) return;
  toast(t(key, {title: transfer.title, name: `@${other.username ?? ''}`}), state === 'offered' ? {action: {label: t('rooms.title'), run: () => navigate('/rooms')}} : {});
};
