// The entries of a playlist, of which only those are asked for that are looked at. No DOM.
import {Rows} from './library-rows.js';
import {playlists} from './playlists.js';

/** Entries of a block; blocks that are asked for at a time. */
const BLOCK = 100, AT_ONCE = 2;

/** Fires `change`, and `playlist` when the playlist itself says something else. */
export class PlaylistRows extends Rows {
  /** The playlist as it was told last. */
  playlist;
  #entries = new Map(); #fresh = new Set(); #loading = new Map(); #wanted = [0, BLOCK]; #turn = 0; #items = new WeakMap();

  /** @param first What `playlist.get` has answered for the first block. */
  constructor(first) {
    super();
    this.#take(0, first);
  }

  #take(block, {playlist, entries, total}) {
    this.playlist = playlist;
    this.total = total;
    this.#fresh.add(block);
    entries.forEach((entry, at) => this.#entries.set(block * BLOCK + at, entry));
    for (const index of this.#entries.keys()) if (index >= total) this.#entries.delete(index);
  }

  entryAt(index) { return this.#entries.get(index); }

  /** The track of an entry, or a gap. */
  at(index) {
    const entry = this.#entries.get(index);
    if (!entry) return undefined;
    if (entry.track) return entry.track;
    if (!this.#items.has(entry)) this.#items.set(entry, {id: entry.id, isGap: true});
    return this.#items.get(entry);
  }

  need(from, to) {
    this.#wanted = [from, to];
    this.#pump();
  }

  #pump() {
    if (this.error) return;
    const [from, to] = this.#wanted;
    for (let block = Math.floor(Math.max(0, from) / BLOCK); block * BLOCK < Math.min(to, this.total ?? 1); block += 1) {
      if (this.#loading.size >= AT_ONCE) return;
      if (!this.#fresh.has(block) && !this.#loading.has(block)) this.#load(block).catch(() => { /* `error` says it. */ });
    }
  }

  #load(block) {
    const turn = this.#turn, loading = playlists.get(this.playlist.id, {from: block * BLOCK, limit: BLOCK}).then((page) => {
      if (turn !== this.#turn) return;
      this.#take(block, page);
    }, (error) => {
      if (turn !== this.#turn) return;
      this.error = error;
      throw error;
    }).finally(() => {
      if (turn !== this.#turn) return;
      this.#loading.delete(block);
      this.tell();
      this.dispatchEvent(new Event('playlist'));
      this.#pump();
    });
    this.#loading.set(block, loading);
    return loading;
  }

  async load(from, to) {
    const blocks = [];
    for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block += 1) blocks.push(block);
    for (let at = 0; at < blocks.length; at += AT_ONCE) {
      await Promise.all(blocks.slice(at, at + AT_ONCE).map((block) => this.#fresh.has(block) ? null : this.#loading.get(block) ?? this.#load(block)));
    }
  }

  /** Has the list asked for anew; what is there is shown until then. Waits for what is in sight. */
  async refresh() {
    this.#turn += 1;
    this.#fresh.clear();
    this.#loading.clear();
    this.error = null;
    const [from, to] = this.#wanted;
    await this.load(Math.min(from, Math.max(0, (this.total ?? 1) - 1)), Math.max(to, from + 1));
  }

  retry() {
    this.error = null;
    this.#pump();
  }

  /** Takes what an event says of the playlist; its entries are asked for anew. */
  told({playlist, version, before}) {
    if (!playlist) return;
    this.playlist = playlist;
    this.dispatchEvent(new Event('playlist'));
    if (before !== version) this.refresh().catch(() => { /* `error` says it. */ });
  }

  replace(tracks) {
    const changed = new Map(tracks.map((track) => [track.id, track]));
    for (const [index, entry] of this.#entries) if (entry.track && changed.has(entry.track.id)) this.#entries.set(index, {...entry, track: changed.get(entry.track.id)});
    this.tell();
  }
}
