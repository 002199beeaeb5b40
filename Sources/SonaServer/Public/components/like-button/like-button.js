// A heart: pressed, the user likes what it stands for.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {likes} from '../../store/likes.js';
import {session} from '../../store/session.js';

await Promise.all([i18n.also('liked.'), looks('like-button.css', import.meta.url)]);

/** So many are kept in mind before those that are gone are looked for. */
const KEPT = 400;
/** All hearts on the page, by what they stand for. */
const hearts = new Set();
const draw = (button) => {
  const {kind, item} = button.likes ?? {};
  button.hidden = !item || !likes.isThere;
  if (button.hidden) return;
  const {liked} = likes.of(kind, item);
  button.setAttribute('aria-pressed', String(liked));
  button.setAttribute('aria-label', t('liked.like-of', {title: item.title ?? item.name}));
  button.title = t(liked ? 'liked.unlike' : 'liked.like');
};
likes.addEventListener('change', ({detail}) => {
  for (const heart of hearts) {
    const button = heart.deref();
    if (!button) hearts.delete(heart);
    else if (button.likes?.item && button.likes.kind === detail.kind && button.likes.item.id === detail.id) draw(button);
  }
});

// Whether anything can be liked is known when the server has said who one is.
for (const type of ['fresh', 'user']) {
  session.addEventListener(type, () => {
    for (const heart of hearts) if (heart.deref()) draw(heart.deref());
  });
}

/** Has a heart stand for another thing, or for nothing. */
export const putLike = (button, kind, item) => {
  button.likes = {kind, item};
  draw(button);
};

/** Likes or no longer, and says so where it fails. */
export const like = async (kind, item, liked) => {
  try {
    await likes.set(kind, item, liked);
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};

/** A heart for a `track`, `album`, `artist` or `playlist`, or for nothing yet. */
export const likeButton = (kind = 'track', item = null, attributes = {}) => {
  const button = h('button', {type: 'button', class: 'icon-button like-button', 'aria-pressed': 'false', ...attributes, onclick: () => {
    const {kind: of, item: thing} = button.likes;
    like(of, thing, !likes.of(of, thing).liked);
  }}, icon('heart'));
  if (hearts.size > KEPT) for (const heart of hearts) if (!heart.deref()) hearts.delete(heart);
  hearts.add(new WeakRef(button));
  putLike(button, kind, item);
  return button;
};
