// Whether visitors of other pages may ask a room for tracks, for which, and the form to put into such a page.
import {offeredPlaylists} from './offered-playlists.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {field, form, toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

await i18n.also('asking.');

/** Opens the dialog about a room. */
export const openSongRequests = async (room) => {
  let now, lists;
  try {
    ({song_requests: now} = await session.request('song_requests.get', {room: room.id}));
    lists = await offeredPlaylists(now.playlist);
  } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  let {on} = now;
  const select = h('select', {name: 'playlist'}, h('option', {value: ''}, t('asking.all')),
    lists.map(({id, title, tracks}) => h('option', {value: id, selected: id === now.playlist}, `${title} (${tn('autoplay.tracks', tracks)})`)));
  const playlist = field({name: 'playlist', label: t('asking.playlist'), hint: t('asking.playlist.hint'), control: select});
  const html = `<iframe src="${location.origin}/embed/requests/${room.id}" width="400" height="480" title="${t('asking')}" style="border:0"></iframe>`;
  const code = field({name: 'code', label: t('asking.code'), hint: t('asking.code.hint'), tag: 'textarea', rows: 3, readonly: true, onfocus: ({target}) => target.select()});
  code.input.value = html;
  const isPrivate = h('p', {class: 'notice'}, t('asking.private'));
  const show = () => {
    for (const part of [playlist, code]) part.hidden = !on;
    isPrivate.hidden = !on || room.room?.visibility !== 'private';
  };
  show();
  const element = dialog({
    title: t('asking'),
    body: form({
      fields: [h('p', {class: 'muted'}, t('asking.about')), toggle({name: 'on', label: t('asking.on'), checked: on, onchange: (is) => { on = is; show(); }}), isPrivate, playlist, code],
      submit: t('profile.save'),
      send: async () => {
        await session.request('song_requests.set', {room: room.id, on, ...on && select.value ? {playlist: select.value} : {}});
        toast(t(on ? 'asking.is-on' : 'asking.is-off'), {kind: 'ok'});
        element.close();
      },
    }),
  });
};
