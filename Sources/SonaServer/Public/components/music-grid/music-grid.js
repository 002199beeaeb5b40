// Albums, artists or genres, as many as there are: cards side by side, or rows.
import {h} from '../../shell/dom.js';
import {looks} from '../../shell/looks.js';
import {i18n} from '../../store/i18n.js';
import {letterRail} from '../track-list/letter-rail.js';
import {Windowed} from '../track-list/windowed.js';
import {musicCard, writeCard} from './music-card.js';

await Promise.all([i18n.also('music.'), looks('music-grid.css', import.meta.url), looks('../track-list/track-list.css', import.meta.url)]);

/** Of a card, in rem: its least width by kind, and what stands below its picture. */
const LEAST = {albums: 11, artists: 10, genres: 12.5}, TEXT = {albums: 3.625, artists: 3.625, genres: 0};
/** Of a tile of a genre, and of a row, rem. */
const TILE = 6.5, LINE = 4;

class MusicGrid extends HTMLElement {
  /** `Rows` of store/library-rows.js. */
  rows = null;
  kind = 'albums';
  /** `grid` or `list`. */
  view = 'grid';
  label = '';
  #ending = null; #windowed = null; #body; #rail;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    this.dataset.view = this.view;
    this.dataset.kind = this.kind;
    this.#body = h('div', {class: 'music-body', role: 'list', 'aria-label': this.label});
    this.#rail = h('div', {class: 'track-rail-place'});
    this.replaceChildren(this.#body, this.#rail);
    this.#windowed = new Windowed(this.#body, {
      make: () => musicCard(this.kind), need: (from, to) => this.rows.need(from, to), resize: (width) => this.#resize(width),
      fill: (card, index) => writeCard(card, this.kind, this.rows.at(index), {index, total: this.rows.total}),
    });
    this.rows.addEventListener('change', () => this.#changed(), {signal});
    this.#body.addEventListener('keydown', (event) => this.#key(event), {signal});
    this.#changed();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#windowed.end();
  }

  #resize(width) {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16, windowed = this.#windowed;
    if (this.view === 'list') {
      Object.assign(windowed, {perRow: 1, gap: 0, height: LINE * rem});
      return;
    }
    const gap = (width < 36 * rem ? 1 : 1.5) * rem, least = (width < 36 * rem ? 9 : LEAST[this.kind]) * rem;
    windowed.gap = gap;
    windowed.perRow = Math.max(2, Math.floor((width + gap) / (least + gap)));
    const side = (width + gap) / windowed.perRow - gap;
    windowed.height = this.kind === 'genres' ? TILE * rem + gap : side + TEXT[this.kind] * rem + gap;
  }

  #changed() {
    const {total, error, letters} = this.rows, shown = total ?? 12;
    this.#body.setAttribute('aria-busy', String(total === null && !error));
    if (this.#windowed.count !== shown) this.#windowed.count = error && total === null ? 0 : shown;
    this.#windowed.refresh();
    this.#rail.replaceChildren(...letters.length > 3 && total > 60 ? [letterRail(letters, (index) => this.#windowed.reveal(index, {isTop: true}))] : []);
    this.dispatchEvent(new CustomEvent('rows', {detail: {total, error}}));
  }

  /** Arrow keys go from card to card. */
  #key(event) {
    const card = event.target.closest('.music-card');
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = Number(card.dataset.index), {perRow} = this.#windowed, last = (this.rows.total ?? 0) - 1;
    const isMirrored = document.dir === 'rtl' ? -1 : 1;
    const to = {ArrowRight: index + isMirrored, ArrowLeft: index - isMirrored, ArrowDown: index + perRow, ArrowUp: index - perRow, Home: 0, End: last}[event.key];
    if (to === undefined || to < 0 || to > last && event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.#windowed.reveal(Math.min(last, to))?.querySelector('a').focus({preventScroll: true});
  }
}
customElements.define('music-grid', MusicGrid);

/** A grid or list of `kind`: `{rows, kind, view, label}`. */
export const musicGrid = (properties) => Object.assign(document.createElement('music-grid'), properties);
