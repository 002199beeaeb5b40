// The settings of a room, for its owner: what it is called, who may come in and write, whom it keeps out, and its end.
import {cover} from '../cover/cover.js';
import {photoField} from '../photo-field/photo-field.js';
import {bans} from '../room-people/tools.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form, once, toggle} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';
import {navigate} from '../../router.js';

const CHAT = ['everyone', 'members', 'moderators', 'off'];
const SLOW = [0, 5, 30, 300];
/** Buffers that are offered, ms; the room's own is beside them. */
const LEADS = [300, 600, 1500, 4000];

const attempt = work => work().catch(error => toast(describe(error), {kind: 'error'}));

/** Whom the room keeps out, asked for when it is opened. */
const banned = (room) => {
  const part = h('details', {}, h('summary', {}, t('room-settings.banned')));
  part.addEventListener('toggle', () => { if (part.open && part.childElementCount === 1) part.append(bans(room)); });
  return part;
};

/** The picture of the room. */
const pictured = (room) => {
  let {picture = null} = room.room;
  return h('details', {}, h('summary', {}, t('room-settings.picture')), photoField({
    path: `/v1/rooms/${room.id}/picture`, remove: () => session.request('room.remove_picture', {room: room.id}),
    take: ({room: now}) => { ({picture} = now); }, show: () => cover({picture, id: room.id}), has: () => picture !== null,
  }));
};

/** Handing the room over: an offer that the other has to accept, or taking it back. */
const handing = (room) => {
  const place = h('div', {class: 'stack'}), part = h('details', {class: 'hand-over'}, h('summary', {}, t('transfer')), place);
  const draw = async () => {
    const {transfers} = await session.request('room.transfers'), offer = transfers.find(one => one.room === room.id && one.from.uid === session.user?.uid);
    const nameOf = ({username}) => `@${username ?? ''}`;
    place.replaceChildren(...offer ? [
      h('p', {}, t('transfer.pending', {name: nameOf(offer.to), time: i18n.date(offer.expires_ms)})),
      h('div', {class: 'row'}, h('button', {
        type: 'button',
        onclick: once(() => attempt(async () => {
          await session.request('room.refuse_transfer', {room: room.id});
          toast(t('transfer.withdrawn'), {kind: 'ok'});
          await draw();
        })),
      }, t('transfer.withdraw'))),
    ] : [h('p', {class: 'muted small'}, t('transfer.about')), form({
      fields: [field({name: 'user', label: t('transfer.to'), required: true, maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'})],
      submit: t('transfer.send'), kind: 'danger',
      send: async ({user}) => {
        const {transfer} = await session.request('room.transfer', {room: room.id, user: `@${user.trim().replace(/^@/, '')}`});
        toast(t('transfer.sent', {name: nameOf(transfer.to)}), {kind: 'ok'});
        await draw();
      },
    })]);
  };
  part.addEventListener('toggle', () => { if (part.open && place.childElementCount === 0) attempt(draw); });
  return part;
};

/** Opens the dialog about a room: {id, room}. `changed` is called when something of it has changed, or it is closed. */
export const openSettings = (room, changed = null) => {
  const now = room.room;
  const changes = {};
  const switched = (name, label, hint, checked, take) => toggle({name, label: t(label), hint: hint ? t(hint) : '', checked, onchange: take});
  const sound = h('details', {}, h('summary', {}, t('room-settings.sound')), now.live ? h('p', {class: 'muted'}, t('room-settings.sound-live')) : h('div', {class: 'stack'},
    choice({name: 'delivery', label: t('settings.delivery'), hint: t('settings.delivery-hint'), value: now.delivery, options: ['party', 'interactive'].map(one => [one, t(`settings.delivery.${one}`)]), onchange: one => { changes.delivery = one; }}),
    choice({
      name: 'lead', label: t('room-settings.lead'), hint: t('room-settings.lead-hint'), value: now.lead_ms, options: [...new Set([...LEADS, now.lead_ms])].sort((a, b) => a - b)
        .map(lead => [lead, t('meter.ms', {number: i18n.number(lead)})]), onchange: lead => { changes.lead_ms = lead; },
    })));
  const body = form({
    fields: [
      field({name: 'title', label: t('room-settings.title'), value: now.title, maxlength: 200, bytes: 200, required: true}),
      field({name: 'description', label: t('room-settings.description'), tag: 'textarea', rows: 3, maxlength: 1000, bytes: 1000, value: now.description ?? ''}),
      field({name: 'tags', label: t('room-settings.tags'), hint: t('room-settings.tags-hint'), value: (now.tags ?? []).join(', '), maxlength: 280}),
      switched('public', 'room-settings.public', 'room-settings.public-hint', now.visibility === 'public', on => { changes.visibility = on ? 'public' : 'private'; }),
      switched('guests', 'room-settings.guests', null, now.guests !== false, on => { changes.guests = on; }),
      switched('waiting', 'room-settings.waiting', 'room-settings.waiting-hint', now.waiting_room === true, on => { changes.waiting_room = on; }),
      server.has('replays') ? switched('replays', 'room-settings.replays', 'room-settings.replays-hint', now.replays === true, on => { changes.replays = on; }) : null,
      server.has('data_saver') ? switched('data_saver', 'room-settings.saver', 'room-settings.saver-hint', now.data_saver === true, on => { changes.data_saver = on; }) : null,
      choice({name: 'chat', label: t('room-settings.chat'), value: now.chat ?? 'everyone', options: CHAT.map(rule => [rule, t(`room-settings.chat.${rule}`)]), onchange: rule => { changes.chat = rule; }}),
      choice({
        name: 'slow', label: t('room-settings.slow'), value: now.slow_mode_s ?? 0, options: [...new Set([...SLOW, now.slow_mode_s ?? 0])].sort((a, b) => a - b)
          .map(seconds => [seconds, seconds === 0 ? t('room-settings.slow.off') : t('room-settings.slow.seconds', {seconds})]),
        onchange: seconds => { changes.slow_mode_s = seconds; },
      }),
      choice({name: 'on_private', label: t('room-settings.on-private'), value: now.on_private ?? 'stay', options: ['stay', 'leave'].map(one => [one, t(`room-settings.on-private.${one}`)]), onchange: one => { changes.on_private = one; }}),
      sound,
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
    title: t('room-settings'), body: [body, pictured(room), banned(room), server.has('transfers') ? handing(room) : null, h('div', {class: 'row'}, h('button', {
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
