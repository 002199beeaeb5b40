// The place in a track that is heard alone: a slider, with the outline of the sound where that is wanted.
import {h} from '../../shell/dom.js';
import {clockTime} from '../../shell/times.js';
import {t} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';

/** How far an arrow key goes, ms; Page up and down go six times as far. */
const STEP = 5000;

/** Its `.element` is to be put in; `draw()` shows where the sound is. */
export class ScrubBar {
  #dragged = null; #outline = null; #drawn = '';

  constructor({outline = false} = {}) {
    this.slider = h('input', {
      type: 'range', min: 0, max: 1000, step: 1, value: 0, 'aria-label': t('solo.position'),
      oninput: () => { this.#dragged = this.#milliseconds; this.draw(); },
      onchange: () => { const to = this.#milliseconds; this.#dragged = null; solo.seek(to); },
      onkeydown: (event) => this.#key(event),
    });
    this.canvas = outline ? h('canvas', {class: 'outline', 'aria-hidden': 'true'}) : null;
    this.element = h('div', {class: outline ? 'scrub-bar with-outline' : 'scrub-bar'}, this.canvas, this.slider);
  }

  get #milliseconds() { return Number(this.slider.value) / 1000 * solo.duration; }

  #key(event) {
    const by = {ArrowLeft: -STEP, ArrowDown: -STEP, ArrowRight: STEP, ArrowUp: STEP, PageDown: -6 * STEP, PageUp: 6 * STEP}[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    solo.seek(solo.position + by);
    this.draw();
  }

  /** Takes the outline of the track: 1000 values of 0 to 255, or null. */
  set outline(values) {
    this.#outline = values;
    this.#drawn = '';
    this.draw();
  }

  draw() {
    const {duration} = solo, position = this.#dragged ?? solo.position, share = duration > 0 ? Math.min(1, position / duration) : 0;
    if (this.#dragged === null) this.slider.value = Math.round(share * 1000);
    this.slider.style.setProperty('--share', `${share * 100}%`);
    this.slider.style.setProperty('--loaded', `${duration > 0 ? Math.min(100, solo.loaded / duration * 100) : 0}%`);
    this.slider.setAttribute('aria-valuetext', t('solo.position.of', {at: clockTime(position), length: clockTime(duration)}));
    if (this.canvas) this.#paint(share);
  }

  #paint(share) {
    const {canvas} = this, box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1;
    if (!box.width) return;
    const width = Math.round(box.width * scale), height = Math.round(box.height * scale), bar = 3 * scale, gap = 2 * scale;
    const state = `${width} ${height} ${Math.round(share * width / (bar + gap))} ${this.#outline ? 1 : 0} ${getComputedStyle(canvas).color}`;
    if (state === this.#drawn) return;
    this.#drawn = state;
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d'), style = getComputedStyle(canvas), count = Math.floor(width / (bar + gap)), values = this.#outline;
    for (let k = 0; k < count; k += 1) {
      const from = Math.floor(k / count * 1000), to = Math.max(from + 1, Math.floor((k + 1) / count * 1000));
      let top = values ? 0 : 24;
      for (let at = from; values && at < to; at += 1) top = Math.max(top, values[at]);
      const tall = Math.max(bar, top / 255 * height);
      context.fillStyle = (k + 0.5) / count <= share ? style.color : style.getPropertyValue('--rest');
      context.beginPath();
      context.roundRect(k * (bar + gap), (height - tall) / 2, bar, tall, bar / 2);
      context.fill();
    }
  }
}
