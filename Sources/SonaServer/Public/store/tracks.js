// The track that is heard, with its beginning: titles change with the sound, not with the event.
// Protocol/spec/listening.md.

/** How many that are over are kept, for whoever hears the room later. */
const KEPT = 200;

export class TimedTracks {
  /** In the order of their times; the first may be over. */
  #known;

  constructor(now = null, upcoming = []) {
    this.#known = [...now ? [now] : [], ...upcoming];
  }

  /** From `at` on, `track` is heard; null: nothing. This replaces announcements for that time or later. */
  apply(track, at) {
    this.#known = this.#known.filter(one => one.at_us < at).slice(-KEPT);
    this.#known.push({track, at_us: at});
  }

  /** Takes in tracks that were heard before. */
  recall(tracks) {
    const first = this.#known[0]?.at_us ?? Infinity;
    this.#known.unshift(...tracks.filter(({at_us: at}) => at < first));
  }

  /** The timed track at a server time, or null. */
  at(now) { return this.#known.findLast(one => one.at_us <= now) ?? null; }

  /** The tracks after a server time, soonest first. */
  upcoming(now) { return this.#known.filter(one => one.at_us > now); }

  /** When the next one comes, µs; null if none is known. */
  next(now) { return this.#known.find(one => one.at_us > now)?.at_us ?? null; }
}
