// A slot of a schedule in words: when, how long, and how often.
import {i18n, t} from '../../store/i18n.js';

await i18n.also('schedule.');

/** Short names of days of the week, 1 for Monday. */
export const weekday = (day, width = 'short') => i18n.date(Date.UTC(2024, 0, day), {weekday: width, timeZone: 'UTC'});

/** A day as it is written, without a zone. */
const dayOf = (text) => i18n.date(Date.parse(`${text.slice(0, 10)}T00:00Z`), {dateStyle: 'medium', timeZone: 'UTC'});
const timeOf = (text) => i18n.date(Date.parse(`${text}Z`), {timeStyle: 'short', timeZone: 'UTC'});

/** So many seconds, in hours and minutes. */
export const length = (seconds) => {
  const minutes = Math.round(seconds / 60), parts = [[Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']];
  return parts.filter(([count]) => count > 0).map(([value, unit]) => i18n.number(value, {style: 'unit', unit, unitDisplay: 'short'})).join(' ');
};

/** When it is, by its rule: `Every Fri, Sat at 20:00, until 31 Dec 2027`. */
export const when = ({start, repeat}) => {
  const time = timeOf(start);
  if (!repeat) return t('schedule.when.once', {day: dayOf(start), time});
  const own = new Date(`${start}Z`).getUTCDay() || 7, days = (repeat.weekdays ?? [own]).map((day) => weekday(day)).join(', ');
  const often = repeat.every === 'day' ? t('schedule.when.daily', {time}) : t('schedule.when.weekly', {days, time});
  return repeat.until ? t('schedule.when.until', {often, day: dayOf(repeat.until)}) : often;
};

/** A moment as the reader's own clock shows it. */
export const moment = (milliseconds) => i18n.date(milliseconds, {weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit'});

/** The zone of the reader's clock. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
