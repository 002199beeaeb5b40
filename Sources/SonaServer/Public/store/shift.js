// Hearing the room later than others do: how much, which packets that takes, and the way back to the live place.
// Protocol/spec/shifting.md.

import {KEPT, KEPT_LATER} from '../audio/packet-shelf.js';
import {DISCONTINUITY, SHIFTED, endOf} from '../wire/frames.js';

/** How far ahead of its time sound is handed to the engine, and asked for, µs. */
const AHEAD = 5e6, ASKED = 12e6;
/** Most that one request asks for; what lies between two packets that follow each other at most; what a decoder settles with, µs. */
const SPAN = 10e6, SEAM = 50_000, SETTLING = 160_000;
/** By how much faster the way back is, and from how little on it is a jump, µs. */
const PACE = 0.03, NEAR = 30_000;
/** The least that one may be behind, µs: less is the live place. */
const LEAST = 300_000;

/** Fires `change`; `moved` when what is heard is elsewhere from now on; `found` when more can be heard. */
export class Shift extends EventTarget {
  /** The oldest sound that the server has said it holds, µs of server time; null while it was not asked. */
  heldFrom = null;
  /** The place at which the sound waits, µs of server time; null while it goes on. */
  heldAt = null;
  #session; #shelf; #room; #by = 0; #since = 0; #pace = 0; #fed = null; #askedUntil = 0; #isAsking = false; #timer = null; #told = 0;
  #streams = new Map();

  /** @param room Gives the room that is heard, or null. */
  constructor(session, shelf, room) {
    super();
    this.#session = session;
    this.#shelf = shelf;
    this.#room = room;
  }

