// Listening while driving: what plays and four large targets, nothing that asks to be read. Rooms and listening alone.
import {cover} from '../cover/cover.js';
import {musicCover} from '../cover/music-cover.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {shade} from '../../store/settings.js';
import {solo} from '../../store/solo.js';
import {artistsText} from '../../store/solo/words.js';

await Promise.all([i18n.also('solo.'), looks('car-page.css', import.meta.url)]);

class CarPage extends HTMLElement {
  #ending = null; #lock = null; #pictured = null;

  get pageTitle() { return t('car.title'); }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    document.documentElement.dataset.bare = '';
    shade(null);
    const button = (key, name, run, classes = '') => h('button', {type: 'button', class: `car-button ${classes}`, 'aria-label': t(key), onclick: run}, icon(name));
    this.picture = h('div', {class: 'car-cover', 'aria-hidden': 'true'});
    this.heading = h('h1', {dir: 'auto'});
    this.about = h('p', {dir: 'auto'});
    this.play = button('solo.play', 'play', () => player.room ? player.toggle() : solo.toggle(), 'primary');
    this.previous = button('solo.previous', 'previous', () => solo.previous());
    this.next = button('solo.next', 'skip', () => solo.next());
    this.replaceChildren(h('div', {class: 'car'},
      h('div', {class: 'car-about'}, this.picture, h('div', {class: 'car-words', role: 'status', 'aria-live': 'off'}, this.heading, this.about)),
      h('div', {class: 'car-buttons'}, this.previous, this.play, this.next),
      h('a', {class: 'button car-leave', href: '/playing'}, icon('close'), t('car.leave'))));
    for (const type of ['change', 'track']) solo.addEventListener(type, () => this.#draw(), {signal});
    for (const type of ['change', 'tracks']) player.addEventListener(type, () => this.#draw(), {signal});
    document.addEventListener('visibilitychange', () => this.#keepAwake(), {signal});
    this.#keepAwake();
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#lock?.release().catch(() => {});
    delete document.documentElement.dataset.bare;
  }

  async #keepAwake() {
    if (document.hidden || !navigator.wakeLock) return;
    try { this.#lock = await navigator.wakeLock.request('screen'); } catch { /* Saving the battery comes first. */ }
  }

  #draw() {
    const {room} = player, isPlaying = room ? player.playing : solo.playing;
    this.heading.textContent = room ? room.track?.title || room.title || '' : solo.track?.title ?? t('solo.nothing');
    this.about.textContent = room ? room.track?.artist ?? t(`player.state.${player.state}`) : solo.track ? artistsText(solo.track) : '';
    const pictured = room ? JSON.stringify([room.id, room.track?.artwork ?? null]) : solo.track?.id ?? null;
    if (pictured !== this.#pictured) {
      this.#pictured = pictured;
      this.picture.replaceChildren(...room ? [cover({id: room.id ?? '', picture: room.room?.picture, artwork: room.track?.artwork})] : solo.track ? [musicCover(solo.track, 'full')] : []);
    }
    this.play.disabled = !room && !solo.track;
    // What a room plays next is not the listener's to choose.
    this.previous.hidden = this.next.hidden = Boolean(room);
    this.play.setAttribute('aria-label', t(isPlaying ? 'solo.pause' : 'solo.play'));
    this.play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
  }
}
customElements.define('car-page', CarPage);
