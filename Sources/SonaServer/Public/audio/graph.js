// The audio graph in front of the device: equaliser, volume, and a tap for level meters.

/** Middle frequencies of the six bands, Hz. */
export const BANDS = [60, 150, 400, 1000, 2400, 15000];
const kinds = ['lowshelf', 'peaking', 'peaking', 'peaking', 'peaking', 'highshelf'];

/** How long a change of volume takes, s: long enough not to click. */
const GLIDE = 0.015;

/** Converts a volume of 0 to 1 to a gain. The cube is close to what people hear as half as loud. */
export const gainOf = volume => Math.max(0, Math.min(1, volume)) ** 3;

export class Graph {
  constructor(context) {
    this.context = context;
    this.bands = BANDS.map((frequency, band) => new BiquadFilterNode(context, {type: kinds[band], frequency, gain: 0, Q: 0.9}));
    this.volume = new GainNode(context, {gain: 0});
    this.analyser = new AnalyserNode(context, {fftSize: 8192, smoothingTimeConstant: 0.6});
    /** The input of the graph. */
    this.input = new GainNode(context);
    this.#connect(false);
    this.volume.connect(this.analyser);
    this.volume.connect(context.destination);
  }

  #isShaped = null;

  /** With a flat equaliser the filters are bypassed, so that the sound is exactly what the room sent. */
  #connect(isShaped) {
    if (this.#isShaped === isShaped) return;
    this.#isShaped = isShaped;
    this.input.disconnect();
    for (const band of this.bands) band.disconnect();
    const chain = isShaped ? [this.input, ...this.bands, this.volume] : [this.input, this.volume];
    for (let k = 0; k + 1 < chain.length; k += 1) chain[k].connect(chain[k + 1]);
  }

  setVolume(volume, isMuted) {
    this.volume.gain.setTargetAtTime(isMuted ? 0 : gainOf(volume), this.context.currentTime, GLIDE);
  }

  /** @param gains Six, dB, −12 to 12. */
  setEqualizer(gains) {
    gains.forEach((gain, band) => this.bands[band]?.gain.setTargetAtTime(gain, this.context.currentTime, GLIDE));
    this.#connect(gains.some(gain => gain !== 0));
  }
}
