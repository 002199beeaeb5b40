// The system's own controls while somebody listens alone: lock screens, media keys, headphones.
import {settings} from '../../store/settings.js';
import {keysOwner, silence} from '../media-session.js';

const STEP = 10_000;

/** Follows `solo`: what is heard, and what the system's keys do. While a room is heard, the room's controls have them. */
export class SystemKeys {
  #solo; #shown = null; #placed = null; #holder = null;

  constructor(solo) {
    this.#solo = solo;
    if (!('mediaSession' in navigator)) return;
    for (const type of ['change', 'track']) solo.addEventListener(type, () => this.#show());
    this.#show();
  }

  #take() {
    const solo = this.#solo;
    const actions = {
      play: () => solo.resume(), pause: () => solo.pause(), stop: () => solo.pause(),
      previoustrack: () => solo.previous(), nexttrack: () => solo.next(),
      seekto: ({seekTime}) => solo.seek(seekTime * 1000),
      seekbackward: ({seekOffset}) => solo.seek(solo.position - (seekOffset ? seekOffset * 1000 : STEP)),
      seekforward: ({seekOffset}) => solo.seek(solo.position + (seekOffset ? seekOffset * 1000 : STEP)),
    };
    for (const [action, run] of Object.entries(actions)) {
      try { navigator.mediaSession.setActionHandler(action, run); } catch { /* An action that this browser does not know. */ }
    }
    keysOwner.name = 'solo';
    this.#shown = this.#placed = null;
  }

  #show() {
    const solo = this.#solo, {track} = solo, media = navigator.mediaSession;
    const isOurs = keysOwner.name === 'solo';
    if (!track || !isOurs && !solo.playing) {
      this.#hold(false);
      if (isOurs) {
        media.metadata = null;
        media.playbackState = 'none';
      }
      return;
    }
    if (!isOurs) this.#take();
    this.#hold(solo.playing && !settings.get('pocket') && settings.get('speed') === 1);
    media.playbackState = solo.playing ? 'playing' : 'paused';
    if (track.id !== this.#shown) {
      this.#shown = track.id;
      media.metadata = new MediaMetadata({
        title: track.title, artist: track.artists.map(({name}) => name).join(', '), album: track.album?.name ?? '',
        artwork: track.cover?.path ? ['64', '256', 'full'].map((size) => ({src: new URL(`${track.cover.path}/${size}`, location.origin).href, type: 'image/webp', ...size === 'full' ? {} : {sizes: `${size}x${size}`}})) : [],
      });
    }
    this.#place(media);
  }

  #place(media) {
    const {position, duration, state, track} = this.#solo, second = Math.round(position / 5000);
    const placed = `${track.id} ${state} ${second} ${duration}`;
    if (placed === this.#placed) return;
    this.#placed = placed;
    try {
      if (!(duration > 0)) media.setPositionState();
      else media.setPositionState({duration: duration / 1000, position: Math.min(duration, position) / 1000, playbackRate: settings.get('speed')});
    } catch { /* A browser that shows none. */ }
  }

  /** A page that plays by itself alone has no controls of the system: a media element plays silence beside it. */
  #hold(isPlaying) {
    if (isPlaying) this.#holder ??= Object.assign(new Audio(silence()), {loop: true});
    if (!this.#holder || this.#holder.paused !== isPlaying) return;
    if (isPlaying) this.#holder.play().catch(() => {});
    else this.#holder.pause();
  }
}
