// One track on the audio context: its packets are decoded piece by piece and scheduled to the frame, one after the other.
import {decode} from './decode.js';

/**
 * How much is decoded at a time, samples: little at first, so that it sounds soon, then twice as much each time, so that
 * decoding stays ahead of the sound on a busy machine. How far ahead is scheduled, s.
 */
const FIRST = 24_000, PIECE = 5 * 48_000, AHEAD = 12;
/** How soon sound that has been decoded can begin, s. */
const SOON = 0.03;
/** How long sound comes and goes where it is cut, s. */
const FADE = 0.012;

/**
 * States: waiting (for its first samples) → sounding ⇄ starved → done.
 * `onchange` is called when that changes, `onend` is not: the deck asks for `endAt`.
 */
export class Voice {
  /** The context time at which the first sample of the file, pre-skip included, would sound; null before it is known. */
  origin = null;
  isStarved = true;
  onchange = () => {};
  #context; #sound; #gain; #cursor; #sources = new Set(); #isBusy = false; #isEnded = false; #size = FIRST; #wantedAt; #hasFaded = false;

  /**
   * @param from Where it begins, samples of the file.
   * @param at Context time at which it is to begin; null: as soon as it can.
   */
  constructor(context, destination, sound, {from, at = null, gain = 1}) {
    this.#context = context;
    this.#sound = sound;
    this.#cursor = from;
    this.#wantedAt = at;
    this.#gain = new GainNode(context, {gain});
    this.fader = new GainNode(context);
    this.#gain.connect(this.fader).connect(destination);
    sound.addEventListener('data', this.#pump);
    sound.want(from);
    this.#pump();
  }

  /** How loud the track itself is, beside what fades it. */
  setGain(gain) { this.#gain.gain.setTargetAtTime(gain, this.#context.currentTime, 0.1); }

  /** The place at a context time, samples of the file. */
  sampleAt(time) { return this.origin === null ? this.#cursor : Math.round((time - this.origin) * 48_000); }
  /** The context time at which it ends; null as long as that is not known. */
  get endAt() { return this.origin === null || this.#sound.end === null ? null : this.origin + this.#sound.end / 48_000; }
  /** Whether all of it has been scheduled. */
  get isWhole() { return this.#sound.end !== null && this.#cursor >= this.#sound.end; }

  /** Schedules what is here and due. */
  look() { this.#pump(); }

  #pump = () => {
    if (this.#isBusy || this.#isEnded || this.isWhole) return;
    const now = this.#context.currentTime, due = this.origin === null ? now : this.origin + this.#cursor / 48_000;
    if (this.origin !== null && due > now + AHEAD) return;
    const sound = this.#sound, wanted = this.#size;
    sound.want(this.#cursor);
    const end = sound.end ?? Infinity, to = Math.min(this.#cursor + wanted, end);
    const have = sound.until;
    // Enough for a whole piece, or all that there is, or what is needed at once.
    if (have < to && !(have > this.#cursor && due < now + 1)) return this.#starve(due < now + 0.05);
    const upTo = Math.min(to, have), packets = sound.span(this.#cursor, upTo - this.#cursor);
    if (!packets) return this.#starve(due < now + 0.05);
    this.#isBusy = true;
    const from = this.#cursor;
    decode(this.#context, packets, from, upTo).then((buffer) => {
      this.#isBusy = false;
      if (!this.#isEnded) this.#schedule(buffer, from, upTo);
    }, (error) => {
      this.#isBusy = false;
      this.failure = error;
      this.#tell();
    });
  };

  #starve(isDue) {
    if (!isDue || this.isStarved) return;
    this.isStarved = true;
    this.#tell();
  }

  #schedule(buffer, from, to) {
    const now = this.#context.currentTime, rate = 48_000;
    if (this.origin === null) {
      const at = Math.max(now + SOON, this.#wantedAt ?? 0);
      this.origin = Math.round(at * rate) / rate - from / rate;
      this.#fadeIn(at, from);
    } else if (this.origin + from / rate < now + 0.005) {
      // It came late: the rest is later by as much.
      this.#size = FIRST;
      this.origin = Math.round((now + SOON) * rate) / rate - from / rate;
      this.#fadeIn(now + SOON, from);
    }
    const source = new AudioBufferSourceNode(this.#context, {buffer});
    source.connect(this.#gain);
    source.onended = () => {
      this.#sources.delete(source);
      this.#pump();
    };
    this.#sources.add(source);
    source.start(this.origin + from / rate);
    this.#cursor = to;
    this.#size = Math.min(PIECE, this.#size * 2);
    const wasStarved = this.isStarved;
    this.isStarved = false;
    if (wasStarved || this.isWhole) this.#tell();
    this.#pump();
  }

  /** A cut in the middle does not click; the beginning of a track is as it is. */
  #fadeIn(at, from) {
    if (from <= this.#sound.preSkip || this.#hasFaded) return;
    this.#hasFaded = true;
    this.fader.gain.setValueAtTime(0, this.#context.currentTime);
    this.fader.gain.setValueAtTime(0, at);
    this.fader.gain.linearRampToValueAtTime(1, at + FADE);
  }

  /** Lets it come or go between two context times, with equal power. */
  cross(isComing, from, to) {
    const steps = 64, curve = Float32Array.from({length: steps}, (_, k) => {
      const share = k / (steps - 1) * Math.PI / 2;
      return isComing ? Math.sin(share) : Math.cos(share);
    });
    const start = Math.max(from, this.#context.currentTime);
    if (to <= start) return;
    this.fader.gain.cancelScheduledValues(start);
    this.fader.gain.setValueCurveAtTime(curve, start, to - start);
  }

  /** Takes back a going that was planned. */
  stay() {
    this.fader.gain.cancelScheduledValues(0);
    this.fader.gain.setTargetAtTime(1, this.#context.currentTime, FADE);
  }

  #tell() { if (!this.#isEnded) this.onchange(this); }

  /** Ends it, fading out. */
  end() {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#sound.removeEventListener('data', this.#pump);
    const now = this.#context.currentTime;
    this.fader.gain.cancelScheduledValues(now);
    this.fader.gain.setTargetAtTime(0, now, FADE / 3);
    for (const source of this.#sources) source.stop(now + FADE);
    setTimeout(() => { this.#gain.disconnect(); this.fader.disconnect(); }, 200);
  }
}
