// How long to wait before a request is tried again, and the wait itself. No DOM.

/** The first wait and the longest, ms. */
const FIRST = 1000, MOST = 30_000;

export class Backoff {
  #tries = 0; #wake = null;

  /** How long to wait now, ms: what the server names, else twice as long each time, give or take a fifth. */
  next(named = null) {
    const most = Math.min(MOST, FIRST * 2 ** this.#tries);
    this.#tries = Math.min(this.#tries + 1, 10);
    return Math.max(named ?? 0, most * (.8 + .4 * Math.random()));
  }

  /** Something has succeeded: the next wait is the first again. */
  settle() { this.#tries = 0; }

  /** Waits; `hurry` ends it early. Throws the reason of `signal`. */
  wait(ms, signal) {
    return new Promise((resolve, reject) => {
      const aborted = () => { clearTimeout(timer); reject(signal.reason); };
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', aborted);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
      signal.addEventListener('abort', aborted, {once: true});
    });
  }

  hurry() { this.#wake?.(); }
}
