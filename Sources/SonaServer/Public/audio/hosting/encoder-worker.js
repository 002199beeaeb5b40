// Makes Opus packets of 20 ms out of samples: of files, as far as it is asked to; of what is captured, as it comes. A
// voice is mixed in here, as late as can be. Its timer keeps time for the page, whose own are slow while it is hidden.

import {Ducking, FRAME, limit, Loudness, Voice} from './mixing.js';

const CONFIGURATION = {codec: 'opus', sampleRate: 48000, bitrate: 128_000};
const OPUS = {format: 'opus', frameDuration: FRAME * 1e6 / 48000, application: 'audio', signal: 'music', complexity: 10};
/** The look-ahead of libopus in samples at 48 kHz, for browsers that do not report theirs. */
const LOOKAHEAD = 312;
/** Frames that are with the encoder at most; how often levels are told and time is kept, ms. */
const UNDER_WAY = 8, LEVELS = 50, TICK = 20;

const sources = new Map();
const voice = new Voice(), ducking = new Ducking();
const loudness = new Loudness(), voiceLoudness = new Loudness();
let take = null, timer = null, levelled = 0, meterDecoder = null;

function encoder(channels, output, error) {
  const made = new AudioEncoder({output, error});
  made.configure({...CONFIGURATION, numberOfChannels: channels, opus: OPUS});
  return made;
}

/** Returns the look-ahead of this browser's encoder. Throws if it cannot encode Opus. */
async function probe() {
  const {supported} = await AudioEncoder.isConfigSupported({...CONFIGURATION, numberOfChannels: 2, opus: OPUS});
  if (!supported) throw new Error('The browser does not encode Opus.');
  let failure = null, count = 0, lookahead = null;
  const one = encoder(2, (chunk, metadata) => {
    count += 1;
    const head = metadata?.decoderConfig?.description;
    if (head && head.byteLength >= 12) lookahead ??= new DataView(head.buffer ?? head, head.byteOffset ?? 0).getUint16(10, true);
  }, error => { failure = error; });
  feed(one, [new Float32Array(FRAME), new Float32Array(FRAME)], 0);
  await one.flush();
  one.close();
  if (failure || count === 0) throw failure ?? new Error('The browser encodes nothing.');
  return lookahead ?? LOOKAHEAD;
}

const sound = (channels, at) => {
  const data = new Float32Array(channels.length * FRAME);
  channels.forEach((channel, k) => data.set(channel, k * FRAME));
  return new AudioData({
    format: 'f32-planar', sampleRate: 48000, numberOfFrames: FRAME, numberOfChannels: channels.length,
    timestamp: Math.round(at * 1e6 / 48000), data,
  });
};

/** Hands 20 ms to an encoder, which takes what it needs: the rest is let go at once, not when memory is looked through. */
function feed(one, channels, at) {
  const data = sound(channels, at);
  try {
    one.encode(data);
  } finally {
    data.close();
  }
}

/** The encoder of one epoch. */
class Take {
  #awaited = []; #fed = 0; #encoder; #pending = [[], []]; #pendingSize = 0; #isOver = false;
  /** How far it may go, samples. */
  until = 0;

  constructor({id, channels, lookahead, source = null, from = 0, fromFrame = null}) {
    Object.assign(this, {id, channels, lookahead, from, fromFrame, source: source === null ? null : sources.get(source)});
    if (this.source) this.total = lookahead + this.source[0].length - from;
    this.#encoder = encoder(channels, chunk => this.#put(chunk), error => this.#fail(error));
  }

  get isLive() { return this.source === null; }

