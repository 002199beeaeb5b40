// Plays sound a little faster or slower at the same pitch: pieces of 20 ms that overlap, each taken from where it fits
// what was heard last. WSOLA: W. Verhelst and M. Roelands, "An overlap-add technique based on waveform similarity (WSOLA)
// for high quality time-scale modification of speech", ICASSP 1993.

const PER_MICROSECOND = 0.048;
/** The length of a piece, and how far from its place it may be taken, frames; in what steps both are looked at first. */
const PIECE = 960, REACH = 576, STEP = 6;
/** Frames around a place that a search looks at. */
const SPAN = PIECE + 2 * REACH;
/** By how much a piece's place is moved at most to where it should be, µs: two hundredths of its length. */
const NUDGE = 400;
const RISE = Float32Array.from({length: PIECE}, (_, at) => (1 - Math.cos(Math.PI * (at + 0.5) / PIECE)) / 2);

export class Stretcher {
  /** Server time up to which sound has been taken, µs. */
  get time() { return this.#nominal; }
  #read; #nominal; #next; #made = 0; #left = new Float32Array(PIECE); #right = new Float32Array(PIECE);
  #before = [new Float32Array(PIECE), new Float32Array(PIECE)];
  #around = [new Float32Array(SPAN), new Float32Array(SPAN)];

  /**
   * @param read `(time, count, left, right)`: copies frames from a server time on.
   *
   * @param time Where the sound is: what comes first follows it without a seam.
   */
  constructor(read, time) {
    this.#read = read;
    this.#nominal = this.#next = time;
    this.#made = PIECE;
  }

  /**
   * Makes one frame after the other.
   *
   * @param time Where the sound should be at the first of them, µs of server time.
   *
   * @param perFrame How much of the sound goes by in a frame, µs.
   */
  render(left, right, time, perFrame) {
    for (let at = 0; at < left.length; at += 1) {
      if (this.#made === PIECE) this.#make(time + at * perFrame, perFrame);
      left[at] += this.#left[this.#made];
      right[at] += this.#right[this.#made];
      this.#made += 1;
    }
  }

  /** The next piece: what follows the last one goes over into what fits it best around the place that it has come to. */
  #make(time, perFrame) {
    const [left, right] = this.#before, [nearLeft, nearRight] = this.#around;
    this.#read(this.#next, PIECE, left, right);
    this.#read(this.#nominal - REACH / PER_MICROSECOND, SPAN, nearLeft, nearRight);
    const offset = this.#best();
    for (let at = 0; at < PIECE; at += 1) {
      const share = RISE[at];
      this.#left[at] = left[at] * (1 - share) + nearLeft[offset + at] * share;
      this.#right[at] = right[at] * (1 - share) + nearRight[offset + at] * share;
    }
    this.#next = this.#nominal + (offset - REACH + PIECE) / PER_MICROSECOND;
    this.#nominal += PIECE * perFrame + Math.max(-NUDGE, Math.min(NUDGE, time - this.#nominal));
    this.#made = 0;
  }

  /** Where, in what is around, the sound is most like what follows the last piece. */
  #best() {
    let best = REACH, most = -Infinity;
    const look = (offset, step) => {
      const alike = this.#alike(offset, step);
      if (alike > most) [most, best] = [alike, offset];
    };
    for (let offset = 0; offset <= 2 * REACH; offset += STEP) look(offset, STEP);
    const coarse = best;
    most = -Infinity;
    for (let offset = Math.max(0, coarse - STEP); offset <= Math.min(2 * REACH, coarse + STEP); offset += 1) look(offset, 2);
    return best;
  }

  #alike(offset, step) {
    const [left, right] = this.#before, [nearLeft, nearRight] = this.#around;
    let product = 0, power = 1e-9;
    for (let at = 0; at < PIECE; at += step) {
      const near = nearLeft[offset + at] + nearRight[offset + at];
      product += (left[at] + right[at]) * near;
      power += near * near;
    }
    return product / Math.sqrt(power);
  }
}
