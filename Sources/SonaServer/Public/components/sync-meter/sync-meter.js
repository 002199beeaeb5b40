// How well one hears: only what was measured, and a way to set it right by ear.
import {RoomPart} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {player} from '../../store/player.js';
import {session} from '../../store/session.js';

/** By how much a press sets the sound earlier or later, ms. */
const STEP = 10;
/** In step is what nobody hears, µs; beyond the second an ear in the next room does. */
const FINE = 2000, FAR = 30_000;

const milliseconds = value => t('meter.ms', {number: i18n.number(value, {maximumFractionDigits: Math.abs(value) < 1 ? 2 : Math.abs(value) < 10 ? 1 : 0})});
const ofMicroseconds = value => value === null || value === undefined ? null : milliseconds(value / 1000);

class SyncMeter extends RoomPart {
  #values = new Map();

  build() {
    const isOpen = this.querySelector('details')?.open ?? false;
    const row = key => {
      const value = h('dd', {class: 'tabular'});
      this.#values.set(key, value);
      return h('div', {}, h('dt', {}, t(`meter.${key}`)), value);
    };
    const nudge = by => h('button', {
      class: 'small-button', type: 'button', onclick: () => { player.nudge += by; },
      'aria-label': t(by < 0 ? 'meter.earlier' : 'meter.later', {ms: STEP}),
    }, icon(by < 0 ? 'minus' : 'plus'), milliseconds(STEP));
    this.replaceChildren(h('details', {class: 'card meter', open: isOpen, ontoggle: () => this.update('all')},
      h('summary', {}, icon('wave'), h('span', {class: 'grow'}, t('meter.title')), this.short = h('span', {class: 'badge'})),
      h('div', {class: 'stack'},
        h('p', {class: 'muted small'}, t('meter.explained')),
        h('dl', {class: 'figures'}, ['error', 'buffer', 'clock', 'round-trip', 'drift', 'latency', 'faults', 'lost', 'mode', 'saver'].map(row)),
        h('div', {class: 'stack', role: 'group', 'aria-label': t('meter.nudge')},
          h('p', {class: 'small'}, t('meter.nudge-explained')),
          h('div', {class: 'row tight'}, nudge(-STEP), this.set = h('output', {class: 'tabular'}), nudge(STEP),
            h('button', {class: 'quiet small-button', type: 'button', onclick: () => { player.nudge = 0; }}, t('meter.reset')))))),
    this.note = h('p', {class: 'meter-note muted small', hidden: true}));
  }

  /** How sound is made, and where it is not the usual way, why; null before it is known. */
  get #mode() {
    if (player.mode !== 'buffers') return player.mode;
    return isSecureContext ? 'buffers.decoder' : 'buffers.insecure';
  }

  update(what) {
    if (what !== 'tick' && what !== 'all' && what !== 'player') return;
    const {sync} = player.meter, isSounding = player.playing && player.meter.buffer !== null && sync !== null;
    const word = !isSounding ? 'unknown' : sync.p95 <= FINE ? 'in-step' : sync.p95 <= FAR ? 'adjusting' : 'out';
    this.#say(this.short, isSounding ? `${t(`meter.${word}`)} · ±${milliseconds(sync.p95 / 1000)}` : t('meter.unknown'));
    this.dataset.word = word;
    const mode = this.#mode && t(`meter.mode.${this.#mode}`);
    this.note.hidden = player.mode !== 'buffers';
    this.#say(this.note, player.mode === 'buffers' ? t('meter.note', {mode}) : '');
    if (!this.querySelector('details').open) return;
    const {filter} = session.clock, {total} = player.meter, isTimed = filter.count > 0;
    const figures = {
      error: isSounding ? t('meter.error-of', {p50: ofMicroseconds(sync.p50), p95: ofMicroseconds(sync.p95), max: ofMicroseconds(sync.max)}) : null,
      buffer: isSounding ? milliseconds(Math.round(player.meter.buffer)) : null,
      clock: isTimed ? `±${ofMicroseconds(filter.error)}` : null,
      'round-trip': isTimed ? ofMicroseconds(Number(filter.roundTrip)) : null,
      drift: isTimed && filter.driftPPM !== 0 ? t('meter.ppm', {number: i18n.number(filter.driftPPM, {maximumFractionDigits: 1})}) : null,
      latency: ofMicroseconds(player.engine.latency),
      faults: `${tn('meter.gaps', total.underruns)}, ${tn('meter.jumps', total.resyncs)}`,
      lost: i18n.number(total.lost),
      mode,
      saver: player.room ? t(player.room.savesData ? 'meter.saver.on' : 'meter.saver.off') : null,
    };
    for (const [key, value] of Object.entries(figures)) this.#say(this.#values.get(key), value ?? t('meter.unknown'));
    this.#say(this.set, milliseconds(player.nudge));
  }

  #say(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }
}

customElements.define('sync-meter', SyncMeter);
