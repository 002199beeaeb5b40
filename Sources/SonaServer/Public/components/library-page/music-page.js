// The base of the pages of one album, artist, genre or track: waiting, failing, and being tinted by what is shown.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {shade} from '../../store/settings.js';
import {trackChanges} from '../../store/track-changes.js';

await Promise.all([i18n.also('music.'), looks('library.css', import.meta.url)]);

/** Codes that mean that there is nothing to try again. */
const GONE = new Set(['album.not_found', 'artist.not_found', 'genre.not_found', 'track.not_found', 'playlist.not_found', 'request.invalid']);

export class MusicPage extends HTMLElement {
  /** What the page is of: the attribute with its identifier, and the kind of its heading. */
  static kind = '';
  /** What is shown, as `load` returned it. */
  data = null;
  #ending = null; #turn = 0; #isAsking = false; #name = '';

  get pageTitle() { return this.#name; }
  get subject() { return this.getAttribute(this.constructor.kind) ?? ''; }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    shade(null);
    this.replaceChildren(this.#waiting());
    // What was asked before the line stood is answered by it.
    session.addEventListener('fresh', () => { if (!this.#isAsking) this.show(); }, {signal});
    session.addEventListener('user', () => this.show(), {signal});
    for (const type of ['updated', 'removed']) trackChanges.addEventListener(type, () => this.show(), {signal});
    this.follow?.(signal);
    this.show();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#turn += 1;
  }

  /** Asks and draws. The answer to an earlier question is ignored. */
  async show() {
    const turn = ++this.#turn;
    this.#isAsking = true;
    try {
      const data = await this.load(this.subject);
      if (turn !== this.#turn) return;
      this.data = data;
      const {name, color, content} = this.draw(data);
      this.#name = name;
      shade(color);
      const hadHeading = this.contains(document.activeElement) && document.activeElement.matches('h1');
      this.replaceChildren(h('article', {class: 'stack music-page'}, content));
      // What is read out by screen readers when the page has come.
      if (hadHeading) {
        const heading = this.querySelector('h1');
        heading.tabIndex = -1;
        heading.focus({preventScroll: true});
      }
      this.dispatchEvent(new Event('titlechange'));
    } catch (error) {
      if (turn !== this.#turn) return;
      const isGone = GONE.has(error.code);
      this.replaceChildren(h('div', {class: 'empty'}, icon('library'), h('h1', {}, isGone ? t('music.gone') : t('load.failed')),
        h('p', {role: 'alert'}, isGone ? t('music.gone.about') : describe(error)),
        isGone ? h('a', {class: 'button', href: '/library'}, t('music.to-library')) : h('button', {type: 'button', onclick: () => this.show()}, t('load.again'))));
      if (!error.code) console.error(error);
    } finally {
      if (turn === this.#turn) this.#isAsking = false;
    }
  }

  #waiting() {
    return h('div', {class: 'music-page stack skeleton', 'aria-busy': 'true'}, h('h1', {class: 'visually-hidden', tabindex: '-1'}, t('load.waiting')),
      h('div', {class: `music-hero of-${this.constructor.kind}`, 'aria-hidden': 'true'}, h('div', {class: 'cover hero-cover'}), h('div', {class: 'stack hero-text'}, h('div', {class: 'bar short'}), h('div', {class: 'bar hero-bar'}), h('div', {class: 'bar short'}))),
      h('div', {class: 'stack', 'aria-hidden': 'true'}, Array.from({length: 6}, () => h('div', {class: 'bar'}))));
  }
}

/** The head of such a page: `{kind, picture, name, lines, actions}`. */
export const hero = ({kind, picture = null, name, lines = [], actions = []}) => h('header', {class: `music-hero of-${kind}`},
  picture, h('div', {class: 'hero-text'},
    h('p', {class: 'hero-kind'}, t(`music.kind.${kind}`)), h('h1', {dir: 'auto', class: name.length > 90 ? 'is-long is-very-long' : name.length > 40 ? 'is-long' : ''}, name),
    lines.filter(Boolean).map((line) => h('p', {class: 'hero-line'}, line)),
    actions.length ? h('div', {class: 'row hero-actions'}, actions) : null));

/** The large button that plays all of it. */
export const playButton = (run) => h('button', {type: 'button', class: 'big-play hero-play', 'aria-label': t('music.play'), onclick: run}, icon('play'));
/** Another act of the head. On a phone its symbol stands alone. */
export const heroButton = (symbol, words, run, act = null) => h('button', {type: 'button', class: 'hero-act', dataset: act ? {act} : {}, onclick: run}, icon(symbol), h('span', {}, words));
export const shuffleButton = (run) => heroButton('shuffle', t('library.shuffle'), run, 'shuffle');
/** Parts of a line with dots between them. */
export const dotted = (...parts) => parts.flat().filter(Boolean).flatMap((part, index) => [index ? ' · ' : null, part]).filter(Boolean);
/** A length in words: "42 min", "3 h 5 min". */
export const spoken = (milliseconds) => {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  return minutes < 60 ? t('music.minutes', {minutes: i18n.number(minutes)}) : t('music.hours', {hours: i18n.number(Math.floor(minutes / 60)), minutes: i18n.number(minutes % 60)});
};
