// Changes that this page makes to tracks of the library. Requests keep to the server's pace, and every part of the page
// that shows tracks is told. No DOM. Source: Protocol/spec/tracks.md, "track.update", "track.remove".
import {me} from './me.js';
import {session} from './session.js';

/** Refusals of a rate limit that are waited for, in one request. */
const WAITS = 20;

/** Fires `updated` with `{tracks}`, `removed` with `{ids}`, and `added` with `{tracks}`. */
class TrackChanges extends EventTarget {
  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }
}
export const trackChanges = new TrackChanges();

/** Whether the user may change what a track says of itself, or remove it. */
export const mayEdit = track => me.may('library.curate') || track.owner !== null && track.owner === session.user?.uid && me.may('library.upload');

/** Asks, and again after the time that a rate limit names: an album of many tracks is longer than a budget. */
const patiently = async (type, data) => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await session.request(type, data);
    } catch (error) {
      if (error.code !== 'request.rate_limited' || tries === WAITS) throw error;
      await new Promise(resolve => setTimeout(resolve, error.retryAfter ?? 1000));
    }
  }
};

/** Changes the tags of a track by the fields of `track.update`; returns the track as it is then. */
export const updateTrack = async (id, changes) => {
  const {track} = await patiently('track.update', {track: id, ...changes});
  trackChanges.tell('updated', {tracks: [track]});
  return track;
};

/** Removes a track for good. */
export const removeTrack = async (id) => {
  await patiently('track.remove', {track: id});
  trackChanges.tell('removed', {ids: [id]});
};
