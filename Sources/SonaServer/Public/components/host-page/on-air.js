// Signs of the user's own broadcast on every page: a mark, a warning before leaving, and requests of others.
import {hasFiles} from '../../audio/hosting/dropped.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';
import {host} from '../../store/host.js';
import '../../store/hosting/keeping.js';
import {attempt, saying} from './host-part.js';

await i18n.also('desk.');

addEventListener('beforeunload', event => { if (host.isOnAir) event.preventDefault(); });

// A file dropped outside of a list must not replace the page and end the broadcast.
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
