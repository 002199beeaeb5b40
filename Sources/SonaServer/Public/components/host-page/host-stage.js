// The sound that the room gets from here: song, position, level, and the buttons that change it.
import '../level-meter/level-meter.js';
import {clockText} from '../room-page/room-part.js';
import {cover} from '../cover/cover.js';
import {showReactions} from '../room-stage/sky.js';
import {HostPart, attempt, pictureOf} from './host-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {t, tn} from '../../store/i18n.js';
import {host} from '../../store/host.js';

/** How far a press of an arrow key goes on the seek bar, s. */
const STEP = 5;
const SILENCE = {peak: 0, rms: 0};
const WAYS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1};

class HostStage extends HostPart {
  #shown = {}; #isDragging = false; #seeks = 0;

  build() {
    this.#shown = {};
    const button = (name, symbol, run) => h('button', {class: 'icon-button', type: 'button', 'aria-label': t(name), onclick: run}, icon(symbol));
    this.replaceChildren(
      h('div', {class: 'host-cover'}, this.picture = h('div', {class: 'stage-cover'}), this.sky = h('div', {class: 'sky', 'aria-hidden': 'true'})),
      h('div', {class: 'stack host-words'},
        h('div', {class: 'row tight', role: 'status', 'aria-live': 'polite'},
          this.badge = h('span', {class: 'badge'}), this.why = h('span', {class: 'muted small'})),
        h('div', {},
          this.heading = h('h1', {dir: 'auto', tabindex: '-1'}), this.artist = h('p', {class: 'stage-artist', dir: 'auto'}),
          this.place = h('p', {class: 'muted', dir: 'auto'})),
        this.time = h('div', {class: 'host-time'},
          this.bar = h('input', {
            type: 'range', min: '0', max: '0', step: '1', value: '0', 'aria-label': t('host.seek'),
            oninput: () => { this.#isDragging = true; this.#sayPlace(Number(this.bar.value) * 1e6); }, onchange: () => this.#seek(),
            // A bar that is let go where it was has not changed.
            onpointerup: () => { this.#isDragging = false; }, onpointercancel: () => { this.#isDragging = false; },
            onblur: () => { this.#isDragging = false; }, onkeydown: event => this.#step(event),
          }),
          h('div', {class: 'row between small muted tabular'}, this.gone = h('span'), this.whole = h('span'))),
        h('div', {class: 'row tight host-controls'},
          this.previous = button('host.previous', 'previous', () => attempt(() => host.skip(-1))),
          this.play = h('button', {class: 'big-play', type: 'button', onclick: () => this.toggle()}),
          this.next = button('host.next', 'skip', () => attempt(() => host.skip(1))),
          this.mute = h('button', {type: 'button', onclick: () => host.inputs.mute(!host.inputs.isMuted)}),
          this.listeners = h('span', {class: 'row tight host-listeners'})),
        this.meter = h('level-meter', {label: t('host.level')})));
  }

  begin(signal) {
    host.addEventListener('level', ({detail}) => this.meter.show?.(host.state === 'live' ? detail.level : SILENCE), {signal});
    showReactions(host.room, () => this.sky, () => host.session?.serverNow ?? 0, signal);
  }

  /** Pauses for everybody, or goes on. Without a line neither is done. */
  toggle() {
    if (host.state === 'away') return undefined;
    return attempt(() => host.state === 'live' ? host.pause() : host.play());
  }

  async #seek() {
    this.#isDragging = false;
    this.#seeks += 1;
    await attempt(() => host.seek(Number(this.bar.value) * 1e6));
    this.#seeks -= 1;
    this.update();
  }

  /** The bar shows every second, but an arrow key goes further. */
  #step(event) {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    event.preventDefault();
    this.bar.value = String(Number(this.bar.value) + way * STEP);
    this.#sayPlace(Number(this.bar.value) * 1e6);
    return this.#seek();
  }

  update() {
    const {room, state} = host, song = state === 'live' ? host.heard ?? host.song : host.song, title = song?.title ?? host.liveTitle;
    if (!room?.room) return;
    this.badge.classList.toggle('live', state === 'live');
    this.write(this.badge, t(`host.state.${state}`));
    this.write(this.why, t(`host.why.${state}`));
    this.write(this.heading, title ?? room.title);
    this.write(this.artist, song?.artist ?? '');
    this.artist.hidden = !song?.artist;
    this.write(this.place, [song?.album, title ? room.title : null].filter(Boolean).join(' · '));
    this.#cover(song);
    this.#time(song);
    const isPlaying = state === 'live';
    this.#label(this.play, isPlaying ? 'pause' : 'play', t(isPlaying ? 'host.pause' : 'host.resume'));
    this.play.disabled = state === 'away';
    for (const one of [this.previous, this.next]) one.hidden = host.isLive;
    this.next.disabled = !host.hasNext;
    this.mute.hidden = !host.isLive;
    const isMuted = host.inputs.isMuted;
    this.mute.setAttribute('aria-pressed', String(isMuted));
    this.write(this.mute, t(isMuted ? 'host.unmute' : 'host.mute'));
    const count = room.room.listeners;
    if (this.#shown.count !== count) {
      this.#shown.count = count;
      this.listeners.replaceChildren(icon('people'), h('span', {}, tn('host.listeners', count)));
    }
  }

  #label(button, symbol, label) {
    if (button.getAttribute('aria-label') === label) return;
    button.setAttribute('aria-label', label);
    button.replaceChildren(icon(symbol));
  }

  #cover(song) {
    const picture = pictureOf(song), key = JSON.stringify([picture, host.room.room.picture?.id, host.room.id]);
    if (this.#shown.cover === key) return;
    this.#shown.cover = key;
    this.picture.replaceChildren(picture
      ? h('span', {class: 'cover', 'aria-hidden': 'true'}, h('img', {src: picture, alt: ''}))
      : cover({picture: host.room.room.picture, id: host.room.id}));
  }

  #time(song) {
    this.time.hidden = host.isLive || !song;
    if (this.time.hidden || this.#isDragging || this.#seeks > 0) return;
    const whole = song.track.duration_us ?? 0, place = Math.min(whole, host.position);
    this.bar.max = String(Math.floor(whole / 1e6));
    this.bar.value = String(place / 1e6);
    this.bar.disabled = !['live', 'paused'].includes(host.state);
    this.write(this.whole, clockText(whole));
    this.#sayPlace(place);
  }

  #sayPlace(place) {
    const text = clockText(place);
    this.write(this.gone, text);
    this.bar.setAttribute('aria-valuetext', text);
  }
}

customElements.define('host-stage', HostStage);
