// A list of tracks of any length, for mouse, fingers and keyboard. Only the rows near the window are in the document.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {announce} from '../../shell/shell.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';
import {trackChanges} from '../../store/track-changes.js';
import {openTrackMenu} from '../track-menu/track-menu.js';
import {letterRail} from './letter-rail.js';
import {offerDrop} from './drop-offer.js';
import {Selection, SELECTED_MAX} from './selection.js';
import {columnHeads} from './column-heads.js';
import {metaOf, trackRow, writeRow} from './track-row.js';
import {Windowed} from './windowed.js';

await Promise.all([i18n.also('music.'), looks('track-list.css', import.meta.url)]);

/** Tracks before and from the pressed one on that are given to the player. */
const BEFORE = 50, AFTER = 200;
/** What other parts of the page take tracks by when they are dragged. */
export const DRAGGED = 'application/x-sona-tracks';

class TrackList extends HTMLElement {
  /** What it shows: `Rows` of store/library-rows.js. */
  rows = null;
  /**
   * `cover`, `album`: whether there is such a column; `meta`: `year`, `added`, `plays`, several of them, or null; `number`: of
   * a track and its index. `sorts`: orders that heads of columns offer; `sort`, `isReversed`: the present one. A press
   * fires `sort` with what is wanted, `{sort, isReversed}`.
   */
  columns = {cover: true, album: true, meta: null, number: null};
  /** Where it is played from, as in store/solo.js. */
  source = null;
  label = '';
  /** `{move(indexes, at), remove(indexes)}` where rows can be moved and taken out; `at` counts the rows that stay. */
  editor = null;
  #dragging = null;
  #ending = null; #windowed = null; #body; #grid; #bar; #rail; #active = 0; #selection = new Selection();

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    this.#build();
    this.rows.addEventListener('change', () => this.#changed(), {signal});
    for (const type of ['track', 'change']) solo.addEventListener(type, () => this.#mark(), {signal});
    trackChanges.addEventListener('updated', ({detail}) => this.rows.replace(detail.tracks), {signal});
    this.#changed();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#windowed.end();
  }

  #build() {
    const {album = true} = this.columns, metas = metaOf(this.columns);
    this.#body = h('div', {class: 'track-body', role: 'rowgroup'});
    this.#grid = h('div', {class: 'track-grid', role: 'grid', 'aria-label': this.label, 'aria-multiselectable': 'true', 'aria-readonly': 'true'},
      columnHeads(this.columns, (wanted) => this.dispatchEvent(new CustomEvent('sort', {detail: wanted}))),
      this.#body);
    this.toggleAttribute('data-album', album);
    this.dataset.meta = metas.length;
    this.#bar = h('div', {class: 'track-bar', role: 'toolbar', 'aria-label': t('track.selection'), hidden: true});
    this.#rail = h('div', {class: 'track-rail-place'});
    this.replaceChildren(this.#grid, this.#rail, this.#bar);
    this.#windowed = new Windowed(this.#body, {
      make: () => trackRow(this.columns), fill: (row, index) => this.#write(row, index), need: (from, to) => this.rows.need(from, to),
      resize: () => { this.#windowed.height = this.#rowHeight(); },
    });
    this.#listen();
  }

