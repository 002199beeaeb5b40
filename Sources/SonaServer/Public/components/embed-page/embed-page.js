// A room in the page of somebody else: cover, title, one button, and the way to the whole of it.
import {cover} from '../cover/cover.js';
import {h} from '../../shell/dom.js';
import {icon, mark} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {shade} from '../../store/settings.js';

await Promise.all([i18n.also('solo.'), looks('embed-page.css', import.meta.url)]);

class EmbedPage extends HTMLElement {
  #ending = null; #shown = '';

  get pageTitle() { return player.room?.title ?? ''; }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    document.documentElement.dataset.bare = '';
    shade(null);
    player.enter(this.getAttribute('room'));
    this.picture = h('div', {class: 'embed-cover'});
    this.heading = h('h1', {class: 'truncate', dir: 'auto'});
    this.about = h('p', {class: 'truncate muted small', dir: 'auto'});
    this.state = h('p', {class: 'embed-state small', role: 'status'});
    this.play = h('button', {type: 'button', class: 'icon-button primary embed-play', onclick: () => player.toggle()});
    this.replaceChildren(h('div', {class: 'embed'}, this.picture, h('div', {class: 'embed-words'}, this.heading, this.about, this.state), this.play,
      // Another window: this one belongs to the page around it.
      h('a', {class: 'embed-open small', href: `/r/${encodeURIComponent(this.getAttribute('room'))}`, target: '_blank', rel: 'noopener'}, mark(), t('embed.open'))));
    for (const type of ['change', 'tracks']) player.addEventListener(type, () => this.#draw(), {signal});
    i18n.addEventListener('change', () => this.#draw(), {signal});
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending.abort();
    delete document.documentElement.dataset.bare;
  }

  #draw() {
    const {room, state} = player;
    if (!room) return;
    const isGone = state === 'gone' || state === 'knocking';
    this.play.disabled = isGone || state === 'silent';
    this.play.setAttribute('aria-label', t(player.playing ? 'player.pause' : 'player.play'));
    this.play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    const listeners = room.room ? tn('stage.listening', room.room.listeners) : '';
    const words = player.failure ? describe(player.failure) : state === 'blocked' ? t(`player.blocked.${player.blockedBy}`) : [t(`player.state.${state}`), listeners].filter(Boolean).join(' · ');
    if (this.state.textContent !== words) this.state.textContent = words;
    const {track} = room, shown = JSON.stringify([room.id, room.title, room.room?.picture?.id, track]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.heading.textContent = track?.title || room.title || '';
    this.about.textContent = track?.title ? [track.artist, room.title].filter(Boolean).join(' · ') : '';
    this.picture.replaceChildren(cover({id: room.id ?? '', picture: room.room?.picture, artwork: track?.artwork}));
    this.dispatchEvent(new Event('titlechange'));
  }
}
customElements.define('embed-page', EmbedPage);
