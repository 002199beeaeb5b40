// For whoever steps back in the room: a few seconds, to the beginning of the song, or to wait here; and the ways on.
import {clockText} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';

const STEP = 10e6;

await i18n.also('shift.');

export class ShiftRow {
  element = h('div', {class: 'row tight stage-shift', role: 'group', 'aria-label': t('shift.label')});
  #shown = null;

  constructor(room) {
    this.room = room;
    const button = (key, name, work) => h('button', {class: 'small-button', type: 'button', title: t(`${key}.title`), onclick: work}, name ? icon(name) : null, h('span', {}, t(key)));
    const {shift} = player;
    const sign = (key, name, work) => h('button', {class: 'icon-button', type: 'button', title: t(key), 'aria-label': t(key), onclick: work}, icon(name));
    this.back = sign('shift.back', 'history', () => shift.back(STEP));
    this.song = sign('shift.song', 'previous', () => shift.to(this.beginning));
    this.hold = button('shift.hold', 'pause', () => player.hold());
    this.on = button('shift.on', 'play', () => player.release());
    this.faster = button('shift.faster', null, () => shift.catchUp());
    this.live = button('shift.live', null, () => {
      shift.live();
      if (!player.playing) player.play();
    });
    this.behind = h('span', {class: 'muted small tabular stage-behind'});
    this.element.append(this.back, this.song, this.hold, this.on, this.behind, this.faster, this.live);
  }

  /** When the song that is heard began, µs of server time; null if it is not known. */
  get beginning() { return this.room.tracks.at(player.now)?.at_us ?? null; }

  update() {
    const {shift, playing, state} = player, isHeld = shift.heldAt !== null, isSounding = playing && ['live', 'shifted', 'behind'].includes(state);
    this.element.hidden = !shift.isThere || !isSounding && !isHeld && !shift.isOn;
    if (this.element.hidden) return;
    const {oldest, isOn, isCatchingUp} = shift, {beginning} = this;
    const reaches = place => place !== null && oldest !== null && place >= oldest - 1e6;
    this.on.hidden = !isHeld;
    this.back.hidden = !isSounding || !reaches(player.now - STEP);
    this.song.hidden = !isSounding || !reaches(beginning) || player.now - beginning < 3e6;
    this.hold.hidden = !isSounding;
    this.faster.hidden = !isSounding || !isOn || isCatchingUp;
    this.live.hidden = !isOn;
    const by = isOn ? t(isCatchingUp ? 'shift.catching-up' : 'shift.behind', {time: clockText(shift.by(player.now + shift.by(player.now)))}) : '';
    if (this.#shown === by) return;
    this.#shown = by;
    this.behind.textContent = by;
  }
}
