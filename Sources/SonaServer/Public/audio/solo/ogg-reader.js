// Opus packets out of an Ogg stream as its bytes come: RFC 3533 (pages), RFC 7845 (Opus in them).
// It may begin in the middle of a file: the first whole page says by its granule position where its packets are.
import {packetSamples} from '../../wire/opus.js';

const CONTINUES = 1, BEGINS = 2, ENDS = 4, HEADER = 27;
const NO_GRANULE = 0xffffffffffffffffn;
const OGGS = [0x4f, 0x67, 0x67, 0x53];

const begins = (bytes, at, letters) => [...letters].every((letter, k) => bytes[at + k] === letter.charCodeAt(0));

/**
 * `push` bytes; `take()` gives the packets so far as `{data, samples, start}`, `start` being samples at 48 kHz from the
 * beginning of the file, pre-skip included. `head` is `{channels, preSkip, gain}` (gain in 1/256 dB) once it was read.
 */
export class OggReader {
  head = null;
  /** The end of the sound in samples, pre-skip included; null until the last page has come. */
  end = null;
  #held = new Uint8Array(0); #packets = []; #partial = []; #unplaced = []; #at = null; #isStart; #headers = 0; #isJoined;

  /** @param isStart Whether the bytes begin with the file. Else packets before the first whole page are left out. */
  constructor({isStart = true, head = null} = {}) {
    this.#isStart = isStart;
    this.#isJoined = isStart;
    this.head = head;
  }

  take() { return this.#packets.splice(0); }

  push(bytes) {
    const whole = new Uint8Array(this.#held.length + bytes.length);
    whole.set(this.#held);
    whole.set(bytes, this.#held.length);
    let at = 0;
    for (;;) {
      at = this.#find(whole, at);
      const size = this.#size(whole, at);
      if (size === null) break;
      this.#page(whole.subarray(at, at + size));
      at += size;
    }
    this.#held = whole.slice(at);
  }

  #find(bytes, from) {
    for (let at = from; at + 4 <= bytes.length; at += 1) {
      if (OGGS.every((byte, k) => bytes[at + k] === byte) && (at + 4 >= bytes.length || bytes[at + 4] === 0)) return at;
    }
    return Math.max(from, bytes.length - 3);
  }

  /** Bytes of the page at a place; null if it is not whole yet. */
  #size(bytes, at) {
    if (at + HEADER > bytes.length || !OGGS.every((byte, k) => bytes[at + k] === byte)) return null;
    const count = bytes[at + 26];
    if (at + HEADER + count > bytes.length) return null;
    let size = HEADER + count;
    for (let k = 0; k < count; k += 1) size += bytes[at + HEADER + k];
    return at + size <= bytes.length ? size : null;
  }

  #page(page) {
    const flags = page[5], granule = new DataView(page.buffer, page.byteOffset).getBigUint64(6, true);
    const lacing = page.subarray(HEADER, HEADER + page[26]);
    if (!(flags & CONTINUES)) this.#partial = [];
    // The rest of a packet whose beginning is not here.
    let isRest = !this.#isJoined && Boolean(flags & CONTINUES);
    let at = HEADER + page[26], count = 0;
    for (const size of lacing) {
      if (!isRest) this.#partial.push(page.slice(at, at + size));
      at += size;
      if (size === 255) continue;
      if (isRest) isRest = false;
      else if (this.#packet(joined(this.#partial.splice(0)))) count += 1;
    }
    this.#isJoined = true;
    if (count > 0 && granule !== NO_GRANULE) this.#place(Number(granule), Boolean(flags & ENDS));
    else if (flags & ENDS && this.#at !== null) this.end ??= this.#at;
  }

  /** Takes one packet. Returns whether it is sound. */
  #packet(data) {
    if (this.#isStart && this.#headers < 2) {
      if (this.#headers === 0 && begins(data, 0, 'OpusHead')) {
        const view = new DataView(data.buffer, data.byteOffset);
        this.head = {channels: data[9], preSkip: view.getUint16(10, true), gain: view.getInt16(16, true)};
      }
      this.#headers += 1;
      return false;
    }
    if (begins(data, 0, 'OpusHead') || begins(data, 0, 'OpusTags')) return false;
    const samples = packetSamples(data);
    if (samples > 0) this.#unplaced.push({data, samples, start: 0});
    return samples > 0;
  }

  /** The packets that ended on a page get their places: its granule is the end of the last. */
  #place(granule, isLast) {
    const total = this.#unplaced.reduce((sum, {samples}) => sum + samples, 0);
    // A first page that begins later than 0 is of a file that was cut out of a longer one; its last one may be trimmed.
    let start = this.#at ?? (this.#isStart || isLast ? Math.max(0, this.#isStart ? 0 : granule - total) : granule - total);
    for (const packet of this.#unplaced) {
      packet.start = start;
      start += packet.samples;
    }
    this.#packets.push(...this.#unplaced.splice(0));
    this.#at = start;
    if (isLast) this.end = Math.min(start, granule);
  }
}

const joined = (parts) => {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
