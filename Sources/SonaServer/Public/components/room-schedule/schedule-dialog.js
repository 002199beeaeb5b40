// The schedule of a room: its slots with their next times, for everybody; adding, changing and removing them for those who may.
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {length, moment, when} from './slot-words.js';

await looks('room-schedule.css', import.meta.url);

/** Next times that are shown of a slot. */
const NEXT = 3;

/** Opens the dialog about a room. */
export const openSchedule = async (room) => {
  let known;
  const load = async () => { known = await session.request('schedule.get', {room: room.id}); };
  try { await load(); } catch (error) { return void toast(describe(error), {kind: 'error'}); }
  const mayChange = () => room.may('control') && session.user?.guest === false;
  const list = h('ul', {class: 'list slots', tabindex: '-1'}), buttons = h('div', {class: 'row'});
  const titleOf = (slot) => slot.title ?? room.title ?? t('schedule.untitled');

  const reload = async () => {
    await load();
    draw();
    list.focus({preventScroll: true});
  };
  const edit = (slot) => import('./slot-form.js').then(({openSlot}) => openSlot(room, slot, known.zone, reload), (error) => toast(describe(error), {kind: 'error'}));
  const remove = async (slot) => {
    if (!await confirm({title: t('schedule.remove.title'), text: t('schedule.remove.text', {title: titleOf(slot)}), action: t('schedule.remove'), danger: true})) return;
    try {
      await session.request('schedule.remove', {room: room.id, slot: slot.id});
      toast(t('schedule.removed'), {kind: 'ok'});
      await reload();
    } catch (error) { toast(describe(error), {kind: 'error'}); }
  };

  const row = (slot) => {
    const times = known.occurrences.filter((one) => one.slot === slot.id), now = Date.now(), title = titleOf(slot);
    const on = times.find(({start_ms: start}) => start <= now), next = times.filter(({start_ms: start}) => start > now).slice(0, NEXT);
    return h('li', {class: 'slot', dataset: {slot: slot.id}},
      h('div', {class: 'grow stack tight'},
        h('p', {class: 'slot-title', dir: 'auto'}, title,
          on ? h('span', {class: 'badge live'}, t('schedule.now')) : null,
          slot.dj ? h('span', {class: 'badge', dir: 'auto', dataset: {dj: slot.dj.state}}, icon('mic'), t(`schedule.dj.${slot.dj.state}`, {name: `@${slot.dj.user.username ?? ''}`})) : null,
          slot.playlist ? h('span', {class: 'badge'}, icon('wave'), t('schedule.by-itself')) : null),
        h('p', {class: 'small'}, t('schedule.line', {when: when(slot), length: length(slot.duration_s)})),
        h('p', {class: 'muted small'}, t('schedule.in-zone', {zone: slot.zone})),
        next.length ? h('p', {class: 'muted small'}, t('schedule.next', {times: next.map(({start_ms: start}) => moment(start)).join(' · ')})) : null),
      mayChange() ? h('div', {class: 'row tight'},
        h('button', {type: 'button', class: 'icon-button', dataset: {act: 'edit'}, 'aria-label': t('schedule.change.of', {title}), onclick: () => edit(slot)}, icon('edit')),
        h('button', {type: 'button', class: 'icon-button', dataset: {act: 'remove'}, 'aria-label': t('schedule.remove.of', {title}), onclick: once(() => remove(slot))}, icon('trash'))) : null);
  };

  const draw = () => {
    // Those that are next come first, those that are over last.
    const first = (slot) => known.occurrences.find((one) => one.slot === slot.id)?.start_ms ?? Infinity;
    const slots = known.slots.map((slot, place) => [first(slot), place, slot]).sort(([a, p], [b, q]) => (a === b ? p - q : a - b)).map(([, , slot]) => slot);
    list.replaceChildren(...slots.length ? slots.map(row) : [h('li', {class: 'empty'}, icon('history'), h('p', {}, t('schedule.none')))]);
    buttons.replaceChildren(...[
      mayChange() ? h('button', {type: 'button', class: 'primary', dataset: {act: 'add'}, onclick: () => edit(null)}, icon('plus'), t('schedule.add')) : null,
      slots.length && room.room?.visibility === 'public' ? h('a', {class: 'button', href: `/v1/rooms/${room.id}/calendar.ics`, download: ''}, icon('download'), t('schedule.calendar')) : null,
    ].filter(Boolean));
  };
  draw();
  dialog({title: t('schedule'), body: h('div', {class: 'stack'}, h('p', {class: 'muted'}, t('schedule.about')), list, buttons)});
};
