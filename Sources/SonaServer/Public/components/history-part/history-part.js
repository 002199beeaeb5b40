// History: what the user heard lately, what that comes to, and what becomes of it.
import {openPrivacy} from './privacy.js';
import {statistics} from './statistics.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {CursorRows} from '../../store/cursor-rows.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';
import {trackList} from '../track-list/track-list.js';

await Promise.all([i18n.also('heard.'), i18n.also('music.'), looks('history-part.css', import.meta.url)]);

const PAGE = 100, VIEWS = ['lately', 'stats'];

/** The plays, the last first. How many they are is known at their end. */
const plays = () => {
  let known = 0;
  return new CursorRows(async (cursor) => {
    const page = await askPatiently('play.list', {limit: PAGE, ...cursor ? {cursor} : {}});
    known = (cursor ? known : 0) + page.plays.length;
    return {
      items: page.plays.map(({id, at_ms: at, track}) => track ? {...track, heard_ms: at} : {id, isGap: true, heard_ms: at}),
      total: known + (page.next_cursor ? 1 : 0), cursor: page.next_cursor,
    };
  });
};

class HistoryPart extends HTMLElement {
  #ending = null; #view = 'lately'; #rows = null;

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    this.#view = new URLSearchParams(location.search).get('view') === 'stats' ? 'stats' : 'lately';
    this.views = h('div', {class: 'library-switch', role: 'group', 'aria-label': t('heard.views')}, VIEWS.map((view) => h('button', {
      type: 'button', class: 'chip', dataset: {view}, onclick: () => {
        this.#view = view;
        history.replaceState(history.state, '', view === 'stats' ? '/library/history?view=stats' : '/library/history');
        this.#show();
      },
    }, t(`heard.${view}`))));
    this.place = h('div', {});
    this.replaceChildren(h('section', {class: 'stack', 'aria-label': t('heard.title')},
      h('div', {class: 'row between heard-head'}, this.views, h('button', {type: 'button', class: 'small-button quiet', onclick: () => openPrivacy(() => this.#show())}, icon('lock'), t('heard.options'))),
      h('p', {class: 'muted small'}, t('heard.about')), this.place));
    session.addEventListener('fresh', () => { if (this.#view === 'lately') this.#rows?.refresh().catch(() => { /* The list says it. */ }); }, {signal});
    this.#show();
  }

  disconnectedCallback() { this.#ending.abort(); }

  #show() {
    for (const chip of this.views.children) chip.setAttribute('aria-pressed', String(chip.dataset.view === this.#view));
    if (this.#view === 'stats') {
      this.#rows = null;
      return void this.place.replaceChildren(statistics());
    }
    const rows = this.#rows = plays();
    const list = trackList({rows, label: t('heard.lately'), source: {kind: 'history', id: null, name: t('heard.title'), href: '/library/history'}, columns: {cover: true, album: true, meta: 'heard'}});
    list.addEventListener('rows', ({detail: {total, error}}) => {
      if (rows !== this.#rows) return;
      if (error && total === null) this.place.replaceChildren(h('p', {class: 'notice error', role: 'alert'}, describe(error)));
      else if (total === 0) this.place.replaceChildren(h('div', {class: 'empty'}, icon('history'), h('h2', {}, t('heard.empty')), h('p', {}, t('heard.empty.about'))));
    });
    this.place.replaceChildren(list);
  }
}
customElements.define('history-part', HistoryPart);
