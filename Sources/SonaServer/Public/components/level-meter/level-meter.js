// How loud it is: a bar for what the ear hears, a mark for the peak, and both in decibels, as text too.
import {h} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';

/** The quietest that is shown, dB of full scale; how fast the bar falls, dB/s; how long a peak stays, ms. */
const FLOOR = -60, FALL = 40, HOLD = 1500;
/** How often the text changes, ms: often enough to go by, seldom enough to be read out. */
const SAY = 500;

const decibels = factor => factor > 0 ? Math.max(FLOOR, 20 * Math.log10(factor)) : FLOOR;
const share = level => Math.max(0, Math.min(1, 1 - level / FLOOR));

/** `label` names it; `show({peak, rms})` takes what was measured, as factors of full scale. */
class LevelMeter extends HTMLElement {
  #rms = FLOOR; #peak = FLOOR; #peakAt = 0; #at = 0; #saidAt = 0;

  connectedCallback() {
    this.setAttribute('role', 'meter');
    this.setAttribute('aria-label', this.getAttribute('label') ?? t('host.level'));
    this.setAttribute('aria-valuemin', String(FLOOR));
    this.setAttribute('aria-valuemax', '0');
    this.replaceChildren(
      h('div', {class: 'level-track', 'aria-hidden': 'true'}, this.bar = h('div', {class: 'level-bar'}), this.mark = h('div', {class: 'level-peak'})),
      this.text = h('span', {class: 'small muted tabular', 'aria-hidden': 'true'}));
    this.#draw(true);
  }

  show({peak, rms}) {
    const now = performance.now(), fallen = this.#rms - FALL * Math.min(1, (now - this.#at) / 1000);
    this.#at = now;
    this.#rms = Math.max(decibels(rms), fallen, FLOOR);
    const newPeak = decibels(peak);
    if (newPeak >= this.#peak || now - this.#peakAt > HOLD) {
      this.#peak = newPeak;
      this.#peakAt = now;
    }
    this.#draw(now - this.#saidAt > SAY);
  }

  #draw(says) {
    this.bar.style.clipPath = `inset(0 ${(1 - share(this.#rms)) * 100}% 0 0)`;
    this.mark.style.insetInlineStart = `${share(this.#peak) * 100}%`;
    this.toggleAttribute('data-hot', this.#peak > -1);
    if (!says) return;
    this.#saidAt = performance.now();
    const round = level => i18n.number(Math.round(level) + 0).replace('-', '−');
    const said = this.#rms <= FLOOR ? t('host.level.silence') : t('host.level.said', {rms: round(this.#rms), peak: round(this.#peak)});
    if (this.text.textContent !== said) this.text.textContent = said;
    this.setAttribute('aria-valuenow', String(Math.round(this.#rms)));
    this.setAttribute('aria-valuetext', said);
  }
}

customElements.define('level-meter', LevelMeter);
