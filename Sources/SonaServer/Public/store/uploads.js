// The uploads of this tab: an ordered list of which two go up at a time; what is unfinished is kept for after the tab. No DOM.
// Source: Protocol/spec/uploads.md.
import {me} from './me.js';
import {RequestError, session} from './session.js';
import {trackChanges} from './track-changes.js';
import {fingerprint} from './uploads/fingerprint.js';
import {Item} from './uploads/item.js';
import {Keeping} from './uploads/keeping.js';
import {Leftovers} from './uploads/leftovers.js';
import {Speed} from './uploads/speed.js';
import {Transfer} from './uploads/transfer.js';
import * as tus from './uploads/tus.js';

/** Files that go up at the same time. More would share the same line; one would leave it idle while the server reads tags. */
const AT_ONCE = 2;
/** How often listeners are told of progress at most, ms. */
const TOLD = 100;

/** Fires `change`, at most ten times a second; `begun`, and `ended` when nothing is under way any more; `done` with an item. */
class Uploads extends EventTarget {
  items = [];
  #running = new Set(); #owner = null; #keeping = new Keeping(); #order = 0; #speed = new Speed(); #told = null;
  #leftovers = new Leftovers(); #isBusy = false; #tooMuch = Infinity;

  constructor() {
    super();
    session.addEventListener('user', () => { this.restored = this.#follow(); });
    session.addEventListener('status', () => { if (session.status === 'online') this.#hurry(); });
    globalThis.addEventListener?.('online', () => this.#hurry());
    globalThis.addEventListener?.('beforeunload', (event) => { if (this.#running.size > 0) event.preventDefault(); });
    /** Done when what was unfinished is in the list. */
    this.restored = this.#follow();
  }

  /** What stands against uploading: `guest`, `feature`, `permission`; null if nothing does. */
  get refusal() {
    if (!session.user || session.user.guest) return 'guest';
    if (!session.features.has('uploads')) return 'feature';
    return me.data && !me.may('library.upload') ? 'permission' : null;
  }

  // The list

  /**
   * Puts files, `{file, handle, folder}`, at the end. One that an interrupted upload waits for goes on where that was.
   * Returns `{added, resumed, known}`: how many are new, go on, and are in the list already.
   */
  async add(files) {
    await this.restored;
    const result = {added: 0, resumed: 0, known: 0};
    const known = new Set(this.items.filter(({isUnderWay}) => isUnderWay).map(({folder, name, size, lastModified}) => JSON.stringify([folder, name, size, lastModified])));
    for (const found of files) {
      const {file: {name, size, lastModified}, folder} = found, waiting = await this.#waitingFor(found.file);
      if (waiting) {
        this.#attach(waiting, found);
        result.resumed += 1;
      } else if (known.has(JSON.stringify([folder, name, size, lastModified]))) {
        result.known += 1;
      } else {
        const item = Item.of(found, this.#order++);
        this.items.push(item);
        if (item.size === 0) this.#fail(item, {code: 'file.empty'});
        else this.#note(item);
        result.added += 1;
      }
    }
    this.#pump();
    return result;
  }

  /** The interrupted upload that a file belongs to, or null. */
  async #waitingFor(file) {
    const alike = this.items.filter(item => !item.file && item.resembles(file));
    if (alike.length === 0) return null;
    let print = null;
    try { print = await fingerprint(file); } catch { return null; }
    return alike.find(item => item.fingerprint === null || item.fingerprint === print) ?? null;
  }

  #attach(item, {file, handle = null}) {
    item.file = file;
    item.handle = handle ?? item.handle;
    item.lastModified = file.lastModified;
    item.error = null;
    this.#become(item, 'queued');
  }

  /**
   * Goes on with interrupted uploads whose files the browser can give: a press is needed, since it may ask. Returns how many
   * files still have to be chosen.
   */
  async goOn() {
    for (const item of this.missing) {
      if (!item.handle) continue;
      try {
        if (await item.handle.queryPermission?.({mode: 'read'}) !== 'granted' && await item.handle.requestPermission?.({mode: 'read'}) === 'denied') break;
        const file = await item.handle.getFile();
        // Another file stands in its place by now: then the upload has no file.
        if (item.resembles(file) && (item.fingerprint === null || item.fingerprint === await fingerprint(file))) this.#attach(item, {file});
        else item.handle = null;
      } catch {
        item.handle = null;
      }
    }
    this.#pump();
    return this.missing.length;
  }

  get missing() { return this.items.filter(({state}) => state === 'missing'); }
  get isBusy() { return this.items.some(({isUnderWay}) => isUnderWay); }

  pause(item) {
    if (!item.isUnderWay || item.state === 'finishing') return;
    this.#stop(item, 'paused');
  }
  resume(item) {
    if (item.state !== 'paused') return;
    this.#become(item, item.file ? 'queued' : 'missing');
    this.#pump();
  }
  pauseAll() { for (const item of [...this.items].reverse()) this.pause(item); }
  resumeAll() { for (const item of this.items) this.resume(item); }

  /** Tries again what failed. */
  retry(item) {
    if (item.state !== 'failed') return;
    this.#tooMuch = Infinity;
    item.error = null;
    this.#become(item, item.file ? 'queued' : 'missing');
    this.#pump();
  }
  retryAll() { for (const item of this.items.filter(({state, error}) => state === 'failed' && isCurable(error))) this.retry(item); }

  /** Ends an upload and takes it from the list; what the server has of it is forgotten. */
  async cancel(item) {
    const {place} = item, isUnfinished = item.state !== 'done';
    this.#stop(item, 'cancelled');
    this.#remove(item);
    if (place && isUnfinished) await tus.end(place).catch(() => { /* The server forgets it by itself. */ });
  }
  cancelAll() { return Promise.all([...this.items].reverse().filter(({state}) => state !== 'done' && state !== 'finishing').map(item => this.cancel(item))); }

  /** Takes what has become a track, and what cannot be helped, from the list. */
  clearDone() { for (const item of this.items.filter(({state, error}) => state === 'done' || state === 'failed' && !isCurable(error))) this.#remove(item); }

  #remove(item) {
    this.items = this.items.filter(other => other !== item);
    this.#keeping.drop(item);
    this.#tell();
    this.#pump();
  }

  /** Ends an upload that another device or tab has left behind. */
  forget(id) { return this.#leftovers.forget(id); }

  // Sending

  #pump() {
    for (const item of this.items) {
      if (this.#running.size >= AT_ONCE) break;
      if (item.state !== 'queued' || !item.file) continue;
      if (item.size >= this.#tooMuch && !item.place) this.#fail(item, new RequestError({code: 'quota.exceeded'}));
      else this.#run(item);
    }
    const isBusy = this.isBusy;
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    if (isBusy) this.#speed.clear();
    this.dispatchEvent(new Event(isBusy ? 'begun' : 'ended'));
    this.#tell();
  }

  async #run(item) {
    const {signal} = item.abort = new AbortController();
    this.#running.add(item);
    this.#become(item, 'sending');
    try {
      item.fingerprint ??= await fingerprint(item.file).catch((error) => { throw Object.assign(error, {code: 'file.unreadable'}); });
      item.transfer = new Transfer(item, {
        find: about => this.#leftovers.find(about, id => this.items.some(({place}) => place === id), signal), signal,
        changed: (what, bytes) => this.#changed(item, what, bytes),
      });
      const track = await item.transfer.run();
      if (!signal.aborted) await this.#done(item, track);
    } catch (error) {
      if (!signal.aborted) this.#fail(item, error);
    } finally {
      this.#running.delete(item);
      if (item.abort?.signal === signal) item.abort = item.transfer = null;
    }
    this.#pump();
  }

  #changed(item, what, bytes) {
    if (item.abort?.signal.aborted) return;
    if (what === 'sent') this.#speed.add(bytes);
    if (what === 'place') this.#note(item);
    if (what === 'note') {
      if (item.transfer?.note === 'waiting') this.#leftovers.stale();
      item.until = item.transfer?.until ?? null;
      item.state = item.transfer?.note ?? item.state;
    }
    this.#tell();
  }

  async #done(item, track) {
    const isTwice = this.items.some(other => other.trackId === track);
    // Both identifiers begin with the time at which they were made. An upload whose track is older brought nothing new.
    item.isKnown = isTwice || track.slice(0, 10) < item.place.slice(0, 10);
    item.trackId = track;
    item.offset = item.size;
    item.state = 'done';
    this.#tell();
    this.#keeping.drop(item);
    if (!item.isKnown) await this.#keeping.review(track, item.name);
    session.request('track.get', {track}).then(({track: data}) => {
      item.track = data;
      trackChanges.tell('added', {tracks: [data]});
      this.#tell();
    }, () => { /* It is listed all the same. */ });
    this.dispatchEvent(new CustomEvent('done', {detail: item}));
  }

  #fail(item, error) {
    item.flying = 0;
    if (error.code === 'file.unreadable') {
      item.file = null;
      item.error = error;
      return this.#become(item, 'missing');
    }
    if (error.code === 'quota.exceeded') this.#tooMuch = Math.min(this.#tooMuch, item.size);
    if (!item.place || ['media.unsupported', 'media.damaged'].includes(error.code)) item.place = null;
    item.error = error;
    return this.#become(item, 'failed');
  }

  #stop(item, state) {
    this.#become(item, state);
    item.flying = 0;
    item.abort?.abort(new DOMException('It was stopped.', 'AbortError'));
  }

  #hurry() {
    this.#leftovers.stale();
    for (const item of this.#running) item.transfer?.hurry();
  }

  // Keeping and telling

  #become(item, state) {
    item.state = state;
    this.#note(item);
  }

  #note(item) {
    this.#keeping.note(item);
    this.#tell();
  }

  #tell() {
    this.#told ??= setTimeout(() => {
      this.#told = null;
      this.dispatchEvent(new Event('change'));
    }, TOLD);
  }

  /** The whole: bytes and files of what is in the list, those that have arrived, bytes a second, and ms that are left or null. */
  get totals() {
    let bytes = 0, sent = 0, done = 0, failed = 0;
    for (const item of this.items) {
      if (item.state === 'failed') { failed += 1; continue; }
      bytes += item.size;
      sent += item.sent;
      if (item.state === 'done') done += 1;
    }
    return {bytes, sent, done, failed, count: this.items.length, speed: this.#speed.perSecond(), left: this.#speed.left(bytes - sent)};
  }

  /** The tracks that have come and whose tags were not looked at yet: `{track, name}`. */
  async reviews() {
    await this.restored;
    return this.#keeping.reviews();
  }
  reviewed(tracks) { return this.#keeping.reviewed(tracks); }

  // The account

  /** Another account has another list: the one before stays kept, and comes back with its owner. */
  async #follow() {
    const owner = session.user && !session.user.guest ? session.user.uid : null;
    if (owner === this.#owner) return;
    for (const item of this.items) item.abort?.abort(new DOMException('Another account.', 'AbortError'));
    this.items = [];
    this.#owner = owner;
    this.#leftovers.stale();
    this.#tell();
    const records = await this.#keeping.turnTo(owner);
    if (owner !== this.#owner) return;
    for (const item of records.map(Item.restored)) {
      this.items.push(item);
      this.#order = Math.max(this.#order, item.order + 1);
      this.#note(item);
      this.#open(item);
    }
    if (records.some(({place}) => place)) this.#compare();
  }

  /** Asks how much the server has of what was interrupted: the note of it is from before the last bytes. */
  async #compare() {
    try {
      const found = await this.#leftovers.offsets();
      for (const item of this.missing) item.offset = found.get(item.place) ?? 0;
      this.#tell();
    } catch { /* It is asked when the upload goes on. */ }
  }

  /** Goes on by itself where the browser gives the file without asking. */
  async #open(item) {
    if (!item.handle || await item.handle.queryPermission?.({mode: 'read'}).catch(() => null) !== 'granted') return;
    const file = await item.handle.getFile().catch(() => null);
    if (!file || !item.resembles(file) || item.file) return;
    const {state} = item;
    this.#attach(item, {file});
    if (state === 'paused') this.#become(item, state);
    this.#pump();
  }
}

/** Failures that may pass when somebody has done something about them: made space, or waited. */
export const isCurable = error => !['media.unsupported', 'media.damaged', 'upload.too_large', 'file.empty'].includes(error?.code);

export const uploads = new Uploads();
