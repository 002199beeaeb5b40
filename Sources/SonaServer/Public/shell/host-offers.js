// The host of a room offers the seat: any member may take it while the offer lasts. Protocol/spec/hosting.md,
// "host.offer".
import {navigate} from '../router.js';
import {t} from '../store/i18n.js';
import {player} from '../store/player.js';
import {session} from '../store/session.js';
import {toast} from './toasts.js';

/** How long an offer is good for, ms. */
const LASTS = 60_000;

/** The last offer: its room, who made it, who sat there then, and what takes its message away; or null. */
let offer = null;

function withdraw() {
  offer?.leave();
  offer = null;
}

/** The seat of a room was taken from this page. */
export const withdrawOffer = room => { if (offer?.room === room) withdraw(); };

session.on('host.offered', ({room, by}) => {
  withdraw();
  const seated = player.room?.id === room ? player.room.room?.host?.uid ?? null : null;
  const leave = toast(t('host.offered', {name: by.username ?? t('host.somebody')}), {
    lasts: LASTS, action: {label: t('host.offered.take'), run: () => navigate(`/host?room=${encodeURIComponent(room)}`)},
  });
  offer = {room, by, seated, leave};
});

// The offer ends when another user takes the seat, or when the host who made it has left the seat. An owner's offer
// also holds for an empty seat.
session.on('host.changed', ({host}, {room}) => {
  if (offer?.room !== room || (host?.uid ?? null) === offer.seated) return;
  if (host || offer.by.uid === offer.seated) withdraw();
});

for (const type of ['room.closed', 'room.removed']) {
  session.on(type, (data, {room = data.room}) => { if (offer?.room === room) withdraw(); });
}
