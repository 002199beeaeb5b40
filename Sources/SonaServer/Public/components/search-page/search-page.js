// Search in everything: tracks, albums, artists, genres and rooms, while one types.
import {debounced, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {offerUndo} from '../../shell/undo.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {FixedRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {playlists} from '../../store/playlists.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {solo} from '../../store/solo.js';
import {musicCover} from '../cover/music-cover.js';
import {shelf} from '../explore-shelves/shelf.js';
import {artistLine, cardOf, placeOf, playMusic} from '../music-grid/music-card.js';
import '../music-grid/music-grid.js';
import {playlistCard} from '../playlists-part/playlist-card.js';
import {roomCard} from '../room-card/room-card.js';
import {trackList} from '../track-list/track-list.js';
import {recent} from './recent.js';

await Promise.all([i18n.also('music.'), i18n.also('playlists.'), looks('../library-page/library.css', import.meta.url), looks('../playlist-page/playlist.css', import.meta.url)]);

/** Typing pauses for so long before it is asked, ms; a text that stands for so long is kept, ms. */
const PAUSE = 300, SETTLED = 2500;
/** Of each group, and of rooms. */
const SHOWN = 12, TRACKS = 6, ROOMS = 8, LISTS = 12;
const KINDS = ['albums', 'artists', 'genres'];

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** What is shown largest: an artist or album of that very name, else the first track. */
const topOf = (found, query) => {
  const wanted = plain(query);
  for (const kind of ['artists', 'albums', 'genres']) {
    const same = found[kind].find(({name}) => plain(name) === wanted);
    if (same) return {kind, item: same};
  }
  if (found.tracks[0]) return {kind: 'tracks', item: found.tracks[0]};
  const kind = ['artists', 'albums', 'genres'].find((one) => found[one].length);
  return kind ? {kind, item: found[kind][0]} : null;
};

class SearchPage extends HTMLElement {
  #ending = null; #query = ''; #turn = 0; #settling = null;

  get pageTitle() { return this.#query ? t('search.of', {query: this.#query}) : t('search.title'); }

  connectedCallback() {
    shade(null);
    const {signal} = this.#ending = new AbortController();
    this.input = h('input', {
      type: 'search', class: 'search-input', 'aria-label': t('search.title'), placeholder: t('search.hint'), maxlength: 100, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'search',
      oninput: () => this.#seek(this.input.value),
      onkeydown: (event) => {
        if (event.key === 'Enter') { event.preventDefault(); this.#go(this.input.value); this.#keep(); }
        if (event.key === 'ArrowDown') { event.preventDefault(); this.results.querySelector('a, [tabindex="0"], button')?.focus(); }
        if (event.key === 'Escape' && this.input.value) { event.preventDefault(); this.input.value = ''; this.#go(''); }
      },
    });
    this.status = h('p', {class: 'visually-hidden', role: 'status', 'aria-live': 'polite'});
    this.results = h('div', {class: 'stack search-results'});
    this.replaceChildren(h('div', {class: 'stack search-page'}, h('h1', {class: 'visually-hidden'}, t('search.title')),
      h('div', {class: 'search search-top', role: 'search'}, icon('search'), this.input), this.status, this.results));
    session.addEventListener('fresh', () => this.#ask(), {signal});
    // A press on what was found says that it was the right text.
    this.results.addEventListener('click', ({target}) => { if (target.closest('a, button, .track-row')) this.#keep(); }, {signal, capture: true});
    const query = new URLSearchParams(location.search).get('q') ?? '';
    this.input.value = query;
    this.#query = query.trim();
    this.#ask();
    if (matchMedia('(pointer: fine)').matches) queueMicrotask(() => this.isConnected && this.input.focus());
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#seek.cancel();
    clearTimeout(this.#settling);
    this.#turn += 1;
  }

  #seek = debounced(PAUSE, (text) => this.#go(text));

  #go(text) {
    this.#seek.cancel();
    const query = text.trim().slice(0, 100);
    if (query === this.#query) return;
    this.#query = query;
    history.replaceState(history.state, '', query ? `/search?q=${encodeURIComponent(query)}` : '/search');
    this.dispatchEvent(new Event('titlechange'));
    this.#ask();
  }

  #keep() {
    clearTimeout(this.#settling);
    if (this.#query) recent.add(this.#query);
  }

  /** Music and rooms are asked at once. Answers to an earlier text are ignored. */
  async #ask() {
    const turn = ++this.#turn, query = this.#query;
    clearTimeout(this.#settling);
    this.input.closest('.search').toggleAttribute('data-busy', Boolean(query));
    if (!query) return void this.#idle();
    const rooms = session.request('room.search', {query, limit: ROOMS}).then((page) => page.rooms, () => []);
    const lists = playlists.isThere ? playlists.list({scope: 'public', query}, LISTS).catch(() => []) : [];
    const nothing = {tracks: [], albums: [], artists: [], genres: []};
    try {
      const music = library.isThere === false ? nothing : await library.search({query, limit: SHOWN}).catch((error) => {
        if (error.code === 'request.unknown' || error.code === 'auth.forbidden') return nothing;
        throw error;
      });
      if (!music) return;
      const found = await rooms, listed = await lists;
      if (turn !== this.#turn) return;
      this.#show(query, music, found, listed);
      this.#settling = setTimeout(() => recent.add(query), SETTLED);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.results.replaceChildren(h('div', {class: 'empty'}, h('p', {role: 'alert'}, describe(error)), h('button', {type: 'button', onclick: () => this.#ask()}, t('load.again'))));
    } finally {
      if (turn === this.#turn) this.input.closest('.search').removeAttribute('data-busy');
    }
  }

  #show(query, music, rooms, listed) {
    const count = music.tracks.length + KINDS.reduce((sum, kind) => sum + music[kind].length, 0) + rooms.length + listed.length;
    this.status.textContent = count ? tn('search.found', count) : t('search.nothing', {query});
    if (!count) {
      return void this.results.replaceChildren(h('div', {class: 'empty'}, icon('search'), h('h2', {}, t('search.nothing', {query})), h('p', {}, t('search.nothing.about')),
        h('div', {class: 'row tight center'}, h('a', {class: 'button', href: '/library'}, t('music.to-library')), h('a', {class: 'button', href: '/'}, t('search.to-rooms')))));
    }
    const top = topOf(music, query), more = (kind) => music[kind].length >= SHOWN ? `/library/${kind}?q=${encodeURIComponent(query)}` : null;
    const source = {kind: 'search', id: null, name: query, href: `/search?q=${encodeURIComponent(query)}`};
    const tracks = music.tracks.slice(0, TRACKS);
    const list = tracks.length ? h('section', {class: 'stack tight search-tracks'}, h('h2', {}, more('tracks') ? h('a', {class: 'plain-link', href: more('tracks')}, t('library.tracks'), icon('on')) : t('library.tracks')),
      trackList({rows: new FixedRows(tracks), label: t('library.tracks'), source, columns: {cover: true, album: false, meta: null}})) : null;
    this.results.replaceChildren(...[
      h('div', {class: 'search-head'}, top ? this.#top(top, tracks, source) : null, list),
      ...KINDS.map((kind) => music[kind].length ? shelf({
        title: t(`library.${kind}`), href: more(kind), kind: kind === 'genres' ? 'tiles' : 'cards', items: music[kind].map((item, index) => cardOf(kind, item, index, music[kind].length)),
      }) : null),
      listed.length ? h('section', {class: 'stack tight'}, h('h2', {}, h('a', {class: 'plain-link', href: '/library/playlists?scope=public'}, t('library.playlists'), icon('on'))), h('div', {class: 'playlist-cards', role: 'list'}, listed.map((playlist) => Object.assign(playlistCard(playlist), {role: 'listitem'})))) : null,
      rooms.length ? h('section', {class: 'stack'}, h('h2', {}, t('search.rooms')), h('div', {class: 'room-cards', role: 'list'}, rooms.map((room) => h('div', {role: 'listitem'}, roomCard(room))))) : null,
    ].filter(Boolean));
  }

  #top({kind, item}, tracks, source) {
    const isTrack = kind === 'tracks', name = isTrack ? item.title : item.name, href = isTrack ? `/track/${item.id}` : placeOf(kind, item);
    const line = isTrack ? (item.artists.map((one) => one.name).join(', ') || t('track.no-artist')) : kind === 'albums' ? artistLine(item) : tn('music.tracks', item.tracks);
    const play = h('button', {type: 'button', class: 'big-play', 'aria-label': t('track.play', {title: name}),
      onclick: () => isTrack ? solo.play(tracks, {index: 0, source}) : playMusic(kind, item)}, icon('play'));
    return h('section', {class: 'stack tight search-best'}, h('h2', {}, t('search.top')),
      h('div', {class: `search-card of-${kind}`}, musicCover(item), h('div', {class: 'grow'}, h('h3', {dir: 'auto'}, h('a', {class: 'music-link', href}, name)),
        h('p', {class: 'muted truncate', dir: 'auto'}, t(`music.kind.${{tracks: 'track', albums: 'album', artists: 'artist', genres: 'genre'}[kind]}`), ' · ', line)), play));
  }

  /** Before anything is typed: what was searched for, and genres to look around in. */
  async #idle() {
    const turn = this.#turn;
    this.status.textContent = '';
    this.#drawIdle([]);
    if (library.isThere === false) return;
    try {
      const genres = await library.genres();
      if (turn === this.#turn && this.isConnected) this.#drawIdle(genres);
    } catch { /* Without them, then. */ }
  }

  #drawIdle(genres) {
    const texts = recent.all, most = [...genres].sort((one, other) => other.tracks - one.tracks).slice(0, 24);
    this.results.replaceChildren(...[
      texts.length ? h('section', {class: 'stack tight'}, h('div', {class: 'row between'}, h('h2', {}, t('search.recent')),
        h('button', {type: 'button', class: 'quiet small-button', onclick: () => { recent.clear(); this.#drawIdle(genres); this.input.focus(); offerUndo(t('search.cleared'), () => { recent.put(texts); this.#redraw(genres); }); }}, t('search.clear'))),
      h('ul', {class: 'list recent-list'}, texts.map((text) => h('li', {class: 'recent'},
        h('a', {href: `/search?q=${encodeURIComponent(text)}`, dir: 'auto', onclick: (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) return; event.preventDefault(); this.input.value = text; this.#go(text); this.input.focus(); }}, icon('history'), h('span', {class: 'truncate'}, text)),
        h('button', {type: 'button', class: 'icon-button', 'aria-label': t('search.forget', {query: text}), onclick: () => { recent.remove(text); this.#drawIdle(genres); this.input.focus(); offerUndo(t('search.forgotten', {query: text}), () => { recent.put(texts); this.#redraw(genres); }); }}, icon('close')))))) : null,
      most.length ? h('section', {class: 'stack tight'}, h('h2', {}, t('search.browse')), h('div', {class: 'genre-tiles', role: 'list'}, most.map((genre, index) => cardOf('genres', genre, index, most.length)))) : null,
      !texts.length && !most.length ? h('div', {class: 'empty'}, icon('search'), h('p', {}, t('search.about'))) : null,
    ].filter(Boolean));
  }

  #redraw(genres) { if (!this.#query && this.isConnected) this.#drawIdle(genres); }
}
customElements.define('search-page', SearchPage);
