// The worker: Opus packets in, pieces of sound out, straight to the audio thread. The page may be busy meanwhile.

import {PiecePlanner} from './pieces.js';

const CONFIGURATION = {codec: 'opus', sampleRate: 48000, numberOfChannels: 2};

/** Decodes the planned packets in order. One input may give any number of outputs. */
class PieceDecoder {
  #decoder = null; #awaited = []; #filled = 0; #fed = 0;
  /** Packets that the decoder refused, or that are not packets. */
  undecodable = 0;

  constructor(give) { this.give = give; }

  #open() {
    const decoder = this.#decoder = new AudioDecoder({
      output: data => decoder === this.#decoder ? this.#put(data) : data.close(),
      error: () => { if (decoder === this.#decoder) this.#fail(); },
    });
    decoder.configure(CONFIGURATION);
    this.#fed = 0;
  }

  #fail() {
    // A decoder that met an error is closed. Whatever it was to make is lost.
    this.undecodable += this.#awaited.length;
    this.#awaited = [];
    this.#filled = 0;
    this.#decoder = null;
  }

  /** Flushes everything under way and resets the decoder. */
  async renew() {
    const decoder = this.#decoder;
    if (!decoder) return;
    try { await decoder.flush(); } catch { /* It has failed, and said so. */ }
    if (decoder.state !== 'closed') decoder.close();
    this.#decoder = null;
    this.#awaited = [];
    this.#filled = 0;
  }

  decode(plan) {
    if (plan.isSilent) {
      this.#emit(plan, new Float32Array(plan.frames), new Float32Array(plan.frames));
      return;
    }
    // It is closed before it says that it has failed.
    if (this.#decoder?.state === 'closed') this.#fail();
    if (!this.#decoder) this.#open();
    this.#awaited.push({plan, left: new Float32Array(plan.decoded), right: new Float32Array(plan.decoded)});
    this.#decoder.decode(new EncodedAudioChunk({
      type: 'key', timestamp: Math.round(this.#fed * 1e6 / 48000), data: plan.packet,
    }));
    this.#fed += plan.decoded;
  }

  #put(data) {
    const frames = data.numberOfFrames, left = new Float32Array(frames);
    data.copyTo(left, {planeIndex: 0, format: 'f32-planar'});
    let right = left;
    if (data.numberOfChannels > 1) {
      right = new Float32Array(frames);
      data.copyTo(right, {planeIndex: 1, format: 'f32-planar'});
    }
    data.close();
    for (let at = 0; at < frames && this.#awaited.length > 0;) {
      const head = this.#awaited[0], part = Math.min(frames - at, head.plan.decoded - this.#filled);
      head.left.set(left.subarray(at, at + part), this.#filled);
      head.right.set(right.subarray(at, at + part), this.#filled);
      at += part;
      this.#filled += part;
      if (this.#filled < head.plan.decoded) continue;
      this.#awaited.shift();
      this.#filled = 0;
      this.#emit(head.plan, head.left, head.right);
    }
  }

  #emit({skip, frames, time, isBeginning, isEnd, isSilent, gain, generation}, left, right) {
    if (frames === 0) return;
    const from = isSilent ? 0 : skip;
    this.give({time, left: left.slice(from, from + frames), right: right.slice(from, from + frames), isBeginning, isEnd, gain, generation});
  }
}

const planner = new PiecePlanner();
let port = null;
const decoder = new PieceDecoder(piece => port?.postMessage(piece, [piece.left.buffer, piece.right.buffer]));
const waiting = [];
let isBusy = false;

async function work() {
  if (isBusy) return;
  isBusy = true;
  for (let message = waiting.shift(); message; message = waiting.shift()) {
    if (message.stream) {
      planner.announce(message.stream);
      continue;
    }
    for (const packet of message.packets) {
      const plan = planner.plan(packet);
      if (!plan) {
        decoder.undecodable += 1;
        continue;
      }
      if (plan.isFresh) await decoder.renew();
      decoder.decode({...plan, generation: message.generation});
    }
    if (decoder.undecodable > 0) {
      postMessage({undecodable: decoder.undecodable});
      decoder.undecodable = 0;
    }
  }
  isBusy = false;
}

/** A packet of silence of 20 ms. Some browsers say that they decode Opus, and do not. */
const SAMPLE = Uint8Array.from([0xfc, 0xff, 0xfe]);

/** Whether what this browser makes of a packet is what it should be. */
const works = () => new Promise(resolve => {
  let frames = 0;
  const trial = new AudioDecoder({
    output: data => {
      if (data.sampleRate === 48000) frames += data.numberOfFrames;
      data.close();
    },
    error: () => resolve(false),
  });
  trial.configure(CONFIGURATION);
  trial.decode(new EncodedAudioChunk({type: 'key', timestamp: 0, data: SAMPLE}));
  trial.flush().then(() => {
    trial.close();
    resolve(frames === 960);
  }, () => resolve(false));
});

onmessage = async ({data}) => {
  if (data.port) {
    port = data.port;
    postMessage({works: await works().catch(() => false)});
    return;
  }
  waiting.push(data);
  work();
};
