// Addresses of tracks' sound that carry their own right: Protocol/spec/tracks.md, "track.open".
import {session} from '../../store/session.js';

/** An address is asked for anew so long before it runs out, ms. */
const EARLY = 60_000;
const known = new Map();

/** The address of a track's stream, with its right in it; `format` is 'opus' or 'original'. */
export const addressOf = async (id, format = 'opus') => {
  const key = `${session.user?.uid} ${id}`;
  let opened = known.get(key);
  if (!opened || opened.expires_ms - EARLY < Date.now()) {
    opened = await session.request('track.open', {track: id});
    known.set(key, opened);
    if (known.size > 500) known.delete(known.keys().next().value);
  }
  return `${opened.stream}&format=${format}`;
};

/** The right in the address that a track was fetched by last; undefined if there is none. */
export const tokenOf = (id) => known.get(`${session.user?.uid} ${id}`)?.token;

/** The address did not serve: the next is another. */
export const forget = (id) => known.delete(`${session.user?.uid} ${id}`);

/** The largest sample of a track, 0 to 1, and its outline of 1000 values of 0 to 255. */
export const peaksOf = async (id) => {
  const address = new URL(await addressOf(id), location.origin);
  address.pathname = address.pathname.replace(/\/stream$/, '/peaks');
  address.searchParams.delete('format');
  const answer = await fetch(address, {credentials: 'omit'});
  if (!answer.ok) throw Object.assign(new Error('peaks'), await answer.json().then(({error}) => error).catch(() => ({})));
  return (await answer.json()).peaks;
};
