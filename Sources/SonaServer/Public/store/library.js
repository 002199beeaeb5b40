// Music of the library: asked for, and kept for a while. No DOM. Source: Protocol/spec/library.md.
import {ListRows} from './library-rows.js';
import {askPatiently} from './patient.js';
import {session} from './session.js';
import {trackChanges} from './track-changes.js';

/** Answers that are kept, and for how long, ms; lists that are kept. */
const ANSWERS = 80, FRESH = 5 * 60_000, LISTS = 8;

class Library {
  /** By what was asked: `{answer, at}`, the one used last at the end. */
  #answers = new Map();
  #lists = new Map();
  #waiting = null;

  constructor() {
    for (const type of ['fresh', 'user']) session.addEventListener(type, () => this.forget());
    for (const type of ['updated', 'removed', 'added']) trackChanges.addEventListener(type, ({detail}) => this.#changed(type, detail));
  }

  /** Whether the server keeps music; null until that is known. */
  get isThere() { return session.features.size ? session.features.has('library') : null; }

  /** Forgets everything: another user sees other music. */
  forget() {
    this.#answers.clear();
    this.#lists.clear();
  }

  #changed(type, {tracks = [], ids = []}) {
    this.#answers.clear();
    for (const rows of this.#lists.values()) {
      if (type === 'updated') rows.replace(tracks);
      else rows.outdate();
    }
    if (ids.length) for (const rows of this.#lists.values()) rows.refresh();
  }

  #ask(type, data = {}) {
    const key = JSON.stringify([type, data]), kept = this.#answers.get(key);
    this.#answers.delete(key);
    if (kept && performance.now() - kept.at < FRESH) {
      this.#answers.set(key, kept);
      return kept.answer;
    }
    const answer = askPatiently(type, data);
    const entry = {answer, at: performance.now()};
    this.#answers.set(key, entry);
    answer.catch(() => { if (this.#answers.get(key) === entry) this.#answers.delete(key); });
    if (this.#answers.size > ANSWERS) this.#answers.delete(this.#answers.keys().next().value);
    return answer;
  }

  album(album) { return this.#ask('album.get', {album}); }
  artist(artist) { return this.#ask('artist.get', {artist}); }
  async track(track) { return (await this.#ask('track.get', {track})).track; }
  /** The words of a track: `{lines}` or `{text}`. */
  lyrics(track) { return this.#ask('track.lyrics', {track}); }
  /** Tracks that go with one. */
  async similar(track) { return (await this.#ask('track.similar', {track, limit: 12})).tracks; }
  async genres() { return (await this.#ask('genre.list')).genres; }
  /** One page, for shelves. */
  page(query) { return this.#ask('library.list', query); }

  /** Up to `most` tracks of a list, from its beginning. */
  async tracks(query, most = 200) {
    const tracks = [];
    for (let cursor; tracks.length < most;) {
      const page = await askPatiently('library.list', {...query, kind: 'tracks', limit: Math.min(100, most - tracks.length), ...cursor ? {cursor} : {}});
      tracks.push(...page.tracks);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
    return tracks;
  }

  /**
   * What a text finds: `{tracks, albums, artists, genres}`, or null if another one was asked for meanwhile. `data` is that
   * of `search`.
   */
  async search(data) {
    this.#waiting?.abort();
    const mine = this.#waiting = new AbortController();
    try {
      const found = await askPatiently('search', data, {signal: mine.signal});
      return mine === this.#waiting ? found : null;
    } catch (error) {
      if (mine !== this.#waiting) return null;
      throw error;
    }
  }

  /** The rows of a list: the same ones if they were asked for before, so that a page that is returned to stands at once. */
  rows(query) {
    const key = JSON.stringify(query);
    let rows = this.#lists.get(key);
    this.#lists.delete(key);
    if (!rows || rows.isOutdated) rows = new ListRows(query);
    this.#lists.set(key, rows);
    if (this.#lists.size > LISTS) this.#lists.delete(this.#lists.keys().next().value);
    return rows;
  }
}

export const library = new Library();
