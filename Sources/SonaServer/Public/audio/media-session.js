// The system's own controls: lock screens, media keys. They go to a page that plays a media element, so one plays silence.

const SECONDS = 6, RATE = 4000;

/** A file of silence, as an address: long enough for browsers that pass over short sounds. */
export function silence() {
  const bytes = new Uint8Array(44 + SECONDS * RATE).fill(0x80), view = new DataView(bytes.buffer);
  const word = (at, text) => bytes.set(Uint8Array.from(text, letter => letter.charCodeAt(0)), at);
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  word(36, 'data');
  view.setUint32(40, SECONDS * RATE, true);
  return URL.createObjectURL(new Blob([bytes], {type: 'audio/wav'}));
}

/** Playback states in which the place in the track stands still: paused, and waiting for the host's packets. */
const STANDING = new Set([2, 3]);

/** A picture of this server, as the system wants it; none of elsewhere. */
function artworkOf(room, track) {
  if (/^\/(?![/\\])/.test(track?.artwork ?? '')) return [{src: new URL(track.artwork, location.origin).href}];
  const {picture} = room;
  if (!picture) return [];
  return ['64', 'full'].map(size => ({
    src: `${location.origin}/v1/photos/${encodeURIComponent(picture.id)}/${size}`,
    ...size === '64' ? {sizes: '64x64'} : {sizes: `${picture.width}x${picture.height}`},
  }));
}

/** Who has the system's keys: 'room' or 'solo'. Whoever is played last takes them. */
export const keysOwner = {name: 'room'};

/** Follows a player: what is heard, whether it plays, and what the system's keys do. */
export class MediaControls {
  #player; #element = null; #shown = null; #placed = null;

  constructor(player) {
    this.#player = player;
    if (!('mediaSession' in navigator)) return;
    this.#take();
    player.addEventListener('change', () => this.#show());
    player.addEventListener('tracks', () => this.#show());
  }

  #take() {
    keysOwner.name = 'room';
    this.#shown = this.#placed = null;
    const player = this.#player, handlers = {
      // While the host pauses, the system offers to play what we are listening to already.
      play: () => { if (!player.playing) player.play(); },
      pause: () => player.pause(), stop: () => player.pause(),
      seekto: null, seekbackward: null, seekforward: null, previoustrack: null, nexttrack: null,
    };
    for (const [action, run] of Object.entries(handlers)) {
      try { navigator.mediaSession.setActionHandler(action, run); } catch { /* An action that this browser does not know. */ }
    }
  }

  #show() {
    const {room, playing} = this.#player, media = navigator.mediaSession;
    if (keysOwner.name !== 'room') {
      if (!room || !playing) return this.#hold(false);
      this.#take();
    }
    // Also while the host pauses: a listener who is not kept playing might miss how it goes on.
    this.#hold(playing);
    const playback = room?.state ?? null, track = room?.track ?? null;
    media.playbackState = !room ? 'none' : playing && !STANDING.has(playback?.state) ? 'playing' : 'paused';
    this.#place(room, playback, track, media.playbackState);
    const shown = JSON.stringify([room?.id, room?.title, room?.picture?.id, track]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    media.metadata = room?.room ? new MediaMetadata({
      title: track?.title ?? room.title, artist: track?.artist ?? room.title, album: track?.album ?? '', artwork: artworkOf(room, track),
    }) : null;
  }

  /**
   * The position in the track, for progress bars. Nothing is reported if its length is unknown. The browser counts on
   * by itself.
   */
  #place(room, playback, track, state) {
    const duration = track?.duration_us ? track.duration_us / 1e6 : null;
    const placed = JSON.stringify([room?.id, track, playback?.state, playback?.revision, state]);
    if (placed === this.#placed) return;
    this.#placed = placed;
    try {
      if (duration === null) navigator.mediaSession.setPositionState();
      else navigator.mediaSession.setPositionState({duration, position: Math.min(duration, this.#player.position / 1e6), playbackRate: 1});
    } catch { /* A browser that shows none. */ }
  }

  /** Keeps the system's attention while something plays. */
  #hold(playing) {
    if (playing && !this.#element) {
      this.#element = new Audio(silence());
      this.#element.loop = true;
    }
    if (!this.#element || this.#element.paused !== playing) return;
    if (playing) this.#element.play().catch(() => {});
    else this.#element.pause();
  }
}
