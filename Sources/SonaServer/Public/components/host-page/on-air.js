// Signs of the user's own broadcast on every page: a mark, a warning before leaving, and requests of others.
import {hasFiles} from '../../audio/hosting/dropped.js';
import {withdrawOffer} from '../../shell/host-offers.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {player} from '../../store/player.js';
import '../../store/hosting/keeping.js';
import {attempt, saying} from './host-part.js';

// Its words are not fetched before somebody plays.
await i18n.also('host.');

addEventListener('beforeunload', event => { if (host.isOnAir) event.preventDefault(); });

// A file dropped outside of a list must not replace the page and end the broadcast.
for (const type of ['dragover', 'drop']) addEventListener(type, event => { if (host.isOnAir && hasFiles(event)) event.preventDefault(); });

host.addEventListener('change', () => {
  const {dataset} = document.documentElement;
  if (!host.isOnAir) return void delete dataset.onAir;
  if (dataset.onAir === host.room.id) return;
  dataset.onAir = host.room.id;
  // Whoever plays has one player: that of the host.
  player.leave();
});
host.addEventListener('trouble', ({detail}) => toast(saying(detail), {kind: 'error'}));
/** The messages about those who asked for the seat, by person: what takes each away. */
const asked = new Map();

host.addEventListener('requested', ({detail: {user}}) => {
  const name = user.username ?? t('host.somebody');
  // On the host's own page a list has them.
  if (document.querySelector('host-requests')) return;
  asked.get(user.uid)?.();
  asked.set(user.uid, toast(t('host.requested', {name}), {action: {
    label: t('host.offer'),
    run: async () => { if (await attempt(() => host.offer(user.uid))) toast(t('host.offer.done', {name}), {kind: 'ok'}); },
  }}));
});
host.addEventListener('change', () => {
  // Answered elsewhere on the page.
  for (const [uid, leave] of asked) {
    if (host.requests.some(({user}) => user.uid === uid)) continue;
    leave();
    asked.delete(uid);
  }
  // Whoever plays has taken what they were offered, however they came to it.
  if (host.state === 'live') withdrawOffer(host.room.id);
});
