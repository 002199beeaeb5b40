// The page's side of the worker that encodes: one for the whole page.
import {NotLoaded} from './not-loaded.js';

/** Whether this browser can host at all: 'insecure', 'no-encoder', or null if it can. */
export const lacks = () => !globalThis.isSecureContext ? 'insecure' : typeof globalThis.AudioEncoder !== 'function' ? 'no-encoder' : null;

/** The browser cannot encode Opus, whatever it said. */
export class CannotEncode extends Error {}

/**
 * Fires `tick` every 20 ms while it runs, `level` `{level, voice}` with `{peak, rms}` each, `packet` and `failed` of the
 * take that was begun last.
 */
export class Encoder extends EventTarget {
  #worker = null; #failed = null; #probe = null; #sources = 0; #takes = 0;
  /** Samples at 48 kHz that decoders emit before the first one that went in. Known after `ready`. */
  lookahead = null;

  #open() {
    const worker = this.#worker = new Worker(new URL('encoder-worker.js', import.meta.url), {type: 'module'});
    worker.onmessage = ({data}) => this.dispatchEvent(new CustomEvent(data.type, {detail: data}));
    // It may fail before a caller asks whether it is ready. A failed load has no message.
    this.#failed = new Promise((_, reject) => {
      worker.onerror = ({message}) => reject(message === undefined ? new NotLoaded() : new CannotEncode(message));
    });
    this.#failed.catch(() => {});
  }

  #send(message, transfer = []) {
    if (!this.#worker) this.#open();
    this.#worker.postMessage(message, transfer);
  }

  /** Encodes a little as a test. Throws NotLoaded or CannotEncode if that fails. The next call tries again. */
  ready() {
    return this.#probe ??= this.#tried().catch(error => {
      this.#worker.terminate();
      this.#worker = this.#probe = null;
      throw error;
    });
  }

  async #tried() {
    const probed = new Promise(resolve => this.addEventListener('probed', resolve, {once: true}));
    this.#send({type: 'probe'});
    const {detail: {lookahead, failure}} = await Promise.race([probed, this.#failed]);
    if (failure) throw new CannotEncode(failure);
    this.lookahead = lookahead;
  }

  /** Whether ticks and levels come. */
  run(on) { if (on || this.#worker) this.#send({type: 'run', on}); }

  /** Gives samples away, an array for each channel. Returns their name. */
  load(channels) {
    const source = ++this.#sources;
    this.#send({type: 'load', source, channels}, channels.map(channel => channel.buffer));
    return source;
  }

  unload(source) { this.#send({type: 'unload', source}); }

  /** Begins a take, and ends the one before. Returns its name. `about` is as in the worker's Take. */
  begin(about) {
    const id = ++this.#takes;
    this.#send({type: 'begin', about: {lookahead: this.lookahead, ...about, id}});
    return id;
  }

  until(take, samples) { this.#send({type: 'until', take, samples}); }
  end(take) { this.#send({type: 'end', take}); }
  /** From now on captured pieces come through this port. */
  capture(port) { this.#send({type: 'capture', port}, [port]); }
  voice(port) { this.#send({type: 'voice', port}, [port]); }
  talk(on) { this.#send({type: 'talk', on}); }
  /** Looks how loud a packet is. */
  meter(packet) {
    const copy = packet.slice();
    this.#send({type: 'meter', packet: copy}, [copy.buffer]);
  }
}
