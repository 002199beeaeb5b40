// An album: its cover, its tracks by disc, and what else there is of its artist.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {solo} from '../../store/solo.js';
import {colorOfMusic, musicCover} from '../cover/music-cover.js';
import {shelf} from '../explore-shelves/shelf.js';
import {likeButton} from '../like-button/like-button.js';
import {dotted, hero, MusicPage, playButton, shuffleButton, spoken} from '../library-page/music-page.js';
import {cardOf} from '../music-grid/music-card.js';
import '../music-grid/music-grid.js';
import {trackList} from '../track-list/track-list.js';
import {artistLinks} from '../track-list/track-row.js';
import {share} from '../track-menu/track-acts.js';
import {openTrackMenu} from '../track-menu/track-menu.js';

await i18n.also('sharing.');

class AlbumPage extends MusicPage {
  static kind = 'album';

  load(id) { return library.album(id); }

  draw({album, tracks}) {
    const source = {kind: 'album', id: album.id, name: album.name, href: `/album/${album.id}`};
    const genres = new Map(tracks.flatMap((track) => track.genres.map((genre) => [genre.id, genre])));
    const discs = [...new Set(tracks.map(({disc}) => disc))];
    // An album of various artists tells the artist of each track; another one tells only guests.
    const picture = musicCover(album, 'full');
    picture.classList.add('hero-cover');
    const more = h('button', {type: 'button', class: 'icon-button', 'aria-haspopup': 'menu', 'aria-label': t('track.more', {title: album.name}),
      onclick: () => openTrackMenu(tracks, {anchor: more, source})}, icon('more'));
    const sharing = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('sharing.title', {title: album.name}), onclick: () => share('album', album)}, icon('share'));
    const list = (part, label) => {
      const element = trackList({
        rows: new FixedRows(part), label, source, columns: {cover: false, album: false, meta: null, number: ({place}, index) => String(place ?? index + 1)},
      });
      element.toggleAttribute('data-bare', true);
      // All discs are one queue.
      if (discs.length > 1) element.play = (index) => solo.track?.id === part[index].id ? solo.toggle() : solo.play(tracks, {index: tracks.indexOf(part[index]), source});
      return element;
    };
    const others = h('div', {});
    if (album.artists.length) this.#others(album, others);
    return {
      name: album.name, color: colorOfMusic(album),
      content: [
        hero({
          kind: 'album', picture, name: album.name,
          lines: [
            h('span', {class: 'hero-artists'}, album.artists.length ? artistLinks(album.artists) : t('album.various')),
            dotted(album.year ? String(album.year) : null, tn('music.tracks', album.tracks), spoken(album.duration_ms)),
            genres.size ? h('span', {class: 'row tight'}, [...genres.values()].slice(0, 4).map(({id, name}) => h('a', {class: 'button chip', href: `/genre/${id}`}, name))) : null,
          ],
          actions: [playButton(() => solo.play(tracks, {index: 0, source, shuffle: false})), shuffleButton(() => solo.play(tracks, {source, shuffle: true})), likeButton('album', album), sharing, more],
        }),
        discs.length > 1
          ? discs.map((disc) => h('section', {class: 'stack tight'}, h('h2', {class: 'disc-head'}, icon('disc'), disc ? t('album.disc', {disc}) : t('album.no-disc')),
            list(tracks.filter((track) => track.disc === disc), disc ? t('album.disc', {disc}) : album.name)))
          : list(tracks, album.name),
        others,
      ],
    };
  }

  async #others(album, place) {
    const [artist] = album.artists;
    try {
      const {albums} = await library.artist(artist.id);
      const shown = albums.filter(({id}) => id !== album.id).slice(0, 20);
      if (shown.length) place.replaceChildren(shelf({title: t('album.more', {name: artist.name}), href: `/artist/${artist.id}`, items: shown.map((one, index) => cardOf('albums', one, index, shown.length))}));
    } catch { /* Without them, then. */ }
  }
}
customElements.define('album-page', AlbumPage);
