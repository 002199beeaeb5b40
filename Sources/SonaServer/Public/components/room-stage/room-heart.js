// "Save what I hear": a heart for the library's track that a room plays. Source: Protocol/spec/rooms.md, "Track".
import {likeButton} from '../like-button/like-button.js';
import {library} from '../../store/library.js';

/** The heart of a track, or null where the user does not see it in the library. */
export const roomHeart = async (music) => {
  try {
    return likeButton('track', await library.track(music));
  } catch {
    return null;
  }
};
