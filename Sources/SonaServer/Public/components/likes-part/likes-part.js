// Likes: tracks as a list, albums and artists as covers, the last like first.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {offerUndo} from '../../shell/undo.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {CursorRows} from '../../store/cursor-rows.js';
import {likes} from '../../store/likes.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';
import {shuffled} from '../library-page/shuffled.js';
import {musicGrid} from '../music-grid/music-grid.js';
import {trackList} from '../track-list/track-list.js';

await Promise.all([i18n.also('liked.'), i18n.also('music.'), looks('../like-button/like-button.css', import.meta.url)]);

const KINDS = {tracks: 'track', albums: 'album', artists: 'artist', playlists: 'playlist'};
const PAGE = 100;
/** So many liked playlists are shown. */
const PLAYLISTS = 500;

/** The rows of a kind: an item that is not to be seen any more is a gap. */
const rowsOf = (kind) => new CursorRows(async (cursor) => {
  const page = await askPatiently('like.list', {kind, limit: PAGE, ...cursor ? {cursor} : {}});
  return {items: page.likes.map((like) => like[kind] ?? {id: like.id, isGap: true, name: t('liked.gone')}), total: page.count, cursor: page.next_cursor};
});

class LikesPart extends HTMLElement {
  #ending = null; #part = 'tracks'; #rows = null; #list = null;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    const asked = new URLSearchParams(location.search).get('kind');
    if (KINDS[asked]) this.#part = asked;
    likes.addEventListener('change', ({detail}) => { if (!detail.liked) this.#gone(detail); }, {signal});
    likes.addEventListener('stored', ({detail}) => { if (detail.liked) this.#come(detail); }, {signal});
    session.addEventListener('fresh', () => this.#rows?.refresh(), {signal});
    this.status = h('p', {class: 'muted small', role: 'status'});
    this.place = h('div', {});
    this.tools = h('div', {class: 'row between likes-tools'});
    this.replaceChildren(h('section', {class: 'stack', 'aria-label': t('liked.title')}, this.tools, this.place));
    this.#show();
  }

  disconnectedCallback() { this.#ending.abort(); }

  get #source() { return {kind: 'likes', id: null, name: t('liked.title'), href: '/library/likes'}; }

  #drawTools() {
    this.tools.replaceChildren(
      h('div', {class: 'row grow'}, h('div', {class: 'library-switch', role: 'group', 'aria-label': t('liked.kinds')}, Object.keys(KINDS).map((part) => h('button', {
        type: 'button', class: 'chip', dataset: {kind: part}, 'aria-pressed': String(part === this.#part), onclick: () => {
          this.#part = part;
          history.replaceState(history.state, '', part === 'tracks' ? '/library/likes' : `/library/likes?kind=${part}`);
          this.#show();
          this.tools.querySelector(`[data-kind=${part}]`).focus();
        },
      }, t(`liked.${part}`)))), this.status),
      ...this.#part === 'tracks' ? [h('button', {type: 'button', class: 'primary library-shuffle', onclick: () => shuffled(this.#rows, this.#source)}, icon('shuffle'), h('span', {}, t('library.shuffle')))] : []);
  }

  #show() {
    this.#drawTools();
    const kind = KINDS[this.#part], label = t(`liked.${this.#part}`), rows = this.#rows = rowsOf(kind);
    if (this.#part === 'playlists') return void this.#showPlaylists();
    this.#list = this.#part === 'tracks'
      ? trackList({rows, label, source: this.#source, columns: {cover: true, album: true, meta: null}})
      : musicGrid({rows, label, kind: this.#part, view: 'grid'});
    this.#list.addEventListener('rows', ({detail}) => this.#told(detail, rows));
    this.place.replaceChildren(this.#list);
  }

  /** Playlists are drawn as they are among one's own. */
  async #showPlaylists() {
    const rows = this.#rows, list = this.#list = h('ul', {class: 'playlist-cards', 'aria-label': t('liked.playlists'), 'aria-busy': 'true'});
    this.place.replaceChildren(list);
    const draw = () => {
      const items = Array.from({length: rows.total ?? 0}, (_, index) => rows.at(index)).filter((item) => item && !item.isGap);
      list.replaceChildren(...items.map((playlist) => this.playlistCard(playlist, {tag: 'li'})));
      list.removeAttribute('aria-busy');
      this.#told(rows, rows);
    };
    try {
      const [{playlistCard}] = await Promise.all([import('../playlists-part/playlist-card.js'), i18n.also('playlists.'), rows.load(0, PLAYLISTS),
        looks('../playlist-page/playlist.css', import.meta.url), looks('../music-grid/music-grid.css', import.meta.url)]);
      this.playlistCard = playlistCard;
    } catch { /* `error` says it. */ }
    if (rows !== this.#rows) return;
    rows.addEventListener('change', () => { if (rows === this.#rows && this.#list === list) draw(); });
    draw();
  }

  #told({total, error}, rows) {
    if (rows !== this.#rows) return;
    this.status.textContent = error ? describe(error) : total === null ? '' : tn('liked.count', total);
    if (total === 0 && !error) {
      this.#list = null;
      this.place.replaceChildren(h('div', {class: 'empty'}, icon('heart'), h('h2', {}, t('liked.empty')), h('p', {}, t('liked.empty.about')), h('a', {class: 'button', href: '/'}, t('liked.find'))));
    }
  }

  /** A new like comes first. */
  #come({kind, id}) {
    if (kind !== KINDS[this.#part]) return;
    if (this.#list === null) this.#show();
    // Of a rating, or of what is there already, nothing is to be seen.
    else if (this.#rows.at(0)?.id !== id) this.#rows.refresh().catch(() => { /* The list says it. */ });
  }

  /** A like that is taken back leaves the list, and can be put back for a while. */
  #gone({kind, id}) {
    if (kind !== KINDS[this.#part]) return;
    const hadFocus = this.place.contains(document.activeElement), index = Number(document.activeElement.closest('[data-index]')?.dataset.index ?? 0);
    let item = null;
    this.#rows.remove((one) => {
      if (one.id !== id) return false;
      item = one;
      return true;
    });
    if (!item) return;
    if (hadFocus) (this.place.querySelector(`[data-index="${Math.min(index, this.#rows.total - 1)}"]`) ?? this.tools.querySelector('[aria-pressed=true]')).focus();
    offerUndo(t('liked.undone'), () => likes.set(kind, item, true).catch((error) => toast(describe(error), {kind: 'error'})));
  }
}
customElements.define('likes-part', LikesPart);
