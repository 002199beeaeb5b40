// A room on a screen on the wall: what plays, large, what comes, and a code by which others join with their phones.
import {colorOf, colorOfArtwork, cover} from '../cover/cover.js';
import {clockText} from '../room-page/room-part.js';
import {qrPicture} from '../share-dialog/share-dialog.js';
import {MOTION, Visualizer} from '../visualizer/visualizer.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';
import {settings, shade} from '../../store/settings.js';

await Promise.all([i18n.also('solo.'), looks('display-page.css', import.meta.url)]);

/** How many of the tracks that come are named. */
const UPCOMING = 3;

class DisplayPage extends HTMLElement {
  #ending = null; #timer = null; #shown = ''; #visualizer = null; #color = null; #lock = null;

  get pageTitle() { return player.room?.title ?? ''; }

  connectedCallback() {
    const {signal} = this.#ending = new AbortController();
    document.documentElement.dataset.bare = '';
    player.enter(this.getAttribute('room'), {invite: location.hash.slice(1) || null});
    this.#build();
    for (const type of ['change', 'tracks']) player.addEventListener(type, () => this.#draw(), {signal});
    i18n.addEventListener('change', () => this.#build(), {signal});
    document.addEventListener('visibilitychange', () => this.#keepAwake(), {signal});
    this.#timer = setInterval(() => this.#tick(), 500);
    this.#keepAwake();
    this.#draw();
  }

  disconnectedCallback() {
    this.#ending.abort();
    clearInterval(this.#timer);
    this.#visualizer?.stop();
    this.#visualizer = null;
    this.#lock?.release().catch(() => {});
    delete document.documentElement.dataset.bare;
    shade(null);
  }

  /** The screen stays on as long as the page is seen, where the browser can do that. */
  async #keepAwake() {
    if (document.hidden || !navigator.wakeLock) return;
    try { this.#lock = await navigator.wakeLock.request('screen'); } catch { /* Saving the battery comes first. */ }
  }

  #build() {
    this.#shown = '';
    this.picture = h('div', {class: 'display-cover'});
    this.heading = h('h1', {dir: 'auto'});
    this.artist = h('p', {class: 'display-artist', dir: 'auto'});
    this.where = h('p', {class: 'display-room', dir: 'auto'});
    this.count = h('span', {class: 'tabular'});
    this.bar = h('progress', {max: '1', value: '0', 'aria-label': t('room.position')});
    this.at = h('span', {class: 'tabular'});
    this.length = h('span', {class: 'tabular'});
    this.line = h('div', {class: 'display-line'}, this.at, this.bar, this.length);
    this.coming = h('ol', {class: 'list display-coming'});
    this.next = h('section', {'aria-label': t('solo.upcoming')}, h('h2', {}, t('solo.upcoming')), this.coming);
    this.code = h('div', {class: 'display-code'});
    this.play = h('button', {type: 'button', class: 'big-play', onclick: () => player.toggle()});
    this.canvas = h('canvas', {class: 'display-light', 'aria-hidden': 'true'});
    this.whole = document.fullscreenEnabled ? h('button', {type: 'button', class: 'icon-button', 'aria-label': t('visual.whole'), title: t('visual.whole'), onclick: () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen().catch(() => {})}, icon('expand')) : null;
    this.gone = h('p', {class: 'notice', role: 'status', hidden: true});
    this.replaceChildren(this.canvas, h('div', {class: 'display'},
      h('div', {class: 'display-stage'}, this.picture, h('div', {class: 'display-words'}, this.where, this.heading, this.artist, this.line, this.gone, h('div', {class: 'row'}, this.play, this.count))),
      h('div', {class: 'display-foot'}, this.next, h('div', {class: 'display-join'}, h('p', {}, t('display.join')), this.code), h('div', {class: 'display-tools'}, this.whole,
        h('a', {class: 'icon-button button', href: `/r/${encodeURIComponent(this.getAttribute('room'))}`, 'aria-label': t('display.leave'), title: t('display.leave')}, icon('close'))))));
    this.#light();
  }

  /** Light behind it all, by the sound of this screen; without sound it only drifts. */
  #light() {
    if (MOTION.matches) return;
    try {
      this.#visualizer = new Visualizer(this.canvas, {scene: settings.get('scene') === 'rings' ? 'aurora' : settings.get('scene'), analyser: () => player.playing ? player.analyser : null, color: () => this.#color});
    } catch { /* The page's own colour is enough. */ }
  }

  #draw() {
    const {room} = player;
    if (!room) return;
    this.gone.hidden = player.state !== 'gone';
    if (player.state === 'gone') this.gone.textContent = player.failure ? describe(player.failure) : t('player.state.gone');
    const {track} = room, queue = room.queue?.line ?? [];
    const label = t(player.playing ? 'player.pause' : 'player.play');
    this.play.setAttribute('aria-label', label);
    this.play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    this.count.textContent = room.room ? tn('stage.listening', room.room.listeners) : '';
    const shown = JSON.stringify([room.id, room.title, room.room?.picture?.id, track, queue.slice(0, UPCOMING).map(({id}) => id)]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.heading.textContent = track?.title || room.title || '';
    this.artist.textContent = [track?.artist, track?.album].filter(Boolean).join(' · ');
    this.where.textContent = track?.title ? room.title ?? '' : '';
    this.picture.replaceChildren(cover({id: room.id ?? '', picture: room.room?.picture, artwork: track?.artwork}));
    this.next.hidden = queue.length === 0;
    this.coming.replaceChildren(...queue.slice(0, UPCOMING).map((entry) => h('li', {class: 'truncate', dir: 'auto'}, [entry.track.title, entry.track.artist].filter(Boolean).join(' · '))));
    // A private room's link would lead nowhere without an invite, and an invite is not for everybody who passes by.
    if (room.id) this.code.parentElement.hidden = room.room?.visibility === 'private' && !location.hash;
    if (room.id && !this.code.firstElementChild) this.code.append(qrPicture(`${location.origin}/r/${room.id}${location.hash}`));
    this.#tint(room, track);
    this.dispatchEvent(new Event('titlechange'));
    if (room.isJoined && !room.queue) room.loadQueue?.().catch(() => {});
  }

  async #tint(room, track) {
    const color = track?.artwork ? await colorOfArtwork(track.artwork).catch(() => null) : null;
    this.#color = color ?? (room.room ? colorOf({picture: room.room.picture, id: room.id}) : null);
    if (this.isConnected) shade(this.#color);
  }

  #tick() {
    const {room} = player, duration = room?.track?.duration_us ?? null;
    this.line.hidden = !duration || session.status !== 'online';
    if (!duration) return;
    const position = Math.min(player.position, duration);
    this.bar.value = position / duration;
    this.at.textContent = clockText(position);
    this.length.textContent = clockText(duration);
  }
}
customElements.define('display-page', DisplayPage);
