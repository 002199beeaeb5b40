// Makes what leaves the device out of what is to be heard: the pure part of the worklet. Times are server times, µs.

import {TAPS, valueAt} from './interpolator.js';
import {RateController} from './rate.js';
import {Stretcher} from './stretcher.js';
import {Timeline} from './timeline.js';

/** How long sound comes and goes where it was cut, frames: 5 ms. */
const FADE = 240;
/** How many frames of the device are made at a time. */
const BLOCK_MAX = 128;
/** By how much the share of the gains that is applied moves with each block: all of it in 40 ms. */
const LEVELLING = 1 / 16;
const BEFORE = TAPS / 2 - 1;
/** A pace that is further than this from the sound's own is meant: the pitch stays. */
const MEANT = 0.005;

/** Somewhere in a run, being read. Its gain goes to 0 and 1 by steps of a FADE-th. */
class Voice {
  constructor(run, frame, gain) {
    this.run = run;
    this.frame = frame;
    this.gain = gain;
    this.isLeaving = false;
  }
}

export class Renderer {
  timeline = new Timeline();
  /** Server time up to which has been rendered; null before. */
  renderedUntil = null;
  /** How often a run ended where none was meant to, with the last such time; how often it jumped. */
  starvations = 0;
  starvedAt = null;
  jumps = 0;
  /** Error of the last block, µs: null in silence. And server time of the first sample that was not silence. */
  error = null;
  firstAudible = null;
  /** Whether the gain of each epoch is applied. */
  isLevelled = true;

  #voice = null; #leaving = null; #stretcher = null; #stretched = 0; #rate = new RateController(); #correction = 0; #levelled = null;
  /** The run that was read to its end last, and up to where: what of it is late does not sound twice. */
  #read = null;
  #left = new Float32Array(BLOCK_MAX * 8 + 2 * TAPS);
  #right = new Float32Array(BLOCK_MAX * 8 + 2 * TAPS);

  insert(piece) { return this.timeline.insert(piece, this.renderedUntil); }

  /** Forgets the planned sound and the time. Later the sound begins again, however long that takes. */
  clear() {
    this.timeline.clear();
    this.#voice = this.#leaving = this.#read = this.#stretcher = null;
    this.#correction = 0;
    this.renderedUntil = this.error = this.firstAudible = null;
  }

  /** How much sound is in hand without a gap, µs. */
  get ahead() {
    if (this.renderedUntil === null) return 0;
    let end = this.renderedUntil;
    for (const run of this.timeline.runs) {
      if (run.startTime > end + 1000) break;
      end = Math.max(end, run.endTime);
    }
    return end - this.renderedUntil;
  }

