// Who is on air, or whose room it is: photo, name, and following them.
import {followButton} from '../people-page/person.js';
import {session} from '../../store/session.js';
import {namePlate} from './name-plate.js';

/** The parts of the line about a user; `words` is the key of what they are to the room. */
export const onAir = async (user, words) => {
  const {profile, relation} = await session.request('user.get', {user: user.uid}).catch(() => ({}));
  const mayFollow = relation && !relation.blocked && session.user?.uid !== user.uid;
  return [...namePlate(user, profile, words), ...mayFollow ? [followButton(user, relation)] : []];
};
