// What the whole page shows of a broadcast of its own, wherever one is: a mark, a warning before it is left, and who asks.
import {hasFiles} from '../../audio/hosting/dropped.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import {attempt, saying} from './host-part.js';

addEventListener('beforeunload', event => { if (host.isOnAir) event.preventDefault(); });

// What is let fall where no list is does not take the place of the page, and of the broadcast.
for (const type of ['dragover', 'drop']) addEventListener(type, event => { if (host.isOnAir && hasFiles(event)) event.preventDefault(); });

host.addEventListener('change', () => { document.documentElement.toggleAttribute('data-on-air', host.isOnAir); });
host.addEventListener('trouble', ({detail}) => toast(saying(detail), {kind: 'error'}));
host.addEventListener('requested', ({detail: {user}}) => {
  const name = user.username ?? t('host.somebody');
  toast(t('host.requested', {name}), {action: {
    label: t('host.offer'),
    run: async () => { if (await attempt(() => host.offer(user.uid))) toast(t('host.offer.done', {name}), {kind: 'ok'}); },
  }});
});
