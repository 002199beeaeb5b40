// How long ago something was, in words.
import {i18n} from '../store/i18n.js';
import {h} from './dom.js';

const UNITS = [['day', 86_400], ['hour', 3600], ['minute', 60]];

/** "5 minutes ago", with the time itself in the element. */
export const ago = (ms) => {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1];
  return h('time', {class: 'muted small', datetime: new Date(ms).toISOString(), title: i18n.date(ms)}, i18n.relative(-Math.floor(seconds / size), unit));
};
