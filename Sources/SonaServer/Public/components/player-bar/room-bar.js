// The player bar while the user is in a room: what the room plays, one's own pause, volume.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {cover} from '../cover/cover.js';

export class RoomBar {
  #shown = null;

  constructor() {
    this.play = h('button', {type: 'button', class: 'icon-button primary', onclick: () => player.toggle()});
    this.leave = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('mini.leave'), onclick: () => player.leave()}, icon('close'));
    this.title = h('strong', {class: 'truncate'});
    this.state = h('span', {class: 'truncate muted small'});
    this.about = h('a', {class: 'about'}, this.title, this.state);
    this.picture = h('span', {class: 'bar-cover'});
  }

  /** The parts in their order; `volume` is the bar's own. */
  parts(volume) { return [this.picture, this.about, this.play, volume, this.leave]; }

  draw() {
    const {room} = player, track = room.track;
    const image = JSON.stringify([room.id, room.room?.picture?.id, track?.artwork]);
    if (image !== this.#shown) {
      this.#shown = image;
      this.picture.replaceChildren(cover({id: room.id ?? '', picture: room.room?.picture, artwork: track?.artwork}, '64'));
    }
    this.title.textContent = track?.title || room.title || '';
    const where = track?.title ? `${[track.artist, room.title].filter(Boolean).join(' · ')}` : '';
    this.state.textContent = [player.playing ? t(`player.state.${player.state}`) : t('mini.silent'), where].filter(Boolean).join(' · ');
    this.about.href = `/r/${encodeURIComponent(room.id ?? room.reference)}`;
    this.play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', player.playing ? t('mini.pause') : t('mini.play'));
  }
}
