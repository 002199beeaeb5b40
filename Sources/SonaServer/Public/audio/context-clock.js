// When the frames of an AudioContext leave the device, on the clock of `performance.now()`.
//
// `getOutputTimestamp()` says of one frame when it leaves, with the device's delay counted in. Single answers are off by
// some milliseconds here and there, so a line is laid through those of the last while.
//
// Two browsers answer something else. In Firefox the device's delay is taken off both times, so that it is in neither; in
// WebKitGTK the performance time runs twice as fast. There the context's own time is counted, and the delay added.

import {StepClock} from './step-clock.js';

/** How long answers count, s of the context; how many make a line. */
const WINDOW = 20, GOOD = 6;
/** An answer is odd that lies further from the line than this, ms, and than so many times what others do. */
const ODD = 1, ODD_SPREADS = 8;
/** From how many seconds on the slope is believed, and how far from 1 it may be. */
const SLOPE_AFTER = 8, SLOPE_MAX = 1e-3;
/** How late and how early an answer may come, ms; how far it may lie behind the context, s. */
const AGE_MAX = 250, AGE_MIN = -5, BEHIND_MAX = 0.75;
/** Smaller differences count as none: times of the context, s, and of the page, ms. */
const SAME = {context: 1e-5, page: 2};
/** The assumed delay of a browser that does not report its device's, s. */
const DELAY = 0.04;

/** The line: the frame at context time `c` leaves at `origin.at + (c − origin.context) · 1000 · slope` ms. */
export class ContextClock {
  #context; #answers = []; #odd = []; #line = null; #steps = new StepClock(); #refused = 0;
  /** How far single answers lie from the line, ms: the median. */
  spread = null;

  constructor(context) { this.#context = context; }

  /** Whether enough is known: the browser's own answers, or, where these are of no use, the context's time. */
  get isMeasured() { return this.#line !== null || this.isCounted; }
  /** Whether the last answers do not fit, or say little: more of them should be had soon. */
  get isUnsure() { return this.#odd.length > 0 || this.#line === null; }
  /** Whether it is the context's time that is gone by. */
  get isCounted() { return this.#line === null && this.#refused >= GOOD && this.#steps.origin !== null; }
  /** The delay that is counted in then, ms. */
  get countedDelay() { return this.#steps.latency; }
  /** How often the device was found to have stood still, where that is known by the context's time alone. */
  get breaks() { return this.#steps.breaks; }
  get answers() { return this.#answers.length; }

  forget() {
    this.#answers = [];
    this.#odd = [];
    this.#line = null;
    this.spread = null;
    this.#steps.forget();
    this.#refused = 0;
  }

  /** Takes another answer in. Call it a few times a second. */
  look() {
    const stamp = this.#context.getOutputTimestamp?.(), now = performance.now(), current = this.#context.currentTime;
    if (this.#line === null) this.#count(now, current);
    if (!stamp || !(stamp.contextTime > 0) || !(stamp.performanceTime > 0)) {
      if (!stamp) this.#refused += 1;
      return;
    }
    if (!this.#isUseful(stamp, now, current)) {
      this.#refused += 1;
      return;
    }
    this.#refused = 0;
    const answer = {context: stamp.contextTime, at: stamp.performanceTime};
    const last = this.#odd.at(-1) ?? this.#answers.at(-1);
    if (last && answer.context <= last.context) {
      if (answer.context < last.context) this.forget();
      return;
    }
    if (this.#line && Math.abs(answer.at - this.#on(answer.context)) > Math.max(ODD, ODD_SPREADS * this.spread)) {
      // A single odd answer is ignored. Several in a row mean that the device stood still for a moment or was changed:
      // the line begins again from there.
      this.#odd.push(answer);
      if (this.#odd.length < GOOD) return;
      this.#answers = this.#odd;
    } else {
      this.#answers.push(answer);
    }
    this.#odd = [];
    while (this.#answers[0].context < answer.context - WINDOW) this.#answers.shift();
    this.#fit();
  }

  #isUseful(stamp, now, current) {
    const age = now - stamp.performanceTime, behind = current - stamp.contextTime;
    if (age > AGE_MAX || age < AGE_MIN || Math.abs(behind) > BEHIND_MAX) return false;
    // Firefox: both times are late by the delay.
    const {outputLatency} = this.#context;
    return !(outputLatency >= 0 && Math.abs(behind - outputLatency) < SAME.context && Math.abs(age - outputLatency * 1000) < SAME.page);
  }

  #count(now, current) {
    if (!(current > 0)) return;
    this.#steps.take(now, current, this.#delay * 1000);
    if (this.isCounted) this.spread = this.#steps.spread;
  }

  /** From the context to the device, as far as the browser says, s. */
  get #delay() { return (this.#context.baseLatency ?? 0) + (this.#context.outputLatency || DELAY); }

  #on(context) { return this.#line.at + (context - this.#line.context) * 1000 * this.#line.slope; }

  #fit() {
    const answers = this.#answers, count = answers.length;
    if (count < GOOD) return;
    const origin = answers[count - 1];
    const xs = answers.map(one => (one.context - origin.context) * 1000), ys = answers.map(one => one.at - origin.at);
    let slope = 1;
    if (-xs[0] > SLOPE_AFTER * 1000) {
      const mx = mean(xs), my = mean(ys);
      let xy = 0, xx = 0;
      for (let k = 0; k < count; k += 1) {
        xy += (xs[k] - mx) * (ys[k] - my);
        xx += (xs[k] - mx) ** 2;
      }
      slope = Math.max(1 - SLOPE_MAX, Math.min(1 + SLOPE_MAX, xy / xx));
    }
    const offsets = ys.map((y, k) => y - slope * xs[k]), middle = median(offsets);
    this.spread = median(offsets.map(offset => Math.abs(offset - middle)));
    // The mean of those near the median: as quiet as a mean, as deaf to strays as a median.
    const near = offsets.filter(offset => Math.abs(offset - middle) <= 4 * this.spread + 0.01);
    this.#line = {context: origin.context, at: origin.at + mean(near), slope};
  }

  /** When the frame at a context time leaves, ms of `performance.now()`; and how many ms a second of the context takes. */
  leaves(context) {
    if (this.#line) return this.#on(context);
    if (this.isCounted) return this.#steps.leaves(context);
    return performance.now() + (context - this.#context.currentTime + this.#delay) * 1000;
  }

  get slope() { return this.#line?.slope ?? 1; }

  /** From the program to the ear as far as the system says, µs. */
  get latency() {
    const stamp = this.#context.getOutputTimestamp?.();
    if (this.#line && stamp?.contextTime > 0) return Math.max(0, (this.leaves(this.#context.currentTime) - performance.now()) * 1000);
    return this.#context.outputLatency > 0 ? (this.#context.outputLatency + (this.#context.baseLatency ?? 0)) * 1e6 : null;
  }
}

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;

function median(values) {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}
