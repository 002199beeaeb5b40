// The playlists that a room can play from by itself.
import {playlists} from '../../store/playlists.js';

/** Playlists that are offered. */
const MOST = 200;

/** The playlists to choose from, the chosen one among them whoever made it. */
export const offeredPlaylists = async (chosen) => {
  const own = playlists.isThere ? await playlists.list({scope: 'own'}, MOST) : [];
  if (!chosen || own.some(({id}) => id === chosen)) return own;
  const other = await playlists.get(chosen, {limit: 1}).then(({playlist}) => playlist, () => null);
  return other ? [other, ...own] : own;
};
