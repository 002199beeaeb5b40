// The queue of listening alone: the present track and what follows, to be played, moved and taken out.
import {musicCover} from '../cover/music-cover.js';
import {arrange, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {announce} from '../../shell/shell.js';
import {clockTime} from '../../shell/times.js';
import {offerUndo} from '../../shell/undo.js';
import {t} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';
import {artistsText} from '../../store/solo/words.js';

/** How many rows are drawn: a queue may have thousands, and whoever looks further plays on. */
const SHOWN = 200;

export class PlayingQueue {
  #rows = new Map(); #drawn = ''; #dragged = null;

  constructor() {
    this.list = h('ol', {class: 'list queue-rows'});
    this.none = h('p', {class: 'muted'}, t('solo.upcoming.none'));
    this.clear = h('button', {type: 'button', class: 'small-button quiet', onclick: () => this.#clear()}, t('solo.clear'));
    this.element = h('section', {class: 'playing-queue card', id: 'queue', 'aria-labelledby': 'queue-title'},
      h('div', {class: 'row between'}, h('h2', {id: 'queue-title'}, t('solo.upcoming')), this.clear), this.none, this.list);
  }

  draw() {
    const upcoming = solo.upcoming.slice(0, SHOWN), keys = upcoming.map(({key}) => key).join();
    if (keys === this.#drawn) return;
    this.#drawn = keys;
    this.none.hidden = upcoming.length > 0;
    this.clear.hidden = upcoming.length === 0;
    const staying = new Set(upcoming.map(({key}) => key));
    for (const key of this.#rows.keys()) if (!staying.has(key)) this.#rows.delete(key);
    arrange(this.list, upcoming.map((entry) => this.#row(entry)));
    upcoming.forEach(({key}, place) => {
      const row = this.#rows.get(key);
      row.raise.disabled = place === 0;
      row.lower.disabled = place === solo.upcoming.length - 1;
    });
  }

  #place(key) { return solo.queue.findIndex((entry) => entry.key === key); }

  #row({key, track}) {
    const known = this.#rows.get(key);
    if (known) return known;
    const button = (word, name, run) => h('button', {type: 'button', class: 'icon-button', 'aria-label': t(word, {title: track.title}), title: t(word, {title: track.title}), onclick: run}, icon(name));
    const raise = button('solo.raise', 'raise', () => this.#move(key, -1)), lower = button('solo.lower', 'lower', () => this.#move(key, 1));
    const row = h('li', {class: 'queue-row', draggable: 'true', dataset: {key}},
      h('button', {type: 'button', class: 'queue-play', onclick: () => solo.jump(this.#place(key))},
        musicCover(track, '64'), h('span', {class: 'grow'}, h('strong', {class: 'truncate', dir: 'auto'}, track.title), h('span', {class: 'truncate muted small', dir: 'auto'}, artistsText(track))),
        h('span', {class: 'muted small tabular'}, clockTime(track.duration_ms))),
      h('span', {class: 'queue-tools'}, raise, lower, button('solo.remove', 'close', () => this.#remove(key, track))));
    Object.assign(row, {raise, lower});
    row.addEventListener('dragstart', (event) => {
      this.#dragged = key;
      event.dataTransfer.effectAllowed = 'copyMove';
      event.dataTransfer.setData('application/x-sona-tracks', JSON.stringify([track.id]));
      row.setAttribute('data-dragged', '');
    });
    row.addEventListener('dragend', () => { this.#dragged = null; row.removeAttribute('data-dragged'); });
    row.addEventListener('dragover', (event) => { if (this.#dragged !== null && this.#dragged !== key) { event.preventDefault(); row.setAttribute('data-over', ''); } });
    row.addEventListener('dragleave', () => row.removeAttribute('data-over'));
    row.addEventListener('drop', (event) => {
      row.removeAttribute('data-over');
      if (this.#dragged === null) return;
      event.preventDefault();
      event.stopPropagation();
      solo.move(this.#place(this.#dragged), this.#place(key));
    });
    this.#rows.set(key, row);
    return row;
  }

  #move(key, by) {
    const at = this.#place(key), focused = document.activeElement;
    solo.move(at, at + by);
    this.draw();
    // The row has moved in the document; what was pressed keeps the focus, or, at an end of the list, its neighbour has it.
    const row = this.#rows.get(key);
    (focused.disabled ? (by < 0 ? row.lower : row.raise) : focused).focus();
    announce(`${solo.queue[at + by]?.track.title ?? ''}, ${at + by - solo.index}`);
  }

  #remove(key, track) {
    const at = this.#place(key);
    solo.remove(at);
    this.draw();
    (this.list.children[at - solo.index - 1] ?? this.list.lastElementChild)?.querySelector('.queue-tools button:last-child')?.focus();
    offerUndo(t('solo.removed', {title: track.title}), () => solo.restore(track, at));
  }

  #clear() {
    const gone = solo.clearUpcoming();
    this.draw();
    offerUndo(t('solo.cleared'), () => solo.add(gone));
  }
}
