// The takes of an epoch, in packets: `advance` says how far they are wanted, `onpacket` gets them.

/** Packets before a place that bring a fresh decoder there: RFC 7845, section 4.6, asks for 80 ms. */
const PREROLL = {packets: 8, samples: 3840};

/** Packets of an Ogg Opus file as they are. `at` is the place in the track of the first audible sample, at 48 kHz. */
export class OpusTake {
  onpacket = null;
  #packets; #next; #base; #end;

  constructor(opus, at, encoder) {
    const target = Math.min(at, opus.total - opus.preSkip - 1) + opus.preSkip;
    const place = at === 0 ? 0 : opus.packets.findLastIndex(packet => packet.start <= target);
    this.#packets = opus.packets;
    this.#next = Math.max(0, place - PREROLL.packets);
    this.#end = opus.packets.length;
    this.#base = opus.packets[this.#next].start;
    this.at = target - opus.preSkip;
    this.channels = opus.channels;
    this.preSkip = target - this.#base;
    this.encoder = encoder;
  }

  advance(until) {
    while (this.#next < this.#end && this.onpacket) {
      const {data, samples, start} = this.#packets[this.#next], samplePos = start - this.#base;
      if (samplePos >= until) return;
      this.#next += 1;
      this.encoder.meter(data);
      this.onpacket({samplePos, samples, packet: data, isLast: this.#next === this.#end});
    }
  }

  close() { this.onpacket = null; }
}

/** Handles the worker's messages for one take. */
class WorkerTake {
  onpacket = null;
  onfailure = null;
  /** The error of its encoder, which may come before a listener is set. */
  failure = null;
  #ending = new AbortController();

  constructor(encoder, about) {
    this.encoder = encoder;
    this.channels = about.channels;
    this.id = encoder.begin(about);
    const {signal} = this.#ending;
    encoder.addEventListener('packet', ({detail}) => { if (detail.take === this.id) this.onpacket?.(detail); }, {signal});
    encoder.addEventListener('failed', ({detail}) => {
      if (detail.take !== this.id) return;
      this.failure = new Error(detail.message);
      this.onfailure?.(this.failure);
    }, {signal});
  }

  advance() {}

  close() {
    this.#ending.abort();
    this.onpacket = null;
    this.encoder.end(this.id);
  }
}

/** Samples of a file that are encoded as they are needed. `source` is what the encoder calls them, `size` how many. */
export class EncodedTake extends WorkerTake {
  constructor(encoder, {source, size, channels}, at) {
    const target = Math.max(0, Math.min(at, size - 1)), from = Math.max(0, target - PREROLL.samples);
    super(encoder, {source, channels, from});
    this.at = target;
    this.preSkip = encoder.lookahead + target - from;
  }

  advance(until) { this.encoder.until(this.id, until); }
}

/**
 * Takes captured samples, from a frame of the context on. `at` is the place of its first audible sample in the live
 * sound.
 */
export class LiveTake extends WorkerTake {
  constructor(encoder, fromFrame, at) {
    super(encoder, {channels: 2, fromFrame});
    this.at = at;
    this.fromFrame = fromFrame;
    this.preSkip = encoder.lookahead;
  }
}
