// What plays after what when somebody listens alone: a list of tracks, the present place, shuffle and repeat. Pure.

let counted = 0;
const entry = (track) => ({key: ++counted, track});

/** Whether one track follows another on its album. */
export const follows = (one, other) => Boolean(one?.album && other?.album && one.album.id === other.album.id && one.place !== null
  && (other.disc ?? 1) === (one.disc ?? 1) && other.place === one.place + 1);

/** Repeat modes, in the order in which one button goes through them. */
export const REPEATS = ['off', 'all', 'one'];

/**
 * The queue as it will be heard: shuffling reorders it, and `#natural` keeps the order to return to. An entry has a `key`,
 * since one track may stand in the queue several times.
 */
export class PlayOrder {
  entries = [];
  index = -1;
  shuffle = false;
  repeat = 'off';
  /** Rises whenever the entries or their order change. */
  changes = 0;
  /** Keys in the order in which the tracks were put in; null while that is the order of `entries`. */
  #natural = null;

  /** @param random Gives a number from 0 to below 1, as Math.random does. */
  constructor(random = Math.random) { this.random = random; }

  get current() { return this.entries[this.index] ?? null; }

  /** The entry at a place, which says whether a neighbour on its album stands beside it: `isInOrder`. */
  at(place) {
    const entry = this.entries[place] ?? null;
    const [before, after] = [this.entries[place - 1]?.track, this.entries[place + 1]?.track];
    if (entry) entry.isInOrder = follows(before, entry.track) || follows(entry.track, after);
    return entry;
  }

  /** Takes a new list. While shuffle is on, `index` comes first and the others follow in random order. */
  load(tracks, index = 0) {
    this.changes += 1;
    this.entries = tracks.map(entry);
    this.index = this.entries.length === 0 ? -1 : Math.max(0, Math.min(index, this.entries.length - 1));
    this.#natural = null;
    if (this.shuffle) this.#mix(true);
  }

  /** The place of each entry before it was shuffled; null while that is the order of `entries`. */
  get places() {
    if (!this.#natural) return null;
    const rank = new Map(this.#natural.map((key, place) => [key, place]));
    return this.entries.map(({key}) => rank.get(key));
  }

  /** Takes a list that is in order already, as another device has it. The present entry stays the same one if its track does. */
  replace(tracks, index, places, shuffle) {
    const {current} = this;
    this.changes += 1;
    this.entries = tracks.map(entry);
    this.index = this.entries.length === 0 ? -1 : Math.max(0, Math.min(index, this.entries.length - 1));
    if (current && this.current?.track.id === current.track.id) this.entries[this.index] = current;
    this.shuffle = shuffle;
    this.#natural = places && this.entries.map(({key}, at) => [places[at], key]).sort(([a], [b]) => a - b).map(([, key]) => key);
  }

  setShuffle(isOn) {
    if (isOn === this.shuffle) return;
    this.shuffle = isOn;
    this.changes += 1;
    if (isOn) return this.#mix(false);
    if (!this.#natural) return;
    const {current} = this, rank = new Map(this.#natural.map((key, place) => [key, place]));
    this.entries = [...this.entries].sort((a, b) => rank.get(a.key) - rank.get(b.key));
    this.index = this.entries.indexOf(current);
    this.#natural = null;
  }

  /** Reorders what is still to come; with `isWhole` everything but the present entry, which comes first. */
  #mix(isWhole) {
    this.#natural = this.entries.map(({key}) => key);
    const {current} = this;
    const before = isWhole ? [] : this.entries.slice(0, this.index), rest = isWhole ? this.entries.filter((one) => one !== current) : this.entries.slice(this.index + 1);
    for (let at = rest.length - 1; at > 0; at -= 1) {
      const other = Math.floor(this.random() * (at + 1));
      [rest[at], rest[other]] = [rest[other], rest[at]];
    }
    this.entries = [...before, ...current ? [current] : [], ...rest];
    this.index = current ? before.length : -1;
  }

  /** Puts tracks in so that the first stands at `at`. Returns the entries. */
  insert(tracks, at) {
    const added = tracks.map(entry), place = Math.max(0, Math.min(at, this.entries.length));
    const after = this.entries[place - 1]?.key;
    this.changes += 1;
    this.entries.splice(place, 0, ...added);
    if (place <= this.index) this.index += added.length;
    if (this.index < 0 && this.entries.length > 0) this.index = 0;
    if (this.#natural) {
      const natural = after === undefined ? 0 : this.#natural.indexOf(after) + 1;
      this.#natural.splice(natural, 0, ...added.map(({key}) => key));
    }
    return added;
  }

  /** Takes the entry at a place out. If that is the present one, the one after it becomes present. */
  remove(at) {
    const [gone] = this.entries.splice(at, 1);
    if (!gone) return null;
    this.changes += 1;
    if (at < this.index || this.index === this.entries.length) this.index -= 1;
    this.#natural = this.#natural?.filter((key) => key !== gone.key) ?? null;
    return gone;
  }

  move(from, to) {
    const {current} = this;
    if (!this.entries[from] || from === to) return;
    this.changes += 1;
    const [moved] = this.entries.splice(from, 1);
    this.entries.splice(Math.max(0, Math.min(to, this.entries.length)), 0, moved);
    this.index = this.entries.indexOf(current);
  }

  /** Takes out everything after the present entry. Returns what was taken out. */
  clearUpcoming() {
    const gone = this.entries.splice(this.index + 1);
    this.changes += 1;
    const keys = new Set(gone.map(({key}) => key));
    this.#natural = this.#natural?.filter((key) => !keys.has(key)) ?? null;
    return gone;
  }

  /**
   * The place of what follows; -1 if nothing does. `isAsked`: somebody pressed "next", so one track is not repeated.
   */
  following(isAsked = false) {
    if (this.index < 0) return -1;
    if (this.repeat === 'one' && !isAsked) return this.index;
    if (this.index + 1 < this.entries.length) return this.index + 1;
    return this.repeat === 'off' ? -1 : 0;
  }

  /** The place of the one before; -1 at the beginning. */
  preceding() {
    if (this.index > 0) return this.index - 1;
    return this.repeat === 'all' ? this.entries.length - 1 : -1;
  }
}
