// Adding a slot to a room's schedule, or changing one.
import {offeredPlaylists} from '../room-queue/offered-playlists.js';
import {dialog} from '../../shell/dialogs.js';
import {h, uniqueId} from '../../shell/dom.js';
import {Fault, choice, field, form} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {ownZone, weekday} from './slot-words.js';

/** The next full hour, as clocks here show it. */
const soon = () => {
  const at = new Date(Date.now() + 3_600_000), two = (number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:00`;
};

/** Opens the form about a slot, or a new one, of the reader's own zone; `zone` is the server's, for where that is not known. `done` is called when it is stored. */
export const openSlot = async (room, slot, zone, done) => {
  const lists = session.features.has('autoplay') ? await offeredPlaylists(slot?.playlist ?? null) : [];
  const start = slot?.start ?? soon(), rule = slot?.repeat ?? null;
  let every = rule?.every ?? 'once';
  const own = () => new Date(`${day.input.value || start.slice(0, 10)}T00:00Z`).getUTCDay() || 7;
  const day = field({name: 'start', label: t('schedule.field.day'), type: 'date', value: start.slice(0, 10), required: true});
  const time = field({name: 'time', label: t('schedule.field.time'), type: 'time', value: start.slice(11), required: true});
  const minutes = field({name: 'duration_s', label: t('schedule.field.minutes'), type: 'number', min: 1, max: 1440, step: 1, inputmode: 'numeric', value: String((slot?.duration_s ?? 7200) / 60), required: true});
  const until = field({name: 'repeat.until', label: t('schedule.field.until'), hint: t('schedule.field.until.hint'), type: 'date', value: rule?.until ?? ''});
  const days = h('fieldset', {class: 'choice'}, h('legend', {}, t('schedule.field.days')), h('div', {class: 'row tight'}, Array.from({length: 7}, (_, index) => index + 1).map((number) => h(
    'label', {class: 'pick'}, h('input', {type: 'checkbox', name: 'weekday', value: String(number), checked: (rule?.weekdays ?? [own()]).includes(number)}),
    h('span', {'aria-label': weekday(number, 'long')}, weekday(number))))));
  // As long as nobody has chosen days, it is that of the first day.
  let areChosen = Boolean(rule?.weekdays);
  days.addEventListener('change', () => { areChosen = true; });
  day.input.addEventListener('change', () => {
    if (!areChosen) for (const box of days.querySelectorAll('input')) box.checked = Number(box.value) === own();
  });
  const names = uniqueId('zones');
  const place = field({name: 'zone', label: t('schedule.field.zone'), hint: t('schedule.field.zone.hint'), value: slot?.zone ?? (ownZone() || zone), list: names, maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', required: true});
  const known = h('datalist', {id: names}, (Intl.supportedValuesOf?.('timeZone') ?? []).map((value) => h('option', {value})));
  const select = h('select', {name: 'playlist'}, h('option', {value: ''}, t('schedule.field.playlist.none')),
    lists.map(({id, title, tracks}) => h('option', {value: id, selected: id === slot?.playlist}, `${title} (${tn('schedule.tracks', tracks)})`)));
  const playlist = field({name: 'playlist', label: t('schedule.field.playlist'), hint: t('schedule.field.playlist.hint'), control: select});
  const dj = session.features.has('djs')
    ? field({name: 'dj', label: t('schedule.field.dj'), hint: t('schedule.field.dj.hint'), value: slot?.dj ? `@${slot.dj.user.username ?? ''}` : '', maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'}) : null;
  const show = () => {
    days.hidden = every !== 'week';
    until.hidden = every === 'once';
  };
  const often = choice({
    name: 'every', label: t('schedule.field.every'), value: every, options: ['once', 'day', 'week'].map((one) => [one, t(`schedule.every.${one}`)]),
    onchange: (one) => {
      every = one;
      show();
    },
  });
  show();
  const element = dialog({
    title: t(slot ? 'schedule.change' : 'schedule.add'),
    body: form({
      fields: [
        field({name: 'title', label: t('schedule.field.title'), hint: t('schedule.field.title.hint'), value: slot?.title ?? '', maxlength: 200, bytes: 200, autocomplete: 'off', dir: 'auto'}),
        h('div', {class: 'slot-when'}, day, time, minutes), often, days, until, place, known, lists.length ? playlist : null, dj,
      ].filter(Boolean),
      submit: t('schedule.save'),
      check: ({duration_s: length}) => {
        if (!/^\d+$/.test(length) || Number(length) < 1 || Number(length) > 1440) throw new Fault('duration_s', 'schedule.fault.minutes');
      },
      send: async (values) => {
        const chosen = [...days.querySelectorAll('input:checked')].map(({value}) => Number(value)).sort();
        const settings = {
          room: room.id, start: `${values.start}T${values.time.slice(0, 5)}`, zone: values.zone.trim(), duration_s: Number(values.duration_s) * 60,
          ...values.title.trim() ? {title: values.title.trim()} : {}, ...values.playlist ? {playlist: values.playlist} : {},
          ...values.dj?.trim() ? {dj: `@${values.dj.trim().replace(/^@/, '')}`} : {},
        };
        if (every !== 'once') {
          settings.repeat = {every, ...every === 'week' ? {weekdays: chosen.length ? chosen : [own()]} : {}, ...values['repeat.until'] ? {until: values['repeat.until']} : {}};
        }
        await (slot ? session.request('schedule.update', {...settings, slot: slot.id}) : session.request('schedule.add', settings));
        toast(t('schedule.saved'), {kind: 'ok'});
        element.close();
        await done();
      },
    }),
  });
};
