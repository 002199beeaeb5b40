// One's uploads, the newest first: each with how far it is prepared; edited and removed, one or several.
import {arrange, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {solo} from '../../store/solo.js';
import {submissions} from '../../store/submissions.js';
import {trackChanges} from '../../store/track-changes.js';
import {openTags} from '../tags-dialog/tags-dialog.js';
import {submit, withdraw} from '../track-menu/submit-acts.js';
import {Preparing} from './preparing.js';
import {boxOfAll, Choice, links, picture, removeTracks, titleLink} from './track-list.js';

/** Tracks in a page of the list. */
const PAGE = 60;

export class OwnTracks {
  #choice = new Choice(); #tracks = new Map(); #rows = new Map(); #cursor = null; #isLoading = false; #ending = new AbortController();
  #preparing = new Preparing((track) => this.#drawState(track)); #seen = null;

  constructor() {
    const {signal} = this.#ending;
    this.title = h('h2', {tabindex: '-1'}, t('uploads.own'));
    this.list = h('ul', {class: 'list own-list'});
    this.status = h('p', {class: 'muted', role: 'status'});
    this.more = h('button', {type: 'button', hidden: true, onclick: () => this.#load()}, t('home.more'));
    this.all = boxOfAll(this.#choice, () => [...this.#tracks.keys()]);
    this.edit = h('button', {type: 'button', class: 'small-button', hidden: true, onclick: () => this.#edit(this.#chosen)}, icon('edit'), h('span', {}));
    this.submit = h('button', {type: 'button', class: 'small-button', hidden: true, onclick: () => submit(this.#chosen)}, icon('raise'), h('span', {}));
    this.remove = h('button', {type: 'button', class: 'danger small-button', hidden: true, onclick: () => this.#remove(this.#chosen)}, icon('trash'), h('span', {}));
    this.tools = h('div', {class: 'row between own-tools', hidden: true}, this.all, h('div', {class: 'row tight'}, this.submit, this.edit, this.remove));
    this.element = h('section', {class: 'stack own', 'aria-label': t('uploads.own')}, this.title, this.tools, this.list, this.status, h('div', {class: 'row center'}, this.more));
    this.#choice.addEventListener('change', () => this.#drawTools());
    trackChanges.addEventListener('added', ({detail}) => this.#add(detail.tracks), {signal});
    trackChanges.addEventListener('updated', ({detail}) => this.#put(detail.tracks), {signal});
    trackChanges.addEventListener('removed', ({detail}) => this.#drop(detail.ids), {signal});
    // The next page is fetched before the end of this one is reached.
    this.#seen = new IntersectionObserver(([{isIntersecting}]) => { if (isIntersecting && this.#cursor) this.#load(); }, {rootMargin: '600px'});
    this.#seen.observe(this.more);
    submissions.addEventListener('change', () => { for (const id of this.#rows.keys()) this.#drawStatus(id); }, {signal});
    submissions.loadReasons();
    this.#load();
  }

  end() {
    this.#ending.abort();
    this.#seen.disconnect();
    this.#preparing.end();
  }

  get #chosen() { return [...this.#tracks.values()].filter(({id}) => this.#choice.has(id)); }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    if (this.#tracks.size === 0) this.status.textContent = t('load.waiting');
    try {
      const page = await session.request('library.list', {kind: 'tracks', scope: 'own', sort: 'added', limit: PAGE, ...this.#cursor ? {cursor: this.#cursor} : {}});
      for (const track of page.tracks) this.#tracks.set(track.id, track);
      this.#cursor = page.next_cursor;
      this.more.hidden = this.#cursor === null;
      this.status.textContent = '';
      this.#isLoading = false;
      this.#preparing.watch(page.tracks);
      this.#draw();
    } catch (error) {
      this.status.textContent = describe(error);
      this.more.hidden = false;
    } finally {
      this.#isLoading = false;
    }
  }

  #add(tracks) {
    const own = tracks.filter(({id, owner}) => owner === session.user?.uid && !this.#tracks.has(id));
    if (own.length === 0) return;
    this.#tracks = new Map([...own.map(track => [track.id, track]), ...this.#tracks]);
    this.#preparing.watch(own);
    this.#draw();
  }

  #put(tracks) {
    for (const track of tracks) if (this.#tracks.has(track.id)) this.#tracks.set(track.id, track);
    this.#draw();
  }

  #drop(ids) {
    const rows = [...this.list.children], at = rows.findIndex(row => row.contains(document.activeElement));
    for (const id of ids) {
      this.#tracks.delete(id);
      this.#choice.put(id, false);
    }
    this.#draw();
    if (at >= 0 && !this.list.contains(document.activeElement)) (this.list.children[Math.min(at, this.list.children.length - 1)]?.querySelector('button') ?? this.title).focus();
  }

  /** Plays the list from one of its tracks on. */
  #play(id) {
    const tracks = [...this.#tracks.values()];
    solo.play(tracks, {index: tracks.findIndex(track => track.id === id), source: {kind: 'tracks', id: null, name: t('uploads.own'), href: '/library/uploads'}});
  }

  async #edit(tracks) {
    if (tracks.length === 0) return;
    const [{id}] = tracks;
    await openTags(tracks);
    // The row was written anew, and the button that opened the dialog is gone.
    if (!this.element.contains(document.activeElement)) (tracks.length === 1 && this.#rows.get(id)?.element.querySelector('[data-does=edit]') || this.title).focus();
  }

  async #remove(tracks) {
    if (await removeTracks(tracks) && !this.element.contains(document.activeElement)) this.title.focus();
  }

  #row(track) {
    const act = (symbol, words, run) => h('button', {type: 'button', class: 'icon-button small', dataset: {does: symbol}, 'aria-label': words, title: words, onclick: run}, icon(symbol));
    const present = () => this.#tracks.get(track.id);
    return h('li', {class: 'own-row', dataset: {track: track.id}},
      this.#choice.box(track.id, track.title, () => [...this.#tracks.keys()]), picture(track),
      h('div', {class: 'own-about'}, titleLink(track), h('span', {class: 'truncate small muted'}, track.artists.length ? links('artist', track.artists) : t('uploads.no-artist')), h('span', {class: 'small own-status'})),
      h('span', {class: 'truncate small muted own-album'}, track.album ? links('album', [track.album]) : null),
      h('span', {class: 'own-state small'}),
      h('time', {class: 'small muted own-added', datetime: new Date(track.added_ms).toISOString()}, i18n.date(track.added_ms, {dateStyle: 'medium'})),
      h('div', {class: 'upload-acts'}, act('play', t('uploads.play.of', {title: track.title}), () => this.#play(track.id)), h('span', {class: 'own-submit'}), act('edit', t('uploads.tags.of-track', {title: track.title}), () => this.#edit([present()])), act('trash', t('uploads.remove.of', {title: track.title}), () => this.#remove([present()]))));
  }

  #draw() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.closest('li')?.dataset.track : null;
    const does = focused ? document.activeElement.dataset.does : null;
    const before = this.#rows;
    // A track that has changed is another object.
    this.#rows = new Map([...this.#tracks.values()].map((track) => {
      const old = before.get(track.id);
      return [track.id, old?.track === track ? old : {track, element: this.#row(track)}];
    }));
    arrange(this.list, [...this.#rows.values()].map(({element}) => element));
    for (const [id, row] of this.#rows) {
      if (before.get(id) !== row) this.#drawState(id);
      this.#drawStatus(id);
    }
    if (focused && !this.list.contains(document.activeElement)) {
      const row = this.#rows.get(focused)?.element;
      // What was submitted can be taken back: another button stands in the place of the one that was pressed.
      (row?.querySelector(`[data-does="${does}"]`) ?? row?.querySelector(['submit', 'withdraw'].includes(does) ? '.own-submit button' : 'button') ?? row?.querySelector('button'))?.focus();
    }
    this.#drawTools();
    this.element.toggleAttribute('data-none', !this.#isLoading && this.#tracks.size === 0 && this.#cursor === null);
    if (!this.#isLoading || this.#tracks.size > 0) this.status.textContent = this.#tracks.size === 0 && this.#cursor === null ? t('uploads.own.none') : '';
  }

  #drawState(id) {
    const row = this.#rows.get(id), track = this.#tracks.get(id);
    if (!row || !track) return;
    const place = row.element.querySelector('.own-state'), state = this.#preparing.stateOf(track), key = JSON.stringify(state);
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    if (state.name === 'ready') return void place.replaceChildren(h('span', {class: 'badge own-ready'}, icon('check'), t('uploads.own.ready')));
    if (state.name === 'failed') {
      return void place.replaceChildren(h('span', {class: 'badge own-failed', title: state.detail}, icon('warning'), t('uploads.own.failed')),
        h('button', {type: 'button', class: 'quiet small-button', onclick: () => this.#preparing.retry(id)}, t('load.again')));
    }
    place.replaceChildren(h('span', {class: 'badge'}, t('uploads.own.preparing')), ...state.done === null ? [] : [h('progress', {max: 1, value: state.done, 'aria-label': t('uploads.own.preparing-of', {title: track.title})})]);
  }

  /** Where the track stands between being one's own and everybody's, and what can be done about it. */
  #drawStatus(id) {
    const row = this.#rows.get(id), track = this.#tracks.get(id);
    if (!row || !track) return;
    const {status} = track, reason = status === 'rejected' ? submissions.reasonOf(track) : null, mayChange = submissions.mayChange(track), key = JSON.stringify([status, reason, mayChange]);
    const place = row.element.querySelector('.own-status'), button = row.element.querySelector('.own-submit');
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    place.replaceChildren(...status && submissions.isThere ? [h('span', {class: 'badge', dataset: {status}}, t(`submitted.badge.${status}`)), reason ? h('span', {class: 'muted', dir: 'auto'}, reason) : ''] : []);
    const hadFocus = button.contains(document.activeElement), isOpen = status === null || status === 'rejected';
    button.replaceChildren(...mayChange ? [h('button', {
      type: 'button', class: 'icon-button small', dataset: {does: isOpen ? 'submit' : 'withdraw'}, title: t(isOpen ? 'submitted.submit' : 'track.act.withdraw'),
      'aria-label': t(isOpen ? 'submitted.submit-of' : 'submitted.withdraw-of', {title: track.title}), onclick: () => isOpen ? submit([track]) : withdraw([track]),
    }, icon(isOpen ? 'raise' : 'reply'))] : []);
    if (hadFocus) button.firstElementChild?.focus();
  }

  #drawTools() {
    const {size} = this.#choice;
    this.tools.hidden = this.#tracks.size === 0;
    this.all.update();
    for (const [button, key] of [[this.edit, 'uploads.tags.edit'], [this.submit, 'submitted.submit-these'], [this.remove, 'uploads.remove.these']]) {
      button.hidden = size === 0 || button === this.submit && !submissions.isThere;
      button.lastElementChild.textContent = tn(key, size);
    }
  }
}