  #fail(error) {
    this.#isOver = true;
    postMessage({type: 'failed', take: this.id, message: String(error?.message ?? error)});
  }

  #put(chunk) {
    const packet = new Uint8Array(chunk.byteLength), about = this.#awaited.shift();
    chunk.copyTo(packet);
    if (about) postMessage({type: 'packet', take: this.id, packet, ...about}, [packet.buffer]);
    this.work();
  }

  #encode(channels, about) {
    ducking.apply(channels, voice.isTalking);
    if (voice.addTo(channels)) limit(channels);
    loudness.add(channels);
    this.#awaited.push({samplePos: this.#fed, samples: FRAME, isLast: false, ...about});
    try {
      feed(this.#encoder, channels, this.#fed);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#fed += FRAME;
  }

  /** Goes on with a file, as far as it may. */
  work() {
    while (!this.isLive && !this.#isOver && this.#fed < this.until && this.#awaited.length < UNDER_WAY) {
      const at = this.from + this.#fed, isLast = this.#fed + FRAME >= this.total;
      const channels = Array.from({length: this.channels}, (_, k) => {
        const piece = new Float32Array(FRAME), whole = this.source[Math.min(k, this.source.length - 1)];
        if (at < whole.length) piece.set(whole.subarray(at, at + FRAME));
        return piece;
      });
      this.#encode(channels, isLast ? {samples: this.total - this.#fed, isLast} : {});
      if (!isLast) continue;
      this.#isOver = true;
      // Flushes the encoder.
      this.#encoder.flush().catch(() => {});
    }
  }

  /** Takes a captured piece in. Samples captured before the take began are dropped. */
  capture({frame, left, right}) {
    if (!this.isLive || this.#isOver) return;
    const skip = Math.max(0, this.fromFrame - frame);
    if (skip >= left.length) return;
    this.#pending[0].push(left.subarray(skip));
    this.#pending[1].push(right.subarray(skip));
    this.#pendingSize += left.length - skip;
    while (this.#pendingSize >= FRAME) {
      const channels = this.#pending.map(cut);
      this.#pendingSize -= FRAME;
      this.#encode(channels.slice(0, this.channels), {});
    }
  }

  end() {
    this.#isOver = true;
    this.#awaited = [];
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }
}

/** The first 20 ms out of pieces in a row. */
function cut(parts) {
  const out = new Float32Array(FRAME);
  for (let at = 0; at < FRAME;) {
    const part = parts[0].subarray(0, FRAME - at);
    out.set(part, at);
    at += part.length;
    if (part.length === parts[0].length) parts.shift();
    else parts[0] = parts[0].subarray(part.length);
  }
  return out;
}

/** Packets that go out as they are are decoded here, to see how loud they are. */
function meter(packet) {
  if (!globalThis.AudioDecoder) return;
  if (!meterDecoder || meterDecoder.state === 'closed') {
    meterDecoder = new AudioDecoder({
      output: data => {
        const channels = Array.from({length: Math.min(2, data.numberOfChannels)}, (_, planeIndex) => {
          const plane = new Float32Array(data.numberOfFrames);
          data.copyTo(plane, {planeIndex, format: 'f32-planar'});
          return plane;
        });
        data.close();
        loudness.add(channels);
      },
      error: () => {},
    });
    meterDecoder.configure({codec: 'opus', sampleRate: 48000, numberOfChannels: 2});
  }
  meterDecoder.decode(new EncodedAudioChunk({type: 'key', timestamp: 0, data: packet}));
}

function tick() {
  postMessage({type: 'tick'});
  const now = performance.now();
  if (now - levelled < LEVELS) return;
  levelled = now;
  postMessage({type: 'level', level: loudness.take(now), voice: voiceLoudness.take(now)});
}

/** Captured samples come through these ports: one for the music, one for the voice. */
const ports = {music: null, voice: null};

/** Listens to a port, and no more to the one before, through which silence may come. */
function listen(name, port, hear) {
  ports[name]?.close();
  ports[name] = port;
  port.onmessage = ({data}) => hear(data);
}

const requests = {
  probe: async () => {
    try {
      postMessage({type: 'probed', lookahead: await probe()});
    } catch (error) {
      postMessage({type: 'probed', failure: String(error?.message ?? error)});
    }
  },
  run: ({on}) => {
    clearInterval(timer);
    if (on) timer = setInterval(tick, TICK);
  },
  load: ({source, channels}) => sources.set(source, channels),
  unload: ({source}) => sources.delete(source),
  begin: ({about}) => {
    take?.end();
    try {
      take = new Take(about);
    } catch (error) {
      take = null;
      postMessage({type: 'failed', take: about.id, message: String(error?.message ?? error)});
    }
  },
  until: ({take: id, samples}) => {
    if (take?.id !== id) return;
    take.until = Math.max(take.until, samples);
    take.work();
  },
  end: ({take: id}) => {
    if (take?.id !== id) return;
    take.end();
    take = null;
  },
  capture: ({port}) => listen('music', port, piece => take?.capture(piece)),
  voice: ({port}) => listen('voice', port, ({left, right}) => {
    const mono = left.map((value, at) => (value + right[at]) / 2);
    voiceLoudness.add([mono]);
    voice.push(mono);
  }),
  talk: ({on}) => voice.talk(on),
  meter: ({packet}) => meter(packet),
};

onmessage = ({data}) => requests[data.type]?.(data);
