// The slots that the user is asked to host, or hosts: Protocol/spec/schedules.md, "DJs".
import {moment} from '../room-schedule/slot-words.js';
import {roomPath} from '../room-card/room-card.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** One slot; `changed` is called when it was answered. */
const row = ({room, title, slot, next}, changed) => {
  const name = slot.title ?? title, answer = (accept, words, kind) => h('button', {
    type: 'button', class: `small-button ${kind}`, dataset: {act: `${accept ? 'accept' : 'decline'}-${slot.id}`},
    onclick: once(async () => {
      try {
        await session.request('schedule.answer', {slot: slot.id, accept});
        toast(t(accept ? 'schedule.duty.is-accepted' : 'schedule.duty.is-declined', {title: name}), {kind: 'ok'});
      } catch (error) { toast(describe(error), {kind: 'error'}); }
      await changed();
    }),
  }, words);
  const state = slot.dj?.state ?? 'asked';
  return h('li', {class: 'card stack tight', dataset: {duty: slot.id, state}},
    h('p', {}, t(`schedule.duty.${state}`, {title: name})),
    h('p', {class: 'muted small'}, h('a', {href: roomPath({id: room}), dir: 'auto'}, title), next ? ` · ${moment(next.start_ms)}` : ''),
    h('div', {class: 'row tight'},
      state === 'accepted' ? null : answer(true, t('schedule.duty.accept'), 'primary'),
      state === 'declined' ? null : answer(false, t('schedule.duty.decline'), '')));
};

/** Those that come, newest answers included: elements of a list. */
export const dutyRows = async (changed) => {
  const {duties} = await session.request('schedule.duties', {});
  // What is declined, or over, is of no more interest.
  return duties.filter(({slot, next}) => next && slot.dj?.state !== 'declined').map((duty) => row(duty, changed));
};
