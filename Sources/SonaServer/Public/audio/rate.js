// How fast to read the room's sound, so that a device with its own clock stays in step. The known drift of the device's
// clock is compensated all the time. The remaining error is left alone within a dead band. Beyond it, it is removed at
// an inaudible pace, and beyond 30 ms by a jump. Protocol/spec/audio.md, "Rendering".

/** Errors up to DEAD_BAND are left alone; a correction goes on until less than RELEASE is left, µs. */
const DEAD_BAND = 100, RELEASE = 20;
/** How long a correction would take at its first pace, µs. */
const TIME_CONSTANT = 500_000;
/** Furthest from the device's own pace that a correction goes: what is not heard. */
const DEVIATION_MAX = 500e-6;
/** Errors beyond this are removed by a jump, µs; the second while the clocks are being learnt. */
const JUMP = 30_000, SETTLING_JUMP = 2_000;

export class RateController {
  #isCorrecting = false;

  /** The correction, as a fraction to be added to the pace; null for a jump. `error`: how much too late in the sound, µs. */
  decide(error, isSettling) {
    const size = Math.abs(error);
    if (size > (isSettling ? SETTLING_JUMP : JUMP)) {
      this.#isCorrecting = false;
      return null;
    }
    if (size > DEAD_BAND) this.#isCorrecting = true;
    if (size < RELEASE) this.#isCorrecting = false;
    return this.#isCorrecting ? Math.max(-DEVIATION_MAX, Math.min(DEVIATION_MAX, -error / TIME_CONSTANT)) : 0;
  }
}
