// A playlist is made, or what it says of itself is changed.
import {mosaic} from '../cover/mosaic.js';
import {photoField} from '../photo-field/photo-field.js';
import {dialog} from '../../shell/dialogs.js';
import {choice, field, form} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';
import {playlists} from '../../store/playlists.js';

await i18n.also('playlists.');

const TITLE_BYTES = 100, ABOUT_BYTES = 1000;
export const VISIBILITIES = ['private', 'unlisted', 'public'];

/** Its own picture: shown, chosen, and taken away, each at once. Without one its covers are shown. */
const pictured = (playlist) => {
  let now = playlist;
  return h('section', {class: 'stack tight'}, h('h3', {}, t('playlists.picture')), h('p', {class: 'muted small'}, t('playlists.picture.about')), photoField({
    path: `/v1/playlists/${playlist.id}/picture`, remove: () => playlists.removePicture(playlist.id),
    take: ({playlist: changed}) => {
      now = changed;
      playlists.told();
    }, show: () => mosaic(now), has: () => Boolean(now.picture),
  }));
};

/** Opens the form. Of a playlist that is there it changes what is changed; else it makes one with `tracks`. Returns the playlist, or null. */
export const openPlaylistForm = ({playlist = null, tracks = [], title = ''} = {}) => new Promise((resolve) => {
  let done = null, visibility = playlist?.visibility ?? 'private';
  const isOwner = !playlist || playlist.role === 'owner';
  const element = dialog({
    title: t(playlist ? 'playlists.edit' : 'playlists.new'), onclose: () => resolve(done),
    body: [playlist && playlists.mayPicture ? pictured(playlist) : null, form({
      fields: [
        field({name: 'title', label: t('playlists.name'), value: playlist?.title ?? title, required: true, maxlength: TITLE_BYTES, bytes: TITLE_BYTES, autocomplete: 'off', dir: 'auto'}),
        field({name: 'description', label: t('playlists.description'), tag: 'textarea', rows: 3, maxlength: ABOUT_BYTES, bytes: ABOUT_BYTES, dir: 'auto', '.value': playlist?.description ?? ''}),
        isOwner ? choice({
          name: 'visibility', label: t('playlists.visibility'), value: visibility, onchange: (value) => { visibility = value; },
          options: VISIBILITIES.map((one) => [one, t(`playlists.visibility.${one}`)]),
        }) : [],
        isOwner ? h('p', {class: 'muted small'}, t('playlists.visibility.about')) : [],
      ],
      submit: t(playlist ? 'playlists.save' : 'playlists.make'),
      send: async (values) => {
        const data = {title: values.title.trim(), description: values.description.trim(), ...isOwner ? {visibility} : {}};
        done = playlist ? await playlists.update(playlist.id, data) : await playlists.create(data, tracks);
        element.close();
      },
    })],
  });
  const input = element.querySelector('input[name=title]');
  input.focus();
  input.select();
});
