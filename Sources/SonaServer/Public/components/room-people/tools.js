// Lists of those who keep order in a room: whom it keeps out, who has a role without being there, and ways in.
import {isBelowUs, nameOf} from '../room-page/room-part.js';
import {confirm, dialog, openLater} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {session} from '../../store/session.js';

// Invites are called as where one hosts.
await i18n.also('host.');

const DAY = 86_400;
const AGES = [[DAY, 'host.invite.age.day'], [7 * DAY, 'host.invite.age.week'], [90 * DAY, 'host.invite.age.quarter']];
const ROLES = ['listen', 'suggest', 'vote', 'control', 'cohost'];

const attempt = async (work) => {
  try {
    await work();
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

/** A list of all pages of what `ask(cursor)` answers as `{items, cursor}`, drawn by `row(item, again)`. */
const listed = ({ask, row, none}) => {
  const list = h('ul', {class: 'list entries', tabindex: '-1'}, h('li', {class: 'muted'}, t('load.waiting')));
  const show = (rows) => {
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...rows);
    if (hadFocus) (list.querySelector('button') ?? list).focus();
  };
  const again = async () => {
    const items = [];
    let cursor = null;
    try {
      do {
        const page = await ask(cursor);
        items.push(...page.items);
        ({cursor} = page);
      } while (cursor !== null && items.length < 1000);
    } catch (error) {
      show([h('li', {class: 'stack tight'}, h('p', {class: 'notice error', role: 'alert'}, describe(error)),
        h('div', {class: 'row'}, h('button', {type: 'button', onclick: once(again)}, t('load.again'))))]);
      return;
    }
    show(items.length === 0 ? [h('li', {class: 'muted'}, none)] : items.map(item => row(item, again)));
  };
  again();
  return {list, again};
};

const entry = (name, about, ...acts) => h('li', {class: 'entry'}, h('div', {class: 'grow'}, h('strong', {dir: 'auto'}, name), about ? h('p', {class: 'muted small', dir: 'auto'}, about) : null), acts);

/** Whom the room keeps out, each with what lets them in again. */
export const bans = room => listed({
  none: t('room-settings.banned.none'),
  ask: async (cursor) => {
    const page = await session.request('room.bans', {room: room.id, limit: 100, ...cursor === null ? {} : {cursor}});
    return {items: page.bans, cursor: page.next_cursor};
  },
  row: ({user, until_ms: until, reason}, again) => entry(nameOf(user), [until ? t('room-settings.banned.until', {time: i18n.date(until)}) : t('member.for.good'), reason].filter(Boolean).join(' · '),
    h('button', {
      type: 'button', class: 'small-button', 'aria-label': `${t('room-settings.unban')}: ${nameOf(user)}`,
      onclick: once(() => attempt(async () => {
        await session.request('room.unban', {room: room.id, user: user.uid});
        await again();
      })),
    }, t('room-settings.unban'))),
}).list;

export const openBans = room => dialog({title: t('room-settings.banned'), body: bans(room)});

/** Who has a role in the room, there or not. */
export const openRoles = room => dialog({
  title: t('people.here.roles'),
  body: listed({
    none: t('roles.none'),
    ask: async (cursor) => {
      const page = await session.request('room.members', {room: room.id, absent: true, limit: 100, ...cursor === null ? {} : {cursor}});
      return {items: page.members.filter(({standing}) => standing !== 'listener'), cursor: page.next_cursor};
    },
    row: (member, again) => {
      const {user: card, standing, joined_ms: joined} = member, name = card.display_name ?? nameOf(card.user);
      return entry(name, [t(`people.here.standing.${standing}`), joined === null ? t('roles.absent') : null].filter(Boolean).join(' · '), isBelowUs(room, member) ? h('button', {
        type: 'button', class: 'icon-button', 'aria-label': t('member.manage', {name}),
        onclick: () => openLater(() => import('./member-dialog.js'), ({manage}) => manage(room, member).addEventListener('close', again)),
      }, icon('more')) : null);
    },
  }).list,
});

/** The invites of the room: made, copied while their code is known, and taken back. */
export const openInvites = (room) => {
  let role = 'listen', age = 7 * DAY;
  const links = new Map();
  const copy = async (link) => {
    try {
      await navigator.clipboard.writeText(link);
      toast(t('share.copied'), {kind: 'ok'});
    } catch { /* The link stands in the list, to be copied by hand. */ }
  };
  const {list, again} = listed({
    none: t('invites.none'),
    ask: async () => ({items: (await session.request('invite.list', {room: room.id})).invites.filter(({revoked, expires_ms: expires}) => !revoked && expires > Date.now()), cursor: null}),
    row: ({id, role: given, label, uses, expires_ms: expires}, redo) => {
      const link = links.get(id);
      return h('li', {class: 'entry', dataset: {invite: id}},
        h('div', {class: 'grow'}, h('strong', {dir: 'auto'}, label ?? t(`host.invite.role.${given}`)),
          h('p', {class: 'muted small'}, [tn('host.invite.uses', uses), t('host.invite.until', {time: i18n.date(expires)})].join(' · ')),
          link ? h('input', {type: 'text', readonly: true, value: link, 'aria-label': t('share.link'), onfocus: ({target}) => target.select()}) : null),
        link ? h('button', {type: 'button', class: 'icon-button', 'aria-label': t('share.copy'), onclick: () => copy(link)}, icon('copy')) : null,
        h('button', {
          type: 'button', class: 'small-button danger',
          onclick: once(async () => {
            if (!await confirm({title: t('host.invite.revoke.title'), text: t('host.invite.revoke.text'), action: t('host.invite.revoke'), danger: true})) return;
            await attempt(async () => {
              await session.request('invite.revoke', {room: room.id, invite: id});
              await redo();
            });
          }),
        }, t('host.invite.revoke')));
    },
  });
  return dialog({
    title: t('people.here.invites'),
    body: [
      choice({name: 'role', label: t('host.invite.role'), value: role, options: ROLES.filter(one => one !== 'cohost' || room.may('manage')).map(one => [one, t(`host.invite.role.${one}`)]), onchange: one => { role = one; }}),
      choice({name: 'age', label: t('host.invite.age'), value: age, options: AGES.map(([seconds, key]) => [seconds, t(key)]), onchange: seconds => { age = seconds; }}),
      h('div', {class: 'row'}, h('button', {
        type: 'button', class: 'primary',
        onclick: once(() => attempt(async () => {
          const {invite, path} = await session.request('invite.create', {room: room.id, role, expires_in_s: age});
          links.set(invite.id, `${location.origin}${path}`);
          await again();
          await copy(links.get(invite.id));
        })),
      }, icon('plus'), t('share.invite'))),
      list,
    ],
  });
};
