// The current track: cover, title, one big Play button, position and volume.
import {cover} from '../cover/cover.js';
import {RoomPart, clockText} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';
import {namePlate} from './name-plate.js';
import {EMOJI, showReactions} from './sky.js';

class RoomStage extends RoomPart {
  #shown = {}; #isSeeking = false; #opens = null; #shift = null;

  build() {
    this.#shown = {};
    this.#opens = this.#shift = null;
    const part = (name, tag, attributes = {}, ...children) => this[name] = h(tag, attributes, ...children);
    this.replaceChildren(
      h('div', {class: 'stage-picture'}, part('picture', 'div', {class: 'stage-cover'}), part('sky', 'div', {class: 'sky', 'aria-hidden': 'true'})),
      h('div', {class: 'stage-words stack'},
        h('div', {class: 'stage-state row tight', role: 'status', 'aria-live': 'polite'},
          part('badge', 'span', {class: 'badge'}), part('reason', 'span', {class: 'muted small'})),
        h('div', {class: 'stage-titles'},
          part('where', 'p', {class: 'stage-room', dir: 'auto'}),
          part('heading', 'h1', {dir: 'auto'}),
          part('artist', 'p', {class: 'stage-artist', dir: 'auto'}),
          part('place', 'p', {class: 'muted', dir: 'auto'})),
        h('div', {class: 'row tight stage-host'}, part('onAir', 'span', {class: 'row tight'}), part('count', 'span', {class: 'muted small tabular'}), part('kept', 'span', {class: 'badge', hidden: true})),
        part('opens', 'div', {hidden: true}),
        part('time', 'div', {class: 'stage-time'},
          part('bar', 'progress', {max: '1', value: '0', 'aria-label': t('room.position')}),
          part('seek', 'input', {
            type: 'range', min: '0', max: '1000', step: '1', value: '0', hidden: true, 'aria-label': t('room.seek'),
            oninput: () => { this.#isSeeking = true; }, onchange: () => this.#seek(),
          }),
          h('div', {class: 'row between small muted tabular'}, part('gone', 'span'), part('whole', 'span'))),
        h('div', {class: 'row stage-controls'},
          part('play', 'button', {class: 'big-play', type: 'button', onclick: () => player.toggle()}),
          h('div', {class: 'row tight grow stage-volume'},
            part('mute', 'button', {class: 'icon-button', type: 'button', onclick: () => { player.muted = !player.muted; }}),
            part('volume', 'input', {
              class: 'grow', type: 'range', min: '0', max: '100', step: '1', 'aria-label': t('player.volume'),
              oninput: ({target}) => { player.volume = target.value / 100; player.muted = false; },
            })),
          part('heart', 'span', {class: 'stage-heart'})),
        part('later', 'div', {hidden: true}),
        part('hint', 'p', {class: 'notice warn'}),
        part('control', 'div', {class: 'row tight'})),
      h('div', {class: 'row tight reactions', role: 'group', 'aria-label': t('room.reactions')}, EMOJI.map(emoji => h(
        'button', {class: 'icon-button reaction', type: 'button', 'aria-label': t('room.react', {emoji}), onclick: () => this.react(emoji)}, emoji))));
  }

  begin(signal) { showReactions(this.room, () => this.sky, () => session.serverNow, signal); }

  react(emoji) { return this.#try(() => this.room.react(emoji)); }

  async #try(work) {
    try {
      await work();
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    }
  }

  update(what) {
    if (!this.room || ['chat', 'people', 'queue', 'history'].includes(what)) return;
    this.#title();
    this.#heart();
    this.#host();
    this.#position();
    this.#opening();
    this.#state();
    this.#shifting();
    if (what !== 'tick') this.#controls();
    this.#hosting();
  }

  /** Writes what is not written yet: readers of the screen hear each change once. */
  #write(name, text) {
    if (this.#shown[name] === text) return;
    this.#shown[name] = text;
    this[name].textContent = text;
  }

  #title() {
    const {room} = this, {track} = room, title = track?.title ?? room.title ?? '';
    this.#write('heading', title || t('room.untitled'));
    this.heading.toggleAttribute('data-long', title.length > 44);
    this.#write('artist', track?.jingle ? t('stage.jingle') : track?.artist ?? '');
    this.#write('where', track?.title ? room.title ?? '' : '');
    this.#write('place', track?.jingle ? '' : track?.album ?? '');
    for (const name of ['where', 'artist', 'place']) this[name].hidden = this[name].textContent === '';
    const key = JSON.stringify([room.id, room.room?.picture?.id, track?.artwork]);
    if (this.#shown.cover === key || !room.room) return;
    this.#shown.cover = key;
    const picture = () => cover({picture: room.room.picture, artwork: track?.artwork, id: room.id, title}), aura = picture();
    aura.classList.add('aura');
    this.picture.replaceChildren(aura, picture());
  }

  /** A heart for what is heard, if it is of the library and the user can like it. */
  async #heart() {
    const music = session.features.has('likes') && session.user?.guest === false ? this.room.track?.music ?? null : null, key = `${music} ${session.user?.uid}`;
    if (this.#shown.heart === key) return;
    this.#shown.heart = key;
    this.heart.replaceChildren();
    if (music === null) return;
    try {
      const {roomHeart} = await import('./room-heart.js'), heart = await roomHeart(music);
      if (this.#shown.heart === key && heart) this.heart.replaceChildren(heart);
    } catch { /* Without it, then. */ }
  }

  /** Who is on air, or else whose room it is, and how many listen. */
  async #host() {
    const {host, host_state: seat, owner, listeners} = this.room.room ?? {}, user = host ?? owner;
    const words = host ? 'stage.on-air' : seat === 'server' ? 'stage.by-itself' : 'stage.owner';
    if (!user) return;
    this.#write('count', tn('stage.listening', listeners));
    this.kept.hidden = this.room.room.replays !== true;
    if (!this.kept.hidden) this.#write('kept', t(this.room.room.recorded ? 'stage.recorded' : 'stage.kept'));
    const key = JSON.stringify([user, words, session.user?.uid]);
    if (this.#shown.host === key) return;
    this.#shown.host = key;
    // The name is known. What takes a request, a photo and whether they are followed, comes after it.
    if (!this.onAir.firstElementChild) this.onAir.replaceChildren(...namePlate(user, null, words));
    try {
      const {onAir} = await import('./on-air.js'), parts = await onAir(user, words);
      if (this.#shown.host === key) this.onAir.replaceChildren(...parts);
    } catch { /* Without a connection it is told by the people in the room. */ }
  }

  #position() {
    const {room} = this, duration = room.track?.duration_us ?? null, state = room.state?.state ?? 0;
    this.time.hidden = state === 0;
    if (state === 0) return;
    const position = duration === null ? player.position : Math.min(player.position, duration);
    const maySeek = Boolean(duration) && this.room.may('control') && ['here', 'server'].includes(room.room?.host_state);
    this.seek.hidden = !maySeek;
    this.bar.hidden = duration === null || maySeek;
    if (duration) this.bar.value = position / duration;
    if (maySeek && !this.#isSeeking) this.seek.value = Math.round(1000 * position / duration);
    const shown = maySeek && this.#isSeeking ? this.seek.value / 1000 * duration : position;
    if (maySeek) this.seek.setAttribute('aria-valuetext', clockText(shown));
    this.#write('gone', clockText(shown));
    this.#write('whole', duration === null ? '' : clockText(duration));
  }

  /** While nothing plays: when the room opens by its schedule. What tells it is fetched then. */
  async #opening() {
    const isShown = (this.room.state?.state ?? 0) === 0 && this.room.isJoined && session.features.has('schedules');
    const show = () => {
      this.#opens?.update?.();
      this.opens.hidden = this.#opens?.element?.hidden ?? true;
    };
    if (!isShown) return void (this.opens.hidden = true);
    if (this.#opens) return show();
    const mine = this.#opens = {};
    try {
      const {opening} = await import('../room-schedule/opening.js');
      if (this.#opens !== mine) return;
      this.#opens = opening(this.room);
      this.opens.replaceChildren(this.#opens.element);
      show();
    } catch { /* Without it, then. */ }
  }

  /** The ways to hear it later, once it is heard. They are fetched then. */
  async #shifting() {
    if (this.#shift) return this.#shift.update?.();
    if (!player.shift.isThere || !player.playing && !player.shift.isOn) return;
    const mine = this.#shift = {};
    try {
      const {ShiftRow} = await import('./shift-row.js');
      if (this.#shift !== mine) return;
      const row = this.#shift = new ShiftRow(this.room);
      this.later.replaceChildren(row.element);
      this.later.hidden = false;
      row.update();
    } catch { /* Without them, then. */ }
  }

  /** The room goes on from where the handle was let go, for everybody. */
  async #seek() {
    const duration = this.room.track?.duration_us;
    if (duration) {
      await this.#try(() => session.request('playback.seek', {room: this.room.id, position_us: Math.min(Math.round(this.seek.value / 1000 * duration), Math.max(0, duration - 1_000_000))}));
    }
    this.#isSeeking = false;
  }

  #state() {
    const {state} = player;
    this.badge.classList.toggle('live', state === 'live');
    this.dataset.state = state;
    this.#write('badge', t(`player.state.${state}`));
    this.#write('reason', t(`player.why.${state}`, {host: this.room.room?.host?.username ?? t('room.host')}));
  }

  #controls() {
    const {playing} = player, label = t(playing ? 'player.pause' : 'player.play');
    if (this.#shown.play !== label) {
      this.#shown.play = label;
      this.play.setAttribute('aria-label', label);
      this.play.title = label;
      this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
    }
    this.play.disabled = ['gone', 'knocking', 'silent'].includes(player.state);
    const isSilent = player.muted || player.volume === 0, mute = t(isSilent ? 'player.unmute' : 'player.mute');
    if (this.#shown.mute !== mute) {
      this.#shown.mute = mute;
      this.mute.setAttribute('aria-label', mute);
      this.mute.replaceChildren(icon(isSilent ? 'mute' : 'volume'));
    }
    const percent = Math.round(player.volume * 100);
    if (document.activeElement !== this.volume) this.volume.value = percent;
    this.volume.setAttribute('aria-valuetext', t('player.percent', {percent}));
    this.hint.hidden = player.state !== 'blocked';
    this.#write('hint', player.state === 'blocked' ? t(`player.blocked.${player.blockedBy}`) : '');
  }

  /** For those who may: playing and pausing the room, for everybody. */
  #hosting() {
    const state = this.room.state?.state ?? 0, isShown = this.room.may('control') && ['here', 'away', 'server'].includes(this.room.room?.host_state) && (state === 1 || state === 2);
    const key = isShown ? String(state === 2) : '';
    this.control.hidden = !isShown;
    if (this.#shown.control === key) return;
    this.#shown.control = key;
    const type = state === 2 ? 'playback.play' : 'playback.pause';
    this.control.replaceChildren(h('button', {
      class: 'small-button', type: 'button',
      onclick: async ({currentTarget: button}) => {
        button.disabled = true;
        await this.#try(() => session.request(type, {room: this.room.id}));
        button.disabled = false;
      },
    }, icon(state === 2 ? 'play' : 'pause'), t(state === 2 ? 'room.resume-all' : 'room.pause-all')));
  }
}

customElements.define('room-stage', RoomStage);
