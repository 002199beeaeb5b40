// How many listened to the broadcasts of a room: Protocol/spec/listening.md, "Audience".
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

await i18n.also('audience.');

const MINUTE = 60_000;

/** One broadcast. */
const row = ({from_ms: from, until_ms: until, accounts, guests, peak, peak_ms: peakAt, listened_ms: listened}) => h('li', {class: 'entry'},
  h('div', {class: 'grow'},
    h('p', {class: 'entry-title'}, tn('audience.listeners', accounts + guests), ' ', h('span', {class: 'small muted'}, t('audience.of', {accounts: i18n.number(accounts), guests: i18n.number(guests)}))),
    h('p', {class: 'small muted'}, [
      peakAt === null ? null : t('audience.peak', {count: i18n.number(peak), time: i18n.date(peakAt, {timeStyle: 'short'})}),
      tn('audience.minutes', Math.round(listened / MINUTE)),
    ].filter(Boolean).join(' · '))),
  h('p', {class: 'small muted tabular'}, h('time', {datetime: new Date(from).toISOString()}, i18n.date(from)), h('br'),
    until === null ? t('audience.goes-on') : tn('audience.length', Math.max(1, Math.round((until - from) / MINUTE)))));

/** Opens the dialog about a room. */
export const openAudience = async (room) => {
  let before = null;
  const list = h('ol', {class: 'list entries'}), older = h('button', {class: 'quiet small-button', type: 'button'}, t('history.older'));
  const load = async () => {
    const page = await session.request('room.audience', {room: room.id, ...before === null ? {} : {before}});
    list.append(...page.audiences.map(row));
    before = page.next_before;
    older.hidden = before === null;
  };
  older.addEventListener('click', () => load().catch((error) => toast(describe(error), {kind: 'error'})));
  try { await load(); } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  dialog({
    title: t('audience'),
    body: h('div', {class: 'stack audience'}, h('p', {class: 'muted'}, t('audience.about')), list.firstElementChild ? list : h('p', {class: 'muted'}, t('history.empty')), older),
  });
};
