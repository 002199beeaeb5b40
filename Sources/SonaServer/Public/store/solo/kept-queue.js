// The queue of playing alone, kept on this device: after the page was loaded anew it goes on where it was.

const KEY = 'sona.solo';
/** How many tracks are kept: the present one and what is around it. */
const KEPT = 400;

/** What is kept of a track: enough to draw it and to ask for its sound. */
const trimmed = ({id, title, artists, album, duration_ms, cover, access, gain, album_gain, disc, place, lyrics}) =>
  ({id, title, artists, album, duration_ms, cover, access, gain, album_gain, disc, place, lyrics});

/** @param state `{uid, tracks, index, position, source, repeat}`; null forgets it. */
export const keep = (state) => {
  try {
    if (!state) return localStorage.removeItem(KEY);
    const from = Math.max(0, Math.min(state.index - KEPT / 4, state.tracks.length - KEPT));
    const tracks = state.tracks.slice(from, from + KEPT).map(trimmed);
    localStorage.setItem(KEY, JSON.stringify({...state, tracks, index: state.index - from}));
  } catch { /* No room, or none allowed: then it is not kept. */ }
  return undefined;
};

/** What was kept for this user, or null. */
export const kept = (uid) => {
  try {
    const state = JSON.parse(localStorage.getItem(KEY));
    return state && state.uid === uid && Array.isArray(state.tracks) && state.tracks.length > 0 ? state : null;
  } catch {
    return null;
  }
};
