// The inputs of a host: the voice over the music and, live, the music itself. No DOM.
import {CaptureClock, openDevice, openTab} from '../../audio/hosting/capture.js';

/** How often the server gets the time at which a sample was captured, ms, and how often the clock is read. */
const TELL = 1000, LOOK = 100;

/** Fires `change`, and `lost` when the music's input ended by itself. */
export class HostInputs extends EventTarget {
  clock = new CaptureClock();
  /** The voice's input and the music's, or null. */
  voice = null;
  music = null;
  /** The device that was chosen for the music, null for the browser's own choice. */
  device = null;
  isTalking = false;
  isMuted = false;
  #encoder; #lookedAt = 0; #toldAt = 0;

  constructor(encoder) {
    super();
    this.#encoder = encoder;
  }

  #tell(type = 'change') { this.dispatchEvent(new Event(type)); }

  /** Starts the device's clock: to be called from a click. */
  wake() { return this.clock.start(); }

  /** Opens what the voice comes from, instead of the one before. */
  async openVoice(device = null) {
    await this.wake();
    const input = await this.clock.connect(await openDevice(device, false));
    this.closeVoice();
    this.voice = input;
    input.onended = () => { if (this.voice === input) this.closeVoice(); };
    this.#encoder.voice(input.port);
    this.#tell();
  }

  closeVoice() {
    this.talk(false);
    this.voice?.close();
    this.voice = null;
    this.#tell();
  }

  /** Lets the voice be heard, or not; the music steps back for it. */
  talk(on) {
    const isTalking = on && this.voice !== null;
    if (isTalking === this.isTalking) return;
    this.isTalking = isTalking;
    this.#encoder.talk(isTalking);
    this.#tell();
  }

  /** Opens a live input: 'microphone', with a device, or 'tab'. Call it from a click. */
  async openMusic(kind, device = null) {
    await this.wake();
    const input = await this.clock.connect(kind === 'tab' ? await openTab() : await openDevice(device));
    this.closeMusic();
    this.music = input;
    this.device = device;
    this.isMuted = false;
    input.onended = () => {
      if (this.music !== input) return;
      this.closeMusic();
      this.#tell('lost');
    };
    this.#encoder.capture(input.port);
    this.#tell();
  }

  closeMusic() {
    this.music?.close();
    this.music = null;
    this.#tell();
  }

  mute(isMuted) {
    this.isMuted = isMuted;
    this.music?.mute(isMuted);
    this.#tell();
  }

  close() {
    this.closeVoice();
    this.closeMusic();
    return this.clock.stop();
  }

  /**
   * Looks at the clock, and says from time to time when the newest sample was captured: `{samplePos, serverTime, error}`
   * for a take that is live, or null.
   */
  look(take, filter) {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK && (this.music || this.voice)) {
      this.#lookedAt = now;
      this.clock.look();
    }
    if (take?.fromFrame === undefined || now - this.#toldAt < TELL || filter.count === 0) return null;
    const frame = this.clock.frame;
    if (frame <= take.fromFrame) return null;
    this.#toldAt = now;
    const at = Math.min(this.clock.timeOf(frame), now);
    return {
      samplePos: frame - take.fromFrame + take.preSkip,
      serverTime: filter.serverTime(BigInt(Math.round(at * 1000))), error: filter.error + this.clock.error,
    };
  }
}
