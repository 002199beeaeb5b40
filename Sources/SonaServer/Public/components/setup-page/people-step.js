// Playing to people: the first room, and how others get accounts, by the rule of this server.
import {ask, attempt, command} from '../admin-page/parts.js';
import {h} from '../../shell/dom.js';
import {once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';
import {server} from '../../store/server.js';

/** How long the first invite is good, s. */
const WEEK = 604_800;

/** What lets people in, by who may make an account. Rules that came later are treated like `open`. */
const entry = (tell) => {
  const place = h('div', {class: 'stack tight'});
  const link = text => command(text, t('admin.invites.link'));
  const ways = {
    invite: () => [h('div', {class: 'row'}, h('button', {
      type: 'button', class: 'small-button',
      onclick: once(() => attempt(async () => {
        const {invite} = await ask('registration.invite', {seconds: WEEK});
        place.replaceChildren(link(`${location.origin}/sign-up?invite=${encodeURIComponent(invite.code)}`));
        tell(t('setup.people.invited'));
      })),
    }, icon('plus'), t('admin.invites.make')))],
    approval: () => [link(`${location.origin}/sign-up`), h('p', {class: 'small'}, h('a', {href: '/admin/registration'}, t('setup.people.waiting')))],
    closed: () => [command('sona user create --email ada@example.org --username ada', t('admin.folders.none.command'))],
    open: () => [link(`${location.origin}/sign-up`)],
  };
  const rule = Object.hasOwn(ways, server.registration) ? server.registration : 'open';
  place.replaceChildren(...ways[rule]());
  return [h('p', {}, t(`setup.people.rule.${rule}`)), place, h('p', {class: 'muted small'}, t('setup.people.option'))];
};

export const peopleStep = ({tell}) => {
  const part = (key, symbol, ...content) => h('section', {class: 'setup-part'}, h('span', {class: 'setup-mark'}, icon(symbol)), h('div', {class: 'stack tight'}, h('h2', {}, t(key)), content));
  return [
    part('setup.people.play', 'mic', h('p', {}, t('setup.people.play.about')), h('div', {class: 'row'}, h('a', {class: 'button small-button', href: '/host'}, t('nav.host')))),
    part('setup.people.rooms', 'door', h('p', {}, t('setup.people.rooms.about')), h('div', {class: 'row'}, h('a', {class: 'button small-button', href: '/rooms'}, t('setup.people.rooms.open')))),
    part('setup.people.invite', 'people', entry(tell)),
    part('setup.people.look', 'shield', h('p', {}, t('setup.people.look.about')), h('div', {class: 'row'}, h('a', {class: 'button small-button', href: '/admin'}, t('nav.admin')))),
  ];
};
