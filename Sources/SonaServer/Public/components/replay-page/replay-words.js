// How long a replay is, in words.
import {i18n, t} from '../../store/i18n.js';

/** "42 min", "3 h 5 min" of milliseconds. */
export const spoken = (milliseconds) => {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  return minutes < 60 ? t('replay.minutes', {minutes: i18n.number(minutes)})
    : t('replay.hours', {hours: i18n.number(Math.floor(minutes / 60)), minutes: i18n.number(minutes % 60)});
};
