// A person's photo, or the first letter of their name on a colour that is always theirs.
import {h} from '../../shell/dom.js';
import {hueOf} from '../cover/cover.js';

const letter = (name) => [...new Intl.Segmenter().segment(name)].map(({segment}) => segment).find((part) => /[\p{L}\p{N}]/u.test(part)) ?? '·';

/** Of a User, a user card, or `{user, profile}`; `size` in pixels. Says nothing to readers of the screen: a name stands beside it. */
export const avatar = (of, size = 40) => {
  const user = of?.user ?? of ?? {};
  const photo = of?.photo ?? of?.profile?.photo ?? null;
  const name = of?.display_name ?? of?.profile?.display_name ?? user.username ?? '';
  const element = h('span', {class: 'avatar', 'aria-hidden': 'true'});
  element.style.setProperty('--size', `${size / 16}rem`);
  if (photo) {
    element.style.background = photo.color;
    const file = size <= 32 && devicePixelRatio <= 1 ? '32' : size <= 64 ? '64' : 'full';
    element.append(h('img', {
      src: `/v1/photos/${encodeURIComponent(photo.id)}/${file}`, alt: '', width: size, height: size, loading: 'lazy',
      onerror: ({target}) => target.remove(),
    }));
  } else {
    const hue = hueOf(user.uid ?? name);
    element.style.background = `oklch(from var(--surface-3) calc(l - .02) .06 ${hue})`;
    element.append(letter(name).toLocaleUpperCase());
  }
  return element;
};
