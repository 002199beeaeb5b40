// Who is on air, or whose room it is: photo and name.
import {avatar} from '../avatar/avatar.js';
import {nameOf} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';

/** The parts of the line about a user; `profile` is null as long as it is not known, `words` the key of what they are to the room. */
export const namePlate = (user, profile, words) => {
  const name = profile?.display_name ?? nameOf(user);
  return [
    avatar({user, profile}, 40),
    h('span', {class: 'stage-name'},
      h('span', {class: 'muted small'}, t(words)),
      user.username ? h('a', {class: 'truncate', href: `/u/@${user.username}`, dir: 'auto'}, name) : h('strong', {class: 'truncate', dir: 'auto'}, name)),
  ];
};
