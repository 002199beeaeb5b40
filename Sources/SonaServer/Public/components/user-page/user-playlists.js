// The public playlists of somebody, on their page.
import {playlistCard} from '../playlists-part/playlist-card.js';
import {h} from '../../shell/dom.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';

await Promise.all([i18n.also('playlists.'), i18n.also('music.'), looks('../playlist-page/playlist.css', import.meta.url), looks('../music-grid/music-grid.css', import.meta.url)]);

export const userPlaylists = (playlists) => h('section', {class: 'stack'}, h('h2', {}, t('user.playlists')),
  h('ul', {class: 'playlist-cards', 'aria-label': t('user.playlists')}, playlists.map((playlist) => playlistCard(playlist, {tag: 'li'}))));
