// Playback: Protocol/spec/playback.md. Times are Numbers, µs on the server's clock.

const SAFE = 2n ** 53n - 1n, COUNT_MAX = 16, OVER_MAX = 400;

/** The place in the track at a server time, µs. */
export function positionAt(playback, now) {
  let position = BigInt(playback.position_us);
  if (playback.state === 1) {
    const gone = BigInt(now) - BigInt(playback.anchor_us);
    if (gone > 0n) position += gone * BigInt(playback.rate_ppm) / 1000000n;
  }
  return Number(position > SAFE ? SAFE : position < 0n ? 0n : position);
}

/** Whether a revision is newer than another: they wrap. */
export const isNewer = (revision, other) => (revision - other | 0) > 0;

/** The playback in force now and shortly, from a snapshot and later events. */
export class PlaybackView {
  /** Oldest first. The first is in force unless a later one's time has come. */
  #known;
  /** Those that are over, oldest first, for whoever hears the room later. */
  #over = [];

  constructor(playback, upcoming = []) {
    this.#known = [playback];
    for (const next of upcoming) this.#insert(next);
  }

  /** Takes in a Playback, or a POSITION frame, at the server time `now`. */
  apply(playback, now) {
    if (isNewer(this.#known.at(-1).revision, playback.revision)) return;
    this.#insert(playback);
    const current = this.at(now), all = this.#known;
    this.recall(all.filter(one => one.anchor_us < current.anchor_us && isNewer(current.revision, one.revision)));
    this.#known = all.filter(one => one === current || one.anchor_us > now && isNewer(one.revision, current.revision)
      && !all.some(other => isNewer(other.revision, one.revision) && other.anchor_us <= one.anchor_us));
  }

  #insert(playback) {
    const same = this.#known.findIndex(one => one.revision === playback.revision);
    if (same >= 0) {
      this.#known[same] = playback;
      return;
    }
    const place = this.#known.findIndex(one => isNewer(one.revision, playback.revision));
    this.#known.splice(place < 0 ? this.#known.length : place, 0, playback);
    if (this.#known.length > COUNT_MAX) this.#known.shift();
  }

  /** Takes in playbacks that were in force before. */
  recall(playbacks) {
    const fresh = playbacks.filter(one => !this.#over.some(({anchor_us: at}) => at === one.anchor_us) && !this.#known.some(({revision}) => revision === one.revision));
    if (fresh.length > 0) this.#over = [...this.#over, ...fresh].sort((one, other) => one.anchor_us - other.anchor_us).slice(-OVER_MAX);
  }

  /** The playback in force at a server time. */
  at(now) { return this.#known.findLast(one => one.anchor_us <= now) ?? this.#over.findLast(one => one.anchor_us <= now) ?? this.#known[0]; }

  position(now) { return positionAt(this.at(now), now); }

  /** Later playbacks, soonest first. */
  upcoming(now) {
    const current = this.at(now);
    return this.#known.filter(one => one.anchor_us > now && isNewer(one.revision, current.revision))
      .sort((one, other) => one.anchor_us - other.anchor_us);
  }
}
