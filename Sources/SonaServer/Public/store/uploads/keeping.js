// Writes down the list of uploads as it changes, a little at a time. No DOM.
import {UploadShelf} from './shelf.js';

/** How long changes are gathered before they are written, ms. */
const GATHERED = 400;

export class Keeping {
  /** The account whose list it is, or null. */
  owner = null;
  #shelf = null; #timer = null; #dirty = new Set(); #gone = new Set();

  /** Opens the list of an account and returns its records; for nobody there are none. What was there before is written first. */
  async turnTo(owner) {
    await this.#write();
    this.owner = owner;
    if (owner === null) return [];
    this.#shelf ??= await UploadShelf.open();
    return await this.#shelf?.load(owner).catch(() => []) ?? [];
  }

  note(item) {
    this.#dirty.add(item);
    this.#timer ??= setTimeout(() => this.#write(), GATHERED);
  }

  drop(item) {
    this.#dirty.delete(item);
    this.#gone.add(item.key);
    this.#timer ??= setTimeout(() => this.#write(), GATHERED);
  }

  async #write() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const records = [...this.#dirty].map(item => ({...item.record, owner: this.owner})), gone = [...this.#gone];
    this.#dirty.clear();
    this.#gone.clear();
    try {
      await this.#shelf?.put(records);
      await this.#shelf?.drop(gone);
    } catch { /* The disk is full: then the files are chosen again. */ }
  }

  /** The tracks that have come and whose tags were not looked at yet, the newest first: `{track, name}`. */
  async reviews() { return this.owner === null ? [] : await this.#shelf?.reviews(this.owner).catch(() => []) ?? []; }
  async review(track, name) { await this.#shelf?.review(this.owner, track, name).catch(() => {}); }
  async reviewed(tracks) { await this.#shelf?.reviewed(tracks).catch(() => {}); }
}
