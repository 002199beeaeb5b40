// A voice over music, and how loud what comes out is. Arithmetic on samples at 48 kHz alone.

/** Samples of a packet: 20 ms. */
export const FRAME = 960;

/** How far music steps back for a voice, as a factor (−14 dB), and how fast it goes and comes back, s. */
export const DUCKED = 0.2;
const ATTACK = 0.04, RELEASE = 0.35;
/** Voice that waits before it is mixed in, and at most, samples: what it comes in is not what it leaves in. */
const PRIMED = 2880, BACKLOG_MAX = 12_000;
/** How long a voice takes to come and go, samples: long enough not to click. */
const EDGE = 240;

/** Captured samples on their way into the mix. While nobody talks they are not kept. */
export class Voice {
  #blocks = []; #waiting = 0; #offset = 0; #isPrimed = false; #isTalking = false; #gain = 0;

  /** Whether anything of it is still to be heard. */
  get isHeard() { return this.#isTalking || this.#waiting > 0 || this.#gain > 0; }
  get isTalking() { return this.#isTalking; }

  talk(isTalking) {
    if (isTalking && !this.#isTalking) {
      this.#blocks = [];
      this.#waiting = this.#offset = 0;
      this.#isPrimed = false;
    }
    this.#isTalking = isTalking;
    // Releases the samples that are there although no others follow.
    if (!isTalking) this.#isPrimed = true;
  }

  push(samples) {
    if (!this.#isTalking) return;
    this.#blocks.push(samples);
    this.#waiting += samples.length;
    // The voice's clock is fast, or nothing was taken for a while: what is oldest goes.
    if (this.#waiting > BACKLOG_MAX) this.#drop(this.#waiting - PRIMED);
  }

  #drop(count) {
    for (let left = count; left > 0 && this.#blocks.length > 0;) {
      const part = Math.min(left, this.#blocks[0].length - this.#offset);
      this.#offset += part;
      this.#waiting -= part;
      left -= part;
      if (this.#offset < this.#blocks[0].length) continue;
      this.#blocks.shift();
      this.#offset = 0;
    }
  }

  /** Adds the next samples to `channels`. Returns whether there was voice in it. */
  addTo(channels) {
    const size = channels[0].length;
    if (!this.#isPrimed && this.#waiting >= PRIMED) this.#isPrimed = true;
    const isOn = this.#isPrimed && this.#waiting > 0;
    if (!isOn && this.#gain === 0) return false;
    const available = Math.min(size, this.#waiting);
    // At its end it is faded out.
    const end = available < size || !this.#isTalking && this.#waiting <= size ? available : Infinity;
    for (let at = 0; at < size; at += 1) {
      const wanted = isOn && at < end - EDGE ? 1 : 0;
      this.#gain = wanted > this.#gain ? Math.min(1, this.#gain + 1 / EDGE) : wanted < this.#gain ? Math.max(0, this.#gain - 1 / EDGE) : wanted;
      if (at >= available) continue;
      const value = this.#blocks[0][this.#offset] * this.#gain;
      for (const channel of channels) channel[at] += value;
      this.#offset += 1;
      if (this.#offset < this.#blocks[0].length) continue;
      this.#blocks.shift();
      this.#offset = 0;
    }
    this.#waiting -= available;
    if (this.#waiting === 0) {
      this.#gain = 0;
      this.#isPrimed = false;
    }
    return available > 0;
  }
}

/** The music's gain, which is lowered while the host talks. */
export class Ducking {
  gain = 1;

  /** Multiplies the samples of all channels. */
  apply(channels, isTalking) {
    const target = isTalking ? DUCKED : 1;
    if (this.gain === target && target === 1) return;
    const step = 1 - Math.exp(-1 / (48_000 * (isTalking ? ATTACK : RELEASE)));
    for (let at = 0; at < channels[0].length; at += 1) {
      this.gain += (target - this.gain) * step;
      for (const channel of channels) channel[at] *= this.gain;
    }
    if (Math.abs(this.gain - target) < 1e-4) this.gain = target;
  }
}

/** Keeps samples within what a packet can carry: above −1 dB they are bent, not cut. */
export function limit(channels) {
  const knee = 0.891;
  for (const channel of channels) {
    for (let at = 0; at < channel.length; at += 1) {
      const size = Math.abs(channel[at]);
      if (size > knee) channel[at] = Math.sign(channel[at]) * (knee + (1 - knee) * Math.tanh((size - knee) / (1 - knee)));
    }
  }
}

/** How long the last peak is still reported if nothing is measured, ms: packets may come in bursts. */
const LINGERS = 400;

/** Peak and root mean square since they were taken last, as factors of full scale. */
export class Loudness {
  #peak = 0; #squares = 0; #count = 0; #last = {peak: 0, rms: 0}; #lastAt = 0;

  add(channels) {
    for (const channel of channels) {
      for (const value of channel) {
        const size = Math.abs(value);
        if (size > this.#peak) this.#peak = size;
        this.#squares += value * value;
      }
      this.#count += channel.length;
    }
  }

  /** @param now Milliseconds of any clock. */
  take(now) {
    if (this.#count > 0) {
      this.#last = {peak: this.#peak, rms: Math.sqrt(this.#squares / this.#count)};
      this.#lastAt = now;
      this.#peak = this.#squares = this.#count = 0;
    } else if (now - this.#lastAt > LINGERS) {
      this.#last = {peak: 0, rms: 0};
    }
    return this.#last;
  }
}

/** Two channels, or one, out of any number: ITU-R BS.775, with the low-frequency channel left out. */
export function downmixed(channels) {
  if (channels.length <= 2) return channels;
  const [left, right, center] = channels, side = Math.SQRT1_2;
  const surround = channels.length === 4 ? [channels[2], channels[3]] : [channels.at(-2), channels.at(-1)];
  const middle = channels.length === 4 ? null : center;
  const scale = 1 / (1 + side + (middle ? side : 0));
  return [left, right].map((front, k) => front.map((value, at) => scale * (value + side * (surround[k][at] + (middle ? middle[at] : 0)))));
}
