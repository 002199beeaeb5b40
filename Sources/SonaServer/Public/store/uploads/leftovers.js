// The uploads that the server still waits for: begun here before, in another tab, or on another device. No DOM.
// Source: Protocol/spec/uploads.md, "storage.usage".
import {session} from '../session.js';
import * as tus from './tus.js';

/** How long what the server said is good for, ms: a folder has many files, and none of them changes it. */
const FRESH = 20_000;

export class Leftovers {
  #asked = null;

  /** What was said is not true any more: an upload may have begun whose answer was lost. */
  stale() { this.#asked = null; }

  async #uploads(signal) {
    if (!this.#asked || performance.now() - this.#asked.at > FRESH) {
      this.#asked = {at: performance.now(), uploads: (await session.request('storage.usage', {}, {signal})).uploads};
    }
    return this.#asked.uploads;
  }

  /** The identifier of an upload of the same file, or null. `isTaken` says whether something else sends to it. */
  async find({name, size, fingerprint}, isTaken, signal) {
    for (const {id, name: other, length} of await this.#uploads(signal)) {
      if (other !== name || length !== size || isTaken(id)) continue;
      const {pairs} = await tus.stand(id, signal);
      if (pairs.fingerprint === fingerprint && !isTaken(id)) return id;
    }
    return null;
  }

  /** How many bytes the server has of each, by its identifier. */
  async offsets() {
    this.stale();
    return new Map((await this.#uploads()).map(({id, offset}) => [id, offset]));
  }

  /** Ends one. */
  async forget(id) {
    this.stale();
    await tus.end(id);
  }
}
