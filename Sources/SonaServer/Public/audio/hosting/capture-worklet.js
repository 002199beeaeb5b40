// Hands on what comes in, in pieces of 10 ms, with the frame of the context at which each began.

const PIECE = 480;

class Capture extends AudioWorkletProcessor {
  #port = null; #left = new Float32Array(PIECE); #right = new Float32Array(PIECE); #filled = 0; #frame = 0; #isOver = false;

  constructor() {
    super();
    // The port that samples go to; null at the end.
    this.port.onmessage = ({data}) => {
      this.#isOver = data === null;
      this.#port = data;
    };
  }

  process([input]) {
    if (!this.#port) return !this.#isOver;
    const left = input[0], right = input[1] ?? left;
    // No input, or no samples yet: silence counts, too.
    for (let at = 0; at < (left?.length ?? 128); at += 1) {
      if (this.#filled === 0) this.#frame = currentFrame + at;
      this.#left[this.#filled] = left ? left[at] : 0;
      this.#right[this.#filled] = right ? right[at] : 0;
      this.#filled += 1;
      if (this.#filled < PIECE) continue;
      this.#port.postMessage({frame: this.#frame, left: this.#left, right: this.#right}, [this.#left.buffer, this.#right.buffer]);
      this.#left = new Float32Array(PIECE);
      this.#right = new Float32Array(PIECE);
      this.#filled = 0;
    }
    return true;
  }
}

registerProcessor('sona-capture', Capture);
