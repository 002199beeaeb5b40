// The sound of the songs that are sent now or next: packets as they are, or samples that the encoder's worker keeps.

export class Sounds {
  #encoder; #kept = new Map();

  constructor(encoder) { this.#encoder = encoder; }

  has(song) { return this.#kept.has(song); }

  /** A song's sound, as it is or, where something comes over it, as samples if it can be had so. Throws Unplayable. */
  async of(song, asSamples) {
    const kept = this.#kept.get(song);
    if (kept && (kept.isAll || !asSamples)) return kept;
    const sound = await song.load(asSamples);
    // Samples are the worker's from here on, and their arrays empty.
    const {opus, channels} = sound;
    const known = opus ? {opus, isAll: asSamples}
      : {size: channels[0].length, channels: channels.length, source: this.#encoder.load(channels), isAll: true};
    this.#unload(song);
    this.#kept.set(song, known);
    return known;
  }

  /** Lets all others go. */
  keepOnly(...songs) {
    for (const song of [...this.#kept.keys()]) if (!songs.includes(song)) this.#unload(song);
  }

  #unload(song) {
    const kept = this.#kept.get(song);
    if (kept?.source) this.#encoder.unload(kept.source);
    this.#kept.delete(song);
    song.release();
  }
}
