// How fast bytes go, and how long the rest takes. No DOM.

/** The time whose bytes are counted, ms. */
const WINDOW = 10_000;
/** From less than this nothing is concluded, ms. */
const LEAST = 1500;

/** Bytes of the last seconds. */
export class Speed {
  #marks = []; #sum = 0;

  add(bytes, now = performance.now()) {
    if (bytes <= 0) return;
    const last = this.#marks.at(-1);
    // Half a second is one mark: progress is told dozens of times a second.
    if (last && now - last.at < 500) last.bytes += bytes;
    else this.#marks.push({at: now, bytes});
    this.#sum += bytes;
    this.#forget(now);
  }

  #forget(now) {
    while (this.#marks.length > 0 && this.#marks[0].at < now - WINDOW) this.#sum -= this.#marks.shift().bytes;
  }

  clear() {
    this.#marks = [];
    this.#sum = 0;
  }

  /** Bytes a second, or null as long as too little is known. */
  perSecond(now = performance.now()) {
    this.#forget(now);
    const [first] = this.#marks;
    return first && now - first.at >= LEAST ? this.#sum * 1000 / (now - first.at) : null;
  }

  /** Milliseconds that so many bytes take, or null. */
  left(bytes, now = performance.now()) {
    const speed = this.perSecond(now);
    return speed ? bytes / speed * 1000 : null;
  }
}
