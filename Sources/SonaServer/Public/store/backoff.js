// When to come back after a connection ended: Protocol/spec/errors.md, "Close codes".

const WITH_BACKOFF = new Set([1001, 1012, 4408, 4429]);
const NO_CODE = new Set([1005, 1006, undefined]);

/** Decides how long to wait before each try. Times are ms of a steady clock. */
export class Backoff {
  #random; #tries = 0; #cutAt = null; #named = null;

  constructor(random = Math.random) { this.#random = random; }

  /** The server has said when to come back: `server.draining`. */
  name(ms) { this.#named = ms; }

  /**
   * A connection ended, or a try failed.
   *
   * @param code The close code; 1006 where there was none.
   * @param lasted How long it had lasted since its welcome, ms; null if it got none.
   * @returns How long to wait, ms; null if one does not come back by oneself.
   */
  next(code, lasted, now) {
    if (!NO_CODE.has(code) && !WITH_BACKOFF.has(code)) return null;
    if (lasted !== null && lasted >= 60_000) this.#tries = 0;
    if (this.#named !== null) {
      const named = this.#named;
      this.#named = this.#cutAt = null;
      return named;
    }
    if (!NO_CODE.has(code)) {
      this.#cutAt = null;
      return this.#wait();
    }
    // Cut: most likely nobody else's line is, and a room's lead is soon used up.
    if (lasted !== null && lasted >= 1000) {
      this.#cutAt = now;
      return 0;
    }
    const since = this.#cutAt === null ? Infinity : now - this.#cutAt;
    if (since < 1000) return 50 + 100 * this.#random();
    if (since < 10_000) return 250 + 750 * this.#random();
    return this.#wait();
  }

  #wait() {
    const most = Math.min(10_000, 250 * 2 ** this.#tries);
    this.#tries = Math.min(this.#tries + 1, 20);
    return most * this.#random();
  }
}
