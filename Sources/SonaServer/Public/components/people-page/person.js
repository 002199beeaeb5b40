// A person in a list, and following them.
import {h} from '../../shell/dom.js';
import {toast} from '../../shell/toasts.js';
import {describe, t} from '../../store/i18n.js';
import {session} from '../../store/session.js';
import {avatar} from '../avatar/avatar.js';
import {userPath} from './user-path.js';

/** A user card as a row; `action` is what stands at its end. */
export const personRow = (card, action = null) => h(
  'li', {class: 'person'},
  h('a', {class: 'person-link grow', href: userPath(card.user)},
    avatar(card, 44),
    h('span', {class: 'grow'},
      h('strong', {class: 'truncate'}, card.display_name ?? `@${card.user.username ?? ''}`),
      card.display_name && card.user.username ? h('span', {class: 'muted small truncate'}, `@${card.user.username}`) : null)),
  action);

/** A button that follows or ceases to; `relation` may be null as long as it is not known. */
export const followButton = (user, relation, onchange = () => {}) => {
  const button = h('button', {type: 'button'});
  const draw = () => {
    const following = Boolean(relation?.following);
    button.className = `small-button ${following ? '' : 'primary'}`;
    button.textContent = t(following ? 'people.unfollow' : relation?.followed_by ? 'people.follow-back' : 'people.follow');
    button.setAttribute('aria-label', `${button.textContent}: ${user.username ? `@${user.username}` : ''}`);
  };
  button.addEventListener('click', async () => {
    button.setAttribute('aria-busy', 'true');
    try {
      const reply = await session.request(relation?.following ? 'people.unfollow' : 'people.follow', {user: user.uid});
      relation = reply.relation;
      draw();
      onchange(relation);
    } catch (error) {
      toast(describe(error), {kind: 'error'});
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
  draw();
  return button;
};
