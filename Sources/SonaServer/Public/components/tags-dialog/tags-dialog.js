// What tracks say of themselves, corrected: one track in full, or what several are to have in common.
import {confirm, dialog} from '../../shell/dialogs.js';
import {debounced, h, uniqueId} from '../../shell/dom.js';
import {field, form, Fault, sizeOf} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {updateTrack} from '../../store/track-changes.js';
import {oddities} from '../../store/uploads/oddities.js';
import {changesOf, faultIn, KINDS, SHARED, sharedText} from '../../store/uploads/tags.js';
import {cover} from '../cover/cover.js';

await Promise.all([i18n.also('uploads.'), looks('tags-dialog.css', import.meta.url)]);

/** Albums whose artists are asked for before the dialog opens. */
const ALBUMS_MAX = 6;
/** How long typing pauses before suggestions are asked for, ms; how many are shown. */
const PAUSE = 250, SUGGESTED = 8;
/** What is suggested in a field: a kind of `search`. */
const SUGGESTIONS = {artists: 'artists', album_artists: 'artists', album: 'albums', genres: 'genres'};

/** The artists of the tracks' albums. Of an album that cannot be asked for there are none. */
const artistsOfAlbums = async (tracks) => {
  const ids = [...new Set(tracks.map(({album}) => album?.id).filter(Boolean))].slice(0, ALBUMS_MAX);
  const found = await Promise.all(ids.map(album => session.request('album.get', {album}, {timeout: 4000}).then(
    ({album: {artists}}) => [album, artists.map(({name}) => name)], () => [album, []])));
  return new Map(found);
};

/** Suggests names of the library while somebody types. Of several names the last is completed. */
const suggest = (part, kind) => {
  const id = uniqueId('suggestions'), list = h('datalist', {id}), {input} = part;
  input.setAttribute('list', id);
  part.append(list);
  let turn = 0;
  input.addEventListener('input', debounced(PAUSE, async () => {
    const mine = ++turn, cut = kind === 'albums' ? 0 : input.value.lastIndexOf(';') + 1;
    const before = input.value.slice(0, cut).trimEnd(), query = input.value.slice(cut).trim();
    if (!query || sizeOf(query) > 200) return void list.replaceChildren();
    try {
      const found = (await session.request('search', {query, kind, limit: SUGGESTED}, {timeout: 3000}))[kind];
      if (mine === turn) list.replaceChildren(...found.map(({name}) => h('option', {value: before ? `${before} ${name}` : name})));
    } catch { /* Nothing is suggested, then. */ }
  }));
};

/** A field of tags. Where the tracks differ it is empty and stays as it is, unless something is typed or it is emptied for all. */
const tagField = (name, tracks, albums, odd) => {
  const text = sharedText(tracks, name, albums), isMixed = text === null;
  const hints = [odd ? t(`uploads.odd.${odd}`) : '', isMixed ? t('uploads.tags.differ') : '', KINDS[name] === 'names' ? t('uploads.tags.several') : ''];
  const part = field({
    name, label: t(`uploads.tags.${name}`), hint: hints.filter(Boolean).join(' '), value: text ?? '', autocomplete: 'off', dir: 'auto',
    ...KINDS[name] === 'number' ? {inputmode: 'numeric', maxlength: 4} : {},
    placeholder: isMixed ? t('uploads.tags.mixed') : null,
  });
  part.classList.add(`tag-${name}`);
  part.toggleAttribute('data-odd', Boolean(odd));
  if (SUGGESTIONS[name]) suggest(part, SUGGESTIONS[name]);
  let isEmptied = false;
  if (isMixed) {
    const empty = h('button', {type: 'button', class: 'quiet small-button', 'aria-pressed': 'false', onclick: () => {
      isEmptied = !isEmptied;
      empty.setAttribute('aria-pressed', String(isEmptied));
      part.input.disabled = isEmptied;
      part.input.value = '';
      part.input.placeholder = t(isEmptied ? 'uploads.tags.emptied' : 'uploads.tags.mixed');
    }}, t('uploads.tags.empty'));
    empty.setAttribute('aria-label', t('uploads.tags.empty-field', {field: t(`uploads.tags.${name}`)}));
    const holder = h('div', {class: 'with-button'});
    part.input.replaceWith(holder);
    holder.append(part.input, empty);
  }
  /** The text to be set, or null where the field stays as it is. */
  part.wanted = () => isMixed ? (isEmptied ? '' : part.input.value.trim() ? part.input.value : null) : part.input.value === text ? null : part.input.value;
  return part;
};

