// The library: tracks, albums, artists and genres, in the order and shape that one likes, and found by typing.
import {isSignedIn, withReturn} from '../../router.js';
import {debounced, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {FoundRows} from '../../store/library-rows.js';
import {library} from '../../store/library.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {musicGrid} from '../music-grid/music-grid.js';
import {trackList} from '../track-list/track-list.js';
import {shuffled} from './shuffled.js';
import {SORTS, sortedColumns, sortedRows} from './sorted-list.js';
import {views} from './views.js';

await Promise.all([i18n.also('music.'), looks('library.css', import.meta.url)]);

/** The parts, each with the orders of `library.list`, and its symbol. */
const PARTS = {
  tracks: {sorts: SORTS, icon: 'music'},
  albums: {sorts: ['title', 'artist', 'added'], icon: 'disc', hasViews: true},
  artists: {sorts: ['title'], icon: 'user', hasViews: true},
  genres: {sorts: ['title'], icon: 'star'},
};
/** Further parts, each an element in a module of its own: `{icon, element, module, permission, feature}`. */
const OTHERS = {
  playlists: {icon: 'list', element: 'playlists-part', module: '../playlists-part/playlists-part.js', permission: 'library.listen', feature: 'playlists'},
  likes: {icon: 'heart', element: 'likes-part', module: '../likes-part/likes-part.js', permission: 'library.collect', feature: 'likes'},
  history: {icon: 'history', element: 'history-part', module: '../history-part/history-part.js', permission: 'library.collect', feature: 'plays'},
  uploads: {icon: 'upload', element: 'uploads-part', module: '../uploads-part/uploads-part.js', permission: 'library.upload'},
};
const PAUSE = 300;

class LibraryPage extends HTMLElement {
  #ending = null; #part = 'tracks'; #query = ''; #drawn = ''; #list = null;

  get pageTitle() { return `${t(`library.${this.#part}`)} · ${t('library.title')}`; }

  connectedCallback() {
    shade(null);
    const {signal} = this.#ending = new AbortController();
    const asked = this.getAttribute('part');
    this.#part = PARTS[asked] || OTHERS[asked] ? asked : 'tracks';
    this.#query = new URLSearchParams(location.search).get('q') ?? '';
    // What was asked before the line stood is answered by it.
    session.addEventListener('fresh', () => { if (!this.#list || this.#list.rows.total !== null || this.#list.rows.error) this.#draw(true); }, {signal});
    session.addEventListener('user', () => this.#draw(true), {signal});
    me.addEventListener('change', () => this.#draw(), {signal});
    this.#draw();
  }

  disconnectedCallback() { this.#ending.abort(); }

  get #view() { return views.of(this.#part); }
  get #scope() { return isSignedIn() && this.#view.scope === 'own' ? 'own' : 'all'; }

  #draw(isForced = false) {
    const content = JSON.stringify([this.#part, isSignedIn(), Object.values(OTHERS).map(({permission}) => me.may(permission)), [...session.features], library.isThere]);
    if (content === this.#drawn && !isForced) return;
    this.#drawn = content;
    const parts = [...Object.entries(PARTS), ...Object.entries(OTHERS).filter(([part, {permission, feature}]) => me.may(permission) && (!feature || session.features.has(feature)) || part === this.#part)];
    const tabs = h('nav', {class: 'library-tabs', 'aria-label': t('library.parts')}, h('ul', {}, parts.map(([part, {icon: symbol}]) => h('li', {},
      h('a', {href: part === 'tracks' ? '/library' : `/library/${part}`, class: 'library-tab', 'aria-current': part === this.#part ? 'page' : null}, icon(symbol), t(`library.${part}`))))));
    this.place = h('div', {class: 'library-place'});
    this.head = h('div', {class: 'library-head'}, h('h1', {dataset: PARTS[this.#part] ? {count: ''} : {}}, t('library.title')), tabs);
    this.tools = h('div', {class: 'library-tools'});
    this.status = h('p', {class: 'visually-hidden', role: 'status', 'aria-live': 'polite'});
    this.notice = h('div', {class: 'notice error', hidden: true});
    this.replaceChildren(h('div', {class: 'stack library'}, this.head, this.tools, this.status, this.notice, this.place));
    const here = tabs.querySelector('[aria-current]');
    tabs.scrollLeft = here.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
    if (library.isThere === false) return void this.#say(icon('library'), h('h2', {}, t('library.none')), h('p', {}, t('library.none.about')));
    const other = OTHERS[this.#part];
    if (other?.permission !== 'library.listen' && other && session.user && !isSignedIn()) {
      this.tools.hidden = true;
      return void this.#say(icon(other.icon), h('h2', {}, t(`library.${this.#part}`)), h('p', {}, t('library.account')),
        h('div', {class: 'row center'}, h('a', {class: 'button primary', href: withReturn('/sign-up')}, t('nav.sign-up')), h('a', {class: 'button', href: withReturn('/sign-in')}, t('nav.sign-in'))));
    }
    if (other) return void this.#open(other);
    this.#drawTools();
    this.#show();
  }

  async #open({element, module}) {
    this.tools.hidden = true;
    try {
      await import(new URL(module, import.meta.url).href);
      this.place.replaceChildren(document.createElement(element));
    } catch (error) {
      this.#say(h('p', {}, describe(error)), h('button', {type: 'button', onclick: () => this.#open(OTHERS[this.#part])}, t('load.again')));
    }
  }

  #drawTools() {
    const {sorts, hasViews} = PARTS[this.#part], view = this.#view;
    const choice = (name, value, words, run) => h('button', {
      type: 'button', class: 'chip', dataset: {[name]: value}, 'aria-pressed': String((name === 'scope' ? this.#scope : view[name]) === value),
      onclick: () => { views.set(this.#part, {[name]: value}); run(); this.tools.querySelector(`[data-${name}="${value}"]`)?.focus(); },
    }, words);
    const again = () => { this.#drawTools(); this.#show(); };
    this.input = h('input', {
      type: 'search', value: this.#query, maxlength: 60, autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'search',
      'aria-label': t(`library.filter.${this.#part}`), placeholder: t(`library.filter.${this.#part}`), oninput: () => this.#seek(this.input.value),
      onkeydown: (event) => {
        if (event.key === 'Escape' && this.input.value) { event.preventDefault(); this.input.value = ''; this.#seekNow(''); }
        if (event.key === 'Enter' || event.key === 'ArrowDown') { event.preventDefault(); this.#seekNow(this.input.value); this.place.querySelector('[tabindex="0"], a')?.focus(); }
      },
    });
    const sort = sorts.length > 1 && h('label', {class: 'library-sort'}, h('span', {class: 'visually-hidden'}, t('library.sort')),
      h('select', {'aria-label': t('library.sort'), onchange: ({target}) => { views.set(this.#part, {sort: target.value, isReversed: false}); this.#show(); scrollTo(0, 0); }},
        sorts.map((one) => h('option', {value: one, selected: one === view.sort}, t(`library.sort.${one}`)))));
    this.sort = sort || null;
    this.tools.replaceChildren(
      h('div', {class: 'search library-filter', role: 'search'}, icon('search'), this.input),
      this.#part === 'tracks' ? h('button', {type: 'button', class: 'primary library-shuffle', onclick: () => this.#shuffle()}, icon('shuffle'), h('span', {}, t('library.shuffle'))) : '',
      isSignedIn() && me.may('library.upload') ? h('div', {class: 'library-switch', role: 'group', 'aria-label': t('library.scope')},
        choice('scope', 'all', t('library.scope.all'), again), choice('scope', 'own', t('library.scope.own'), again)) : '',
      sort || '',
      hasViews ? h('div', {class: 'library-switch', role: 'group', 'aria-label': t('library.view')}, ['grid', 'list'].map((one) => h('button', {
        type: 'button', class: 'icon-button', dataset: {view: one}, 'aria-pressed': String(view.view === one), 'aria-label': t(`library.view.${one}`), title: t(`library.view.${one}`),
        onclick: () => { views.set(this.#part, {view: one}); again(); this.tools.querySelector(`[data-view="${one}"]`).focus(); },
      }, icon(one)))) : '');
  }

  #seek = debounced(PAUSE, (text) => this.#seekNow(text));

  #seekNow(text) {
    this.#seek.cancel();
    const query = text.trim();
    if (query === this.#query) return;
    this.#query = query;
    const {pathname} = location;
    history.replaceState(history.state, '', query ? `${pathname}?q=${encodeURIComponent(query)}` : pathname);
    this.#show();
  }

  #rows() {
    // Those that are found are the best first.
    if (this.#query) return new FoundRows(this.#query, this.#part);
    return sortedRows({kind: this.#part, scope: this.#scope}, this.#view);
  }

  #show() {
    if (this.sort) this.sort.hidden = Boolean(this.#query);
    const rows = this.#rows(), label = t(`library.${this.#part}`), {sort, isReversed, view} = this.#view;
    const source = this.#query
      ? {kind: 'search', id: null, name: this.#query, href: `/library/tracks?q=${encodeURIComponent(this.#query)}`}
      : {kind: 'tracks', id: null, name: t('library.title'), href: '/library'};
    this.#list = this.#part !== 'tracks' ? musicGrid({rows, label, kind: this.#part, view: PARTS[this.#part].hasViews ? view : 'grid'})
      // Those that are found stand in an order of their own.
      : this.#query ? trackList({rows, label, source, columns: {cover: true, album: true, meta: ['added', 'plays']}})
        : trackList({rows, label, source, columns: sortedColumns({sort, isReversed})});
    this.#list.addEventListener('sort', ({detail}) => {
      views.set(this.#part, detail);
      this.sort.querySelector('select').value = detail.sort;
      this.#show();
      this.place.querySelector(`[data-sort="${detail.sort}"]`).focus({preventScroll: true});
    });
    this.#list.addEventListener('rows', ({detail}) => this.#told(detail, rows));
    this.place.replaceChildren(this.#list);
    this.#told(rows, rows);
  }

  #told({total, error}, rows) {
    // What is there stays in sight.
    this.notice.hidden = !error;
    this.notice.replaceChildren(...error ? [h('span', {class: 'grow', role: 'alert'}, describe(error)), h('button', {type: 'button', class: 'small-button', onclick: () => rows.retry()}, t('load.again'))] : []);
    if (total === null) return undefined;
    const words = this.#query && !rows.isAll ? '' : tn(`library.count.${this.#part}`, total);
    if (this.status.textContent !== words) this.status.textContent = words;
    this.head.querySelector('h1').dataset.count = words;
    if (total === 0) this.#empty();
    return undefined;
  }

  #empty() {
    if (this.#query) return this.#say(icon('search'), h('h2', {}, t('library.nothing', {query: this.#query})), h('p', {}, t('library.nothing.about')),
      h('a', {class: 'button', href: `/search?q=${encodeURIComponent(this.#query)}`}, t('library.nothing.all')));
    if (this.#scope === 'own') return this.#say(icon('upload'), h('h2', {}, t('library.own.empty')), h('p', {}, t('library.own.empty.about')),
      h('a', {class: 'button', href: '/library/uploads'}, t('library.own.upload')));
    return this.#say(icon('library'), h('h2', {}, t('library.empty')),
      h('p', {}, t(me.may('library.manage') ? 'library.empty.admin' : 'library.empty.about')),
      me.may('library.manage') ? h('a', {class: 'button primary', href: '/admin/folders'}, t('library.empty.folders')) : null);
  }

  #say(...content) {
    this.#list = null;
    this.place.replaceChildren(h('div', {class: 'empty'}, content));
  }

  async #shuffle() {
    const rows = this.#rows();
    if (rows instanceof FoundRows) await rows.load(0, 200).catch(() => {});
    await shuffled(rows, {kind: 'tracks', id: null, name: t('library.title'), href: '/library'});
  }
}
customElements.define('library-page', LibraryPage);