  /** By a row of its own: the style sheet decides. */
  #rowHeight() {
    const probe = h('div', {class: 'track-row'});
    this.#body.append(probe);
    const {height} = probe.getBoundingClientRect();
    probe.remove();
    return height || 56;
  }

  #listen() {
    this.#grid.addEventListener('click', (event) => this.#press(event));
    this.#grid.addEventListener('dblclick', (event) => { if (!event.target.closest('a, button')) this.play(this.#indexOf(event.target)); });
    this.#grid.addEventListener('contextmenu', (event) => {
      const index = this.#indexOf(event.target);
      if (index === null) return;
      event.preventDefault();
      // By the key there is no place of a pointer.
      this.#openMenu(index, event.clientX || event.clientY ? {at: {x: event.clientX, y: event.clientY}} : {});
    });
    this.#grid.addEventListener('keydown', (event) => this.#key(event));
    this.#grid.addEventListener('focusin', ({target}) => { if (target.matches('.track-row')) this.#activate(this.#indexOf(target)); });
    this.#grid.addEventListener('dragstart', (event) => this.#drag(event));
    this.#grid.addEventListener('dragover', (event) => this.#over(event));
    this.#grid.addEventListener('drop', (event) => this.#dropped(event));
    this.#grid.addEventListener('dragend', () => this.#endDrag());
  }

  #indexOf(element) {
    const row = element.closest?.('.track-row');
    return row ? Number(row.dataset.index) : null;
  }

  // What is shown

  #changed() {
    const {total, error} = this.rows;
    this.#grid.setAttribute('aria-rowcount', String(total === null ? -1 : total + 1));
    this.#grid.setAttribute('aria-busy', String(total === null && !error));
    if (this.#active >= (total ?? 1)) this.#active = Math.max(0, (total ?? 1) - 1);
    // Before the length is known, rows that wait.
    if (this.#windowed.count !== (total ?? 12)) this.#windowed.count = error && total === null ? 0 : total ?? 12;
    this.#windowed.refresh();
    this.#rail.replaceChildren(...this.rows.letters.length > 3 && total > 100
      ? [letterRail(this.rows.letters, (index) => this.#jump(index))] : []);
    this.dispatchEvent(new CustomEvent('rows', {detail: {total, error}}));
  }

  #write(row, index) {
    const track = this.rows.at(index);
    writeRow(row, track, {index, number: track && this.columns.number?.(track, index) || i18n.number(index + 1), columns: this.columns});
    row.tabIndex = index === this.#active ? 0 : -1;
    row.setAttribute('aria-selected', String(this.#selection.has(index)));
    this.#markRow(row);
  }

  #markRow(row) {
    const isCurrent = Boolean(row.track) && solo.track?.id === row.track.id, isPlaying = isCurrent && solo.playing;
    if (isCurrent) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
    row.toggleAttribute('data-playing', isPlaying);
    const words = isCurrent ? t(isPlaying ? 'track.playing' : 'track.paused') : '';
    if (row.parts.playing.textContent !== words) row.parts.playing.textContent = words;
    const {press} = row.parts, symbol = isPlaying ? 'pause' : 'play';
    if (press.dataset.symbol !== symbol) {
      press.dataset.symbol = symbol;
      press.replaceChildren(icon(symbol));
    }
  }

  #marked = '';
  #mark() {
    const now = `${solo.track?.id} ${solo.playing}`;
    if (now === this.#marked) return;
    this.#marked = now;
    for (const row of this.#windowed.shown.values()) this.#markRow(row);
  }

  // Playing

  /** Plays from a row on. */
  async play(index) {
    const track = this.rows.at(index);
    if (!track || track.isGap) return;
    if (solo.track?.id === track.id) return void solo.toggle();
    const from = Math.max(0, index - BEFORE);
    try {
      const tracks = await this.rows.between(from, Math.min(this.rows.total, index + AFTER));
      solo.play(tracks, {index: Math.max(0, tracks.findIndex(({id}) => id === track.id)), source: this.source});
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }

  /** The tracks of the chosen rows, or of one row that is not among them. */
  async #chosen(index = null) {
    const indexes = index === null || this.#selection.has(index) ? this.#selection.indexes : [index];
    if (!indexes.length) return [];
    if (indexes.some((one) => !this.rows.at(one))) await this.rows.load(indexes[0], indexes.at(-1) + 1);
    return indexes.map((one) => this.rows.at(one)).filter(Boolean);
  }

  async #openMenu(index, {at = null, anchor = null} = {}) {
    this.#activate(index);
    const row = this.#windowed.shown.get(index);
    try {
      const tracks = await this.#chosen(index);
      if (!tracks.length) return;
      openTrackMenu(tracks, {
        anchor: anchor ?? row, at, source: this.source,
        context: {list: this, indexes: this.#selection.has(index) ? this.#selection.indexes : [index], select: tracks.length === 1 && !this.#selection.has(index) ? () => this.#select((selection) => selection.toggle(index)) : null},
      });
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }

  // Choosing

  #select(change) {
    change(this.#selection);
    for (const [index, row] of this.#windowed.shown) row.setAttribute('aria-selected', String(this.#selection.has(index)));
    this.toggleAttribute('data-choosing', this.#selection.size > 0);
    this.#drawBar();
  }

  #drawBar() {
    const count = this.#selection.size, hadFocus = this.#bar.contains(document.activeElement);
    this.#bar.hidden = count < 2 && !matchMedia('(pointer: coarse)').matches || count === 0;
    if (this.#bar.hidden) {
      this.#bar.replaceChildren();
      if (hadFocus) this.#focus(this.#active);
      return;
    }
    const act = (symbol, words, run) => h('button', {type: 'button', class: 'small-button', onclick: async (event) => {
      event.currentTarget.disabled = true;
      try { run(await this.#chosen()); } catch (error) { toast(describe(error), {kind: 'error'}); }
      this.#select((selection) => selection.clear());
    }}, icon(symbol), h('span', {}, words));
    if (this.#bar.childElementCount) this.#bar.firstElementChild.textContent = tn('track.selected', count);
    else this.#bar.replaceChildren(
      h('strong', {class: 'tabular', role: 'status'}, tn('track.selected', count)),
      act('play', t('track.act.play'), (tracks) => solo.play(tracks, {index: 0, source: this.source})),
      act('skip', t('track.act.next'), (tracks) => solo.playNext(tracks)),
      act('queue', t('track.act.queue'), (tracks) => solo.add(tracks)),
      h('button', {type: 'button', class: 'icon-button', 'aria-haspopup': 'menu', 'aria-label': t('track.actions'), onclick: async ({currentTarget}) => {
        openTrackMenu(await this.#chosen(), {anchor: currentTarget, source: this.source, context: {list: this, indexes: this.#selection.indexes}});
      }}, icon('more')),
      h('button', {type: 'button', class: 'icon-button', 'aria-label': t('track.select-none'), onclick: () => this.#select((selection) => selection.clear())}, icon('close')));
  }

  #press(event) {
    const {target} = event, index = this.#indexOf(target);
    if (index === null) return;
    if (target.closest('.track-press')) return void this.play(index);
    if (target.closest('.track-more')) return void this.#openMenu(index, {anchor: target.closest('.track-more')});
    if (target.closest('a') && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    if (target.closest('a')) event.preventDefault();
    this.#activate(index);
    if (event.shiftKey) this.#select((selection) => selection.to(index));
    else if (event.ctrlKey || event.metaKey || event.pointerType === 'touch' && this.hasAttribute('data-choosing')) this.#select((selection) => selection.toggle(index));
    else if (event.pointerType === 'touch') this.play(index);
    else this.#select((selection) => selection.only(index));
  }

  async #drag(event) {
    const index = this.#indexOf(event.target);
    if (index === null || !this.rows.at(index)) return void event.preventDefault();
    const indexes = this.#selection.has(index) ? this.#selection.indexes : [index], tracks = indexes.map((one) => this.rows.at(one)).filter((one) => one && !one.isGap);
    if (this.editor) this.#dragging = indexes;
    offerDrop(event, tracks);
    event.dataTransfer.setData(DRAGGED, JSON.stringify(tracks.map(({id}) => id)));
    event.dataTransfer.setData('text/plain', tracks.map(({title, artists}) => [artists.map(({name}) => name).join(', '), title].filter(Boolean).join(' – ')).join('\n'));
    event.dataTransfer.effectAllowed = this.editor ? 'copyMove' : 'copy';
    const ghost = h('div', {class: 'track-ghost'}, icon('music'), tracks.length === 1 ? tracks[0].title : tn('track.selected', tracks.length));
    document.body.append(ghost);
    event.dataTransfer.setDragImage(ghost, -12, 16);
    setTimeout(() => ghost.remove());
  }

  // By keyboard

  #activate(index) {
    if (index === null || index === this.#active) return;
    this.#windowed.shown.get(this.#active)?.setAttribute('tabindex', '-1');
    this.#active = index;
    this.#windowed.shown.get(index)?.setAttribute('tabindex', '0');
  }

  #focus(index) {
    this.#activate(index);
    this.#windowed.reveal(index)?.focus({preventScroll: true});
  }

  #jump(index) {
    this.#windowed.reveal(index, {isTop: true});
    this.#activate(index);
  }

  #key(event) {
    const {target, key, shiftKey} = event, index = this.#indexOf(target), total = this.rows.total ?? 0;
    if (index === null || !total || this.#editByKey(event, index) || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey, isRow = target.matches('.track-row');
    const page = Math.max(1, Math.floor(innerHeight / this.#windowed.height) - 3);
    const to = {ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page, Home: 0, End: total - 1}[key];
    if (to !== undefined) {
      const next = Math.max(0, Math.min(total - 1, to));
      if (shiftKey) {
        this.#selection.from(index);
        this.#select((selection) => { if (!selection.to(next)) announce(tn('track.select-max', SELECTED_MAX)); });
      }
      this.#focus(next);
    } else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      this.#within(target, key === 'ArrowRight' ? 1 : -1);
    } else if (key === 'Enter' && isRow) {
      this.play(index);
    } else if (key === 'ContextMenu' || key === 'F10' && shiftKey) {
      this.#openMenu(index);
    } else if (key === ' ' && isCommand) {
      this.#select((selection) => selection.toggle(index));
    } else if (key.toLowerCase() === 'a' && isCommand) {
      this.#select((selection) => { if (!selection.all(total)) announce(tn('track.select-max', SELECTED_MAX)); });
    } else if (key === 'Escape' && this.#selection.size) {
      this.#select((selection) => selection.clear());
    } else if (key === 'Escape' && !isRow) {
      this.#focus(index);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Changing the order

  /** Alt with the up and down arrows moves what is chosen, or the row itself; Delete takes it out. */
  #editByKey(event, index) {
    if (!this.editor) return false;
    const indexes = this.#selection.has(index) ? this.#selection.indexes : [index], {key} = event;
    if (event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) this.shift(indexes, key === 'ArrowUp' ? -1 : 1);
    else if (key === 'Delete' && !event.altKey) this.takeOut(indexes);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Moves rows one place up or down. */
  shift(indexes, step) { return this.#moveTo(indexes, step < 0 ? indexes[0] - 1 : indexes.at(-1) + 2); }

  /** Moves rows to before the one that is at a place now. */
  async #moveTo(indexes, before) {
    const {total} = this.rows, at = before - indexes.filter((one) => one < before).length;
    // Rows that stand together and stay where they are.
    if (before < 0 || before > total || indexes.every((one, place) => one === at + place)) return;
    const hasChoice = this.#selection.has(indexes[0]), title = this.rows.at(indexes[0])?.title ?? t('track.gap');
    try {
      await this.editor.move(indexes, at);
    } catch (error) {
      return void toast(describe(error), {kind: 'error'});
    }
    if (hasChoice) this.#select((selection) => { selection.only(at); selection.to(at + indexes.length - 1); });
    this.#focus(at);
    announce(t('track.moved', {title, place: i18n.number(at + 1)}));
  }

  /** Takes rows out; the one that comes in their place has the focus. */
  async takeOut(indexes) {
    try {
      await this.editor.remove(indexes);
    } catch (error) {
      return void toast(describe(error), {kind: 'error'});
    }
    this.#select((selection) => selection.clear());
    if (this.rows.total) this.#focus(Math.min(indexes[0], this.rows.total - 1));
  }

  /** Rows that are dragged within the list show where they would go. */
  #over(event) {
    if (!this.#dragging) return;
    event.preventDefault();
    const {top} = this.#body.getBoundingClientRect(), before = Math.max(0, Math.min(this.rows.total, Math.round((event.clientY - top) / this.#windowed.height)));
    this.#body.dataset.drop = before;
    this.#body.style.setProperty('--drop', before * this.#windowed.height);
  }

  #dropped(event) {
    const indexes = this.#dragging, before = this.#body.dataset.drop;
    this.#endDrag();
    if (!indexes || before === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#moveTo(indexes, Number(before));
  }

  #endDrag() {
    this.#dragging = null;
    delete this.#body.dataset.drop;
  }

  /** From a row to the links and buttons in it, and back. */
  #within(target, step) {
    const row = target.closest('.track-row');
    const stops = [row, ...[...row.querySelectorAll('a, button:not(.track-press)')].filter((one) => one.offsetParent !== null)];
    stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(target) + step))].focus();
  }
}
customElements.define('track-list', TrackList);

/** A list of tracks: `{rows, columns, source, label}`. */
export const trackList = (properties) => Object.assign(document.createElement('track-list'), properties);
