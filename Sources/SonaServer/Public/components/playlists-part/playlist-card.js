// A playlist as a card: in the library, and among what was found.
import {mosaic} from '../cover/mosaic.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {PlaylistRows} from '../../store/playlist-rows.js';
import {playlists} from '../../store/playlists.js';
import {solo} from '../../store/solo.js';

const PLAYED = 300;

const play = async ({id, title}) => {
  try {
    const rows = new PlaylistRows(await playlists.get(id));
    const tracks = await rows.between(0, Math.min(rows.total, PLAYED));
    if (tracks.length) solo.play(tracks, {index: 0, source: {kind: 'playlist', id, name: title, href: `/playlists/${id}`}});
    else toast(t('playlists.empty'));
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

/** `tag` is the element's name; its list gives the role. */
export const playlistCard = (playlist, {tag = 'div'} = {}) => {
  const {id, title, tracks, owner, role, visibility, rule} = playlist;
  return h(tag, {class: 'music-card playlist-card', dataset: {playlist: id}},
    h('span', {class: 'music-picture', 'aria-hidden': 'true'}, mosaic(playlist)),
    rule ? h('span', {class: 'badge'}, icon('star'), t('playlists.smart')) : role === 'owner' && visibility !== 'private' ? h('span', {class: 'badge'}, icon(visibility === 'public' ? 'people' : 'link'), t(`playlists.visibility.${visibility}`)) : null,
    h('span', {class: 'music-text'}, h('a', {class: 'music-link', href: `/playlists/${id}`, dir: 'auto'}, title),
      h('span', {class: 'music-about muted small truncate'}, [rule ? null : tn('music.tracks', tracks), role === 'owner' || !owner.username ? null : `@${owner.username}`].filter(Boolean).join(' · '))),
    h('button', {type: 'button', class: 'icon-button primary music-press', 'aria-label': t('track.play', {title}), onclick: () => play(playlist)}, icon('play')));
};
