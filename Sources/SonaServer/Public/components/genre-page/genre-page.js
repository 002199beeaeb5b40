// A genre: its albums, and all its tracks.
import {h} from '../../shell/dom.js';
import {t, tn} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {colorOfMusic, musicCover} from '../cover/music-cover.js';
import {shelf} from '../explore-shelves/shelf.js';
import {hero, MusicPage, playButton, shuffleButton} from '../library-page/music-page.js';
import {radioButton} from '../library-page/radio-button.js';
import {shuffled} from '../library-page/shuffled.js';
import {sortedList, sortedRows} from '../library-page/sorted-list.js';
import {cardOf, hueOfGenre, playMusic} from '../music-grid/music-card.js';
import '../music-grid/music-grid.js';

const SHOWN = 30;

class GenrePage extends MusicPage {
  static kind = 'genre';

  async load(id) {
    const [genres, albums] = await Promise.all([library.genres(), library.page({kind: 'albums', genre: id, sort: 'added', limit: SHOWN})]);
    const genre = genres.find((one) => one.id === id);
    if (!genre) throw Object.assign(new Error('There is no such genre.'), {code: 'genre.not_found'});
    return {genre, albums: albums.albums};
  }

  draw({genre, albums}) {
    const source = {kind: 'genre', id: genre.id, name: genre.name, href: `/genre/${genre.id}`};
    const query = {kind: 'tracks', scope: 'all', genre: genre.id};
    const head = hero({
      kind: 'genre', name: genre.name, lines: [tn('music.tracks', genre.tracks)],
      actions: [playButton(() => playMusic('genres', genre)), shuffleButton(() => shuffled(sortedRows(query, {sort: 'title'}), source)), radioButton({genre: genre.id}, genre.name)].filter(Boolean),
    });
    const pictured = albums.filter(({cover}) => cover?.path).slice(0, 3);
    if (pictured.length) head.append(h('div', {class: 'hero-fan', 'aria-hidden': 'true'}, pictured.map((album) => musicCover(album))));
    head.style.setProperty('--hue', String(hueOfGenre(genre)));
    return {
      name: genre.name, color: colorOfMusic(genre),
      content: [
        head,
        albums.length ? shelf({title: t('library.albums'), items: albums.map((album, index) => cardOf('albums', album, index, albums.length))}) : null,
        h('section', {class: 'stack'}, h('h2', {}, t('library.tracks')), sortedList({query, label: t('library.tracks'), source})),
      ],
    };
  }
}
customElements.define('genre-page', GenrePage);
