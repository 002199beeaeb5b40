// One condition of a rule: what it is about, whether it must hold or not, and the values that it needs.
import {musicPicker} from './music-picker.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';
import {conditionOf, DAYS, emptyRow, FIELDS, RANGES} from '../../store/rules.js';

/** Words of the two sides of a condition, by what it needs. */
const SIDES = {id: ['is', 'is-not'], range: ['is', 'is-not'], none: ['yes', 'no'], days: ['within', 'not-within']};

const numberOf = (text) => text.trim() === '' ? null : Number(text);

/** The fields for a row's values. `change` is called when one is another. */
const valuesOf = (row, genres, change) => {
  const number = (name, words, [min, max], step = '1') => h('label', {class: 'rule-number'}, h('span', {class: 'muted small'}, words), h('input', {
    type: 'number', inputmode: 'numeric', min, max, step, name, '.value': row[name] === null ? '' : String(row[name]),
    oninput: ({target}) => { row[name] = numberOf(target.value); change(); },
  }));
  switch (FIELDS[row.field]) {
    case 'none': return [];
    case 'days': return [number('days', t('playlists.rule.days'), DAYS)];
    case 'range': return [
      number('min', t(`playlists.rule.from${row.field === 'duration' ? '.minutes' : ''}`), RANGES[row.field], row.field === 'duration' ? 'any' : '1'),
      number('max', t(`playlists.rule.to${row.field === 'duration' ? '.minutes' : ''}`), RANGES[row.field], row.field === 'duration' ? 'any' : '1'),
    ];
    default:
      if (row.field !== 'genre') return [musicPicker({kind: row.field, id: row.id, chosen: (id) => { row.id = id; change(); }})];
      return [h('select', {'aria-label': t('playlists.rule.field.genre'), name: 'genre', onchange: ({target}) => { row.id = target.value || null; change(); }},
        h('option', {value: '', selected: row.id === null}, t('playlists.rule.choose-genre')),
        row.id !== null && !genres.some(({id}) => id === row.id) ? h('option', {value: row.id, selected: true}, t('playlists.rule.gone')) : null,
        genres.map(({id, name}) => h('option', {value: id, selected: id === row.id}, name)))];
  }
};

/**
 * The element of a row; `remove` takes it away, `change` is told when it says something else. The element has `say(text)`
 * for what is wrong with it.
 */
export const ruleRow = (row, {genres, change, remove}) => {
  const error = h('p', {class: 'error', role: 'alert'}), body = h('div', {class: 'rule-body'});
  const element = h('div', {class: 'rule-row', role: 'group'}, body, h('button', {type: 'button', class: 'icon-button rule-remove', onclick: remove}, icon('close')), error);
  element.say = (text) => {
    error.replaceChildren(...text ? [icon('close'), text] : []);
    element.toggleAttribute('data-wrong', Boolean(text));
  };
  const changed = () => {
    if (conditionOf(row)) element.say('');
    change();
  };
  const draw = () => {
    if (row.group) return void body.replaceChildren(h('p', {class: 'muted'}, t('playlists.rule.group')));
    const sides = SIDES[FIELDS[row.field]];
    const about = h('select', {name: 'field', 'aria-label': t('playlists.rule.field'), onchange: ({target}) => {
      Object.assign(row, emptyRow(target.value));
      draw();
      body.querySelector('[name=field]').focus();
      changed();
    }}, Object.keys(FIELDS).map((field) => h('option', {value: field, selected: field === row.field}, t(`playlists.rule.field.${field}`))));
    const side = h('select', {name: 'side', 'aria-label': t('playlists.rule.side'), onchange: ({target}) => { row.isNot = target.value === 'not'; changed(); }},
      sides.map((words, index) => h('option', {value: index ? 'not' : 'is', selected: row.isNot === Boolean(index)}, t(`playlists.rule.${words}`))));
    body.replaceChildren(about, side, h('div', {class: 'rule-values'}, valuesOf(row, genres, changed)));
    return undefined;
  };
  element.number = (place) => {
    element.setAttribute('aria-label', t('playlists.rule.condition', {number: place}));
    element.querySelector('.rule-remove').setAttribute('aria-label', t('playlists.rule.remove', {number: place}));
  };
  draw();
  return element;
};
