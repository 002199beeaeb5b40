// The heads of the columns of a list of tracks. Where the list can be sorted, a press sorts by a column, another one turns it round.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';
import {metaOf} from './track-row.js';

/** The orders that begin with the greatest: the newest, and what is played most. */
const FALLING = new Set(['added', 'plays']);

/** Tab stops at one of the heads; arrow keys go to the others. */
const move = (heads, event) => {
  const buttons = [...heads.querySelectorAll('.track-sort')].filter((one) => one.offsetParent !== null), at = buttons.indexOf(event.target);
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1}[event.key];
  if (at < 0 || !buttons[to]) return;
  event.preventDefault();
  for (const one of buttons) one.tabIndex = one === buttons[to] ? 0 : -1;
  buttons[to].focus();
};

/** `columns` as of a `track-list`; `sort` is told `{sort, isReversed}`. */
export const columnHeads = (columns, sort) => {
  const {album = true, sorts = [], isReversed = false} = columns;
  const column = (name, content, classes = '', attributes = {}) => h('div', {class: `track-cell track-${name} ${classes}`, role: 'columnheader', ...attributes}, content);
  const hidden = (words) => h('span', {class: 'visually-hidden'}, t(words));
  const isFalling = FALLING.has(columns.sort) !== isReversed;
  const button = (name) => {
    const isSorted = columns.sort === name;
    return h('button', {
      type: 'button', class: 'track-sort', tabindex: isSorted ? '0' : '-1', dataset: {sort: name}, 'aria-pressed': String(isSorted), title: t('track.sort', {column: t(`track.${name}`)}),
      onclick: () => sort({sort: name, isReversed: isSorted && !isReversed}),
    }, h('span', {class: 'truncate'}, t(`track.${name}`)), isSorted ? icon(isFalling ? 'lower' : 'raise') : null);
  };
  /** A head that sorts by one of some columns, or says what stands below. */
  const head = (name, of, classes = '') => {
    const buttons = of.filter((one) => sorts.includes(one));
    const sorted = buttons.includes(columns.sort) ? (isFalling ? 'descending' : 'ascending') : buttons.length ? 'none' : null;
    return column(name, buttons.length ? buttons.map(button) : h('span', {}, t(`track.${of[0]}`)), classes, {'aria-sort': sorted});
  };
  const heads = h('div', {role: 'rowgroup', class: 'track-heads'}, h('div', {class: 'track-head', role: 'row', 'aria-rowindex': '1'},
    column('number', hidden('track.number')), head('main', ['title', 'artist']), album ? head('album', ['album']) : null,
    metaOf(columns).map((name, at) => head('meta', [name], at ? 'track-more-meta' : '')), column('length', hidden('track.length')), column('acts', hidden('track.actions'))));
  heads.addEventListener('keydown', (event) => move(heads, event));
  return heads;
};
