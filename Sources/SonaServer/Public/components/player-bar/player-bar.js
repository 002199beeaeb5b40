// The bar at the foot of every page: what is heard now, in a room or alone. It is hidden where nothing is.
import {openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {solo} from '../../store/solo.js';
import {RoomBar} from './room-bar.js';

class PlayerBar extends HTMLElement {
  #content = null; #place = {page: 'home'}; #loading = null;

  connectedCallback() {
    this.classList.add('player-bar');
    this.setAttribute('role', 'region');
    this.#build();
    for (const event of ['change', 'tracks']) player.addEventListener(event, this.#draw);
    for (const event of ['change', 'track']) solo.addEventListener(event, this.#draw);
    i18n.addEventListener('change', this.#build);
  }

  /** Told by the shell which page is shown. */
  set page(found) {
    this.#place = found;
    this.#draw();
  }

  #build = () => {
    this.setAttribute('aria-label', t('mini.label'));
    this.mute = h('button', {type: 'button', class: 'icon-button', onclick: () => { player.muted = !player.muted; }});
    this.range = h('input', {
      type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': t('mini.volume'),
      oninput: ({target}) => { player.volume = Number(target.value); },
    });
    this.outputs = h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('mini.outputs'), title: t('mini.outputs'),
      onclick: () => openLater(() => import('../outputs-dialog/outputs-dialog.js'), ({openOutputs}) => openOutputs()),
    }, icon('speaker'));
    this.volume = h('span', {class: 'volume'}, this.outputs, this.mute, this.range);
    this.#content = null;
    this.#draw();
  };

  /** What the bar is about: 'room', 'solo', or null where the page itself shows it. */
  get #kind() {
    const {page, value} = this.#place;
    if (player.room) return page === 'room' && (value === player.room.id || value === player.room.reference) ? null : 'room';
    return solo.track && page !== 'playing' && page !== 'host' ? 'solo' : null;
  }

  #draw = () => {
    const kind = this.#kind;
    this.hidden = kind === null;
    this.dataset.kind = kind ?? '';
    if (this.hidden || !this.volume) return;
    if (this.#content?.kind !== kind) {
      if (kind === 'solo') {
        // The parts of playing alone are fetched when something is played.
        this.#loading ??= import('./solo-bar.js').catch((error) => { this.#loading = null; console.error(error); });
        this.#loading.then((module) => { if (module && this.#kind === 'solo' && this.#content?.kind !== 'solo') this.#put('solo', new module.SoloBar()); });
        return;
      }
      return this.#put('room', new RoomBar());
    }
    this.#content.part.draw();
    this.mute.replaceChildren(icon(player.muted ? 'mute' : 'volume'));
    this.mute.setAttribute('aria-label', player.muted ? t('mini.unmute') : t('mini.mute'));
    if (document.activeElement !== this.range) this.range.value = player.volume;
    this.range.setAttribute('aria-valuetext', i18n.number(player.volume, {style: 'percent'}));
  };

  #put(kind, part) {
    this.#content = {kind, part};
    this.replaceChildren(...part.parts(this.volume));
    this.#draw();
  }
}
customElements.define('player-bar', PlayerBar);
