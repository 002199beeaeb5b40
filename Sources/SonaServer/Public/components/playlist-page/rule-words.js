// A rule of a smart playlist in words: a chip for each of its conditions.
import {nameOf} from '../playlist-dialog/music-picker.js';
import {h} from '../../shell/dom.js';
import {i18n, t} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {FIELDS, rowOf} from '../../store/rules.js';

const valueOf = async ({field, id, min, max, days}) => {
  const number = (value) => field === 'year' ? String(value) : i18n.number(value);
  switch (FIELDS[field]) {
    case 'none': return null;
    case 'days': return t('playlists.rule.say.days', {days: i18n.number(days)});
    case 'range':
      if (min === max) return number(min);
      return min === null ? t('playlists.rule.say.to', {max: number(max)}) : max === null ? t('playlists.rule.say.from', {min: number(min)}) : `${number(min)}–${number(max)}`;
    default:
      return (field === 'genre' ? (await library.genres().catch(() => [])).find((one) => one.id === id)?.name : await nameOf(field, id)) ?? t('playlists.rule.gone');
  }
};

const wordsOf = async (condition) => {
  const row = rowOf(condition);
  if (row.group) return t('playlists.rule.say.group');
  const name = t(`playlists.rule.field.${row.field}`), value = await valueOf(row), words = value === null ? name : `${name}: ${value}`;
  return row.isNot ? t('playlists.rule.say.not', {words}) : words;
};

/** The chips, which come when the names in them are known. */
export const ruleWords = ({match, conditions}) => {
  const list = h('ul', {class: 'list rule-words', 'aria-label': t('playlists.rule.conditions')});
  Promise.all(conditions.map(wordsOf)).then((all) => list.replaceChildren(...all.flatMap((words, index) => [
    index && match === 'any' ? h('li', {class: 'muted small'}, t('playlists.rule.say.or')) : null, h('li', {class: 'badge', dir: 'auto'}, words)].filter(Boolean))));
  return list;
};
