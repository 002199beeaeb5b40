// An album, an artist or a genre as a card, or as a row of a list.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {solo} from '../../store/solo.js';
import {hueOf} from '../cover/cover.js';
import {musicCover} from '../cover/music-cover.js';

/** The hue of a genre's colour, by its name. Those between yellow and olive are left out: dark, they are mud. */
export const hueOfGenre = ({name}) => (150 + hueOf(name.toLowerCase()) * 137.508 % 260) % 360;

/** By the kind of a list: the name of one of them in addresses. */
export const PLACES = {albums: 'album', artists: 'artist', genres: 'genre'};
export const placeOf = (kind, {id}) => `/${PLACES[kind]}/${id}`;

/** All tracks of an album, an artist or a genre, and where they are from. */
const tracksOf = async (kind, item) => {
  if (kind === 'albums') return (await library.album(item.id)).tracks;
  return library.tracks({[PLACES[kind]]: item.id, sort: kind === 'artists' ? 'plays' : 'title'});
};

/** Plays an album, an artist or a genre. */
export const playMusic = async (kind, item) => {
  try {
    const tracks = await tracksOf(kind, item);
    if (tracks.length) solo.play(tracks, {index: 0, source: {kind: PLACES[kind], id: item.id, name: item.name, href: placeOf(kind, item)}});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

/** Names of artists in one line. */
export const artistLine = ({artists}) => artists.length ? artists.map(({name}) => name).join(', ') : t('album.various');

const about = {
  albums: (album) => artistLine(album),
  artists: ({tracks}) => tn('music.tracks', tracks),
  genres: ({tracks}) => tn('music.tracks', tracks),
};

/** Makes a card, to be written by `writeCard`. */
export const musicCard = (kind) => {
  const picture = h('span', {class: 'music-picture', 'aria-hidden': 'true'}), name = h('span', {dir: 'auto'});
  const link = h('a', {class: 'music-link'}, name), line = h('span', {class: 'music-about muted small truncate', dir: 'auto'});
  const more = h('span', {class: 'music-more muted small tabular'});
  const press = h('button', {type: 'button', class: 'icon-button primary music-press'}, icon('play'));
  const card = h('div', {class: `music-card of-${kind}`, role: 'listitem'}, picture, h('span', {class: 'music-text'}, link, line), more, press);
  card.parts = {picture, link, name, line, more, press};
  press.addEventListener('click', () => { if (card.item) playMusic(kind, card.item); });
  return card;
};

/** Writes an item into a card; undefined while it is on its way. */
export const writeCard = (card, kind, item, {index, total}) => {
  card.setAttribute('aria-posinset', String(index + 1));
  card.setAttribute('aria-setsize', String(total ?? -1));
  card.dataset.index = index;
  if (card.item === item && item) return;
  card.item = item ?? null;
  const {picture, link, name, line, more, press} = card.parts;
  card.toggleAttribute('data-waiting', !item);
  if (!item) {
    picture.replaceChildren();
    for (const part of [name, line, more]) part.textContent = '';
    link.removeAttribute('href');
    return;
  }
  name.textContent = item.name;
  link.href = placeOf(kind, item);
  line.textContent = about[kind](item);
  more.textContent = kind === 'albums' ? [item.year, tn('music.tracks', item.tracks)].filter(Boolean).join(' · ') : '';
  press.setAttribute('aria-label', t('track.play', {title: item.name}));
  if (kind === 'genres') card.style.setProperty('--hue', String(hueOfGenre(item)));
  // A tile has a cover only where there is one: its colour is drawn already.
  card.toggleAttribute('data-pictured', Boolean(item.cover?.path));
  picture.replaceChildren(...kind !== 'genres' || item.cover?.path ? [musicCover(item)] : []);
};

/** A card that stands by itself, such as on a shelf. */
export const cardOf = (kind, item, index = 0, total = 1) => {
  const card = musicCard(kind);
  writeCard(card, kind, item, {index, total});
  return card;
};
