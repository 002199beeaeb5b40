// Microphones, line inputs and the sound of tabs: on the clock of a context of its own.
import {ContextClock} from '../context-clock.js';
import {NotLoaded} from './not-loaded.js';

/** Music goes through a line input as it is; a voice may be cleaned by the browser. */
const constraints = ({device, isCleaned}) => ({
  audio: {
    ...device ? {deviceId: {exact: device}} : {},
    echoCancellation: isCleaned, noiseSuppression: isCleaned, autoGainControl: isCleaned, channelCount: {ideal: 2},
  },
});

/** Whether the sound of a tab can be had here: a browser that gives the picture only knows nothing of that sound's settings. */
export function canShareTab() {
  const devices = globalThis.navigator?.mediaDevices;
  return typeof devices?.getDisplayMedia === 'function' && devices.getSupportedConstraints().suppressLocalAudioPlayback === true;
}

/** The person chose to share something, but not its sound. */
export class NoSound extends Error {}

/** The inputs there are: `{id, label}`; labels are known once one was allowed. */
export async function inputs() {
  const all = await navigator.mediaDevices?.enumerateDevices?.() ?? [];
  return all.filter(({kind}) => kind === 'audioinput').map(({deviceId, label}) => ({id: deviceId, label}));
}

/** Opens a microphone or a line input. Throws what `getUserMedia` does: NotAllowedError, NotFoundError, … */
export const openDevice = (device, isCleaned = false) => navigator.mediaDevices.getUserMedia(constraints({device, isCleaned}));

/** Lets the user choose a tab and captures its sound. Throws NoSound, or the error of `getDisplayMedia`. */
export async function openTab() {
  const stream = await navigator.mediaDevices.getDisplayMedia({
    video: true, audio: {echoCancellation: false, noiseSuppression: false, autoGainControl: false, suppressLocalAudioPlayback: false},
    systemAudio: 'include', selfBrowserSurface: 'exclude', preferCurrentTab: false,
  });
  // The picture is asked for since browsers give no sound without one; nobody looks at it.
  for (const track of stream.getVideoTracks()) track.enabled = false;
  if (stream.getAudioTracks().length === 0) {
    for (const track of stream.getTracks()) track.stop();
    throw new NoSound();
  }
  return stream;
}

/** The context in which everything is captured, and when its frames were. */
export class CaptureClock {
  #context = null; #clock = null; #opening = null; #bias = null;

  /** Returns the context, ready to capture. Throws NotLoaded, or the browser's error. The next call tries again. */
  open() {
    return this.#opening ??= this.#open().catch(error => {
      this.#opening = null;
      throw error;
    });
  }

  async #open() {
    const context = new AudioContext({sampleRate: 48000, latencyHint: 'interactive'});
    try {
      await context.audioWorklet.addModule(new URL('capture-worklet.js', import.meta.url));
    } catch {
      context.close();
      throw new NotLoaded();
    }
    this.#clock = new ContextClock(context);
    return this.#context = context;
  }

  async start() {
    const context = await this.open();
    await context.resume();
  }

  stop() {
    this.#clock?.forget();
    this.#bias = null;
    return this.#context?.suspend();
  }

  /** Call it a few times a second. */
  look() {
    if (this.#context?.state !== 'running') return;
    this.#clock.look();
    // The line tells when a frame leaves. It was captured a constant time before.
    if (this.#clock.isCounted) this.#bias = null;
    else if (this.#bias === null && this.#clock.isMeasured) {
      this.#bias = this.#clock.leaves(this.#context.currentTime) - performance.now();
    }
  }

  get frame() { return Math.round(this.#context.currentTime * this.#context.sampleRate); }

  /** When a frame came in, ms of `performance.now()`; and how far off that may be, µs. */
  timeOf(frame) {
    const time = frame / this.#context.sampleRate;
    if (this.#bias !== null) return this.#clock.leaves(time) - this.#bias;
    if (this.#clock.isCounted) return this.#clock.leaves(time) - this.#clock.countedDelay;
    return performance.now() + (time - this.#context.currentTime) * 1000;
  }

  /** The frame that comes in at a time, ms of `performance.now()`. */
  frameAt(time) { return this.frame + Math.round((time - performance.now()) * this.#context.sampleRate / 1000); }

  get error() { return this.#bias !== null || this.#clock.isCounted ? 1000 + 1000 * (this.#clock.spread ?? 0) : 20_000; }

  /** Sends the samples of a stream to the owner of the port. */
  async connect(stream) {
    const context = await this.open(), {port1, port2} = new MessageChannel();
    const source = new MediaStreamAudioSourceNode(context, {mediaStream: stream});
    const node = new AudioWorkletNode(context, 'sona-capture', {numberOfInputs: 1, numberOfOutputs: 1, channelCount: 2, channelCountMode: 'explicit'});
    node.port.postMessage(port1, [port1]);
    // It says nothing; but what leads nowhere is not run.
    source.connect(node).connect(context.destination);
    return new Input(stream, source, node, port2);
  }
}

/** An open capture. `onended` is called when it ends by itself: it was unplugged, or is not shared any more. */
class Input {
  onended = null;
  #parts;

  constructor(stream, source, node, port) {
    this.#parts = {stream, source, node};
    this.port = port;
    const [track] = stream.getAudioTracks();
    this.label = track.label;
    this.device = track.getSettings?.().deviceId ?? null;
    track.addEventListener('ended', () => this.onended?.());
  }

  mute(isMuted) { for (const track of this.#parts.stream.getAudioTracks()) track.enabled = !isMuted; }

  close() {
    const {stream, source, node} = this.#parts;
    for (const track of stream.getTracks()) track.stop();
    node.port.postMessage(null);
    source.disconnect();
    node.disconnect();
  }
}
