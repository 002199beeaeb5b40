// In the page of somebody else: what a room plays, and a form that asks it for a track. Source: Protocol/spec/song-requests.md.
import {cover} from '../cover/cover.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon, mark} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {shade} from '../../store/settings.js';

await Promise.all([i18n.also('asking.'), looks('requests-page.css', import.meta.url)]);

/** How long after the last key is pressed a search begins, ms. */
const PAUSE = 300;

class RequestsPage extends HTMLElement {
  #ending = null; #timer = null; #asked = 0; #now = null; #taken = new Map();

  get pageTitle() { return this.#now?.room?.title ?? ''; }
  get #path() { return `/v1/rooms/${encodeURIComponent(this.getAttribute('room'))}`; }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    document.documentElement.dataset.bare = '';
    shade(null);
    this.#build();
    i18n.addEventListener('change', () => { this.#build(); this.#draw(); this.#search(); }, {signal});
    const events = new EventSource(`${this.#path}/now/events`);
    events.addEventListener('now', ({data}) => {
      this.#now = JSON.parse(data);
      this.#draw();
      this.dispatchEvent(new Event('titlechange'));
    });
    signal.addEventListener('abort', () => events.close());
    this.#search();
  }

  disconnectedCallback() {
    this.#ending.abort();
    clearTimeout(this.#timer);
    delete document.documentElement.dataset.bare;
  }

  #build() {
    this.picture = h('div', {class: 'requests-cover'});
    this.heading = h('h1', {class: 'truncate', dir: 'auto'});
    this.about = h('p', {class: 'truncate muted small', dir: 'auto'});
    this.input = h('input', {
      type: 'search', 'aria-label': t('asking.search'), placeholder: t('asking.search'), maxlength: 100, autocomplete: 'off', enterkeyhint: 'search',
      oninput: () => { clearTimeout(this.#timer); this.#timer = setTimeout(() => this.#search(), PAUSE); },
    });
    this.state = h('p', {class: 'small', role: 'status'});
    this.list = h('ul', {class: 'list requests-found'});
    this.replaceChildren(h('div', {class: 'requests'},
      h('div', {class: 'requests-now'}, this.picture, h('div', {class: 'requests-words'}, this.heading, this.about)),
      h('form', {role: 'search', onsubmit: (event) => { event.preventDefault(); this.#search(); }}, this.input), this.state, this.list,
      h('a', {class: 'requests-open small', href: `/r/${encodeURIComponent(this.getAttribute('room'))}`, target: '_blank', rel: 'noopener'}, mark(), t('asking.open'))));
  }

  #draw() {
    if (!this.#now) return;
    const {room, now_playing: heard} = this.#now, track = heard?.track ?? null;
    this.heading.textContent = track?.title || room.title;
    this.about.textContent = track?.title ? [track.artist, room.title].filter(Boolean).join(' · ') : t('asking.silent');
    this.picture.replaceChildren(cover({id: room.id, picture: room.picture, artwork: track?.artwork}));
  }

  /** Asks the server; throws what it refused, as errors of the session are. */
  async #fetch(query, options = {}) {
    const answer = await fetch(`${this.#path}/song-requests${query}`, {...options, signal: this.#ending.signal});
    const {data, error} = await answer.json();
    if (error) throw Object.assign(new Error(error.message), error);
    return data;
  }

  async #search() {
    const number = ++this.#asked, words = this.input.value.trim();
    try {
      const {tracks} = await this.#fetch(words ? `?q=${encodeURIComponent(words)}` : '');
      if (number !== this.#asked) return;
      this.state.textContent = tracks.length ? '' : t('asking.none');
      this.list.replaceChildren(...tracks.map((track) => this.#row(track)));
    } catch (error) {
      if (error.name === 'AbortError' || number !== this.#asked) return;
      this.list.replaceChildren();
      this.input.disabled = error.code === 'room.not_found';
      this.state.textContent = error.code === 'room.not_found' ? t('asking.closed') : describe(error);
    }
  }

  #row(track) {
    const said = h('span', {class: 'small muted'}, this.#taken.get(track.music) ?? '');
    const button = h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('asking.ask', {title: track.title ?? ''}), disabled: this.#taken.has(track.music),
      onclick: once(async () => {
        try {
          const {approved} = await this.#fetch('', {method: 'POST', body: JSON.stringify({track: track.music})});
          this.#taken.set(track.music, t(approved ? 'asking.waits' : 'asking.pending'));
          button.disabled = true;
        } catch (error) {
          if (error.name === 'AbortError') return;
          said.textContent = describe(error);
        }
        if (this.#taken.has(track.music)) said.textContent = this.#taken.get(track.music);
        this.state.textContent = said.textContent;
      }),
    }, icon('plus'));
    return h('li', {class: 'entry'}, h('div', {class: 'grow requests-track'},
      h('p', {class: 'entry-title truncate', dir: 'auto'}, track.title ?? ''), h('p', {class: 'small muted truncate', dir: 'auto'}, track.artist ?? ''), said), button);
  }
}
customElements.define('requests-page', RequestsPage);
