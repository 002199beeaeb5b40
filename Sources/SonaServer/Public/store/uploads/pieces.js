// A file in pieces, each read and hashed while the one before is on its way. No DOM.
//
// Not more than two pieces of a file are in memory. The very bytes that were hashed are sent, so that a file which changes
// on the disk meanwhile is noticed by nobody's luck.
import {base64} from './tus.js';

/** The size of a piece, bytes: the first, and the limits between which it follows the line. */
const FIRST = 1 << 20, LEAST = 256 << 10, MOST = 8 << 20;
/**
 * How long a piece should take, ms. A piece with a hash counts whole or not at all: a cut costs at most so much. Much shorter
 * ones would wait for the server's disk more often than for the line.
 */
const WANTED = 2000;

/** Whether pieces can be hashed: the browser hashes only for pages with a secure address. */
const canHash = Boolean(globalThis.crypto?.subtle);

export class Pieces {
  #file; #size = FIRST; #next = null;

  constructor(file) { this.#file = file; }

  /** The piece at an offset: `{offset, body, hash, size}`. Throws the browser's error if the file cannot be read. */
  async at(offset) {
    const ready = this.#next;
    this.#next = null;
    return ready?.offset === offset ? ready.piece : this.#read(offset, this.#size);
  }

  /** Begins to read the piece that will follow. */
  prepare(offset) {
    if (offset >= this.#file.size) return;
    const piece = this.#read(offset, this.#size);
    // Whether it could be read is asked when it is its turn.
    piece.catch(() => {});
    this.#next = {offset, piece};
  }

  async #read(offset, size) {
    const slice = this.#file.slice(offset, offset + size);
    if (!canHash) return {offset, body: slice, hash: null, size: slice.size};
    const body = await slice.arrayBuffer();
    return {offset, body, hash: base64(new Uint8Array(await crypto.subtle.digest('SHA-256', body))), size: body.byteLength};
  }

  /** A piece of so many bytes took so long: the next ones are made to take what is wanted. */
  took(bytes, ms) {
    const fit = bytes * WANTED / Math.max(1, ms);
    this.#size = Math.round(Math.min(MOST, Math.max(LEAST, Math.min(fit, this.#size * 2))));
  }

  /** A piece was cut: smaller ones have a better chance. */
  wasCut() { this.#size = Math.max(LEAST, this.#size >> 1); }
}
