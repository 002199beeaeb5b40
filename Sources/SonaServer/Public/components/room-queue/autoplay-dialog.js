// A room that plays by itself: whether it does, from which playlist it goes on when the queue is empty, and its jingles.
import {offeredPlaylists} from './offered-playlists.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {Fault, field, form, toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** What is written into a field of numbers: null if nothing is. */
const numberIn = (text, name, most) => {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!/^\d+$/.test(trimmed) || Number(trimmed) < 1 || Number(trimmed) > most) throw new Fault(name, 'autoplay.jingles.fault', {most});
  return Number(trimmed);
};

/** The part about jingles: a playlist, and how often one comes. `read(values)` may throw a Fault. */
const jinglesPart = (now, lists) => {
  const select = h('select', {name: 'jingles'}, h('option', {value: ''}, t('autoplay.jingles.none')),
    lists.map(({id, title, tracks}) => h('option', {value: id, selected: id === now?.playlist}, `${title} (${tn('autoplay.tracks', tracks)})`)));
  const playlist = field({name: 'jingles', label: t('autoplay.jingles'), hint: t('autoplay.jingles.hint'), control: select});
  const often = (name, label, value, max) => field({name, label, type: 'number', min: 1, max, step: 1, inputmode: 'numeric', value: value ?? ''});
  const tracks = often('every_tracks', t('autoplay.jingles.tracks'), now ? now.every_tracks : 4, 100);
  const minutes = often('every_min', t('autoplay.jingles.minutes'), now?.every_min, 1440);
  const show = () => { tracks.hidden = minutes.hidden = select.value === ''; };
  select.addEventListener('change', show);
  show();
  return {
    fields: [playlist, tracks, minutes],
    read: (values) => {
      if (select.value === '') return null;
      const everyTracks = numberIn(values.every_tracks, 'every_tracks', 100), everyMinutes = numberIn(values.every_min, 'every_min', 1440);
      if (everyTracks === null && everyMinutes === null) throw new Fault('every_tracks', 'autoplay.jingles.never');
      return {playlist: select.value, ...everyTracks === null ? {} : {every_tracks: everyTracks}, ...everyMinutes === null ? {} : {every_min: everyMinutes}};
    },
  };
};

/** Opens the dialog about a room. */
export const openAutoplay = async (room) => {
  let now, lists, jingleLists;
  const hasJingles = session.features.has('jingles');
  try {
    ({autoplay: now} = await session.request('autoplay.get', {room: room.id}));
    lists = await offeredPlaylists(now.playlist);
    jingleLists = hasJingles ? await offeredPlaylists(now.jingles?.playlist ?? null) : [];
  } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  let {on} = now;
  const select = h('select', {name: 'playlist', id: 'autoplay-playlist'}, h('option', {value: ''}, t('autoplay.playlist.none')),
    lists.map(({id, title, tracks}) => h('option', {value: id, selected: id === now.playlist}, `${title} (${tn('autoplay.tracks', tracks)})`)));
  const chosen = h('div', {class: 'field'}, h('label', {for: 'autoplay-playlist'}, t('autoplay.playlist')), h('p', {class: 'muted small'}, t('autoplay.playlist.hint')), select);
  const jingles = hasJingles ? jinglesPart(now.jingles ?? null, jingleLists) : {fields: [], read: () => null};
  const show = () => { chosen.hidden = !on; };
  show();
  const element = dialog({
    title: t('autoplay'),
    body: form({
      fields: [
        h('p', {class: 'muted'}, t('autoplay.about')),
        toggle({name: 'on', label: t('autoplay.on'), checked: on, onchange: (is) => { on = is; show(); }}),
        chosen, ...jingles.fields,
      ],
      submit: t('profile.save'),
      check: (values) => void jingles.read(values),
      send: async (values) => {
        const between = jingles.read(values);
        await session.request('autoplay.set', {room: room.id, on, ...on && select.value ? {playlist: select.value} : {}, ...between ? {jingles: between} : {}});
        toast(t(on ? 'autoplay.is-on' : 'autoplay.is-off'), {kind: 'ok'});
        element.close();
      },
    }),
  });
};
