// The settings of a room, for its owner: what it is called, who may come in and write, whom it keeps out, and its end.
import {nameOf} from './room-part.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {navigate} from '../../router.js';

const CHAT = ['everyone', 'members', 'moderators', 'off'];
const SLOW = [0, 5, 30, 300];

/** Whom the room keeps out, each with what lets them in again. */
const banned = (room) => {
  const list = h('ul', {class: 'list entries'}), part = h('details', {}, h('summary', {}, t('room-settings.banned')), list);
  const draw = async () => {
    const {bans} = await session.request('room.bans', {room: room.id, limit: 100});
    list.replaceChildren(...bans.length === 0 ? [h('li', {class: 'muted'}, t('room-settings.banned.none'))] : bans.map(({user, until_ms: until}) => h(
      'li', {class: 'entry'},
      h('div', {class: 'grow'}, h('strong', {dir: 'auto'}, nameOf(user)), ' ', h('span', {class: 'muted small'}, until ? t('room-settings.banned.until', {time: i18n.date(until)}) : t('member.for.good'))),
      h('button', {
        type: 'button', class: 'small-button',
        onclick: async () => {
          try {
            await session.request('room.unban', {room: room.id, user: user.uid});
            await draw();
          } catch (error) { toast(describe(error), {kind: 'error'}); }
        },
      }, t('room-settings.unban')))));
  };
  part.addEventListener('toggle', () => { if (part.open) draw().catch(error => toast(describe(error), {kind: 'error'})); });
  return part;
};

/** Opens the dialog about a room: {id, room}. `changed` is called when something of it has changed, or it is closed. */
export const openSettings = (room, changed = null) => {
  const now = room.room;
  const changes = {};
  const switched = (name, label, hint, checked, take) => toggle({name, label: t(label), hint: hint ? t(hint) : '', checked, onchange: take});
  const body = form({
    fields: [
      field({name: 'title', label: t('room-settings.title'), value: now.title, maxlength: 200, required: true}),
      field({name: 'description', label: t('room-settings.description'), tag: 'textarea', rows: 3, maxlength: 1000, value: now.description ?? ''}),
      field({name: 'tags', label: t('room-settings.tags'), hint: t('room-settings.tags-hint'), value: (now.tags ?? []).join(', '), maxlength: 280}),
      switched('public', 'room-settings.public', 'room-settings.public-hint', now.visibility === 'public', on => { changes.visibility = on ? 'public' : 'private'; }),
      switched('guests', 'room-settings.guests', null, now.guests !== false, on => { changes.guests = on; }),
      switched('waiting', 'room-settings.waiting', 'room-settings.waiting-hint', now.waiting_room === true, on => { changes.waiting_room = on; }),
      choice({name: 'chat', label: t('room-settings.chat'), value: now.chat ?? 'everyone', options: CHAT.map(rule => [rule, t(`room-settings.chat.${rule}`)]), onchange: rule => { changes.chat = rule; }}),
      choice({
        name: 'slow', label: t('room-settings.slow'), value: now.slow_mode_s ?? 0, options: [...new Set([...SLOW, now.slow_mode_s ?? 0])].sort((a, b) => a - b)
          .map(seconds => [seconds, seconds === 0 ? t('room-settings.slow.off') : t('room-settings.slow.seconds', {seconds})]),
        onchange: seconds => { changes.slow_mode_s = seconds; },
      }),
    ],
    submit: t('profile.save'),
    send: async ({title, description, tags}) => {
      const words = tags.split(',').map(tag => tag.trim()).filter(Boolean);
      await session.request('room.update', {
        room: room.id, ...changes,
        ...(title.trim() === now.title ? {} : {title: title.trim()}), ...(description === (now.description ?? '') ? {} : {description}),
        ...(words.join() === (now.tags ?? []).join() ? {} : {tags: words}),
      });
      toast(t('room-settings.saved'), {kind: 'ok'});
      element.close();
      changed?.();
    },
  });
  const element = dialog({
    title: t('room-settings'), body: [body, banned(room), h('div', {class: 'row'}, h('button', {
      type: 'button', class: 'danger',
      onclick: async () => {
        if (!await confirm({title: t('room-settings.close.title'), text: t('room-settings.close.text'), action: t('room-settings.close'), danger: true})) return;
        try {
          await session.request('room.close', {room: room.id});
          element.close();
          if (changed) changed();
          else navigate('/');
        } catch (error) { toast(describe(error), {kind: 'error'}); }
      },
    }, t('room-settings.close')))],
  });
  return element;
};
