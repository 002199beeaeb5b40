// The packets of one track, as they come over HTTP: Protocol/spec/media.md, "Renditions".
import {OggReader} from './ogg-reader.js';

/** How much is read ahead of what is asked for, samples at 48 kHz: the server's disk and the line are not filled for nothing. */
const AHEAD = 240 * 48_000;
/** How often a place in the middle is sought, and how near is near enough, samples. */
const TRIES = 5, NEAR = 20 * 48_000;
/** How often the length of a file that is being made is asked for, ms. */
const MEASURE = 1000;
/** How long packets before the one that is asked for are kept, samples. */
const BEHIND = 60 * 48_000;
/** Samples that a decoder needs to settle: RFC 7845, section 4.6, has 80 ms. */
export const SETTLING = 8 * 960;

/** The server refused the sound: its code stands in `code`. */
export class Unavailable extends Error {
  constructor(code, message) {
    super(message ?? code);
    this.code = code;
  }
}

/** A file that is here already, answered from an offset as a server would. */
const answerOf = (blob, offset) => new Response(blob.slice(offset), {status: offset > 0 ? 206 : 200, headers: {'content-length': String(blob.size - offset)}});

const refusal = async (answer) => {
  const body = await answer.json().catch(() => null);
  return new Unavailable(body?.error?.code ?? (answer.status === 401 ? 'auth.required' : 'track.unavailable'), body?.error?.message);
};

/**
 * A track's sound from one place on. Times are samples at 48 kHz from the beginning of the file, pre-skip included.
 * Fires `data` when packets have come or the end has, `failed` with why none come any more.
 */
export class Sound extends EventTarget {
  /** `{channels, preSkip, gain}`; null until the file's head has come. */
  head = null;
  packets = [];
  /** The end; null as long as it is not known. */
  end = null;
  failure = null;
  #address; #kept; #abort = new AbortController(); #wanted = 0; #wake = null; #bytes = null; #measuredAt = -Infinity;

  /**
   * @param address Gives the address of the stream: it is asked for anew where an old one has run out.
   * @param kept Gives the sound that is kept on this device, a Blob, or null: it takes over where the line is gone.
   */
  constructor(address, kept = null) {
    super();
    this.#address = address;
    this.#kept = kept;
    this.#run(0);
  }

  get preSkip() { return this.head?.preSkip ?? 0; }
  /** The end of what is here, samples. */
  get until() {
    const last = this.packets.at(-1);
    return last ? last.start + last.samples : 0;
  }
  get from() { return this.packets[0]?.start ?? 0; }

  close() { this.#abort.abort(); }

  /** Says which place is played, so that enough comes ahead of it, and a place that is far away is fetched from there. */
  want(sample) {
    this.#wanted = sample;
    this.#wake?.();
    const isHere = sample >= this.from - SETTLING && sample <= this.until + NEAR;
    if (isHere || this.end !== null && sample <= this.until && sample >= this.from) return;
    if (sample > this.until && this.#bytes === null) this.#measure(sample);
    else this.#restart(sample);
  }

  /** A file that was being made had no length. If it is whole by now, a place in it can be fetched. */
  async #measure(sample) {
    if (performance.now() - this.#measuredAt < MEASURE) return;
    this.#measuredAt = performance.now();
    const {signal} = this.#abort;
    try {
      const place = await this.#address();
      if (place instanceof Blob) return;
      const answer = await fetch(place, {method: 'HEAD', signal, credentials: 'omit'});
      if (answer.ok && !signal.aborted) this.#bytes = Number(answer.headers.get('content-length')) || null;
    } catch { /* Everything before it comes first, then. */ }
    if (this.#bytes !== null && !signal.aborted && this.#wanted === sample && sample > this.until + NEAR) this.#restart(sample);
  }

  /** The packets from the one that holds a sample on, with those before it that settle the decoder. */
  span(sample, samples) {
    const {packets} = this;
    if (packets.length === 0 || sample < packets[0].start || sample >= this.until) return null;
    let low = 0, high = packets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (packets[middle].start <= sample) low = middle;
      else high = middle - 1;
    }
    let first = low, last = low;
    while (first > 0 && sample - packets[first].start < SETTLING) first -= 1;
    while (last + 1 < packets.length && packets[last].start + packets[last].samples < sample + samples) last += 1;
    return packets.slice(first, last + 1);
  }

  #restart(sample) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.packets = [];
    this.#run(sample);
  }

  async #run(sample) {
    const {signal} = this.#abort;
    try {
      await this.#read(sample, signal);
    } catch (error) {
      if (signal.aborted) return;
      const blob = await this.#kept?.();
      if (signal.aborted) return;
      if (blob) {
        this.#kept = null;
        this.#bytes = blob.size;
        this.#address = () => blob;
        return void this.#restart(this.#wanted);
      }
      this.failure = error instanceof Unavailable ? error : new Unavailable('connection.lost', error.message);
      this.dispatchEvent(new CustomEvent('failed', {detail: this.failure}));
    }
  }

