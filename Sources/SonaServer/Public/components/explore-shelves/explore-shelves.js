// The shelves of Explore: new albums, what is heard most, genres. Nothing where there is no music to be heard.
import {isSignedIn} from '../../router.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {me} from '../../store/me.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';
import {cardOf} from '../music-grid/music-card.js';
import '../music-grid/music-grid.js';
import {trackList} from '../track-list/track-list.js';
import {shelf} from './shelf.js';

await i18n.also('music.');

const ALBUMS = 20, TRACKS = 10, GENRES = 20, FRIENDS = 12;

class ExploreShelves extends HTMLElement {
  #ending = null; #turn = 0; #drawn = '';

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    for (const type of ['fresh', 'user']) session.addEventListener(type, () => this.#load(), {signal});
    me.addEventListener('change', () => this.#load(), {signal});
    this.#load();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#turn += 1;
  }

  async #load() {
    const turn = ++this.#turn;
    if (library.isThere === null) return;
    if (!library.isThere) return void this.replaceChildren();
    if (!this.childElementCount) this.#wait();
    try {
      const [{albums}, {tracks}, genres, friends] = await Promise.all([
        library.page({kind: 'albums', sort: 'added', limit: ALBUMS}), library.page({kind: 'tracks', sort: session.features.has('plays') ? 'popular' : 'plays', limit: TRACKS}), library.genres(), this.#friends(),
      ]);
      if (turn === this.#turn && this.isConnected) this.#draw(albums, tracks, genres, friends);
    } catch {
      // Rooms are what this page is for: music that does not come is left out.
      if (turn === this.#turn) this.replaceChildren();
    }
  }

  /** What friends play lately, one play of each track: cards that are made by a module of those who have friends. */
  async #friends() {
    if (!isSignedIn() || !session.features.has('discovering')) return null;
    try {
      const {plays} = await askPatiently('plays.feed', {limit: 3 * FRIENDS});
      if (!plays.length) return null;
      const {friendsShelf} = await import('../friends-page/friends-shelf.js');
      return {plays: plays.filter(({track}, index) => plays.findIndex((one) => one.track.id === track.id) === index).slice(0, FRIENDS), friendsShelf};
    } catch {
      return null;
    }
  }

  #wait() {
    this.replaceChildren(h('section', {class: 'shelf skeleton', 'aria-hidden': 'true'}, h('div', {class: 'shelf-head'}, h('div', {class: 'bar shelf-bar'})),
      h('div', {class: 'shelf-row'}, Array.from({length: 7}, () => h('div', {class: 'music-card', 'data-waiting': ''}, h('span', {class: 'music-picture'}), h('span', {class: 'music-text'}))))));
  }

  #draw(albums, tracks, genres, friends) {
    const most = [...genres].sort((one, other) => other.tracks - one.tracks).slice(0, GENRES), heard = tracks.some(({plays}) => plays > 0);
    const content = JSON.stringify([albums, tracks, most, friends?.plays ?? null, i18n.code, me.may('library.manage')]);
    // What has not changed is left alone, with the focus that may be in it.
    if (content === this.#drawn && this.childElementCount) return;
    this.#drawn = content;
    // What nobody has heard is not popular: there may be music all the same.
    if (!tracks.length && !albums.length && !most.length) return void this.#empty();
    const cards = (kind, items) => items.map((item, index) => cardOf(kind, item, index, items.length));
    this.replaceChildren(h('div', {class: 'stack explore-shelves'}, [
      albums.length ? shelf({title: t('explore.new'), href: '/library/albums', items: cards('albums', albums)}) : null,
      friends ? friends.friendsShelf(friends.plays) : null,
      most.length ? shelf({title: t('library.genres'), href: '/library/genres', kind: 'tiles', items: cards('genres', most)}) : null,
      heard ? h('section', {class: 'stack tight'}, h('div', {class: 'shelf-head'}, h('h2', {}, h('a', {href: '/library'}, t('explore.popular'), icon('on')))),
        trackList({rows: new FixedRows(tracks.filter(({plays}) => plays > 0)), label: t('explore.popular'), source: {kind: 'tracks', id: null, name: t('explore.popular'), href: '/'}, columns: {cover: true, album: true, meta: 'plays'}})) : null,
    ].filter(Boolean)));
  }

  /** Whoever looks after the server is told how music comes into it. */
  #empty() {
    this.replaceChildren(...me.may('library.manage') ? [h('section', {class: 'card row between explore-empty'}, icon('library'),
      h('div', {class: 'grow'}, h('h2', {}, t('explore.empty')), h('p', {class: 'muted'}, t('explore.empty.about'))), h('a', {class: 'button primary', href: '/admin/folders'}, t('library.empty.folders')))] : []);
  }
}
customElements.define('explore-shelves', ExploreShelves);
