// What an administrator does about people and what they have made, each in a dialog. Each returns what was done, as a few
// words for the note of a report, or null.
import {LENGTHS, ask} from './parts.js';
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, field, form} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';

const REASON_MAX = 200;

/** The room that a text names: its identifier, `@` and a username, or the link of its page. */
export const roomOf = text => /\/r\/([^/?#\s]+)/.exec(text)?.[1] ?? text;
/** The user that a text names, likewise. */
export const userOf = text => decodeURIComponent(/\/u\/([^/?#\s]+)/.exec(text)?.[1] ?? text);

/** A dialog of one form, whose `send` returns what was done. */
const acting = ({title, about = null, fields, submit, send}) => new Promise((resolve) => {
  let done = null;
  const element = dialog({
    title,
    body: [about ? h('p', {class: 'muted'}, about) : null, form({
      fields, submit, kind: 'danger',
      send: async (values) => {
        done = await send(values);
        toast(done, {kind: 'ok'});
        element.close();
      },
    })],
    onclose: () => resolve(done),
  });
});

const lengthOf = (seconds) => LENGTHS.find(([one]) => one === seconds)[1];

/** How long, and why: two fields, and the part of a request that they make. */
const term = () => {
  let seconds = 604_800;
  return {
    fields: [
      choice({name: 'length', label: t('admin.ban.length'), value: seconds, options: LENGTHS.map(([value, key]) => [value, t(key)]), onchange: value => { seconds = value; }}),
      field({name: 'reason', label: t('admin.ban.reason'), hint: t('admin.ban.reason-hint'), maxlength: REASON_MAX, bytes: REASON_MAX, autocomplete: 'off'}),
    ],
    data: ({reason}) => ({...(seconds === null ? {} : {seconds}), ...(reason.trim() === '' ? {} : {reason: reason.trim()})}),
    get words() { return t(lengthOf(seconds)); },
  };
};

/** Bans an account. `took` is given the account as it is now. */
export const banUser = (uid, name, took = () => {}) => {
  const asked = term();
  return acting({
    title: t('admin.ban.title', {name}), about: t('admin.ban.about'), fields: asked.fields, submit: t('admin.ban'),
    send: async (values) => {
      took((await ask('users.ban', {user: uid, ...asked.data(values)})).user);
      return t('admin.ban.done', {name, length: asked.words});
    },
  });
};

/** Bans the addresses from which a user is connected now. */
export const banAddressesOf = (uid, name) => {
  const asked = term();
  return acting({
    title: t('admin.bans.of-title', {name}), about: t('admin.bans.of-about'), fields: asked.fields, submit: t('admin.bans.of'),
    send: async (values) => {
      const {bans} = await ask('addresses.ban', {user: uid, ...asked.data(values)});
      return t('admin.bans.done', {range: bans.map(({range}) => range).join(', '), length: asked.words});
    },
  });
};

/** Bans a range of addresses. */
export const banRange = () => {
  const asked = term();
  return acting({
    title: t('admin.bans.add'), submit: t('admin.bans.add'),
    fields: [field({name: 'range', label: t('admin.bans.range'), hint: t('admin.bans.range-hint'), required: true, maxlength: 64, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'}), ...asked.fields],
    send: async (values) => {
      const {bans} = await ask('addresses.ban', {range: values.range.trim(), ...asked.data(values)});
      return t('admin.bans.done', {range: bans.map(({range}) => range).join(', '), length: asked.words});
    },
  });
};

/** The kinds of things that can be taken down, each with what names it. Source: Protocol/spec/permissions.md. */
export const KINDS = {message: ['room', 'message'], room: ['room'], room_text: ['room'], room_picture: ['room'], profile: ['user'], photo: ['user']};

/** Takes down one of the things that `about` names: {room, message}, {room} or {user}, or several of these. */
export const takeDown = (about) => {
  const kinds = Object.keys(KINDS).filter(kind => KINDS[kind].every(name => about[name] !== null && about[name] !== undefined));
  let [kind] = kinds;
  return acting({
    title: t('admin.take-down'), about: t('admin.take-down.about'), submit: t('admin.take-down'),
    fields: [choice({name: 'kind', label: t('admin.take-down.what'), value: kind, options: kinds.map(one => [one, t(`admin.take-down.${one}`)]), onchange: one => { kind = one; }})],
    send: async () => {
      await ask('content.take_down', {kind, ...Object.fromEntries(KINDS[kind].map(name => [name, about[name]]))});
      return t('admin.take-down.done', {what: t(`admin.take-down.${kind}`)});
    },
  });
};

/** Gives a room to another owner. Returns the room as it is now, or null. */
export const moveRoom = async (room) => {
  let now = null;
  await acting({
    title: t('admin.rooms.move.title', {title: room.title}), about: t('admin.rooms.move.about'), submit: t('admin.rooms.move'),
    fields: [field({name: 'user', label: t('admin.rooms.move.to'), hint: t('admin.content.user-hint'), required: true, maxlength: 200, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'})],
    send: async ({user}) => {
      ({room: now} = await ask('rooms.move', {room: room.id, user: userOf(user.trim())}));
      return t('admin.rooms.move.done', {title: room.title});
    },
  });
  return now;
};
