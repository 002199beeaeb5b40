// The track that is heard, with its beginning: titles change with the sound, not with the event.
// Protocol/spec/listening.md.

export class TimedTracks {
  /** In the order of their times; the first may be over. */
  #known;

  constructor(now = null, upcoming = []) {
    this.#known = [...now ? [now] : [], ...upcoming];
  }

  /** From `at` on, `track` is heard; null: nothing. This replaces announcements for that time or later. */
  apply(track, at) {
    this.#known = this.#known.filter(one => one.at_us < at).slice(-8);
    this.#known.push({track, at_us: at});
  }

  /** The timed track at a server time, or null. */
  at(now) { return this.#known.findLast(one => one.at_us <= now) ?? null; }

  /** The tracks after a server time, soonest first. */
  upcoming(now) { return this.#known.filter(one => one.at_us > now); }

  /** When the next one comes, µs; null if none is known. */
  next(now) { return this.#known.find(one => one.at_us > now)?.at_us ?? null; }
}
