// The current sound on every page except its own room's: title, play and pause, volume.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {cover} from '../cover/cover.js';

class MiniPlayer extends HTMLElement {
  #parts = null; #shown = null;

  connectedCallback() {
    this.classList.add('mini-player');
    this.setAttribute('role', 'region');
    this.#build();
    for (const event of ['change', 'tracks']) player.addEventListener(event, this.#draw);
    i18n.addEventListener('change', this.#build);
  }

  disconnectedCallback() {
    for (const event of ['change', 'tracks']) player.removeEventListener(event, this.#draw);
    i18n.removeEventListener('change', this.#build);
  }

  /** Told by the shell which page is shown. */
  set page({page, value}) {
    this.#place = page === 'room' ? value : null;
    this.#draw();
  }
  #place = null;

  #build = () => {
    this.setAttribute('aria-label', t('mini.label'));
    const play = h('button', {type: 'button', class: 'icon-button primary', onclick: () => player.toggle()});
    const leave = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('mini.leave'), onclick: () => player.leave()}, icon('close'));
    const mute = h('button', {type: 'button', class: 'icon-button', onclick: () => { player.muted = !player.muted; }});
    const volume = h('input', {
      type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': t('mini.volume'),
      oninput: ({target}) => { player.volume = Number(target.value); },
    });
    const title = h('strong', {class: 'truncate'}), state = h('span', {class: 'truncate muted small'});
    const about = h('a', {class: 'about'}, title, state);
    const picture = h('span', {});
    this.#parts = {play, mute, volume, title, state, about, picture};
    this.#shown = null;
    this.replaceChildren(picture, about, play, h('span', {class: 'volume'}, mute, volume), leave);
    this.#draw();
  };

  #draw = () => {
    const room = player.room;
    const isHere = room && (this.#place === room.id || this.#place === room.reference);
    this.hidden = !room || isHere;
    if (this.hidden || !this.#parts) return;
    const {play, mute, volume, title, state, about, picture} = this.#parts;
    const playing = room.track;
    const image = JSON.stringify([room.id, room.room?.picture?.id, playing?.artwork]);
    if (image !== this.#shown) {
      this.#shown = image;
      picture.replaceChildren(cover({id: room.id ?? '', picture: room.room?.picture, artwork: playing?.artwork}, '64'));
    }
    title.textContent = playing?.title || room.title || '';
    const where = playing?.title ? `${[playing.artist, room.title].filter(Boolean).join(' · ')}` : '';
    state.textContent = [player.playing ? t(`player.state.${player.state}`) : t('mini.silent'), where].filter(Boolean).join(' · ');
    about.href = `/r/${encodeURIComponent(room.id ?? room.reference)}`;
    play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    play.setAttribute('aria-label', player.playing ? t('mini.pause') : t('mini.play'));
    mute.replaceChildren(icon(player.muted ? 'mute' : 'volume'));
    mute.setAttribute('aria-label', player.muted ? t('mini.unmute') : t('mini.mute'));
    if (document.activeElement !== volume) volume.value = player.volume;
    volume.setAttribute('aria-valuetext', i18n.number(player.volume, {style: 'percent'}));
  };
}
customElements.define('mini-player', MiniPlayer);
