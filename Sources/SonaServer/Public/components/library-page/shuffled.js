// Plays a list in a random order. Of a long one it takes some of many places, not all of it.
import {toast} from '../../shell/toasts.js';
import {describe} from '../../store/i18n.js';
import {solo} from '../../store/solo.js';

/** Tracks that are taken of a long list, and of one place in it. */
const TAKEN = 300, OF_ONE = 50;

/** Different places of a list, at random. */
const places = (total) => {
  const blocks = Math.ceil(total / OF_ONE), wanted = new Set();
  while (wanted.size < Math.min(blocks, TAKEN / OF_ONE)) wanted.add(Math.floor(Math.random() * blocks));
  return [...wanted].map((block) => block * OF_ONE);
};

export const shuffled = async (rows, source) => {
  try {
    if (rows.total === null) await rows.load(0, 1);
    if (!rows.total) return;
    const parts = await Promise.all(places(rows.total).map((from) => rows.between(from, Math.min(rows.total, from + OF_ONE))));
    const tracks = parts.flat();
    if (tracks.length) solo.play(tracks, {source, shuffle: true});
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
};
