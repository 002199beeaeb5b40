// The figures of the last hour, each as a chart. The server keeps them; they are asked for as often as it takes a sample.
import {figureChart} from './figure-chart.js';
import {ago, ask, bytes} from './parts.js';
import {polling} from './polling.js';
import {h} from '../../shell/dom.js';
import {describe, i18n, t} from '../../store/i18n.js';

const few = value => i18n.number(value, {maximumFractionDigits: value < 10 ? 1 : 0});
/** How values of a unit are scaled, given the seconds of an interval, and said. Source: Protocol/spec/figures.md. */
const UNITS = {
  count: {scale: () => 1, words: few},
  events: {scale: seconds => 1 / seconds, words: value => t('admin.figures.per-second', {count: few(value)})},
  bytes: {scale: () => 1, words: bytes},
  sent_bytes: {scale: seconds => 1 / seconds, words: value => t('admin.figures.per-second', {count: bytes(value)})},
  us: {scale: () => 0.001, words: value => i18n.number(value, {style: 'unit', unit: 'millisecond', unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0})},
  permille: {scale: () => 0.001, words: value => i18n.number(value, {style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0})},
};
/** The charts, each of one figure or two that are best seen together, with the least top of its scale. */
const CHARTS = [
  ['listeners', ['listeners'], 4], ['rooms', ['rooms'], 4], ['connections', ['connections'], 4], ['deliveries', ['deliveries', 'skipped'], 10],
  ['sent', ['sent_bytes'], 1024], ['requests', ['requests', 'errors'], 1], ['lag', ['loop_lag_p99', 'loop_lag_p50'], 5], ['sync', ['sync_error_p95'], 5],
  ['processor', ['processor'], 0.1], ['memory', ['resident_bytes'], 1024 ** 2], ['jobs', ['jobs'], 4],
];
/** How often is asked after a failure, ms. */
const RETRY = 10_000;

class ServerFigures extends HTMLElement {
  #polling = null; #charts = null; #status = null;

  connectedCallback() {
    this.#status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
    this.#charts = CHARTS.map(([name, series, least]) => ({
      series, chart: figureChart({title: t(`admin.figures.${name}`), about: t(`admin.figures.about.${name}`), least, isBytes: name === 'sent' || name === 'memory'}),
    }));
    this.replaceChildren(h('h3', {}, t('admin.figures')), this.#status, h('div', {class: 'charts', hidden: true}, this.#charts.map(({chart}) => chart.element)));
    this.#polling = polling(() => this.#load());
  }

  disconnectedCallback() { this.#polling.end(); }

  async #load() {
    try {
      const history = await ask('server.history');
      this.#draw(history);
      return history.every_ms;
    } catch (error) {
      this.#status.textContent = describe(error);
      return RETRY;
    }
  }

  #draw({at_ms: times, every_ms: every, started_ms: started, series}) {
    this.querySelector('.charts').hidden = times.length === 0;
    if (times.length === 0) {
      this.#status.textContent = t('admin.figures.soon', {seconds: i18n.number(every / 1000)});
      return;
    }
    this.#status.replaceChildren(t('admin.figures.started'), ' ', ago(started));
    const found = new Map(series.map(one => [one.name, one]));
    for (const {series: names, chart} of this.#charts) {
      const lines = names.map(name => found.get(name)).filter(Boolean).map(({name, unit, values}) => {
        const {scale, words} = UNITS[unit] ?? UNITS.count, factor = scale(every / 1000);
        return {label: names.length > 1 ? t(`admin.figures.line.${name}`) : '', values: values.map(value => value * factor), words};
      });
      chart.element.hidden = lines.length === 0;
      if (lines.length > 0) chart.put({times, lines});
    }
  }
}
customElements.define('server-figures', ServerFigures);
