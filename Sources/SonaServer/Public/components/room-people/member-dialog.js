// What somebody who keeps order in a room may do about one of its members.
import {STANDINGS, nameOf} from '../room-page/room-part.js';
import {confirm, dialog, openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, once} from '../../shell/forms.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** How long a mute or a ban lasts, s; `null` is for good. */
const LENGTHS = [['600', 600, 'member.for.minutes'], ['86400', 86_400, 'member.for.day'], ['', null, 'member.for.good']];

/** The standings that we may give to a member. */
const givable = (room, member) => {
  if (member.user.user.guest || !room.may('host')) return [];
  return STANDINGS.filter(standing => standing !== 'owner' && STANDINGS.indexOf(standing) < STANDINGS.indexOf(room.you.standing) && (standing !== 'cohost' || room.may('manage')));
};

const attempt = async (request, done) => {
  try {
    await request();
    toast(done, {kind: 'ok'});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
    return false;
  }
  return true;
};

/** Opens the dialog about a member. */
export const manage = (room, member) => {
  const {user} = member.user, name = member.user.display_name ?? nameOf(user), about = {room: room.id, user: user.uid};
  const ask = (type, data, done) => attempt(() => session.request(type, {...about, ...data}), done);
  // No event says until when somebody is muted. Who leaves, or has another role, is told.
  const setMuted = async (type, data, done) => {
    const isDone = await ask(type, data, done);
    if (isDone) room.loadPeople().catch(() => {});
    return isDone;
  };
  let seconds = 600;
  const isMuted = (member.muted_until_ms ?? 0) > Date.now();
  const button = (key, kind, run) => h('button', {type: 'button', class: kind, onclick: once(async () => { if (await run()) element.close(); })}, t(key));
  const standings = givable(room, member);
  const remove = async (key, type, data) => await confirm({title: t(`${key}.title`, {name}), text: t(`${key}.text`), action: t(key), danger: true})
    && ask(type, data, t(`${key}.done`, {name}));
  const body = [
    standings.length > 0 ? choice({
      name: 'standing', label: t('member.standing'), value: member.standing, options: standings.map(standing => [standing, t(`member.standing.${standing}`)]),
      onchange: standing => ask('room.set_standing', {standing}, t('member.standing.done', {name})),
    }) : null,
    !member.user.user.guest && member.joined_ms !== null && !member.host && (room.may('manage') || room.room.host?.uid === session.user?.uid)
      ? h('div', {class: 'row tight'}, button('member.offer', '', () => ask('host.offer', {}, t('member.offer.done', {name})))) : null,
    room.may('moderate') ? [
      choice({
        name: 'length', label: t('member.length'), value: '600', options: LENGTHS.map(([value, , key]) => [value, t(key)]),
        onchange: value => { seconds = LENGTHS.find(([one]) => one === value)[1]; },
      }),
      h('div', {class: 'row tight'},
        isMuted ? button('member.unmute', '', () => setMuted('room.unmute', {}, t('member.unmute.done', {name})))
          : button('member.mute', '', () => setMuted('room.mute', seconds === null ? {} : {seconds}, t('member.mute.done', {name}))),
        button('member.kick', '', () => remove('member.kick', 'room.kick', {})),
        button('member.ban', 'danger', () => remove('member.ban', 'room.ban', seconds === null ? {} : {seconds}))),
    ] : null,
  ];
  body.push(h('div', {class: 'row'}, h('button', {
    type: 'button', class: 'quiet small-button',
    onclick: () => openLater(() => import('../../shell/report.js'), ({report}) => report(member.user.user.guest ? {room: room.id, user: user.uid} : {user: user.uid}, t('report.user', {name}))),
  }, t('report'))));
  const element = dialog({title: name, body});
  return element;
};
