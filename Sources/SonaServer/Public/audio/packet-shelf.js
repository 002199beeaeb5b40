// The packets in hand: what a listener who presses Play again needs to be in step at once, and what one who hears the
// room later than others do is still to hear.

import {DISCONTINUITY, PREROLL, endOf} from '../wire/frames.js';

/** How many packets the decoder settles with; how long before it sounds the first is given to it, µs. */
const SETTLING = 8, SOON = 60_000;
/** How long packets stay that have sounded, µs; and while one hears the room later, or waits. Most of them, and most bytes. */
export const KEPT = 300e6, KEPT_LATER = 900e6;
const COUNT_MAX = 45_000, BYTES_MAX = 16e6;
/** How many are dropped at a time: the others are moved then. */
const DROPPED = 64;

/** Whether a number of a packet comes after another: they wrap. */
const isAfter = (seq, other) => (seq - other | 0) > 0;

export class PacketShelf {
  /** By their numbers. */
  #packets = []; #bytes = 0;

  clear() {
    this.#packets = [];
    this.#bytes = 0;
  }

  get newest() { return this.#packets.at(-1) ?? null; }
  /** When the oldest of them sounds, µs; null without one. */
  get oldest() { return this.#packets[0]?.play_at_us ?? null; }

  /**
   * Takes packets in, in any order.
   *
   * @param needed What sounds before that server time may go, µs.
   */
  put(packets, needed) {
    if (packets.length === 0) return this.#drop(needed);
    const last = this.newest;
    const isNext = last === null || isAfter(packets[0].seq, last.seq);
    if (isNext) this.#packets.push(...packets);
    else this.#merge(packets);
    for (const {packet} of packets) this.#bytes += packet.byteLength;
    this.#drop(needed);
  }

  /** Packets that were only to prepare a decoder give way to the same that are to be heard; others stay. */
  #merge(packets) {
    const known = new Map(this.#packets.map(one => [one.seq, one]));
    for (const one of packets) {
      const held = known.get(one.seq);
      if (!held || held.flags & PREROLL) known.set(one.seq, one);
    }
    this.#packets = [...known.values()].sort((one, other) => one.seq - other.seq | 0);
  }

  #drop(needed) {
    let over = this.#packets.findIndex(packet => endOf(packet) > needed);
    if (over < 0) over = this.#packets.length;
    over -= SETTLING;
    if (over < DROPPED && this.#packets.length <= COUNT_MAX && this.#bytes <= BYTES_MAX) return;
    const gone = Math.max(over, Math.min(DROPPED, this.#packets.length));
    for (const {packet} of this.#packets.splice(0, gone)) this.#bytes -= packet.byteLength;
  }

  /**
   * Returns the packets that a fresh decoder needs to be audible from `now` on. The first few are only decoded, as for
   * a joiner.
   *
   * @param until Only those that sound before, µs.
   */
  from(now, until = Infinity) {
    const packets = this.#packets, first = packets.findIndex(packet => packet.play_at_us >= now + SOON && !(packet.flags & PREROLL));
    if (first < 0) return [];
    let begin = first;
    while (begin > 0 && first - begin < SETTLING && !(packets[begin].flags & DISCONTINUITY)
      && packets[begin - 1].epoch === packets[begin].epoch && packets[begin - 1].seq === (packets[begin].seq - 1 >>> 0)) begin -= 1;
    let end = first;
    while (end < packets.length && packets[end].play_at_us < until) end += 1;
    return packets.slice(begin, end).map((packet, index) => ({
      ...packet, flags: packet.flags | (index === 0 ? DISCONTINUITY : 0) | (index < first - begin ? PREROLL : 0),
    }));
  }

  /**
   * The packet after another one; the first that sounds at a time or later where `packet` is null.
   *
   * @param isHeard Packets that only prepare a decoder do not count.
   */
  after(packet, time, isHeard = false) {
    const counts = one => !(isHeard && one.flags & PREROLL);
    if (packet === null) return this.#packets.find(one => endOf(one) > time && counts(one)) ?? null;
    // From the end: what is looked for is mostly near it, or there is no hurry.
    let at = this.#packets.findLastIndex(one => !isAfter(one.seq, packet.seq)) + 1;
    while (at < this.#packets.length && !counts(this.#packets[at])) at += 1;
    return this.#packets[at] ?? null;
  }
}
