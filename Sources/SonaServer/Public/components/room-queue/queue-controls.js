// What those who control a room do with its queue as a whole: going back, order, repeating, emptying, and its rules.
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

const REPEATS = ['off', 'all', 'one'];
/** Rules that are numbers, each with its range. Source: Protocol/spec/queue.md, "Rules". */
const NUMBERS = [
  ['waiting_per_person_max', 1, 100], ['entries_max', 1, 500], ['row_max', 1, 100], ['share_plays_max', 1, 100], ['share_window', 1, 100],
  ['cooldown_s', 0, 86_400], ['dwell_s', 0, 3600], ['skip_percent', 0, 100], ['grace_s', 0, 3600],
];
const WHO = ['nobody', 'members', 'everybody'];

const attempt = async (work) => {
  try {
    await work();
    return true;
  } catch (error) {
    toast(describe(error), {kind: 'error'});
    return false;
  }
};

/** Opens the rules of a room's queue. */
export const openRules = (room) => {
  const {rules} = room.queue, changes = {}, numbers = {};
  const options = (name, values) => values.map(value => [value, t(`queue-rules.${name}.${value}`)]);
  const element = dialog({
    title: t('queue-rules'),
    body: form({
      fields: [
        choice({name: 'ordering', label: t('queue-rules.ordering'), value: rules.ordering, options: options('ordering', ['manual', 'votes']), onchange: value => { changes.ordering = value; }}),
        choice({name: 'suggesters', label: t('queue-rules.suggesters'), value: rules.suggesters, options: options('who', WHO), onchange: value => { changes.suggesters = value; }}),
        toggle({name: 'needs_approval', label: t('queue-rules.needs_approval'), checked: rules.needs_approval, onchange: on => { changes.needs_approval = on; }}),
        choice({name: 'voters', label: t('queue-rules.voters'), value: rules.voters, options: options('who', WHO), onchange: value => { changes.voters = value; }}),
        h('details', {}, h('summary', {}, t('queue-rules.limits')), h('div', {class: 'stack'}, NUMBERS.map(([name, least, most]) => numbers[name] = field({
          name, label: t(`queue-rules.${name}`), hint: t('queue-rules.range', {least: i18n.number(least), most: i18n.number(most)}), type: 'number', inputmode: 'numeric', min: least, max: most, step: 1, value: rules[name],
        })))),
      ],
      submit: t('profile.save'),
      check: () => {
        for (const [name, least, most] of NUMBERS) {
          const {input} = numbers[name], value = Number(input.value);
          numbers[name].say('');
          if (input.value.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) continue;
          input.closest('details').open = true;
          numbers[name].say(t('queue-rules.range', {least: i18n.number(least), most: i18n.number(most)}));
          input.focus();
          throw new DOMException('out of range', 'AbortError');
        }
      },
      send: async () => {
        const wanted = {...changes, ...Object.fromEntries(NUMBERS.map(([name]) => [name, Number(numbers[name].input.value)]))};
        const changed = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== rules[name]));
        if (Object.keys(changed).length > 0) await session.request('queue.set_rules', {room: room.id, rules: changed});
        toast(t('queue-rules.saved'), {kind: 'ok'});
        element.close();
      },
    }),
  });
};

/** The buttons, and what brings them in line with the queue. */
export const queueControls = (room) => {
  const ask = (type, data = {}) => attempt(() => session.request(type, {room: room.id, ...data}));
  const button = (act, symbol, key, run) => h('button', {type: 'button', class: 'small-button', dataset: {act}, onclick: run}, symbol ? icon(symbol) : null, t(key));
  const repeat = h('select', {
    class: 'small', 'aria-label': t('queue-controls.repeat'), dataset: {act: 'repeat'},
    onchange: async ({target}) => { if (!await ask('queue.set_repeat', {repeat: target.value})) target.value = room.queue.repeat; },
  }, REPEATS.map(one => h('option', {value: one}, t(`queue-controls.repeat.${one}`))));
  const previous = button('previous', 'previous', 'queue-controls.previous', () => ask('queue.previous'));
  const shuffle = button('shuffle', null, 'queue-controls.shuffle', () => ask('queue.shuffle'));
  const clear = button('clear', null, 'queue-controls.clear', async () => {
    if (await confirm({title: t('queue-controls.clear.title'), text: t('queue-controls.clear.text'), action: t('queue-controls.clear'), danger: true})) ask('queue.clear');
  });
  const element = h('div', {class: 'row tight queue-controls', role: 'group', 'aria-label': t('queue-controls')},
    previous, shuffle, repeat, clear,
    session.features.has('autoplay') && session.user?.guest === false ? button('autoplay', 'wave', 'autoplay.button', async () => (await import('./autoplay-dialog.js')).openAutoplay(room)) : null,
    session.features.has('schedules') && session.user?.guest === false ? button('schedule', 'history', 'schedule.button', async () => (await import('../room-schedule/schedule-dialog.js')).openSchedule(room)) : null,
    session.features.has('song_requests') && session.user?.guest === false ? button('song-requests', 'share', 'song-requests.button', async () => (await import('./song-requests-dialog.js')).openSongRequests(room)) : null,
    button('rules', 'settings', 'queue-rules', () => openRules(room)));
  return {
    element,
    update({repeat: now, waiting, pending, rules}) {
      if (document.activeElement !== repeat) repeat.value = now;
      shuffle.disabled = waiting.length < 2 || rules.ordering === 'votes';
      clear.disabled = waiting.length + pending.length === 0;
    },
  };
};