/** Has every track changed, one after the other. Returns `{done, error, failed}`: what was changed, and what was not. */
const changeAll = async (tracks, changesFor, progress) => {
  const done = [], failed = [];
  let error = null;
  for (const track of tracks) {
    const changes = changesFor(track, tracks.indexOf(track));
    progress(done.length + failed.length);
    if (Object.keys(changes).length === 0) continue;
    try {
      done.push(await updateTrack(track.id, changes));
    } catch (refused) {
      error ??= refused;
      failed.push(track);
      // What stands against one stands against all.
      if (refused.code?.startsWith('connection.') || refused.code === 'auth.forbidden') break;
    }
  }
  return {done, error, failed};
};

const intro = (tracks) => {
  const [first] = tracks, isOne = tracks.length === 1;
  const pictures = tracks.slice(0, isOne ? 1 : 3).map(({id, cover: picture, title}) => cover({id, title, artwork: picture?.path ? `${picture.path}/64` : null}, '64'));
  const about = isOne ? [first.kind.toUpperCase(), first.bitrate ? t('uploads.tags.bitrate', {rate: i18n.number(first.bitrate)}) : null].filter(Boolean).join(' · ')
    : tracks.slice(0, 3).map(({title}) => title).join(', ') + (tracks.length > 3 ? ' …' : '');
  return h('div', {class: 'row tags-intro'}, h('div', {class: 'tags-covers'}, pictures),
    h('div', {class: 'grow'}, h('p', {class: 'truncate', dir: 'auto'}, h('strong', {}, isOne ? first.title : tn('uploads.tags.of', tracks.length))), h('p', {class: 'muted small tags-about', dir: 'auto'}, about)));
};

/**
 * Opens the tags of tracks of the library for correction. The user has to have the right to them: `mayEdit`.
 *
 * @param tracks Objects as in Protocol/spec/tracks.md. @param fileName The name of the file of a single track where it is known.
 * @returns The tracks that were changed, as they are then; empty if it was left without saving.
 */
export const openTags = async (tracks, {fileName = null} = {}) => {
  if (tracks.length === 0) return [];
  const albums = await artistsOfAlbums(tracks), isOne = tracks.length === 1;
  const odd = new Map(isOne ? oddities(tracks[0], fileName) : []);
  const parts = (isOne ? Object.keys(KINDS) : SHARED).map(name => tagField(name, tracks, albums, odd.get(name)));
  const numbered = h('input', {type: 'checkbox', name: 'numbered'});
  const number = !isOne && h('label', {class: 'check'}, numbered, h('span', {}, tn('uploads.tags.numbered', tracks.length)));
  return new Promise((resolve) => {
    let changed = [];
    const finish = (result, words) => {
      changed = [...changed, ...result.done];
      if (result.error) throw result.error;
      toast(words, {kind: 'ok'});
      element.close();
    };
    const reset = tracks.some(({edited}) => edited) && h('button', {type: 'button', class: 'quiet small-button tags-reset', onclick: async () => {
      const isSure = await confirm({title: t('uploads.tags.reset'), text: tn('uploads.tags.reset-sure', tracks.length), action: t('uploads.tags.reset-do')});
      if (!isSure) return;
      try {
        finish(await changeAll(tracks.filter(({edited}) => edited), () => ({reset: Object.keys(KINDS)}), () => {}), tn('uploads.tags.was-reset', tracks.length));
      } catch (error) {
        toast(describe(error), {kind: 'error'});
      }
    }}, icon('history'), t('uploads.tags.reset'));
    const sending = form({
      fields: [h('div', {class: 'tags-fields'}, parts), number || []], submit: t('uploads.tags.save'),
      check: () => {
        for (const part of parts) {
          const wanted = part.wanted(), fault = wanted === null ? null : faultIn(part.name, wanted, sizeOf);
          if (fault) throw new Fault(part.name, fault);
        }
      },
      send: async () => {
        const texts = Object.fromEntries(parts.map(part => [part.name, part.wanted()]).filter(([, text]) => text !== null));
        const count = tracks.length;
        const result = await changeAll(tracks, (track, index) => ({
          ...changesOf(track, texts, albums), ...numbered.checked && track.place !== index + 1 ? {place: index + 1} : {},
        }), done => { if (!isOne) sending.button.textContent = t('uploads.tags.saving', {done: i18n.number(done), count: i18n.number(count)}); });
        sending.button.textContent = t('uploads.tags.save');
        // What was done is not done again if the rest is tried once more.
        tracks = result.error ? result.failed : tracks;
        finish(result, tn('uploads.tags.saved', count));
      },
      after: [h('button', {type: 'button', class: 'quiet', onclick: () => element.close()}, t('dialog.cancel')), reset || []],
    });
    const element = dialog({title: t('uploads.tags'), body: [intro(tracks), sending], onclose: () => resolve(changed)});
    element.classList.add('tags-dialog');
    // A keyboard on the screen would hide the form: the first field gets the focus where there is a pointer.
    if (matchMedia('(pointer: fine)').matches) (parts.find(part => odd.has(part.name)) ?? parts[0]).input.focus();
  });
};
