// An artist: what is heard most, and the albums.
import {h} from '../../shell/dom.js';
import {t, tn} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {solo} from '../../store/solo.js';
import {colorOfMusic, musicCover} from '../cover/music-cover.js';
import {likeButton} from '../like-button/like-button.js';
import {dotted, hero, MusicPage, playButton, shuffleButton} from '../library-page/music-page.js';
import {radioButton} from '../library-page/radio-button.js';
import {shuffled} from '../library-page/shuffled.js';
import {sortedList, sortedRows} from '../library-page/sorted-list.js';
import {musicGrid} from '../music-grid/music-grid.js';
import {trackList} from '../track-list/track-list.js';

/** More of an artist's tracks have a list of their own. */
const TOP = 10;

class ArtistPage extends MusicPage {
  static kind = 'artist';

  load(id) { return library.artist(id); }

  draw({artist, albums, tracks}) {
    const source = {kind: 'artist', id: artist.id, name: artist.name, href: `/artist/${artist.id}`};
    const query = {kind: 'tracks', scope: 'all', artist: artist.id};
    const picture = musicCover(artist, 'full');
    picture.classList.add('hero-cover');
    const section = (title, element) => h('section', {class: 'stack tight'}, h('h2', {}, title), element);
    const isMore = artist.tracks > tracks.length;
    const all = h('section', {class: 'stack'});
    const showAll = h('button', {type: 'button', onclick: () => {
      all.replaceChildren(h('h2', {tabindex: '-1'}, t('artist.all')), sortedList({query, label: t('artist.all'), source}));
      all.querySelector('h2').focus({preventScroll: true});
    }}, t('artist.show-all', {count: artist.tracks}));
    if (isMore) all.replaceChildren(h('div', {class: 'row'}, showAll));
    return {
      name: artist.name, color: colorOfMusic(artist),
      content: [
        hero({
          kind: 'artist', picture, name: artist.name, lines: [dotted(tn('music.tracks', artist.tracks), albums.length ? tn('library.count.albums', albums.length) : null)],
          actions: [playButton(() => solo.play(tracks, {index: 0, source, shuffle: false})), shuffleButton(() => shuffled(sortedRows(query, {sort: 'title'}), source)), radioButton({artist: artist.id}, artist.name), likeButton('artist', artist)].filter(Boolean),
        }),
        section(t('artist.top'), trackList({rows: new FixedRows(tracks.slice(0, TOP)), label: t('artist.top'), source, columns: {cover: true, album: true, meta: null}})),
        albums.length ? section(t('library.albums'), musicGrid({rows: new FixedRows(albums), kind: 'albums', label: t('library.albums')})) : null,
        isMore ? all : null,
      ],
    };
  }
}
customElements.define('artist-page', ArtistPage);
