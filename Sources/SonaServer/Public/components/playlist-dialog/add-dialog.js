// Tracks are added to a playlist: one of one's own, one that one may edit, or a new one.
import {mosaic} from '../cover/mosaic.js';
import {dialog} from '../../shell/dialogs.js';
import {arrange, h} from '../../shell/dom.js';
import {field, form} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {playlists} from '../../store/playlists.js';
import {navigate} from '../../router.js';

await Promise.all([i18n.also('playlists.'), i18n.also('music.'), looks('../playlist-page/playlist.css', import.meta.url)]);

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Says what was added, with the way there. */
export const told = (playlist, {added, skipped}) => {
  const text = [added > 0 ? tn('playlists.added', added, {title: playlist.title}) : null, skipped > 0 ? tn('playlists.skipped', skipped) : null].filter(Boolean).join(' ');
  toast(text, {kind: added > 0 ? 'ok' : 'info', action: {label: t('playlists.open'), run: () => navigate(`/playlists/${playlist.id}`)}});
};

/** Opens the list of playlists that `tracks` can be added to. */
export const openAddToPlaylist = (tracks) => {
  let all = [];
  const rows = new Map(), list = h('ul', {class: 'list add-list', tabindex: '-1'}), status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
  const add = async (playlist, button) => {
    button.setAttribute('aria-busy', 'true');
    try {
      told(playlist, await playlists.add(playlist.id, tracks, {noDuplicates: true}));
      element.close();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
      button.removeAttribute('aria-busy');
    }
  };
  const row = (playlist) => {
    if (!rows.has(playlist.id)) {
      const button = h('button', {type: 'button', class: 'add-row', onclick: () => { if (button.getAttribute('aria-busy') !== 'true') add(playlist, button); }},
        mosaic(playlist, '64'), h('span', {class: 'add-words'}, h('strong', {class: 'truncate', dir: 'auto'}, playlist.title),
          h('span', {class: 'muted small truncate'}, [tn('music.tracks', playlist.tracks), playlist.role === 'owner' ? null : `@${playlist.owner.username ?? ''}`].filter(Boolean).join(' · '))), icon('plus'));
      rows.set(playlist.id, h('li', {}, button));
    }
    return rows.get(playlist.id);
  };
  const draw = () => {
    const wanted = plain(find.value.trim()), shown = all.filter(({title}) => plain(title).includes(wanted));
    arrange(list, shown.map(row));
    status.textContent = shown.length ? '' : t(all.length ? 'playlists.add.nothing' : 'playlists.add.none');
    find.hidden = find.parentElement.hidden = all.length < 6 && !find.value;
  };
  const find = h('input', {type: 'search', 'aria-label': t('playlists.find'), placeholder: t('playlists.find'), autocomplete: 'off', oninput: draw});
  const name = field({name: 'title', label: t('playlists.name'), required: true, maxlength: 100, bytes: 100, autocomplete: 'off', dir: 'auto'});
  const making = h('div', {class: 'add-new', hidden: true}, form({
    fields: [name], submit: t('playlists.make'),
    send: async ({title}) => {
      const playlist = await playlists.create({title: title.trim(), visibility: 'private'}, tracks);
      told(playlist, {added: playlist.tracks || tracks.length, skipped: 0});
      element.close();
    },
  }));
  const make = h('button', {type: 'button', class: 'add-row add-make', 'aria-expanded': 'false', onclick: () => {
    making.hidden = !making.hidden;
    make.setAttribute('aria-expanded', String(!making.hidden));
    if (!making.hidden) name.input.focus();
  }}, h('span', {class: 'add-symbol'}, icon('plus')), h('strong', {}, t('playlists.new')));
  const title = tracks.length === 1 ? t('playlists.add-of', {title: tracks[0].title}) : tn('playlists.add-these', tracks.length);
  const element = dialog({title, body: [make, making, h('div', {class: 'search', role: 'search', hidden: true}, icon('search'), find), list, status]});
  element.classList.add('add-dialog');
  playlists.mine().then((found) => { all = found; draw(); }, (error) => { status.textContent = describe(error); });
  return element;
};
