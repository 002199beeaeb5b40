// Six bands and what they come to, as a curve; presets by name, built in or one's own.
import {h, s} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';
import {BANDS, GAIN_MAX, settings} from '../../store/settings.js';
import {PresetRow} from './preset-row.js';

await i18n.also('solo.');

const WIDTH = 600, HEIGHT = 120;
const frequency = (hertz) => hertz >= 1000 ? `${i18n.number(hertz / 1000)} kHz` : `${i18n.number(hertz)} Hz`;
const gainText = (gain) => `${gain > 0 ? '+' : ''}${i18n.number(gain)} dB`;

/** A line that goes smoothly through the gains (a cubic spline whose tangents do not overshoot). */
const curve = (gains) => {
  const x = (band) => WIDTH * (band + .5) / gains.length;
  const y = (gain) => HEIGHT / 2 - gain / GAIN_MAX * (HEIGHT / 2 - 8);
  const points = gains.map((gain, band) => [x(band), y(gain)]);
  let path = `M0 ${points[0][1]}L${points[0].join(' ')}`;
  for (let band = 1; band < points.length; band += 1) {
    const [[fromX, fromY], [toX, toY]] = [points[band - 1], points[band]];
    const middle = (fromX + toX) / 2;
    path += `C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`;
  }
  return `${path}L${WIDTH} ${points.at(-1)[1]}`;
};

class SoundEqualizer extends HTMLElement {
  #sliders = []; #draw = () => {}; #presets = new PresetRow();

  connectedCallback() {
    settings.addEventListener('change', this.#changed);
    this.#build();
  }

  disconnectedCallback() { settings.removeEventListener('change', this.#changed); }

  #changed = ({detail}) => { if (['equalizer', 'presets'].includes(detail.key)) this.#draw(); };

  #build() {
    const line = s('path', {fill: 'none', class: 'eq-line'});
    const area = s('path', {class: 'eq-area'});
    this.#sliders = BANDS.map((hertz, band) => h('input', {
      type: 'range', min: -GAIN_MAX, max: GAIN_MAX, step: 1, orient: 'vertical', 'aria-label': frequency(hertz),
      oninput: ({target}) => settings.set('equalizer', settings.get('equalizer').map((gain, index) => index === band ? Number(target.value) : gain)),
      ondblclick: () => settings.set('equalizer', settings.get('equalizer').map((gain, index) => index === band ? 0 : gain)),
    }));
    const outputs = BANDS.map(() => h('span', {class: 'tabular small', 'aria-hidden': 'true'}));
    this.replaceChildren(this.#presets.element,
      h('div', {class: 'eq'},
        s('svg', {class: 'eq-curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'},
          s('path', {d: `M0 ${HEIGHT / 2}H${WIDTH}`, class: 'eq-zero'}), area, line),
        h('div', {class: 'eq-bands', role: 'group', 'aria-label': t('equalizer.bands')}, BANDS.map((hertz, band) => h('div', {class: 'eq-band'},
          outputs[band], this.#sliders[band], h('span', {class: 'muted small', 'aria-hidden': 'true'}, frequency(hertz)))))));
    this.#draw = () => {
      const gains = settings.get('equalizer');
      line.setAttribute('d', curve(gains));
      area.setAttribute('d', `${curve(gains)}V${HEIGHT}H0Z`);
      this.#sliders.forEach((slider, band) => {
        outputs[band].textContent = gainText(gains[band]);
        slider.value = gains[band];
        slider.setAttribute('aria-valuetext', t('equalizer.value', {gain: gainText(gains[band]), frequency: frequency(BANDS[band])}));
      });
      this.#presets.draw(gains);
    };
    this.#draw();
  }
}
customElements.define('sound-equalizer', SoundEqualizer);
