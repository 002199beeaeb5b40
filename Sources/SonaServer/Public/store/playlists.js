// Playlists: asked for, changed, and told of when they change anywhere. No DOM. Source: Protocol/spec/playlists.md.
import {isSignedIn} from '../router.js';
import {me} from './me.js';
import {offline} from './offline.js';
import {askPatiently} from './patient.js';
import {session} from './session.js';

/** The server takes as many tracks and entries in a request. */
const AT_ONCE = 500;

/** How long a line may take before what is kept is shown, ms. */
const PATIENCE = 1500;

/** Whether there is a line, within so many milliseconds. */
const isOnline = (milliseconds) => new Promise((resolve) => {
  if (session.status === 'online') return void resolve(true);
  if (navigator.onLine === false) return void resolve(false);
  const end = (is) => {
    clearTimeout(timer);
    session.removeEventListener('status', look);
    resolve(is);
  };
  const look = () => { if (session.status === 'online') end(true); };
  const timer = setTimeout(() => end(false), milliseconds);
  session.addEventListener('status', look);
  return undefined;
});

const parts = (list) => Array.from({length: Math.ceil(list.length / AT_ONCE)}, (_, part) => list.slice(part * AT_ONCE, (part + 1) * AT_ONCE));

/** Fires `changed` with the data of `playlist.changed`, and `list` when playlists have come or gone. */
class Playlists extends EventTarget {
  constructor() {
    super();
    session.on('playlist.changed', (change) => this.dispatchEvent(new CustomEvent('changed', {detail: change})));
  }

  get isThere() { return session.features.has('playlists'); }
  /** Whether the user can make some. */
  get mayMake() { return this.isThere && isSignedIn() && me.may('library.collect'); }

  /** Whether playlists can have a picture of their own. */
  get mayPicture() { return session.features.has('playlist_pictures'); }

  /** All pages of one `scope`, at most `most`. */
  async list(data, most = 1000) {
    const found = [];
    for (let cursor; found.length < most;) {
      const page = await askPatiently('playlist.list', {...data, limit: Math.min(most, 200), ...cursor ? {cursor} : {}});
      found.push(...page.playlists);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
    return found;
  }

  /** Those that the user may add to, the one that changed last first. */
  async mine() {
    const [own, shared] = await Promise.all([this.list({scope: 'own'}), this.list({scope: 'shared'})]);
    return [...own, ...shared].filter(({rule}) => rule === null).sort((one, other) => other.changed_ms - one.changed_ms);
  }

  /** Of one that is kept on this device what is kept, if there is no line. */
  async get(playlist, options = {}) {
    const ask = () => askPatiently('playlist.get', {playlist, ...options});
    if (!offline.isUsed) return ask();
    await offline.ready();
    if (!offline.page(playlist)) return ask();
    if (!await isOnline(PATIENCE)) return offline.page(playlist, options);
    try {
      return await ask();
    } catch (error) {
      const kept = error.code?.startsWith('connection.') && offline.page(playlist, options);
      if (!kept) throw error;
      return kept;
    }
  }

  async #made(type, data) {
    const {playlist} = await askPatiently(type, data);
    this.dispatchEvent(new Event('list'));
    return playlist;
  }

  /** `{title, description, visibility, rule}`; tracks beyond the first 500 are added after it is made. */
  async create(data, tracks = []) {
    const [first, ...rest] = parts(tracks.map(({id}) => id));
    const playlist = await this.#made('playlist.create', {...data, key: crypto.randomUUID(), ...first ? {tracks: first} : {}});
    for (const part of rest) await askPatiently('playlist.add', {playlist: playlist.id, tracks: part, key: crypto.randomUUID()});
    return playlist;
  }

  update(playlist, changes) { return this.#made('playlist.update', {playlist, ...changes}); }
  copy(playlist) { return this.#made('playlist.copy', {playlist, key: crypto.randomUUID()}); }
  pin(playlist, pinned) { return this.#made('playlist.pin', {playlist, pinned}); }
  accept(playlist, code) { return this.#made('playlist.accept', {playlist, code}); }
  removePicture(playlist) { return askPatiently('playlist.remove_picture', {playlist}); }
  /** Has lists asked for anew: a playlist has another picture. */
  told() { this.dispatchEvent(new Event('list')); }
  async remove(playlist) {
    await askPatiently('playlist.delete', {playlist});
    this.dispatchEvent(new Event('list'));
  }
  async leave(playlist, user = null) {
    await askPatiently('playlist.leave', {playlist, ...user ? {user} : {}});
    this.dispatchEvent(new Event('list'));
  }

  /** Adds tracks. Returns `{added, skipped}`, numbers. */
  async add(playlist, tracks, {at = null, noDuplicates = false} = {}) {
    let added = 0, skipped = 0, place = at;
    for (const part of parts(tracks.map(({id}) => id))) {
      const reply = await askPatiently('playlist.add', {playlist, tracks: part, key: crypto.randomUUID(), ...place === null ? {} : {at: place}, ...noDuplicates ? {no_duplicates: true} : {}});
      added += reply.added.length;
      skipped += reply.skipped.length;
      if (place !== null) place += reply.added.length;
    }
    this.dispatchEvent(new Event('list'));
    return {added, skipped};
  }

  async removeEntries(playlist, entries) {
    for (const part of parts(entries)) await askPatiently('playlist.remove', {playlist, entries: part});
  }

  /** Moves entries, at most 500, so that the first of them has the place `at` among those that stay. */
  move(playlist, entries, at) { return askPatiently('playlist.move', {playlist, entries: entries.slice(0, AT_ONCE), at}); }
}

export const playlists = new Playlists();
