// Amounts of bytes and of time, in words of the user's language.
import {i18n, tn} from '../i18n.js';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** The unit for an amount: the largest of which it is at least one. Decimal, as disks and lines are sold. */
const unitOf = (count) => {
  let value = count / 1000, unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) { value /= 1000; unit += 1; }
  return [value, UNITS[unit]];
};
const written = (count, suffix = '') => {
  const [value, unit] = unitOf(count);
  return i18n.number(value, {style: 'unit', unit: unit + suffix, unitDisplay: 'short', maximumFractionDigits: value < 10 || value < 100 && unit === 'gigabyte' ? 1 : 0});
};

/** "4.2 MB". */
export const bytes = count => written(count);
/** "4.2 MB/s". */
export const speed = perSecond => written(perSecond, '-per-second');

/** "2 min": as short as it can be written. */
export const shortTime = (ms) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const [value, unit] = seconds < 60 ? [seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5, 'second'] : seconds < 5400 ? [Math.round(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return i18n.number(value, {style: 'unit', unit, unitDisplay: 'short'});
};

/** "2 minutes": rounded as far as it can be known. */
export const time = (ms) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return tn('wait.seconds', seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5);
  if (seconds < 5400) return tn('wait.minutes', Math.round(seconds / 60));
  return tn('wait.hours', Math.round(seconds / 3600));
};
