// The packets in hand that can still be heard: what a listener who presses Play again needs to be in step at once.

import {DISCONTINUITY, PREROLL, endOf} from '../wire/frames.js';

/** How many packets the decoder settles with; how long before it sounds the first is given to it, µs. */
const SETTLING = 8, SOON = 60_000;
const COUNT_MAX = 6000;

export class PacketShelf {
  #packets = [];

  clear() { this.#packets = []; }
  get newest() { return this.#packets.at(-1) ?? null; }

  put(packets, now) {
    this.#packets.push(...packets);
    let over = this.#packets.findIndex(packet => endOf(packet) > now);
    if (over < 0) over = this.#packets.length;
    const gone = Math.max(over - SETTLING, this.#packets.length - COUNT_MAX);
    if (gone > 0) this.#packets.splice(0, gone);
  }

  /**
   * Returns the packets that a fresh decoder needs to be audible from `now` on. The first few are only decoded, as for
   * a joiner.
   */
  from(now) {
    const packets = this.#packets, first = packets.findIndex(packet => packet.play_at_us >= now + SOON && !(packet.flags & PREROLL));
    if (first < 0) return [];
    let begin = first;
    while (begin > 0 && first - begin < SETTLING && !(packets[begin].flags & DISCONTINUITY)
      && packets[begin - 1].epoch === packets[begin].epoch && packets[begin - 1].seq === (packets[begin].seq - 1 >>> 0)) begin -= 1;
    return packets.slice(begin).map((packet, index) => ({
      ...packet, flags: packet.flags | (index === 0 ? DISCONTINUITY : 0) | (index < first - begin ? PREROLL : 0),
    }));
  }
}
