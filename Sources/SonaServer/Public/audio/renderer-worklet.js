// The worklet: what leaves the device, made on the audio thread. Pieces come straight from the decoder's worker.

import {Renderer} from './renderer.js';

/** How often it tells how things are, frames; and of how many blocks one error is kept. */
const REPORT = 12_000, ERRORS_EVERY = 4;

class RendererProcessor extends AudioWorkletProcessor {
  #renderer = new Renderer();
  #map = null; #isSettling = true; #nextReport = 0; #blocks = 0; #errors = []; #isFirstTold = false; #isEnded = false;
  #isPlaying = false; #generation = 0; #taps = null;

  constructor() {
    super();
    this.port.onmessage = ({data}) => this.#take(data);
  }

  #take(message) {
    switch (message.type) {
      case 'pieces':
        // A piece of what was forgotten may still come.
        message.port.onmessage = ({data}) => { if (data.generation === this.#generation) this.#renderer.insert(data); };
        break;
      case 'map':
        this.#map = message.map;
        this.#isSettling = message.isSettling;
        break;
      case 'play':
        this.#isPlaying = message.isPlaying;
        this.#generation = message.generation;
        this.#renderer.clear();
        // A device that has rested has its frames at other times.
        this.#map = null;
        this.#isFirstTold = false;
        break;
      case 'level':
        this.#renderer.isLevelled = message.isOn;
        break;
      case 'tap':
        // For tests: what leaves, with its frame.
        this.#taps = message.isOn;
        break;
      case 'end':
        this.#isEnded = true;
        break;
    }
  }

  process(_, [[left, right]]) {
    if (this.#isEnded) return false;
    if (!this.#map || !this.#isPlaying || !right) return true;
    const renderer = this.#renderer, {frame, server, perFrame} = this.#map;
    renderer.render(left, right, server + (currentFrame - frame) * perFrame, perFrame, this.#isSettling);
    if (renderer.error !== null && this.#blocks++ % ERRORS_EVERY === 0) this.#errors.push(renderer.error);
    if (!this.#isFirstTold && renderer.firstAudible !== null) {
      this.#isFirstTold = true;
      this.port.postMessage({type: 'first', server: renderer.firstAudible, frame: currentFrame});
    }
    if (this.#taps) this.port.postMessage({type: 'tap', frame: currentFrame, server: server + (currentFrame - frame) * perFrame, left: left.slice()});
    if (currentFrame >= this.#nextReport) this.#report();
    return true;
  }

  #report() {
    const renderer = this.#renderer;
    this.#nextReport = currentFrame + REPORT;
    this.port.postMessage({
      type: 'report', errors: this.#errors, ahead: renderer.ahead, starvations: renderer.starvations,
      starvedAt: renderer.starvedAt, jumps: renderer.jumps, isSounding: renderer.error !== null,
    });
    this.#errors = [];
  }
}

registerProcessor('sona-renderer', RendererProcessor);
