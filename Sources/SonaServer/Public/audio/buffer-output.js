// Output for pages without a secure context, where neither WebCodecs nor worklets exist. Packets are wrapped as small
// Ogg files, decoded with `decodeAudioData`, rendered a moment ahead on the page's own thread, and scheduled frame by
// frame on the same clock. The sound is the same, but a page that is busy for long causes a gap.

import {oggOpus} from '../wire/ogg.js';
import {PiecePlanner} from './pieces.js';
import {Renderer} from './renderer.js';

/** How much sound is decoded at once, frames; after how long less is, ms; how many packets the decoder settles with. */
const BATCH = 4800, PATIENCE = 40, SETTLING = 8;
/** Sound that leaves the device within this time is decoded at once, µs. */
const URGENT = 300_000;
/**
 * NEAR: sound is always rendered this long before it leaves, s. FAR: it is rendered up to this far ahead if there is
 * some, because a busy page may be late. RESERVE: how much of that should be left, µs. BLOCK: frames rendered at a
 * time. TURN: how often, ms.
 */
const NEAR = 0.06, FAR = 1, RESERVE = 80_000, BLOCK = 1024, TURN = 20;
const QUANTUM = 128, REPORT = 250;

export class BufferOutput {
  mode = 'buffers';
  onreport = null;
  onfirst = null;
  ontap = null;
  onundecodable = null;
  #context; #destination; #planner = new PiecePlanner(); #renderer = new Renderer(); #decoding = Promise.resolve();
  #batch = []; #before = []; #flush = null; #sources = new Set();
  #map = null; #isSettling = true; #isPlaying = false; #isFirstTold = false; #nextFrame = 0; #errors = []; #reportedAt = 0;
  #isTapped = false; #epoch = 0;

  static async open(context, destination) { return new BufferOutput(context, destination); }

