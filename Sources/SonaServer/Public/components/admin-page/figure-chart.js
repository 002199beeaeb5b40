// A small line chart of one or two figures over time: drawn in SVG, read with a pointer or the arrow keys, and there as a
// table for those who do not see it.
import {h, s, uniqueId} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';

const WIDTH = 600, HEIGHT = 120;
/** Rows of the table: more would be read by nobody. */
const ROWS = 12;

const clock = ms => i18n.date(ms, {hour: '2-digit', minute: '2-digit', second: '2-digit'});

/** A round number not below `value`, for the top of the scale: of bytes, in the units that are shown. */
export const roundUp = (value, isBytes = false) => {
  if (value <= 0) return 1;
  const unit = isBytes && value >= 1 ? 1024 ** Math.floor(Math.log2(value) / 10) : 1;
  const power = unit * 10 ** Math.floor(Math.log10(value / unit));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find(step => step * power >= value * 0.999) * power;
};

/**
 * A chart: `{element, put({times, lines})}`. `times` are milliseconds since 1970; each of `lines` is
 * `{label, values, words}`, of which `words(value)` says a value with its unit. `least` is a top that the scale has at
 * least.
 */
export const figureChart = ({title, about = '', least = 1, isBytes = false}) => {
  let shown = {times: [], lines: []}, top = 1, at = null;
  const titleId = uniqueId('figure'), tableId = uniqueId('table');
  const now = h('p', {class: 'chart-now tabular'}), most = h('p', {class: 'muted small tabular'}), read = h('p', {class: 'chart-read small tabular', role: 'status'});
  const plot = s('svg', {class: 'chart-plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false'});
  const cursor = h('span', {class: 'chart-cursor', hidden: true, 'aria-hidden': 'true'});
  const scale = h('span', {class: 'chart-top muted', 'aria-hidden': 'true'});
  const from = h('span'), to = h('span'), span = h('div', {class: 'chart-span muted', 'aria-hidden': 'true'}, from, to);
  const slider = h('div', {
    class: 'chart-frame', tabindex: '0', role: 'slider', 'aria-labelledby': titleId, 'aria-valuemin': '0', 'aria-orientation': 'horizontal',
    onpointermove: ({clientX}) => {
      const box = slider.getBoundingClientRect();
      point(nearest((clientX - box.left) / box.width));
    },
    onpointerleave: () => { if (document.activeElement !== slider) point(null); },
    onblur: () => point(null),
    onfocus: () => { if (at === null && shown.times.length > 0) point(shown.times.length - 1); },
    onkeydown: (event) => {
      const last = shown.times.length - 1, from = at ?? last;
      const next = {ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1, PageDown: from - 30, PageUp: from + 30, Home: 0, End: last}[event.key];
      if (next === undefined || last < 0) return;
      event.preventDefault();
      point(Math.max(0, Math.min(last, next)));
    },
  }, plot, scale, cursor);
  const table = h('details', {class: 'small'}, h('summary', {}, t('admin.figures.table')), h('div', {class: 'chart-table', id: tableId}));

  const x = ms => (ms - shown.times[0]) / Math.max(1, shown.times.at(-1) - shown.times[0]);
  const nearest = (part) => {
    if (shown.times.length === 0) return null;
    let best = 0;
    shown.times.forEach((ms, index) => { if (Math.abs(x(ms) - part) < Math.abs(x(shown.times[best]) - part)) best = index; });
    return best;
  };
  const words = index => shown.lines.map(({label, values, words: say}) => [label, say(values[index])].filter(Boolean).join(' ')).join(' · ');
  /** Reads the chart at a sample, or nowhere. */
  const point = (index) => {
    at = index;
    cursor.hidden = index === null;
    span.classList.toggle('is-read', index !== null);
    if (index === null) {
      read.textContent = '';
    } else {
      const said = `${clock(shown.times[index])}: ${words(index)}`;
      cursor.style.insetInlineStart = `${x(shown.times[index]) * 100}%`;
      read.textContent = said;
      slider.setAttribute('aria-valuenow', String(index));
      slider.setAttribute('aria-valuetext', said);
    }
  };
  const drawTable = () => {
    const {times, lines} = shown, step = Math.max(1, Math.ceil(times.length / ROWS));
    const rows = times.map((_, index) => index).filter(index => (times.length - 1 - index) % step === 0).reverse();
    table.lastChild.replaceChildren(h('table', {}, h('caption', {class: 'visually-hidden'}, title),
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, t('admin.figures.time')), lines.map(({label}) => h('th', {scope: 'col'}, label || title)))),
      h('tbody', {}, rows.map(index => h('tr', {}, h('th', {scope: 'row'}, clock(times[index])), lines.map(({values, words: say}) => h('td', {class: 'tabular'}, say(values[index]))))))));
  };
  table.addEventListener('toggle', () => { if (table.open) drawTable(); });

  const put = ({times, lines}) => {
    const isReading = at !== null && shown.times[at] !== undefined ? shown.times[at] : null;
    shown = {times, lines};
    const all = lines.flatMap(({values}) => values), last = times.length - 1;
    slider.setAttribute('aria-valuemax', String(Math.max(0, last)));
    if (last < 0) {
      now.textContent = '–';
      most.textContent = t('admin.figures.none');
      return;
    }
    const greatest = Math.max(...all);
    top = roundUp(Math.max(least, greatest), isBytes);
    now.replaceChildren(...lines.flatMap(({label, values, words: say}, index) => [
      h('span', {class: 'chart-value'}, label ? h('span', {class: `chart-key line-${index}`, 'aria-hidden': 'true'}) : null, say(values[last]), label ? h('span', {class: 'muted small'}, label) : null),
    ]));
    most.textContent = t('admin.figures.most', {value: lines[0].words(greatest)});
    scale.textContent = lines[0].words(top);
    const y = value => HEIGHT - Math.min(1, value / top) * (HEIGHT - 4) - 2;
    const path = values => values.map((value, index) => `${index === 0 ? 'M' : 'L'}${(x(times[index]) * WIDTH).toFixed(1)} ${y(value).toFixed(1)}`).join('');
    plot.replaceChildren(
      s('path', {class: 'chart-grid', d: `M0 ${HEIGHT / 2}H${WIDTH}M0 2H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`}),
      s('path', {class: 'chart-area', d: `${path(lines[0].values)}L${last === 0 ? 0 : WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`}),
      ...lines.map(({values}, index) => s('path', {class: `chart-line line-${index}`, d: last === 0 ? `M0 ${y(values[0])}H${WIDTH}` : path(values)})).reverse());
    from.textContent = i18n.date(times[0], {hour: '2-digit', minute: '2-digit'});
    to.textContent = t('admin.figures.now');
    if (at !== null) point(isReading === null ? null : nearest(x(isReading)));
    else slider.setAttribute('aria-valuenow', String(last));
    if (at === null) slider.setAttribute('aria-valuetext', `${clock(times[last])}: ${words(last)}`);
    if (table.open && !table.contains(document.activeElement)) drawTable();
  };
  return {
    element: h('section', {class: 'card chart', 'aria-labelledby': titleId},
      h('div', {class: 'row between tight'}, h('h4', {id: titleId, title: about}, title), most), now, slider,
      h('div', {class: 'chart-foot'}, read, span), table),
    put,
  };
};
