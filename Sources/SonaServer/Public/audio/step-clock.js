// When the frames of an AudioContext are rendered, on the clock of `performance.now()`, out of `currentTime` alone: for
// browsers whose `getOutputTimestamp()` is of no use.
//
// `currentTime` goes in steps, in Firefox of a device's whole buffer, and the page sees each a while after it was made,
// when it is busy long after. So what is seen is late and never early: what counts are the answers that are least late.

/** How long answers count, ms; how many there are at least; which of them counts, by lateness. */
const WINDOW = 5000, ENOUGH = 6, LEAST = 0.1;
/** A device that stood still makes all answers late that come after: so many in a row, by more than this, ms. */
const RUN = 20, STILL = 5;
/** WebKitGTK runs ahead when it begins, to fill its buffers: of the first answers fewer in a row will do, that are later. */
const FIRST = {answers: 75, run: 5, still: 20};
/** How fast a change of what the browser says of the device's delay is taken over, of 1 with each answer. */
const SMOOTHING = 0.02;

export class StepClock {
  #answers = []; #late = 0; #taken = 0;
  /** The page time of context time 0, ms; null before it is known. And the median lateness of answers, ms. */
  origin = null;
  spread = null;
  /** The device's delay as the browser says, ms. */
  latency = 0;
  /** How often another line began to hold. */
  breaks = 0;

  forget() {
    this.#answers = [];
    this.#late = this.#taken = 0;
    this.origin = this.spread = null;
  }

  /** Takes an answer in, some dozens of times a second: at `now`, ms, the context was at `current`, s. */
  take(now, current, latency) {
    const origin = now - current * 1000;
    this.latency = this.#answers.length === 0 ? latency : this.latency + (latency - this.latency) * SMOOTHING;
    this.#answers.push({now, origin});
    const isFirst = ++this.#taken < FIRST.answers, run = isFirst ? FIRST.run : RUN;
    this.#late = this.origin !== null && origin > this.origin + (isFirst ? FIRST.still : STILL) ? this.#late + 1 : 0;
    // From there on another line holds.
    if (this.#late >= run) {
      this.#answers.splice(0, this.#answers.length - run);
      this.#late = 0;
      this.breaks += 1;
    }
    while (this.#answers[0].now < now - WINDOW) this.#answers.shift();
    if (this.#answers.length < ENOUGH) return;
    const sorted = Float64Array.from(this.#answers, one => one.origin).sort();
    this.origin = sorted[Math.floor(sorted.length * LEAST)];
    this.spread = sorted[sorted.length >> 1] - this.origin;
  }

  /** When the frame at a context time leaves, ms. */
  leaves(context) { return this.origin + context * 1000 + this.latency; }
}