  constructor(context, destination) {
    this.#context = context;
    this.#destination = destination;
    this.timer = setInterval(() => this.#turn(), TURN);
  }

  announce(stream) { this.#planner.announce(stream); }

  take(packets) {
    for (const packet of packets) {
      const plan = this.#planner.plan(packet);
      if (!plan) {
        this.onundecodable?.(1);
        continue;
      }
      if (plan.isFresh) {
        this.#decode();
        this.#before = [];
      }
      this.#batch.push(plan);
      if (this.#batch.reduce((sum, one) => sum + one.decoded, 0) >= BATCH * 4) this.#decode();
    }
    if (this.#batch.length === 0) return;
    if (this.#batch.reduce((sum, one) => sum + one.decoded, 0) >= BATCH || this.#isUrgent(this.#batch[0])) this.#decode();
    else this.#flush ??= setTimeout(() => this.#decode(), PATIENCE);
  }

  #isUrgent({time}) {
    if (!this.#map) return false;
    const {frame, server, perFrame} = this.#map;
    return time < server + (this.#context.currentTime * this.#context.sampleRate - frame) * perFrame + URGENT;
  }

  level(isOn) { this.#renderer.isLevelled = isOn; }

  follow(map, isSettling) {
    this.#map = map;
    this.#isSettling = isSettling;
  }

  play(isPlaying) {
    this.#isPlaying = isPlaying;
    this.#epoch += 1;
    this.#batch = [];
    this.#before = [];
    this.#renderer.clear();
    // A device that has rested has its frames at other times.
    this.#map = null;
    this.#isFirstTold = false;
    for (const source of this.#sources) source.stop();
    this.#sources.clear();
    this.#nextFrame = 0;
  }

  tap(isOn) { this.#isTapped = isOn; }

  close() {
    clearInterval(this.timer);
    this.play(false);
  }

  /** Decodes what has come, after the packets before it, so that the decoder has settled. */
  #decode() {
    clearTimeout(this.#flush);
    this.#flush = null;
    const batch = this.#batch, before = this.#before, epoch = this.#epoch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#before = [...before, ...batch].slice(-SETTLING);
    const all = [...before, ...batch];
    const file = oggOpus(all.map(({packet, decoded}) => ({packet, samples: decoded})));
    const sound = this.#context.decodeAudioData(file.buffer).catch(() => null);
    this.#decoding = this.#decoding.then(async () => {
      const buffer = await sound;
      if (epoch !== this.#epoch) return;
      if (buffer) this.#cut(buffer, before, batch);
      else this.onundecodable?.(batch.length);
    });
  }

  #cut(buffer, before, batch) {
    const left = buffer.getChannelData(0), right = buffer.numberOfChannels > 1 ? buffer.getChannelData(1) : left;
    const scale = buffer.sampleRate / 48000, decoded = plans => plans.reduce((sum, plan) => sum + plan.decoded, 0);
    // Browsers leave out some samples of a file's beginning; its end is where it should be.
    let at = buffer.length / scale - decoded(batch);
    if (before.length === 0) at = Math.max(at, 0);
    for (const {decoded, skip, frames, time, isBeginning, isEnd} of batch) {
      const from = Math.round((at + skip) * scale);
      at += decoded;
      if (frames === 0 || from < 0) continue;
      this.#renderer.insert({
        time, isBeginning, isEnd, left: left.slice(from, from + frames), right: right.slice(from, from + frames),
      });
    }
  }

  /** Renders what is to leave within the next moment, and schedules it. */
  #turn() {
    if (!this.#map || !this.#isPlaying || this.#context.state !== 'running') return;
    const rate = this.#context.sampleRate, now = this.#context.currentTime;
    // A page that was busy for too long goes on with what is still to come.
    const soonest = Math.ceil((now + 0.02) * rate / QUANTUM) * QUANTUM;
    if (this.#nextFrame < soonest) this.#nextFrame = soonest;
    while (this.#nextFrame < (now + NEAR) * rate || this.#nextFrame < (now + FAR) * rate && this.#renderer.ahead > RESERVE) {
      this.#block(rate);
    }
    if (performance.now() - this.#reportedAt > REPORT) this.#report();
  }

  #block(rate) {
    const {frame, server, perFrame} = this.#map, renderer = this.#renderer, from = this.#nextFrame;
    const buffer = this.#context.createBuffer(2, BLOCK, rate);
    const left = buffer.getChannelData(0), right = buffer.getChannelData(1);
    for (let at = 0; at < BLOCK; at += QUANTUM) {
      const time = server + (from + at - frame) * perFrame;
      renderer.render(left.subarray(at, at + QUANTUM), right.subarray(at, at + QUANTUM), time, perFrame, this.#isSettling);
      if (renderer.error !== null && at % (4 * QUANTUM) === 0) this.#errors.push(renderer.error);
    }
    // Before it is handed over: Firefox takes the samples away from the page then.
    if (this.#isTapped) {
      for (let at = 0; at < BLOCK; at += QUANTUM) {
        this.ontap?.({frame: from + at, server: server + (from + at - frame) * perFrame, left: left.slice(at, at + QUANTUM)});
      }
    }
    const source = new AudioBufferSourceNode(this.#context, {buffer});
    source.connect(this.#destination);
    source.onended = () => this.#sources.delete(source);
    this.#sources.add(source);
    source.start(from / rate);
    this.#nextFrame += BLOCK;
    if (!this.#isFirstTold && renderer.firstAudible !== null) {
      this.#isFirstTold = true;
      this.onfirst?.({server: renderer.firstAudible, frame: from});
    }
  }

  #report() {
    const renderer = this.#renderer;
    this.#reportedAt = performance.now();
    this.onreport?.({
      errors: this.#errors, ahead: renderer.ahead, starvations: renderer.starvations, starvedAt: renderer.starvedAt,
      jumps: renderer.jumps, isSounding: renderer.error !== null,
    });
    this.#errors = [];
  }
}
