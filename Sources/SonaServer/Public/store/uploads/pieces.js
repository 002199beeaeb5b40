// A file in pieces, each read and hashed while the one before is on its way. No DOM.
//
// The page itself never holds the bytes: a worker reads them for the hash, and the browser reads them again from the file
// when they are sent. A file that is changed between the two has another hash, and the server refuses the piece.

/** The size of a piece, bytes: the first, and the limits between which it follows the line. */
const FIRST = 1 << 20, LEAST = 256 << 10, MOST = 8 << 20;
/**
 * How long a piece should take, ms. A piece with a hash counts whole or not at all: a cut costs at most so much. Much shorter
 * ones would wait for the server's disk more often than for the line.
 */
const WANTED = 2000;

/** Whether pieces can be hashed: the browser hashes only for pages with a secure address. */
const canHash = Boolean(globalThis.crypto?.subtle && globalThis.Worker);

let worker = null, asked = 0;
const waiting = new Map();

/** The SHA-256 of a part of a file, in base 64, from a worker. Throws the browser's error if it cannot be read. */
const hashOf = (blob) => {
  if (!worker) {
    worker = new Worker(new URL('hash-worker.js', import.meta.url));
    worker.onmessage = ({data: {id, hash, error}}) => {
      const {resolve, reject} = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new DOMException('The file cannot be read.', error)); else resolve(hash);
    };
  }
  return new Promise((resolve, reject) => {
    waiting.set(asked, {resolve, reject});
    worker.postMessage({id: asked++, blob});
  });
};

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
    const body = this.#file.slice(offset, offset + size);
    return {offset, body, hash: canHash ? await hashOf(body) : null, size: body.size};
  }

  /** A piece of so many bytes took so long: the next ones are made to take what is wanted. */
  took(bytes, ms) {
    const fit = bytes * WANTED / Math.max(1, ms);
    this.#size = Math.round(Math.min(MOST, Math.max(LEAST, Math.min(fit, this.#size * 2))));
  }

  /** A piece was cut: smaller ones have a better chance. */
  wasCut() { this.#size = Math.max(LEAST, this.#size >> 1); }
}
