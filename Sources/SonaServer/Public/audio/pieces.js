// From packets to pieces of sound with their times: what is rendered of each, and what is only decoded.
// Protocol/spec/audio.md, "Stream", "AUDIO_DN", "Flags".

import {DISCONTINUITY, LAST, PREROLL, SILENCE, unheardSamples} from '../wire/frames.js';
import {packetSamples} from '../wire/opus.js';

/** The streams that were announced, and what packets of theirs mean. */
const factorOf = stream => stream?.gain ? 10 ** (stream.gain / 2000) : 1;

export class PiecePlanner {
  /** Epochs heard of, newest last. Packets of one are on their way while the next is announced. */
  #streams = []; #epoch = null;

  announce(stream) {
    this.#streams = this.#streams.filter(one => one.epoch !== stream.epoch).concat(stream).slice(-8);
  }

  /**
   * What a packet asks for, in the order of the sequence numbers: {packet, decoded, isFresh, skip, frames, time,
   * isBeginning, isEnd, gain}; null for what is no Opus packet, or not what its header says.
   *
   * `decoded` is how many samples come out of the decoder, of which `skip` are not rendered and then `frames` are, the
   * first of them at `time`. With `isFresh` the decoder begins anew. With `isSilent` there is nothing to decode. `gain` is the factor that makes
   * the epoch as loud as others.
   */
  plan({packet, flags, epoch, play_at_us, samples}) {
    const decoded = packetSamples(packet);
    if (decoded === 0 || samples > decoded) return null;
    const stream = this.#streams.findLast(one => one.epoch === epoch);
    const isOther = this.#epoch !== null && this.#epoch !== epoch && !stream?.continues;
    this.#epoch = epoch;
    const skip = flags & PREROLL ? samples : stream ? unheardSamples(stream, {play_at_us, samples}) : 0;
    return {
      packet, decoded, skip, frames: samples - skip,
      isFresh: (flags & DISCONTINUITY) !== 0 || isOther,
      // The first samples after the pre-skip sound exactly at the start. Counting up to it would round once more.
      time: skip > 0 && stream ? stream.start_us : play_at_us,
      isBeginning: stream?.continues === false && (skip > 0 || play_at_us === stream.start_us),
      isEnd: (flags & LAST) !== 0,
      gain: factorOf(stream),
      // A packet of nothing but its first byte is what an encoder sends instead of silence.
      isSilent: packet.length === 1 || (flags & SILENCE) !== 0 && packet.length <= 2,
    };
  }
}
