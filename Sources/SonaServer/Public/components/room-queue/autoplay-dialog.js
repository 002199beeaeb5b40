// A room that plays by itself: whether it does, and from which playlist it goes on when the queue is empty.
import {offeredPlaylists} from './offered-playlists.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {form, toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** Opens the dialog about a room. */
export const openAutoplay = async (room) => {
  let now, lists;
  try {
    ({autoplay: now} = await session.request('autoplay.get', {room: room.id}));
    lists = await offeredPlaylists(now.playlist);
  } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  let {on} = now;
  const select = h('select', {name: 'playlist', id: 'autoplay-playlist'}, h('option', {value: ''}, t('autoplay.playlist.none')),
    lists.map(({id, title, tracks}) => h('option', {value: id, selected: id === now.playlist}, `${title} (${tn('autoplay.tracks', tracks)})`)));
  const chosen = h('div', {class: 'field'}, h('label', {for: 'autoplay-playlist'}, t('autoplay.playlist')), h('p', {class: 'muted small'}, t('autoplay.playlist.hint')), select);
  const show = () => { chosen.hidden = !on; };
  show();
  const element = dialog({
    title: t('autoplay'),
    body: form({
      fields: [
        h('p', {class: 'muted'}, t('autoplay.about')),
        toggle({name: 'on', label: t('autoplay.on'), checked: on, onchange: (is) => { on = is; show(); }}),
        chosen,
      ],
      submit: t('profile.save'),
      send: async () => {
        await session.request('autoplay.set', {room: room.id, on, ...on && select.value ? {playlist: select.value} : {}});
        toast(t(on ? 'autoplay.is-on' : 'autoplay.is-off'), {kind: 'ok'});
        element.close();
      },
    }),
  });
};
