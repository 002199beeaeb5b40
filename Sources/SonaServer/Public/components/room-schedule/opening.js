// On the stage of a room in which nothing plays: when it opens, counted down, or until when it is open.
import {h} from '../../shell/dom.js';
import {openLater} from '../../shell/dialogs.js';
import {icon} from '../../shell/icons.js';
import {clockTime} from '../../shell/times.js';
import {t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {moment} from './slot-words.js';

/** From how long before it opens it is counted down, ms. */
const COUNTED = 86_400_000;

/** What goes on in a room by its schedule and what comes, asked for where no event has told it. */
const ask = async (room) => {
  const {occurrences} = await session.request('schedule.get', {room: room.id}), at = Date.now();
  const now = occurrences.filter(({start_ms: start, end_ms: end}) => start <= at && at < end).at(-1) ?? null;
  return {now, next: occurrences.find(({start_ms: start}) => start > at) ?? null};
};

/** Has a room know what goes on by its schedule. */
export const plan = async (room) => room.plan(await ask(room));

/** A line about a room, and what brings it up to date: `update()` is called twice a second. */
export const opening = (room) => {
  let asked = null, shown = '';
  const words = h('span', {class: 'tabular'}), title = h('span', {class: 'truncate', dir: 'auto'});
  const element = h('p', {class: 'row tight stage-opening', hidden: true}, icon('history'), words, title,
    h('button', {type: 'button', class: 'small-button', dataset: {act: 'schedule'}, onclick: () => openLater(() => import('./schedule-dialog.js'), ({openSchedule}) => openSchedule(room))}, t('schedule')));
  return {
    element,
    update() {
      if (room.schedule === null && asked !== room.room) {
        asked = room.room;
        plan(room).catch(() => { /* Without it, then. */ });
      }
      const at = Date.now(), {now = null, next = null} = room.schedule ?? {};
      const one = now && at < now.end_ms ? now : next;
      element.hidden = one === null;
      if (one === null) return;
      const wait = one.start_ms - at;
      const text = wait <= 0 ? t('schedule.open-until', {time: moment(one.end_ms)})
        : wait < COUNTED ? t('schedule.opens-in', {time: clockTime(wait + 999)}) : t('schedule.opens-at', {time: moment(one.start_ms)});
      if (text === shown) return;
      shown = text;
      words.textContent = text;
      title.textContent = one.title ?? '';
    },
  };
};
