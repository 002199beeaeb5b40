// How well each listener of a room hears it: what their clients have measured, and what the server sees. Protocol/spec/meter.md.
import {avatar} from '../avatar/avatar.js';
import {nameOf} from '../room-page/room-part.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** How often it is asked for while the dialog is open, and after what a report says nothing of now, ms. */
const AGAIN = 5000, STALE = 30_000;

const ms = microseconds => t('meter.ms', {number: i18n.number(microseconds / 1000, {maximumFractionDigits: microseconds < 10_000 ? 1 : 0})});
const ofErrors = errors => t('meter.error-of', {p50: ms(errors.p50), p95: ms(errors.p95), max: ms(errors.max)});

const figures = ({report, age_ms: age, audio, served}) => [
  !audio ? t('room-meter.no-audio') : report === null ? t('room-meter.no-report') : age > STALE ? t('room-meter.stale') : null,
  ...report !== null && age <= STALE ? [
    report.sync_error_us ? `${t('meter.error')}: ${ofErrors(report.sync_error_us)}` : null,
    report.buffer_ms === undefined ? null : `${t('meter.buffer')}: ${ms(report.buffer_ms * 1000)}`,
    report.clock?.rtt_us === undefined ? null : `${t('meter.round-trip')}: ${ms(report.clock.rtt_us)}`,
    report.underruns ? tn('meter.gaps', report.underruns) : null,
    report.lost ? `${t('meter.lost')}: ${i18n.number(report.lost)}` : null,
  ] : [],
  served?.behind ? t('room-meter.behind') : null,
  served?.skipped ? `${t('room-meter.skipped')}: ${i18n.number(served.skipped)}` : null,
].filter(Boolean).join(' · ');

const row = ({user: card, host, ghost, ...rest}) => h('li', {class: 'entry'}, avatar(card, 32),
  h('div', {class: 'grow'},
    h('p', {class: 'row tight'}, h('strong', {class: 'truncate', dir: 'auto'}, card.display_name ?? nameOf(card.user)),
      host ? h('span', {class: 'badge'}, t('people.here.host')) : null, ghost ? h('span', {class: 'badge'}, t('room-meter.ghost')) : null),
    h('p', {class: 'muted small tabular'}, figures({...rest}))));

/** Opens the dialog about a room: {id}. */
export const openMeter = ({id}) => {
  const summary = h('p', {class: 'small', role: 'status'}, t('load.waiting')), list = h('ul', {class: 'list entries'});
  let wanted = 1, timer;
  const more = h('button', {type: 'button', hidden: true, onclick: () => { wanted += 1; load(); }}, t('home.more'));
  const load = async () => {
    clearTimeout(timer);
    try {
      const listeners = [];
      let page, cursor = null, count = 0;
      do {
        page = await session.request('room.meter', {room: id, limit: 50, ...cursor === null ? {} : {cursor}});
        listeners.push(...page.listeners);
        cursor = page.next_cursor;
        count += 1;
      } while (cursor !== null && count < wanted);
      const {connections, reporting, sync_error_us: errors} = page.summary;
      summary.textContent = [tn('room-meter.connections', connections), tn('room-meter.reporting', reporting), errors ? `${t('meter.error')}: ${ofErrors(errors)}` : null].filter(Boolean).join(' · ');
      list.replaceChildren(...listeners.map(row));
      more.hidden = cursor === null;
    } catch (error) {
      summary.textContent = describe(error);
    }
    if (element.open) timer = setTimeout(load, AGAIN);
  };
  const element = dialog({title: t('room-meter.title'), body: [h('p', {class: 'muted small'}, t('room-meter.about')), summary, list, more], onclose: () => clearTimeout(timer)});
  load();
  return element;
};
