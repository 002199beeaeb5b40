// One row of a list of tracks: made once, and written anew for whatever track comes into sight.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {clockTime} from '../../shell/times.js';
import {i18n, t} from '../../store/i18n.js';
import {musicCover} from '../cover/music-cover.js';
import {likeButton, putLike} from '../like-button/like-button.js';

/** Links to artists with what parts them. Within a list they are no stops of the Tab key. */
export const artistLinks = (artists, {tabindex = null} = {}) => artists.length
  ? artists.flatMap(({id, name}, index) => [index ? ', ' : null, h('a', {href: `/artist/${id}`, tabindex, dir: 'auto'}, name)])
  : [h('span', {}, t('track.no-artist'))];

/** What the last column but one says of a track. */
const META = {
  year: ({year}) => year ? String(year) : '',
  added: ({added_ms: added}) => i18n.date(added, {dateStyle: 'medium'}),
  plays: ({plays}) => i18n.number(plays),
  // When the user heard it, of a list of plays.
  heard: ({heard_ms: at}) => i18n.date(at, Date.now() - at < 86_400_000 ? {timeStyle: 'short'} : {dateStyle: 'medium'}),
};

const bars = () => h('span', {class: 'bars', 'aria-hidden': 'true'}, h('i', {}), h('i', {}), h('i', {}));

/** The columns of a list that say more: `meta` is the name of one, or the names of several; the first is the last to be left out. */
export const metaOf = ({meta = null}) => [meta ?? []].flat();

/** Makes a row; `columns` are `{cover, album, meta}`. */
export const trackRow = (columns) => {
  const {cover = true, album = true} = columns, metas = metaOf(columns);
  const cell = (name, ...content) => h('div', {class: `track-cell track-${name}`, role: 'gridcell'}, content);
  const number = h('span', {class: 'tabular'}), press = h('button', {type: 'button', class: 'icon-button track-press', tabindex: '-1'}, icon('play'));
  const picture = cover ? h('span', {class: 'track-picture'}) : null;
  const title = h('span', {class: 'track-title truncate', dir: 'auto'}), playing = h('span', {class: 'visually-hidden'}), limited = h('span', {class: 'badge track-limited', hidden: true});
  const artists = h('span', {class: 'track-artists truncate muted'});
  const of = album ? h('span', {class: 'truncate muted', dir: 'auto'}) : null, more = metas.map(() => h('span', {class: 'muted tabular truncate'})), length = h('span', {class: 'muted tabular'});
  const menu = h('button', {type: 'button', class: 'icon-button track-more', tabindex: '-1', 'aria-haspopup': 'menu'}, icon('more'));
  const heart = likeButton('track', null, {tabindex: '-1'});
  const row = h('div', {class: 'track-row', role: 'row', tabindex: '-1', draggable: 'true'},
    cell('number', number, bars(), press),
    cell('main', picture, h('span', {class: 'track-text'}, h('span', {class: 'track-line'}, title, limited, playing), artists)),
    album ? cell('album', of) : null, more.map((part, at) => cell(at ? 'meta track-more-meta' : 'meta', part)), cell('length', length), cell('acts', heart, menu));
  row.parts = {number, press, picture, title, playing, limited, artists, of, more, length, heart, menu};
  return row;
};

/** Shows that a row is on its way. */
const wait = (row, index) => {
  row.track = null;
  row.removeAttribute('data-gap');
  row.toggleAttribute('data-waiting', true);
  row.setAttribute('aria-busy', 'true');
  const {number, title, artists, of, more, length, picture} = row.parts;
  number.textContent = i18n.number(index + 1);
  for (const part of [title, artists, of, ...more, length]) if (part) part.textContent = '';
  delete artists.dataset.length;
  picture?.replaceChildren();
  putLike(row.parts.heart, 'track', null);
};

/** Shows a place whose track is gone, or is not for this user: a gap that can be moved and taken out, and not played. */
const gap = (row) => {
  const {title, artists, of, more, length, picture, menu, limited} = row.parts;
  title.textContent = t('track.gap');
  limited.hidden = true;
  for (const part of [artists, of, ...more, length]) if (part) part.textContent = '';
  delete artists.dataset.length;
  picture?.replaceChildren();
  putLike(row.parts.heart, 'track', null);
  menu.setAttribute('aria-label', t('track.more', {title: t('track.gap')}));
};

/** Writes a track into a row. `number` is what stands before it. */
export const writeRow = (row, track, {index, number, columns}) => {
  row.setAttribute('aria-rowindex', String(index + 2));
  row.dataset.index = index;
  if (!track) return wait(row, index);
  row.parts.number.textContent = number;
  if (row.track === track) return undefined;
  row.track = track;
  row.removeAttribute('data-waiting');
  row.removeAttribute('aria-busy');
  row.toggleAttribute('data-gap', Boolean(track.isGap));
  if (track.isGap) return gap(row);
  const {press, picture, title, limited, artists, of, more, length, heart, menu} = row.parts;
  putLike(heart, 'track', track);
  title.textContent = track.title;
  press.setAttribute('aria-label', t('track.play', {title: track.title}));
  menu.setAttribute('aria-label', t('track.more', {title: track.title}));
  limited.hidden = track.access !== 'preview';
  if (!limited.hidden) limited.textContent = t('track.preview');
  artists.replaceChildren(...artistLinks(track.artists, {tabindex: '-1'}).filter(Boolean));
  picture?.replaceChildren(musicCover(track, '64'));
  of?.replaceChildren(...track.album ? [h('a', {href: `/album/${track.album.id}`, tabindex: '-1', dir: 'auto'}, track.album.name)] : []);
  metaOf(columns).forEach((name, at) => { more[at].textContent = META[name](track); });
  length.textContent = track.duration_ms ? clockTime(track.duration_ms) : '';
  // Where there is no room for a column of its own, it follows the artists.
  if (track.duration_ms) artists.dataset.length = length.textContent;
  else delete artists.dataset.length;
  return undefined;
};
