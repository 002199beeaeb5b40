// The tags of what has just been uploaded, shown for correction: what looks wrong is marked, one or several are edited at once.
import {arrange, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {announce} from '../../shell/shell.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {trackChanges} from '../../store/track-changes.js';
import {uploads} from '../../store/uploads.js';
import {oddities} from '../../store/uploads/oddities.js';
import {openTags} from '../tags-dialog/tags-dialog.js';
import {boxOfAll, Choice, picture, titleLink} from './track-list.js';

/** Tracks that are shown at a time: the next ones come when these are done with. */
const SHOWN = 50;

export class ReviewCard {
  #choice = new Choice(); #tracks = new Map(); #rows = new Map(); #names = new Map(); #ending = new AbortController(); #turn = 0; #waiting = 0;

  constructor() {
    const {signal} = this.#ending;
    this.title = h('h2', {tabindex: '-1'});
    this.note = h('p', {class: 'muted small'});
    this.list = h('ul', {class: 'list review-list'});
    this.all = boxOfAll(this.#choice, () => [...this.#tracks.keys()]);
    this.edit = h('button', {type: 'button', class: 'small-button', onclick: () => this.#edit(this.#chosen)}, icon('edit'), h('span', {}));
    this.right = h('button', {type: 'button', class: 'primary small-button', onclick: () => this.#dismiss(this.#chosen.length ? this.#chosen : [...this.#tracks.values()])}, icon('check'), h('span', {}));
    this.element = h('section', {class: 'card stack review', hidden: true, 'aria-label': t('uploads.review')},
      h('div', {class: 'stack tight'}, this.title, this.note),
      h('div', {class: 'row between review-tools'}, this.all, h('div', {class: 'row tight'}, this.edit, this.right)), this.list);
    this.#choice.addEventListener('change', () => this.#drawTools());
    uploads.addEventListener('done', () => this.#load(), {signal});
    trackChanges.addEventListener('updated', ({detail}) => this.#put(detail.tracks), {signal});
    trackChanges.addEventListener('removed', ({detail}) => this.#drop(detail.ids), {signal});
    this.#load();
  }

  end() { this.#ending.abort(); }

  get #chosen() { return [...this.#tracks.values()].filter(({id}) => this.#choice.has(id)); }

  async #load() {
    const turn = ++this.#turn, reviews = await uploads.reviews();
    if (turn !== this.#turn) return;
    this.#names = new Map(reviews.map(({track, name}) => [track, name]));
    const shown = reviews.slice(0, SHOWN).map(({track}) => track);
    this.#waiting = reviews.length - shown.length;
    const tracks = await Promise.all(shown.map(track => this.#tracks.get(track) ?? session.request('track.get', {track}).then(({track: found}) => found, ({code}) => {
      // One that was removed elsewhere has no tags.
      if (code === 'track.not_found') uploads.reviewed([track]);
      return null;
    })));
    if (turn !== this.#turn) return;
    this.#tracks = new Map(tracks.filter(Boolean).map(track => [track.id, track]));
    this.#draw();
  }

  #put(tracks) {
    for (const track of tracks) if (this.#tracks.has(track.id)) this.#tracks.set(track.id, track);
    this.#draw();
  }

  #drop(ids) {
    if (!ids.some(id => this.#names.has(id))) return;
    for (const id of ids) {
      this.#tracks.delete(id);
      this.#choice.put(id, false);
    }
    uploads.reviewed(ids).then(() => this.#load());
    this.#draw();
  }

  /** These tracks are right as they are. */
  #dismiss(tracks) {
    const hadFocus = this.element.contains(document.activeElement);
    announce(tn('uploads.review.done', tracks.length));
    this.#drop(tracks.map(({id}) => id));
    if (hadFocus && !this.element.contains(document.activeElement)) (this.element.hidden ? document.querySelector('uploads-part button') : this.title)?.focus();
  }

  async #edit(tracks) {
    if (tracks.length === 0) return;
    const ids = tracks.map(({id}) => id), changed = await openTags(tracks, {fileName: tracks.length === 1 ? this.#names.get(ids[0]) ?? null : null});
    // What has nothing odd any more needs no second look.
    const right = changed.filter(track => oddities(track, this.#names.get(track.id) ?? null).length === 0);
    this.#choice.set([]);
    if (right.length > 0) this.#dismiss(right);
    else if (!this.element.contains(document.activeElement)) this.title.focus();
  }

  /** A field of a row: what it says, or in what way it looks wrong. */
  #value(field, text, odd) {
    const label = h('span', {class: 'review-label'}, t(`uploads.tags.${field}`));
    if (!odd) return text ? h('span', {class: 'review-value', dir: 'auto'}, label, text) : null;
    return h('span', {class: 'review-value odd', dir: 'auto'}, label, text ? h('span', {}, text) : null, h('span', {class: 'badge'}, icon('warning'), t(`uploads.review.${odd}`)));
  }

  #row(track) {
    const odd = new Map(oddities(track, this.#names.get(track.id) ?? null)), names = list => list.map(({name}) => name).join(', ');
    return h('li', {class: 'review-row', dataset: {track: track.id, odd: odd.size > 0 ? '' : null}},
      this.#choice.box(track.id, track.title, () => [...this.#tracks.keys()]), picture(track),
      h('div', {class: 'review-about'},
        h('div', {class: 'row tight'}, titleLink(track), odd.has('title') ? h('span', {class: 'badge odd-badge'}, icon('warning'), t(`uploads.review.${odd.get('title')}`)) : null),
        h('div', {class: 'review-values small'},
          this.#value('artists', names(track.artists), odd.get('artists')), this.#value('album', track.album?.name ?? '', odd.get('album')),
          this.#value('year', track.year === null ? '' : String(track.year), odd.get('year')),
          this.#value('place', track.place === null ? '' : i18n.number(track.place), null), this.#value('genres', names(track.genres), null))),
      h('div', {class: 'upload-acts'},
        h('button', {type: 'button', class: 'icon-button small', 'aria-label': t('uploads.tags.of-track', {title: track.title}), title: t('uploads.tags'), onclick: () => this.#edit([this.#tracks.get(track.id)])}, icon('edit')),
        h('button', {type: 'button', class: 'icon-button small', 'aria-label': t('uploads.review.right-of', {title: track.title}), title: t('uploads.review.right'), onclick: () => this.#dismiss([track])}, icon('check'))));
  }

  #draw() {
    const tracks = [...this.#tracks.values()], odd = tracks.filter(track => oddities(track, this.#names.get(track.id) ?? null).length > 0).length;
    this.element.hidden = tracks.length === 0;
    this.title.textContent = t('uploads.review');
    this.note.textContent = [odd > 0 ? tn('uploads.review.odd', odd) : t('uploads.review.fine'), this.#waiting > 0 ? tn('uploads.review.more', this.#waiting) : null].filter(Boolean).join(' ');
    const focused = this.list.contains(document.activeElement) ? document.activeElement.closest('li')?.dataset.track : null;
    const rows = new Map(tracks.map((track) => {
      const old = this.#rows.get(track.id);
      // A track that has changed is another object.
      return [track.id, old?.track === track ? old : {track, element: this.#row(track)}];
    }));
    this.#rows = rows;
    arrange(this.list, [...rows.values()].map(({element}) => element));
    if (focused && !this.list.contains(document.activeElement)) rows.get(focused)?.element.querySelector('button')?.focus();
    this.#drawTools();
  }

  #drawTools() {
    const {size} = this.#choice;
    this.all.update();
    this.edit.hidden = size === 0;
    this.edit.lastElementChild.textContent = tn('uploads.tags.edit', size);
    this.right.lastElementChild.textContent = size > 0 ? tn('uploads.review.these', size) : t('uploads.review.all');
  }
}
