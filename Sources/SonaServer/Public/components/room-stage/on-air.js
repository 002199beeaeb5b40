// Who is on air, or whose room it is: photo, name, and following them.
import {avatar} from '../avatar/avatar.js';
import {followButton, userPath} from '../people-page/person.js';
import {nameOf} from '../room-page/room-part.js';
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** The parts of the line about a user; `isHost` says whether they are on air. */
export const onAir = async (user, isHost) => {
  const {profile, relation} = await session.request('user.get', {user: user.uid}).catch(() => ({}));
  const name = profile?.display_name ?? nameOf(user), mayFollow = relation && !relation.blocked && session.user?.uid !== user.uid;
  const follow = mayFollow ? followButton(user, relation) : null;
  return [
    avatar({user, profile}, 40),
    h('span', {class: 'stage-name'},
      h('span', {class: 'muted small'}, t(isHost ? 'stage.on-air' : 'stage.owner')),
      user.username ? h('a', {class: 'truncate', href: userPath(user), dir: 'auto'}, name) : h('strong', {class: 'truncate', dir: 'auto'}, name)),
    follow,
  ].filter(Boolean);
};
