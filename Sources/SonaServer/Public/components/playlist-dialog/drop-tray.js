// A row of playlists at the foot of the window, as long as tracks are dragged.
import {mosaic} from '../cover/mosaic.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {playlists} from '../../store/playlists.js';
import {told} from './add-dialog.js';
import {openPlaylistForm} from './edit-dialog.js';

await Promise.all([i18n.also('playlists.'), looks('../playlist-page/playlist.css', import.meta.url)]);

const SHOWN = 4, KEPT = 30_000;
let known = [], at = -Infinity;

/** A place to drop on. */
const target = (content, drop) => {
  const element = h('div', {class: 'drop-target'}, content);
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = 'copy';
    element.setAttribute('data-over', '');
  });
  element.addEventListener('dragleave', () => element.removeAttribute('data-over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    event.stopPropagation();
    drop();
  });
  return element;
};

/** Shows it for these tracks. Returns `{leave}`. */
export const dropTray = (tracks) => {
  const element = h('div', {class: 'drop-tray', 'aria-hidden': 'true'});
  const draw = () => element.replaceChildren(h('span', {class: 'small'}, t('playlists.drop')),
    ...known.slice(0, SHOWN).map((playlist) => target([mosaic(playlist, '64'), h('span', {class: 'truncate', dir: 'auto'}, playlist.title)], async () => {
      try {
        told(playlist, await playlists.add(playlist.id, tracks, {noDuplicates: true}));
      } catch (error) {
        toast(describe(error), {kind: 'error'});
      }
    })),
    target([h('span', {class: 'add-symbol'}, icon('plus')), h('span', {class: 'truncate'}, t('playlists.new'))], () => openPlaylistForm({tracks})));
  draw();
  document.body.append(element);
  if (performance.now() - at > KEPT) playlists.mine().then((found) => { known = found; at = performance.now(); draw(); }, () => { /* A new one can be made. */ });
  return {leave: () => element.remove()};
};
playlists.addEventListener('list', () => { at = -Infinity; });
