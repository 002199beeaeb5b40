// What the user heard in a year or a month: sums, hit lists, hours and days.
import {musicCover} from '../cover/music-cover.js';
import {placeOf} from '../music-grid/music-card.js';
import {spoken} from '../library-page/music-page.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {askPatiently} from '../../store/patient.js';
import {session} from '../../store/session.js';

const LISTS = {tracks: 'track', artists: 'artist', albums: 'album', genres: 'genre'};
/** The first year that is offered. */
const FIRST = 2020;

/** A row of bars that is read as a list: `[{words, value}]`. */
const bars = (label, values) => {
  const most = Math.max(1, ...values.map(({value}) => value));
  return h('figure', {class: 'stack tight heard-figure'}, h('figcaption', {}, label), h('ol', {class: 'heard-bars', 'aria-label': label}, values.map(({words, value}) => {
    const bar = h('span', {class: 'heard-bar', 'aria-hidden': 'true'});
    bar.style.height = `${Math.max(value > 0 ? 4 : 1, Math.round(100 * value / most))}%`;
    return h('li', {title: words}, bar, h('span', {class: 'visually-hidden'}, words));
  })));
};

/** A hit list: each line with a bar of what was heard, against the first. */
const hits = (kind, lines) => {
  const name = LISTS[kind], most = lines[0]?.plays || 1;
  return h('section', {class: 'card stack tight heard-hits'}, h('h2', {}, t(`heard.${kind}`)), h('ol', {class: 'list'}, lines.map((line, index) => {
    const item = line[name], title = item ? item.title ?? item.name : t('track.gap');
    const row = h('li', {class: 'heard-line'}, h('span', {class: 'muted tabular'}, i18n.number(index + 1)), item ? musicCover(item, '64') : h('span', {class: 'cover'}),
      h('span', {class: 'heard-words'}, item ? h('a', {class: 'truncate', href: kind === 'tracks' ? `/track/${item.id}` : placeOf(kind, item), dir: 'auto'}, title) : h('span', {class: 'muted'}, title),
        h('span', {class: 'muted small'}, [tn('heard.plays', line.plays), line.heard_ms >= 60_000 ? spoken(line.heard_ms) : null].filter(Boolean).join(' · '))));
    row.style.setProperty('--share', `${100 * line.plays / most}%`);
    return row;
  })));
};

const drawn = (stats, {year, month}) => {
  if (stats.plays === 0) return [h('div', {class: 'empty'}, icon('history'), h('p', {}, t('heard.nothing')))];
  const sum = (big, small) => h('div', {class: 'card heard-sum'}, h('strong', {}, big), h('span', {class: 'muted small'}, small));
  const number = (key, count) => tn(key, count).replace(i18n.number(count), '').trim();
  const day = (index) => i18n.date(new Date(year, (month ?? 1) - 1, 1 + index).getTime(), {day: 'numeric', month: 'long'});
  const hour = (index) => i18n.date(new Date(2000, 0, 1, index).getTime(), {hour: 'numeric'});
  return [
    h('div', {class: 'heard-sums'},
      sum(spoken(stats.heard_ms), tn('heard.plays', stats.plays)), sum(i18n.number(stats.track_count), number('heard.tracks.count', stats.track_count)), sum(i18n.number(stats.artist_count), number('heard.artists.count', stats.artist_count))),
    h('div', {class: 'heard-lists'}, Object.keys(LISTS).filter((kind) => stats[kind].length > 0).map((kind) => hits(kind, stats[kind]))),
    h('div', {class: 'heard-charts'},
      h('div', {class: 'card'}, bars(t('heard.by-hour'), stats.hours.map((value, index) => ({value, words: t('heard.hour', {hour: hour(index), time: value >= 1000 ? spoken(value) : '–'})})))),
      h('div', {class: 'card'}, bars(t('heard.by-day'), stats.days.map((value, index) => ({value, words: t('heard.hour', {hour: day(index), time: value >= 1000 ? spoken(value) : '–'})}))))),
  ];
};

/** The statistics as an element; the time they are of is chosen in it. */
export const statistics = () => {
  const now = new Date(), chosen = {year: now.getFullYear(), month: now.getMonth() + 1};
  const place = h('div', {class: 'stack', 'aria-live': 'polite'});
  let turn = 0;
  const load = async () => {
    const mine = ++turn, {year, month} = chosen;
    place.setAttribute('aria-busy', 'true');
    try {
      const stats = await askPatiently('stats.get', {year, ...month ? {month} : {}, utc_offset_min: -new Date().getTimezoneOffset()});
      if (mine === turn) place.replaceChildren(...drawn(stats, {year, month}));
    } catch (error) {
      if (mine === turn) place.replaceChildren(h('p', {class: 'notice error', role: 'alert'}, describe(error)));
    } finally {
      if (mine === turn) place.removeAttribute('aria-busy');
    }
  };
  const select = (name, options, value, take) => h('select', {'aria-label': t(`heard.${name}`), onchange: ({target}) => { take(Number(target.value)); load(); }}, options.map(([one, words]) => h('option', {value: one, selected: one === value}, words)));
  const years = Array.from({length: now.getFullYear() - FIRST + 1}, (_, index) => now.getFullYear() - index);
  const months = Array.from({length: 12}, (_, index) => [index + 1, i18n.date(new Date(2000, index, 15).getTime(), {month: 'long'})]);
  const element = h('div', {class: 'stack'},
    h('div', {class: 'row tight heard-when'}, select('month', [[0, t('heard.all-year')], ...months], chosen.month, (month) => { chosen.month = month || null; }), select('year', years.map((year) => [year, String(year)]), chosen.year, (year) => { chosen.year = year; })), place);
  load();
  // What was asked while the line was away is asked again.
  session.addEventListener('fresh', () => { if (element.isConnected) load(); });
  return element;
};