  async #open(offset, signal) {
    const place = await this.#address();
    const answer = place instanceof Blob ? answerOf(place, offset) : await fetch(place, {signal, headers: offset > 0 ? {range: `bytes=${offset}-`} : {}, credentials: 'omit'});
    if (!answer.ok) throw await refusal(answer);
    const length = Number(answer.headers.get('content-length')) || null;
    if (answer.status === 200) this.#bytes = length;
    return answer;
  }

  /** Opens the file near a place: the share of the bytes is about that of the time, since the rate varies little. */
  async #seek(sample, signal) {
    const total = this.end ?? this.duration;
    let low = 0, high = this.#bytes, offset = Math.max(0, Math.floor(this.#bytes * (sample - NEAR / 4) / total));
    for (let attempt = 0; ; attempt += 1) {
      if (offset <= 0) return {answer: await this.#open(0, signal), reader: new OggReader(), first: []};
      const answer = await this.#open(offset, signal), reader = new OggReader({isStart: false, head: this.head});
      const stream = answer.body.getReader();
      let first = [];
      while (first.length === 0) {
        const {done, value} = await stream.read();
        if (done) break;
        reader.push(value);
        first = reader.take();
      }
      const at = first[0]?.start ?? Infinity;
      if (at <= Math.max(0, sample - SETTLING) && sample - at <= NEAR || attempt === TRIES) return {stream, reader, first};
      stream.cancel().catch(() => {});
      if (at > sample - SETTLING) high = offset;
      else low = offset;
      const step = at === Infinity ? (low + high) / 2 : offset + (sample - NEAR / 4 - at) / total * this.#bytes;
      offset = Math.floor(step > low && step < high ? step : (low + high) / 2);
    }
  }

  /** The length as the library has it, samples: what a place in the middle is reckoned by. */
  duration = 48_000 * 240;

  async #read(sample, signal) {
    const isStart = sample === 0 || !this.#bytes;
    const begun = isStart ? {answer: await this.#open(0, signal), reader: new OggReader(), first: []} : await this.#seek(sample, signal);
    const {reader} = begun, stream = begun.stream ?? begun.answer.body.getReader();
    this.#take(reader, begun.first);
    for (;;) {
      const {done, value} = await stream.read();
      if (signal.aborted) return;
      if (done) break;
      reader.push(value);
      this.#take(reader, reader.take());
      while (this.until > this.#wanted + AHEAD && !signal.aborted) await new Promise((resolve) => { this.#wake = resolve; });
    }
    // A stream that ends without its last page was cut off where it was made.
    if (this.packets.length === 0) throw new Unavailable('track.unavailable', 'It has no sound.');
    this.end = reader.end ?? this.until;
    this.dispatchEvent(new Event('data'));
  }

  #take(reader, packets) {
    this.head ??= reader.head;
    this.end = reader.end ?? this.end;
    if (packets.length === 0) return;
    this.packets.push(...packets);
    const old = this.#wanted - BEHIND;
    if (this.packets.length > 20_000 && this.packets[0].start < old) this.packets.splice(0, this.packets.findIndex(({start}) => start >= old));
    this.dispatchEvent(new Event('data'));
  }
}
