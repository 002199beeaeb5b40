// A track of the server's library in the host's list: its Ogg Opus rendition goes out unchanged. No DOM.
import {Song, Unplayable} from '../../audio/hosting/files.js';
import {addressOf, forget} from '../../audio/solo/addresses.js';
import {session} from '../session.js';

/** The cover of a track as rooms name it, or null. */
const artworkOf = ({cover}) => cover?.path ? `${cover.path}/full` : null;

/** A song whose sound is fetched when it is about to be played, and let go of afterwards. */
export class LibrarySong extends Song {
  fetching = null;

  constructor(track) {
    super(null, {
      title: track.title, artist: track.artists.map(({name}) => name).join(', ') || null, album: track.album?.name ?? null,
      duration_us: track.duration_ms > 0 ? track.duration_ms * 1000 : null, cover: null,
    });
    this.library = track;
    // Rooms are told the address of the library's own cover; nothing is uploaded for it.
    Object.defineProperty(this, 'artwork', {get: () => artworkOf(track), set() { /* It stays what it is. */ }});
  }

  static restored({library, key, standsFor, isQueued, duration}) {
    return Object.assign(new LibrarySong(library), {key, standsFor, isQueued, duration});
  }

  /** Members of the room know by `music` what to like, and what they have heard. */
  get track() { return {...super.track, ...session.features.has('likes') ? {music: this.library.id} : {}}; }

  get record() { return {...super.record, library: this.library}; }
  get name() { return `${this.title}.opus`; }
  get size() { return this.file?.size ?? 0; }
  get isGone() { return false; }
  bring() { return false; }
  async check() { /* The server has read it. */ }

  async load(asSamples = false) {
    this.fetching ??= this.#fetch();
    try {
      this.file = await this.fetching;
    } catch (error) {
      this.fetching = null;
      this.failure = error;
      throw error;
    }
    return super.load(asSamples);
  }

  async #fetch() {
    const answer = await fetch(await addressOf(this.library.id), {credentials: 'omit'});
    if (!answer.ok) {
      forget(this.library.id);
      throw new Unplayable('gone');
    }
    return new File([await answer.blob()], this.name, {type: 'audio/ogg'});
  }

  release() {
    super.release();
    this.file = null;
    this.fetching = null;
  }
}
