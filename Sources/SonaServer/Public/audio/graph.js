// The audio graph in front of the device: equaliser, volume, and a tap for whatever shows the sound.

/** Middle frequencies of the six bands, Hz. */
export const BANDS = [60, 150, 400, 1000, 2400, 15000];
const kinds = ['lowshelf', 'peaking', 'peaking', 'peaking', 'peaking', 'highshelf'];

/** The time constant of every change, s: long enough not to click. */
const GLIDE = 0.015;
/** After so long a gain has come to its end, s: what is left of the way is one three-thousandth. */
const SETTLED = 8 * GLIDE;
/** How long filters that nothing comes through any more stay connected, ms. */
const IDLE = 1000;

/** Converts a volume of 0 to 1 to a gain. The cube is close to what people hear as half as loud. */
export const gainOf = volume => Math.max(0, Math.min(1, volume)) ** 3;

/**
 * With a flat equaliser the sound goes past the filters, so that it is exactly what the room sent. From one way to the other
 * it glides, and the filters are flat by then: no sample differs from the one before by more than the sound itself does.
 */
export class Graph {
  #analyser = null; #isShaped = false; #isConnected = false; #resting = null;

  constructor(context) {
    this.context = context;
    this.bands = BANDS.map((frequency, band) => new BiquadFilterNode(context, {type: kinds[band], frequency, gain: 0, Q: 0.9}));
    this.volume = new GainNode(context, {gain: 0});
    /** The input of the graph. */
    this.input = new GainNode(context);
    /** The ways past the filters and through them. */
    this.plain = new GainNode(context, {gain: 1});
    this.shaped = new GainNode(context, {gain: 0});
    this.input.connect(this.plain).connect(this.volume);
    this.bands.reduce((before, band) => before.connect(band)).connect(this.shaped).connect(this.volume);
    this.volume.connect(context.destination);
  }

  /** What is heard, for whatever shows it. It costs nothing before something asks for it. */
  get analyser() {
    if (!this.#analyser) {
      this.#analyser = new AnalyserNode(this.context, {fftSize: 8192, smoothingTimeConstant: 0.6});
      this.volume.connect(this.#analyser);
    }
    return this.#analyser;
  }

  setVolume(volume, isMuted) {
    this.volume.gain.setTargetAtTime(isMuted ? 0 : gainOf(volume), this.context.currentTime, GLIDE);
  }

  /** @param gains Six, dB, −12 to 12. */
  setEqualizer(gains) {
    const now = this.context.currentTime, isShaped = gains.some(gain => gain !== 0);
    clearTimeout(this.#resting);
    if (isShaped) this.#connect(true);
    gains.forEach((gain, band) => this.bands[band]?.gain.setTargetAtTime(gain, now, GLIDE));
    if (isShaped === this.#isShaped) return;
    this.#isShaped = isShaped;
    // Out of the filters only once they are flat; into them at once, since they still are.
    const at = isShaped ? now : now + SETTLED;
    for (const [way, share] of [[this.plain, isShaped ? 0 : 1], [this.shaped, isShaped ? 1 : 0]]) {
      const {gain} = way;
      gain.cancelScheduledValues(now);
      gain.setTargetAtTime(share, at, GLIDE);
      gain.setValueAtTime(share, at + 2 * SETTLED);
    }
    if (!isShaped) this.#resting = setTimeout(() => this.#connect(false), IDLE);
  }

  #connect(isOn) {
    if (this.#isConnected === isOn) return;
    this.#isConnected = isOn;
    if (isOn) this.input.connect(this.bands[0]);
    else this.input.disconnect(this.bands[0]);
  }
}
