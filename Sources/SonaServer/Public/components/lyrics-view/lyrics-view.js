// The words of a track: the line that is heard now stands out, and stays in sight. Without times they are a text.
import {h, uniqueId} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {clockTime} from '../../shell/times.js';
import {i18n, t} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {settings} from '../../store/settings.js';

await Promise.all([i18n.also('lyrics.'), looks('lyrics-view.css', import.meta.url)]);

const MOTION = matchMedia('(prefers-reduced-motion: reduce)');
/** A line stands out so long before it is sung, so that it can be read, ms. */
const AHEAD = 150;
/** How long whoever scrolls by hand is left alone, ms. */
const PATIENCE = 5000;

/** The place of the last line that has begun; -1 before the first. */
export const lineAt = (lines, position) => {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (lines[middle].at_ms <= position) from = middle + 1;
    else to = middle;
  }
  return from - 1;
};

export class LyricsView {
  #track = null; #lines = null; #rows = []; #current = null; #scrolledAt = -Infinity;

  /** `position`: gives the place in the track, ms. `seek`: goes to a place, where the listener may. */
  constructor({position, seek = null}) {
    this.position = position;
    this.seek = seek;
    const id = uniqueId('lyrics'), title = uniqueId('lyrics-title');
    this.place = h('div', {class: 'lyrics-scroll', id, tabindex: '0', role: 'group', 'aria-labelledby': title});
    this.toggle = h('button', {type: 'button', class: 'icon-button', 'aria-controls': id, onclick: () => settings.set('lyrics', !settings.get('lyrics'))});
    this.element = h('section', {class: 'lyrics card', 'aria-labelledby': title, hidden: true},
      h('div', {class: 'row between lyrics-head'}, h('h2', {id: title}, t('lyrics.title')), this.toggle), this.place);
    for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) this.place.addEventListener(type, () => { this.#scrolledAt = performance.now(); }, {passive: true});
    this.#fold();
  }

  #fold() {
    const isOpen = settings.get('lyrics');
    this.place.hidden = !isOpen;
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    this.toggle.setAttribute('aria-label', t(isOpen ? 'lyrics.hide' : 'lyrics.show'));
    this.toggle.title = this.toggle.getAttribute('aria-label');
    this.toggle.replaceChildren(icon(isOpen ? 'up' : 'down'));
  }

  /** Shows the words of a track, or hides itself where there are none. `track` has an `id`, and `lyrics` if it has words. */
  async show(track) {
    const key = track?.lyrics ? track.id : null;
    if (key === this.#track) return;
    this.#track = key;
    this.#lines = this.#current = null;
    this.#rows = [];
    this.element.hidden = true;
    this.place.replaceChildren();
    if (key === null) return;
    try {
      const {lines, text} = await library.lyrics(key);
      if (key !== this.#track) return;
      if (lines) this.#putLines(lines);
      else this.place.replaceChildren(...text.split(/\n{2,}/).map((verse) => h('p', {class: 'lyrics-verse', dir: 'auto'}, verse)));
      this.place.scrollTop = 0;
      this.element.hidden = false;
      this.draw();
    } catch { /* Without them, then. */ }
  }

  #putLines(lines) {
    this.#lines = lines;
    this.#rows = lines.map(({at_ms: at, text}) => {
      const words = text === '' ? [h('span', {'aria-hidden': 'true'}, '♪'), h('span', {class: 'visually-hidden'}, t('lyrics.pause'))] : [text];
      return this.seek
        ? h('button', {type: 'button', class: 'lyrics-line', dir: 'auto', title: t('lyrics.seek', {time: clockTime(at)}), onclick: () => { this.#scrolledAt = -Infinity; this.seek(at); }}, words)
        : h('p', {class: 'lyrics-line', dir: 'auto'}, words);
    });
    this.place.replaceChildren(...this.#rows);
  }

  /** To be called while it plays: moves on to the line that is heard. */
  draw() {
    this.#fold();
    if (!this.#lines || this.element.hidden || this.place.hidden) return;
    const at = lineAt(this.#lines, this.position() + AHEAD), time = this.#lines[at]?.at_ms ?? null;
    if (time === this.#current) return;
    this.#current = time;
    // A translation stands at the same time as its line.
    this.#rows.forEach((row, place) => {
      if (this.#lines[place].at_ms === time) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
      row.toggleAttribute('data-past', time !== null && this.#lines[place].at_ms < time);
    });
    const row = this.#rows[at];
    if (performance.now() - this.#scrolledAt < PATIENCE) return;
    const top = row ? row.offsetTop - (this.place.clientHeight - row.offsetHeight) / 2 : 0;
    this.place.scrollTo({top, behavior: MOTION.matches ? 'auto' : 'smooth'});
  }
}