  /**
   * Renders the next frames of the device.
   *
   * @param time Server time at which the first of them leaves the device.
   * @param perFrame What a frame of the device takes, µs of server time.
   * @param isSettling Whether the clocks are still being learnt.
   */
  render(left, right, time, perFrame, isSettling = false) {
    left.fill(0);
    right.fill(0);
    const count = left.length, end = time + count * perFrame;
    this.error = null;
    this.#level();
    if (Math.abs(perFrame * 0.048 - 1) > MEANT) return this.#stretch(left, right, time, perFrame);
    this.#follow(time, isSettling);
    let from = 0;
    while (from < count) {
      if (!this.#voice) from = this.#begin(from, count, time, perFrame);
      if (!this.#voice) break;
      const pace = perFrame * 0.048 * (1 + this.#correction);
      const made = this.#mix(this.#voice, left, right, from, count, pace);
      if (made < count) this.#finish(time + made * perFrame);
      from = Math.max(made, from + 1);
    }
    if (this.#leaving) {
      this.#mix(this.#leaving, left, right, 0, count, perFrame * 0.048);
      if (this.#leaving.gain <= 0 || this.#leaving.frame >= this.#leaving.run.end) this.#leaving = null;
    }
    this.#endStretch(left, right, time, perFrame);
    this.renderedUntil = end;
    // Sound that is still being read stays, also that of a fading voice.
    this.timeline.prune(Math.min(end, ...[this.#voice, this.#leaving].filter(Boolean).map(({run, frame}) => run.timeOf(frame))));
  }

  /** Renders at a pace that is not the sound's own, at its pitch. What sounded goes on in it without a seam. */
  #stretch(left, right, time, perFrame) {
    const count = left.length, voice = this.#voice;
    if (!this.#stretcher) {
      const read = (from, length, one, other) => this.timeline.copy(from, length, one, other, this.#levelled);
      this.#stretcher = new Stretcher(read, voice ? voice.run.timeOf(voice.frame) : time);
      this.#voice = this.#leaving = null;
    }
    this.#stretched = FADE;
    this.#stretcher.render(left, right, time, perFrame);
    const isThere = this.timeline.runs.some(run => run.startTime <= time && run.endTime > time);
    this.error = isThere ? 0 : null;
    if (isThere) this.firstAudible ??= time;
    this.renderedUntil = time + count * perFrame;
    this.timeline.prune(Math.min(this.renderedUntil, this.#stretcher.time) - 40_000);
  }

  /** The stretched sound goes while the voice comes. */
  #endStretch(left, right, time, perFrame) {
    const stretcher = this.#stretcher, count = left.length;
    if (!stretcher) return;
    const one = this.#left.subarray(0, count).fill(0), other = this.#right.subarray(0, count).fill(0);
    stretcher.render(one, other, time, perFrame);
    for (let at = 0; at < count && this.#stretched > 0; at += 1) {
      const share = this.#stretched / FADE;
      left[at] += one[at] * share;
      right[at] += other[at] * share;
      this.#stretched -= 1;
    }
    if (this.#stretched === 0) this.#stretcher = null;
  }

  /** A change of `isLevelled` is heard as a short glide. */
  #level() {
    const wanted = Number(this.isLevelled), step = wanted - (this.#levelled ?? wanted);
    this.#levelled = wanted - step + Math.max(-LEVELLING, Math.min(LEVELLING, step));
  }

  /** Compares where the sound is with where it should be. */
  #follow(time, isSettling) {
    const voice = this.#voice;
    if (!voice) return;
    if (!this.timeline.runs.includes(voice.run)) {
      // Everything of it was set aside by what came later.
      this.#leave();
      return;
    }
    // Positive: the sound that leaves now is late.
    const error = time - voice.run.timeOf(voice.frame);
    const correction = this.#rate.decide(-error, isSettling);
    if (correction === null) {
      this.jumps += 1;
      this.#leave();
      return;
    }
    this.error = error;
    this.#correction = correction;
  }

  #leave() {
    this.#leaving = this.#voice;
    if (this.#leaving) this.#leaving.isLeaving = true;
    this.#voice = null;
    this.#correction = 0;
  }

  /** A run was read to its end. */
  #finish(time) {
    const {run, frame} = this.#voice;
    this.#read = {run, frame};
    this.#voice = null;
    const next = this.timeline.at(time, this.#read);
    if (!run.isEnd && !(next && next.startTime <= time + 1000)) {
      this.starvations += 1;
      this.starvedAt = time;
    }
  }

  /** Looks for what sounds within the rest of the block. Returns the frame of the device with which it begins. */
  #begin(from, count, time, perFrame) {
    const now = time + from * perFrame;
    const run = this.timeline.at(now, this.#read);
    if (!run) return count;
    const wait = Math.max(0, Math.ceil((run.startTime - now) / perFrame - 1e-6));
    if (from + wait >= count) return count;
    const frame = Math.max(run.frameAt(now + wait * perFrame), this.#read?.run === run ? this.#read.frame : 0);
    const isWhole = run.isBeginning && frame < 1;
    this.#voice = new Voice(run, Math.max(0, frame), isWhole ? 1 : 0);
    this.#read = null;
    this.firstAudible ??= now + wait * perFrame;
    if (this.error === null) this.error = now + wait * perFrame - run.timeOf(this.#voice.frame);
    return from + wait;
  }

  /** Adds what a voice has from frame `from` of the block on. Returns the frame before which it ended. */
  #mix(voice, left, right, from, count, pace) {
    const {run} = voice, first = Math.floor(voice.frame);
    const span = Math.ceil((count - from) * pace) + 2 + TAPS;
    run.copy(first - BEFORE, span, this.#left, this.#right, this.#levelled);
    const isExact = pace === 1 && voice.frame === first;
    for (let at = from; at < count; at += 1) {
      if (voice.frame >= run.end) return at;
      const wanted = voice.isLeaving || !run.isEnd && run.end - voice.frame < FADE ? 0 : 1;
      if (voice.gain < wanted) voice.gain = Math.min(wanted, voice.gain + 1 / FADE);
      else if (voice.gain > wanted) voice.gain = Math.max(wanted, voice.gain - 1 / FADE);
      if (voice.isLeaving && voice.gain === 0) return count;
      const whole = Math.floor(voice.frame), fraction = isExact ? 0 : voice.frame - whole, place = whole - first + BEFORE;
      left[at] += voice.gain * valueAt(this.#left, place, fraction);
      right[at] += voice.gain * valueAt(this.#right, place, fraction);
      voice.frame += pace;
    }
    return count;
  }
}
