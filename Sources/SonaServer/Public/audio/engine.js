// The audio device of the page: its context, its clock, and the way sound is made. One for the whole page.

import {ContextClock} from './context-clock.js';
import {Graph} from './graph.js';
import {follow} from './outputs.js';
import {WorkletOutput} from './worklet-output.js';

/** How long a browser may take to start its device, ms: one without any device never does. */
const START = 2000;
/** How often the device's clock is read, while it is learnt and later; how often the output is told, ms. */
const LOOK = {young: 20, old: 100}, TELL = 250;
/** How long sound waits for the device's clock, ms; how long after the start both clocks are being learnt, s. */
const PATIENCE = 400, SETTLING = 3;
const BURSTS_SETTLED = 2;

/** How long sound takes to go when it is stopped, ms. */
const FADE = 60;

/** Nothing is audible: the browser wants a click first, or, after one, has no device. */
export class Blocked extends Error {
  constructor(wasClicked) {
    super('The browser has not started the sound device.');
    this.wasClicked = wasClicked;
  }
}

/** Fires: first, report, undecodable, state. */
export class Engine extends EventTarget {
  context = null;
  graph = null;
  output = null;
  clock = null;
  /** Sound is heard so much later than it would be, ms: set by ear. */
  nudge = 0;
  /** Sound is heard so much later than in the room: {by(now), pace}, µs of server time and a factor. */
  shift = {by: () => 0, pace: 1};
  #session; #opening = null; #timer = null; #toldAt = 0; #startedAt = null; #isPlaying = false; #stopping = null; #breaks = 0;

  constructor(session) {
    super();
    this.#session = session;
  }

  /** 'worklet', 'buffers', or null before it is known. */
  get mode() { return this.output?.mode ?? null; }
  get isRunning() { return this.context?.state === 'running'; }
  /** From the program to the ear as far as the system says, µs; null where it says nothing. */
  get latency() { return this.isRunning ? this.clock.latency : null; }

  /** Makes the context and loads what renders. Needs no click. */
  open() {
    return this.#opening ??= this.#open().catch(error => {
      // Another try may find what was missing.
      this.#opening = null;
      this.context?.close();
      throw error;
    });
  }

  async #open() {
    this.context = new AudioContext({sampleRate: 48000, latencyHint: 'playback'});
    this.context.onstatechange = () => this.#tell('state');
    follow(this.context);
    this.clock = new ContextClock(this.context);
    this.graph = new Graph(this.context);
    // The second way is fetched where the first is not there.
    const second = async () => (await import('./buffer-output.js')).BufferOutput;
    const ways = WorkletOutput.isThere ? [async () => WorkletOutput, second] : [second];
    for (const way of ways) {
      try {
        this.output = await (await way()).open(this.context, this.graph.input);
        break;
      } catch (error) {
        if (way === ways.at(-1)) throw error;
      }
    }
    this.output.onreport = report => this.#tell('report', report);
    this.output.onfirst = first => this.#tell('first', first);
    this.output.onundecodable = count => this.#tell('undecodable', count);
    this.#tell('state');
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }

  /**
   * Starts the device and lets sound through. Call it from a click, or where the browser allows it without. Throws
   * `Blocked` if the browser does not allow it.
   */
  async start() {
    const wasClicked = navigator.userActivation?.isActive ?? false;
    clearTimeout(this.#stopping);
    // The first thing within the click, so that every browser counts it as one.
    const running = this.context?.resume();
    await this.open();
    if (!this.isRunning) {
      let timer;
      await Promise.race([
        running ?? this.context.resume(),
        new Promise(resolve => { timer = setTimeout(resolve, START); }),
      ]);
      clearTimeout(timer);
      if (!this.isRunning) throw new Blocked(wasClicked);
    }
    this.#isPlaying = true;
    this.#startedAt = performance.now();
    this.clock.forget();
    this.output.play(true);
    clearTimeout(this.#timer);
    this.#look();
  }

  /** Asks a device to go on that has stopped by itself. */
  wake() { this.context?.resume().catch(() => {}); }

  /** Lets nothing through, and the device rest. */
  stop() {
    this.#isPlaying = false;
    clearTimeout(this.#timer);
    this.graph?.setVolume(0, true);
    clearTimeout(this.#stopping);
    this.#stopping = setTimeout(() => {
      this.output?.play(false);
      this.context?.suspend();
    }, FADE);
  }

  #look() {
    const now = performance.now(), age = now - this.#startedAt;
    this.clock.look();
    // A device that stood still was heard to: the sound goes to where it should be at once.
    const isBroken = this.clock.breaks !== this.#breaks, isYoung = age < SETTLING * 1000 || isBroken;
    this.#breaks = this.clock.breaks;
    if ((this.clock.isMeasured || age > PATIENCE) && (isYoung || now - this.#toldAt >= TELL)) this.#follow(isYoung, now);
    this.#timer = setTimeout(() => this.#look(), isYoung || this.clock.isUnsure ? LOOK.young : LOOK.old);
  }

  /** Tells the output which server time the frames have. */
  #follow(isYoung, now) {
    const filter = this.#session.clock.filter;
    if (filter.count === 0) return;
    this.#toldAt = now;
    const {sampleRate, currentTime} = this.context;
    const leaves = this.clock.leaves(currentTime) * 1000, whole = Math.floor(leaves);
    const room = Number(filter.serverTime(BigInt(whole))) + (leaves - whole), server = room - this.shift.by(room) - this.nudge * 1000;
    const perFrame = 1e6 / sampleRate * this.clock.slope * (1 + filter.driftPPM / 1e6) * this.shift.pace;
    this.output.follow({frame: currentTime * sampleRate, server, perFrame}, isYoung || filter.count < BURSTS_SETTLED);
  }

  /** Takes a change of the nudge at once. */
  setNudge(milliseconds) {
    this.nudge = milliseconds;
    if (this.#isPlaying) this.#follow(true, performance.now());
  }

  /** Takes a change of the shift at once. */
  followShift() {
    if (this.#isPlaying && this.clock.isMeasured) this.#follow(false, performance.now());
  }

  /** Forgets what was to be heard: another room follows. */
  clear() {
    if (!this.#isPlaying) return;
    this.output.play(true);
    if (this.clock.isMeasured) this.#follow(false, performance.now());
  }

  /** @param isOn Whether all tracks are made about as loud. */
  setLoudness(isOn) { this.output?.level(isOn); }

  announce(stream) { this.output?.announce(stream); }
  take(packets) { this.output?.take(packets); }
}
