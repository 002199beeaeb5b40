// Playlists that are kept on this device and heard without a network. No DOM.
import {addressOf} from '../audio/solo/addresses.js';
import {isFlagged, OfflineShelf} from './offline/shelf.js';
import {askPatiently} from './patient.js';
import {session} from './session.js';

/** Entries of one request; sounds that are fetched at a time; bytes a second of a rendition, by which room is estimated. */
const PAGE = 500, AT_ONCE = 2, RATE = 16_500;

/**
 * Fires `change` with `{id}` when a playlist is kept, being kept, or no longer.
 *
 * A playlist is kept as it was last seen; when the line is back it is brought up to date. Whoever signs out leaves nothing here.
 */
class Offline extends EventTarget {
  #shelf = null; #opening = null; #owner = null; #records = new Map(); #have = new Set(); #working = new Map(); #syncing = null; #last = Promise.resolve();

  constructor() {
    super();
    session.addEventListener('user', ({detail}) => this.#followUser(detail.user));
    session.addEventListener('fresh', () => this.#sync());
    if (!this.mayKeep || !isFlagged()) return;
    this.ready();
    if (session.status === 'online') this.#sync();
  }

  /** Whether this browser can keep sound, and open the page without a network. */
  get mayKeep() { return globalThis.isSecureContext && 'serviceWorker' in navigator && 'indexedDB' in globalThis; }
  /** The account whose playlists these are; without a network the one that this browser remembers. */
  get owner() {
    const user = session.user ?? session.credentials.kept?.user;
    return user && !user.guest ? user.uid : null;
  }
  /** Whether there is anything to look after here. */
  get isUsed() { return this.#records.size > 0 || isFlagged(); }

  /** Waits until it is known what is here. Does nothing where nothing is. */
  async ready() {
    if (!this.mayKeep || this.owner === null) return;
    if (!this.#opening || this.#owner !== this.owner) {
      this.#owner = this.owner;
      this.#opening = this.#open(this.#owner);
    }
    await this.#opening;
  }

  async #open(owner) {
    try {
      this.#shelf ??= await OfflineShelf.open();
      const [records, tracks] = await Promise.all([this.#shelf.playlists(owner), this.#shelf.tracks(owner)]);
      this.#records = new Map(records.map((record) => [record.id, record]));
      this.#have = new Set(tracks);
    } catch {
      // A browser that keeps nothing, such as a private window of some.
      this.#opening = null;
    }
    this.#tell(null);
  }

  #tell(id) { this.dispatchEvent(new CustomEvent('change', {detail: {id}})); }

  /** What is known of a playlist: `{have, total, isKeeping}`, or null if it is not kept. */
  state(id) {
    const record = this.#records.get(id);
    if (!record) return null;
    const tracks = new Set(record.entries.map(({track}) => track?.id).filter(Boolean));
    return {have: [...tracks].filter((track) => this.#have.has(track)).length, total: tracks.size, isKeeping: this.#working.has(id)};
  }

  /** The kept playlists, the one that was kept last first. */
  list() { return [...this.#records.values()].sort((one, other) => other.at - one.at).map(({playlist}) => playlist); }

  /** What `playlist.get` would answer, of what is kept; null if it is not. */
  page(id, {from = 0, limit = 100} = {}) {
    const record = this.#records.get(id);
    if (!record) return null;
    const entries = record.entries.slice(from, from + limit), next = from + entries.length;
    return {playlist: {...record.playlist, role: 'listener'}, entries, from, total: record.entries.length, next_cursor: next < record.entries.length ? String(next) : null};
  }

  /** The sound of a track that is kept, a Blob, or null. */
  async sound(track) {
    if (!this.isUsed) return null;
    await this.ready();
    return this.#have.has(track) ? this.#shelf.sound(this.#owner, track).catch(() => null) : null;
  }

  /** About how many bytes a playlist takes. */
  estimate({duration_ms: duration}) { return Math.round(duration / 1000 * RATE); }

  /** `{bytes, free}`: what is kept here, and what the browser would still give; null where it does not say. */
  async room() {
    const {usage = 0, quota = null} = await navigator.storage?.estimate?.().catch(() => ({})) ?? {};
    await this.ready();
    return {bytes: this.#shelf && this.#owner ? await this.#shelf.bytes(this.#owner) : 0, free: quota === null ? null : Math.max(0, quota - usage)};
  }

  /** What changes the shelf is done one after the other: what is taken out is not what was just put in. */
  #inTurn(work) {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => { /* Whoever asked for it is told. */ });
    return mine;
  }

  /** Keeps a playlist, or brings it up to date. Throws what stopped it; what came until then stays. */
  async keep(id) {
    await this.ready();
    if (!this.#shelf || this.#working.has(id)) return;
    const stop = new AbortController();
    this.#working.set(id, stop);
    await this.#inTurn(() => this.#keep(id, stop));
  }

  async #keep(id, stop) {
    const owner = this.#owner;
    try {
      if (stop.signal.aborted) return;
      await navigator.storage?.persist?.().catch(() => false);
      const {playlist, entries} = await this.#whole(id);
      const record = {owner, id, playlist, entries, at: this.#records.get(id)?.at ?? Date.now()};
      await this.#shelf.put(record);
      if (stop.signal.aborted) return;
      this.#records.set(id, record);
      this.#tell(id);
      // Kept for ever by the browser's own cache, as the covers are.
      for (const size of playlist.picture ? ['64', 'full'] : []) fetch(`/v1/photos/${playlist.picture.id}/${size}`).catch(() => {});
      // What plays and shows it is fetched while there is a line: the worker keeps it.
      Promise.allSettled([import('../audio/solo/decks.js'), import('../components/playlist-page/playlist-page.js'), import('../components/library-page/library-page.js'), import('../components/playlists-part/playlists-part.js'), import('../components/playing-page/playing-page.js')]);
      await this.#fetchAll(entries.map(({track}) => track).filter((track) => track && track.access !== 'preview'), owner, id, stop.signal);
      await this.#shelf.tidy(owner);
      this.#have = new Set(await this.#shelf.tracks(owner));
    } finally {
      if (this.#working.get(id) === stop) this.#working.delete(id);
      this.#tell(id);
    }
  }

  async #whole(id) {
    const entries = [];
    let playlist = null;
    for (let from = 0, total = 1; from < total;) {
      const page = await askPatiently('playlist.get', {playlist: id, from, limit: PAGE});
      ({playlist, total} = page);
      entries.push(...page.entries.map(({id: entry, key, track, by, added_ms}) => ({id: entry, key, track, by, added_ms})));
      from += page.entries.length;
      if (!page.entries.length) break;
    }
    return {playlist, entries};
  }

  async #fetchAll(tracks, owner, id, signal) {
    const wanted = [...new Map(tracks.map((track) => [track.id, track])).values()].filter((track) => !this.#have.has(track.id));
    let failure = null;
    const work = async () => {
      for (let track = wanted.shift(); track && !signal.aborted && !failure; track = wanted.shift()) {
        try {
          const blob = await this.#fetch(track, signal);
          if (blob && !signal.aborted) {
            await this.#shelf.putSound(owner, track.id, blob);
            this.#have.add(track.id);
            this.#tell(id);
          }
        } catch (error) {
          if (!signal.aborted) failure ??= error;
        }
      }
    };
    await Promise.all(Array.from({length: AT_ONCE}, work));
    if (failure) throw failure;
  }

  /** The sound of a track; null for one that the server cannot make into it. The covers come along. */
  async #fetch(track, signal) {
    const answer = await fetch(await addressOf(track.id), {signal, credentials: 'omit'});
    if (!answer.ok) {
      if (answer.status < 500 && answer.status !== 429) return null;
      throw Object.assign(new Error(`HTTP ${answer.status}`), await answer.json().then(({error}) => error).catch(() => ({})));
    }
    // They are kept for a year by the browser's own cache.
    for (const size of track.cover?.path ? ['64', '256'] : []) fetch(`${track.cover.path}/${size}`).catch(() => {});
    return answer.blob();
  }

  /** No longer keeps a playlist. */
  async drop(id) {
    await this.ready();
    this.#working.get(id)?.abort();
    this.#working.delete(id);
    await this.#inTurn(async () => {
      this.#records.delete(id);
      if (!this.#shelf) return;
      await this.#shelf.drop(this.#owner, id);
      this.#have = new Set(await this.#shelf.tracks(this.#owner));
    });
    this.#tell(id);
  }

  async dropAll() { for (const id of [...this.#records.keys()]) await this.drop(id); }

  /** What somebody else kept here goes when another one has signed in, or nobody. */
  async #followUser(user) {
    if (!this.mayKeep || !isFlagged()) return;
    const owner = user && !user.guest ? user.uid : null;
    for (const stop of this.#working.values()) if (owner !== this.#owner) stop.abort();
    try {
      await this.#inTurn(async () => {
        this.#shelf ??= await OfflineShelf.open();
        await this.#shelf.dropOthers(owner);
      });
    } catch { /* Nothing is kept, then. */ }
    if (owner === this.#owner) return;
    this.#records = new Map();
    this.#have = new Set();
    this.#opening = null;
    this.#tell(null);
    await this.ready();
  }

  /** Whether the playlist is another by now, or some of its sound is missing. That of a rule is looked at as a whole. */
  async #isOutdated(id) {
    const {playlist, entries} = this.#records.get(id), {have, total} = this.state(id);
    const now = await askPatiently('playlist.get', {playlist: id, limit: 1});
    return have < total || now.playlist.rule !== null || now.playlist.version !== playlist.version || now.total !== entries.length;
  }

  /** Looks what has become of the kept playlists, one after the other. */
  #sync() {
    if (!this.mayKeep || !isFlagged()) return;
    this.#syncing ??= (async () => {
      await this.ready();
      for (const id of [...this.#records.keys()]) {
        try {
          if (await this.#isOutdated(id)) await this.keep(id);
        } catch (error) {
          if (error.code === 'playlist.not_found') await this.drop(id).catch(() => {});
          // Another time, then.
          else if (error.code?.startsWith('connection.')) break;
        }
      }
    })().finally(() => { this.#syncing = null; });
  }
}

export const offline = new Offline();
