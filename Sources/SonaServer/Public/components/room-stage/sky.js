// Reactions: which there are, and how those of everybody rise over a picture.
import {h} from '../../shell/dom.js';

export const EMOJI = ['❤️', '👏', '🔥', '😂', '😮', '🎉'];
/** How many of a reaction fly at most, and for how long, ms; how long one may wait for its sound, ms. */
const FLYING_MAX = 6, FLIGHT = 2600, WAIT_MAX = 15_000;

const fly = (sky, counts) => {
  for (const {emoji, count} of counts.slice(0, 6)) {
    for (let number = 0; number < Math.min(count, FLYING_MAX); number += 1) {
      const one = h('span', {}, emoji);
      one.style.insetInlineStart = `${8 + Math.random() * 80}%`;
      one.style.animationDelay = `${number * 90}ms`;
      sky.append(one);
      setTimeout(() => one.remove(), FLIGHT + number * 90);
    }
  }
};

/** Lets the reactions of a room rise in `sky()`, each when the sound that it belongs to is heard. `now` tells the server's time. */
export const showReactions = (room, sky, now, signal) => room?.addEventListener('reactions', ({detail}) => {
  const wait = Math.max(0, Math.min(WAIT_MAX, (detail.at_us - now()) / 1000));
  setTimeout(() => { if (!signal.aborted) fly(sky(), detail.counts); }, wait);
}, {signal});
