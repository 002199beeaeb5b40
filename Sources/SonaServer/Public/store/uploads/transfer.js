// One file on its way to the server, to the end: where it is to go on, its pieces, and what is tried again. No DOM.
//
//   find (ask with HEAD, or take up an upload of the same file, or begin one)
//     → send (piece after piece) → done (a track)
//   lost line, busy server: wait → find      another offset: find      a piece that was damaged: send it again
import {Backoff} from './backoff.js';
import {Pieces} from './pieces.js';
import * as tus from './tus.js';

/** Damaged pieces, unexpected offsets and uploads that are gone, in a row, until it is given up. */
const FAULTS_MAX = 4;
/** What passes by itself, by its code or area. */
const PASSES = new Set(['upload.locked', 'request.rate_limited', 'auth.rate_limited', 'server.busy', 'server.draining', 'server.internal', 'server.storage_failed', 'server.maintenance']);
const passes = ({code = '', status = 0}) => code.startsWith('connection.') || PASSES.has(code) || status >= 500 && status !== 507 || status === 429 || status === 423;

/** A file that cannot be read any more: moved, changed, or on a disk that is gone. */
const isUnreadable = error => error instanceof DOMException && ['NotReadableError', 'NotFoundError', 'NotAllowedError', 'SecurityError'].includes(error.name);

/** Sends one file. `item` is {file, size, fingerprint, name, place, offset}; `changed` is told when one of them, or `note`, is another. */
export class Transfer {
  #item; #changed; #find; #signal; #backoff = new Backoff(); #faults = 0; #pieces;

  /**
   * @param find Looks for an upload of the same file that the server has already; answers its identifier or null.
   * @param changed Called with `place`, `sent` (bytes are further, by that many), or `note` (waiting, sending, finishing).
   */
  constructor(item, {find, changed, signal}) {
    Object.assign(this, {note: 'sending'});
    this.#item = item;
    this.#find = find;
    this.#changed = changed;
    this.#signal = signal;
    this.#pieces = new Pieces(item.file);
  }

  /** Has a wait end at once: the line is back. */
  hurry() { this.#backoff.hurry(); }

  #become(note, until = null) {
    this.note = note;
    this.until = until;
    this.#changed('note');
  }

  /** Sends what is missing; returns the identifier of the track. Throws what cannot be cured by trying again. */
  async run() {
    for (;;) {
      try {
        const track = await this.#stand();
        if (track) return track;
        this.#become('sending');
        return await this.#send();
      } catch (error) {
        await this.#after(error);
      }
    }
  }

  /** Finds out where to go on. Returns the track if it is there already. */
  async #stand() {
    const item = this.#item;
    if (!item.place) {
      item.place = await this.#find(item, this.#signal);
      if (!item.place) {
        item.place = await tus.begin(item.size, {filename: item.name, fingerprint: item.fingerprint}, this.#signal);
        item.offset = 0;
        this.#changed('place');
        return null;
      }
      this.#changed('place');
    }
    const {offset, track} = await tus.stand(item.place, this.#signal);
    this.#at(offset);
    return track;
  }

  #at(offset) {
    this.#item.offset = offset;
    this.#item.flying = 0;
    this.#changed('offset');
  }

  async #send() {
    const item = this.#item;
    do {
      const piece = await this.#pieces.at(item.offset), begun = performance.now(), end = item.offset + piece.size;
      this.#pieces.prepare(end);
      const state = await tus.append(item.place, item.offset, {
        ...piece, signal: this.#signal,
        progress: (loaded) => {
          const further = Math.min(loaded, piece.size) - item.flying;
          item.flying += further;
          this.#changed('sent', further);
          if (end === item.size && item.flying === piece.size && this.note === 'sending') this.#become('finishing');
        },
      });
      this.#pieces.took(piece.size, performance.now() - begun);
      this.#faults = 0;
      this.#backoff.settle();
      this.#at(state.offset);
      if (state.track) return state.track;
    } while (item.offset < item.size);
    // All bytes are there, and no track: the server was interrupted. An empty piece asks for it.
    this.#become('finishing');
    const {track} = await tus.append(item.place, item.offset, {body: null, hash: null, signal: this.#signal});
    return track;
  }

  /** Decides about an error: returns when it is time to try again, or throws it. */
  async #after(error) {
    const item = this.#item;
    item.flying = 0;
    if (this.#signal.aborted) throw this.#signal.reason;
    if (isUnreadable(error)) throw Object.assign(error, {code: 'file.unreadable'});
    // A file that has changed on the disk ends a request as a lost line does.
    if (error.code === 'connection.lost') {
      await item.file.slice(item.offset, item.offset + 1).arrayBuffer().catch((cause) => { throw Object.assign(cause, {code: 'file.unreadable'}); });
    }
    switch (error.code) {
      case 'upload.not_found':
        // It has expired, or was ended elsewhere.
        item.place = null;
        item.offset = 0;
        this.#changed('place');
        return this.#fault(error);
      case 'upload.offset_conflict': return this.#fault(error);
      case 'upload.checksum_mismatch': return this.#fault(error);
      default:
        if (!passes(error)) throw error;
    }
    this.#pieces.wasCut();
    const wait = this.#backoff.next(error.retryAfter);
    this.#become('waiting', performance.now() + wait);
    return this.#backoff.wait(wait, this.#signal);
  }

  #fault(error) {
    this.#faults += 1;
    if (this.#faults > FAULTS_MAX) throw error;
  }
}
