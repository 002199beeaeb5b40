// How many reports are open and how many accounts wait for approval, at the link to the pages of administrators.
import {h} from './dom.js';
import {i18n, tn} from '../store/i18n.js';
import {me} from '../store/me.js';
import {session} from '../store/session.js';

/** How often they are counted while the page is visible, ms: the server sends no events about reports. */
const AGAIN = 60_000;
/** As many as a page of reports has: beyond that the number does not matter. */
const MAX = 100;

let link = null, reports = 0, waiting = 0, isBegun = false;

const draw = () => {
  link?.querySelector('.count')?.remove();
  link?.querySelector('.count-words')?.remove();
  const count = reports + waiting;
  if (!link || count === 0) return;
  link.append(h('span', {class: 'badge count', 'aria-hidden': 'true'}, count < MAX ? i18n.number(count) : `${i18n.number(MAX - 1)}+`),
    h('span', {class: 'visually-hidden count-words'}, [reports > 0 ? tn('admin.open', reports) : '', waiting > 0 ? tn('admin.waiting.count', waiting) : ''].filter(Boolean).join(', ')));
};

const ask = async () => {
  if (document.hidden || session.status !== 'online' || !me.isAdmin) return;
  try {
    if (me.may('reports.handle')) reports = (await session.request('reports.list', {open: true, limit: MAX})).reports.length;
    if (me.may('registration.manage')) waiting = (await session.request('registration.waiting', {limit: 1})).count;
    draw();
  } catch { /* It is asked again. */ }
};

/** Shows the number in a link, from now on. */
export const showIn = async (element) => {
  link = element;
  await i18n.also('admin.');
  draw();
  if (isBegun) return;
  isBegun = true;
  setInterval(ask, AGAIN);
  document.addEventListener('visibilitychange', ask);
  // An administrator has decided one here.
  addEventListener('sona-reports', ask);
  await ask();
};