  get isThere() { return this.#session.features.has('shifting'); }
  get isOn() { return this.heldAt !== null || this.by(this.#session.serverNow) > 0; }
  get isCatchingUp() { return this.#pace > 0; }
  /** How much faster than the room the sound goes, as a factor. */
  get pace() { return 1 + this.#pace; }

  /** By how much what is heard at a server time is later than the room, µs. */
  by(now) { return this.heldAt !== null ? Math.max(0, now - this.heldAt) : Math.max(0, this.#by - this.#pace * (now - this.#since)); }
  /** The place that is heard at a server time, as server time of the room. */
  heard(now) { return now - this.by(now); }

  /** The live place, in another room or in this one anew. */
  reset() {
    this.#by = this.#pace = this.#told = 0;
    this.heldAt = this.#fed = this.heldFrom = null;
    this.#askedUntil = 0;
    this.#streams.clear();
    clearTimeout(this.#timer);
  }

  /** The stream of an epoch that may be heard. */
  announce(stream) {
    this.#streams.delete(stream.epoch);
    this.#streams.set(stream.epoch, stream);
    if (this.#streams.size > 512) this.#streams.delete(this.#streams.keys().next().value);
  }

  /** Goes to a place, µs of server time, or to the live one. */
  to(place) {
    const now = this.#session.serverNow, by = now - place;
    clearTimeout(this.#timer);
    this.#by = by < LEAST ? 0 : by;
    this.#since = now;
    this.#pace = 0;
    this.heldAt = this.#fed = null;
    this.#askedUntil = 0;
    this.#tell();
    this.dispatchEvent(new Event('moved'));
    this.dispatchEvent(new Event('change'));
  }

  /** A fresh decoder begins with what is heard now. */
  restart() { this.#fed = null; }
  /** The streams that may be heard, the newest last. */
  get streams() { return [...this.#streams.values()]; }
  /** Whether a decoder has had packets since. */
  get isFed() { return this.#fed !== null; }
  /** The decoder had a packet, and all before it. */
  noteFed(packet) { this.#fed = packet; }

  /** Goes back by so much, µs. */
  back(by) { this.to(this.heard(this.#session.serverNow) - by); }

  live() { this.to(this.#session.serverNow); }

  /** Waits at the place that is heard. */
  hold() {
    this.heldAt = this.heard(this.#session.serverNow);
    this.#pace = 0;
    clearTimeout(this.#timer);
    this.#tell();
    this.dispatchEvent(new Event('change'));
  }

  /** Goes on from where it waited. */
  release() { this.to(this.heldAt); }

  /** Comes back to the live place by playing a little faster. */
  catchUp() {
    const now = this.#session.serverNow, by = this.by(now);
    if (by < NEAR) return this.live();
    this.#by = by;
    this.#since = now;
    this.#pace = PACE;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#arrive(), by / PACE / 1000);
    this.dispatchEvent(new Event('change'));
  }

  #arrive() {
    this.#by = this.#pace = 0;
    this.#tell();
    this.dispatchEvent(new Event('change'));
  }

  /** Tells the server whether we hear the room later: then we do not vote. */
  #tell() {
    const by = Math.min(86_400_000, Math.ceil(this.by(this.#session.serverNow) / 1000));
    const told = by > 0 || this.heldAt !== null ? Math.max(1, by) : 0;
    if ((told > 0) === (this.#told > 0)) return;
    this.#told = told;
    this.#session.request('room.shift', {by_ms: told}).then(({held_from_us: from}) => {
      this.heldFrom = from;
      this.dispatchEvent(new Event('found'));
    }, () => {});
  }

  /** How far back the server, or what we have kept, reaches: asked once. */
  async look() {
    if (!this.isThere || this.heldFrom !== null || !this.#room()?.isJoined) return;
    const {held_from_us: from} = await this.#session.request('room.shift', {by_ms: this.#told});
    this.heldFrom = from;
    this.dispatchEvent(new Event('found'));
  }

  /** The oldest place that can be gone to, µs of server time; null if none is known. */
  get oldest() {
    const known = [this.heldFrom, this.#shelf.oldest].filter(one => one !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  // Packets

  /** Puts packets on the shelf. Those of now are left out where one is so far behind that there is no room for them. */
  take(packets) {
    const now = this.#session.serverNow, by = this.by(now), isFar = by > KEPT_LATER;
    const wanted = isFar ? packets.filter(({flags}) => flags & SHIFTED) : packets;
    this.#shelf.put(wanted, Math.min(isFar ? now : now - KEPT, this.heard(now)));
  }

  /** The packets that are to be heard soon and were not given yet, with the streams of their epochs. */
  next() {
    const now = this.#session.serverNow, heard = this.heard(now), until = this.isOn ? heard + AHEAD : Infinity;
    const given = [];
    if (this.#fed === null) {
      const from = this.#shelf.after(null, heard, this.isOn);
      // What lies before it may still be asked for.
      if (!from || this.isOn && from.play_at_us > heard + SEAM && this.#askedUntil < Math.min(from.play_at_us, heard + AHEAD)) return this.#streamed(given);
      given.push(...this.#shelf.from(heard, until));
      if (given.length > 0) this.#fed = given.at(-1);
      return this.#streamed(given);
    }
    for (let one = this.#after(heard); one && one.play_at_us < until; one = this.#after(heard)) {
      const gap = one.play_at_us - endOf(this.#fed);
      if (this.isOn && gap > SEAM && this.#askedUntil < Math.min(one.play_at_us, heard + AHEAD)) break;
      // What is asked for comes as it was made, all else may be at a lower bit rate: two streams for a decoder.
      const isOther = this.#room()?.savesData && (one.flags ^ this.#fed.flags) & SHIFTED;
      given.push(isOther ? {...one, flags: one.flags | DISCONTINUITY} : one);
      this.#fed = one;
    }
    return this.#streamed(given);
  }

  #after(heard) { return this.#shelf.after(this.#fed, heard, this.isOn); }

  #streamed(packets) {
    return packets.length === 0 ? null : {packets, streams: [...new Set(packets.map(({epoch}) => epoch))].map(epoch => this.#streams.get(epoch)).filter(Boolean)};
  }

  /** Asks the server for what is missing. */
  async ask() {
    if (!this.isOn || this.#isAsking || this.heldAt !== null || !this.isThere) return;
    const now = this.#session.serverNow, heard = this.heard(now), room = this.#room();
    const from = Math.max(this.#askedUntil, this.#fed === null ? heard : endOf(this.#fed));
    const next = this.#after(heard), to = Math.min(next?.play_at_us ?? now, from + SPAN);
    if (from > heard + ASKED || to - from < SEAM || !room?.isJoined) return;
    this.#isAsking = true;
    try {
      const before = this.#fed === null ? SETTLING : 0;
      const asked = await this.#session.request('room.shift', {
        by_ms: Math.max(1, Math.round(this.by(now) / 1000)), from_us: Math.round(from - before), to_us: Math.round(Math.min(to, from - before + SPAN)),
      });
      this.heldFrom = asked.held_from_us;
      for (const stream of asked.streams) this.announce(stream);
      room.recall(asked);
      this.#askedUntil = Math.min(to, from - before + SPAN);
      if (asked.packets === 0 && next && next.play_at_us > heard + SEAM && room.playback?.at(Math.round(from))?.state === 1) this.#skip(from, next);
    } catch (error) {
      if (error.code !== 'request.rate_limited') this.#askedUntil = to;
    } finally {
      this.#isAsking = false;
    }
    this.dispatchEvent(new Event('found'));
  }

  /** What is not held any more is passed over. */
  #skip(from, next) {
    if (next.play_at_us - from > LEAST) this.to(next.play_at_us - SETTLING);
  }
}
