// The host of a room offers their place: whoever is there may take it.
import {navigate} from '../router.js';
import {t} from '../store/i18n.js';
import {session} from '../store/session.js';
import {toast} from './toasts.js';

session.on('host.offered', ({room, by}) => toast(t('host.offered', {name: by.username ?? t('host.somebody')}), {
  action: {label: t('host.offered.take'), run: () => navigate(`/host?room=${encodeURIComponent(room)}`)},
}));
