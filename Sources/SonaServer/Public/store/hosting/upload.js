// An epoch on its way to the server: numbered, kept for a while, and sent again where it did not arrive.
// Protocol/spec/hosting.md, resuming.md "A host".

import {LAST} from '../../wire/frames.js';
import {audioUp} from '../../wire/host-frames.js';
import {isNewer} from '../../wire/playback.js';
import {microseconds} from './places.js';

/** How long packets are kept, samples: what may be on its way when a line is lost, and more. */
const KEPT = 30 * 48_000;
/** How much earlier than a lead before its time a packet is made ready, µs: two packets. */
const EARLY = 40_000;
/** A packet that has less than this left cannot be heard any more, µs. */
const TOO_LATE = 60_000;

/** How much a late host sends at a time, samples. */
const LATE_STEP = 9600;

const samplesIn = time => Math.ceil(time * 6 / 125);

/** The packets of one `host.start`. */
export class Upload {
  #session; #kept = []; #seq = 0;
  /** The end of what was handed over, in samples of the epoch. */
  sentTo = 0;
  isOver = false;

  /** @param reply The answer to `host.start`. @param position Place in the track of its first audible sample, µs. */
  constructor(session, reply, {preSkip, position, isLive}) {
    this.#session = session;
    this.epoch = this.roomEpoch = reply.epoch;
    this.start = reply.start_us;
    this.lead = reply.lead_us;
    this.revision = reply.playback.revision;
    Object.assign(this, {preSkip, position, isLive});
  }

  /** How far packets are due at a server time, in samples of the epoch. */
  dueAt(now) {
    const due = Math.max(1, this.preSkip + samplesIn(now + this.lead + EARLY - this.start));
    // Who is late sends a little: the server answers with another time, and what was due by the old one is not by that.
    return this.timeOf(this.sentTo) < now ? Math.min(due, this.sentTo + LATE_STEP) : due;
  }

  /** When a sample of the epoch sounds, server time in µs. */
  timeOf(samplePos) { return this.start + microseconds(samplePos - this.preSkip); }

  /** How many audible samples were handed over. */
  get heard() { return Math.max(0, this.sentTo - this.preSkip); }

  send({samplePos, samples, packet, isLast}) {
    if (this.isOver) return;
    const bytes = audioUp({flags: isLast ? LAST : 0, epoch: this.epoch, seq: this.#seq++, samplePos, samples, packet});
    this.#kept.push({end: samplePos + samples, bytes});
    this.sentTo = samplePos + samples;
    this.isOver = isLast;
    while (this.#kept[0].end < this.sentTo - KEPT) this.#kept.shift();
    this.#session.send(bytes);
  }

  /** Sends what the server has not got, by `host` of the stay that goes on. Returns false if it is about another epoch. */
  resend({epoch, sample_pos: from}) {
    if (epoch !== this.epoch) return false;
    const now = this.#session.serverNow;
    for (const {end, bytes} of this.#kept) {
      if (end <= from || this.isLive && this.timeOf(end) < now + TOO_LATE) continue;
      this.#session.send(bytes);
    }
    return true;
  }

  /** The server has broken the timeline, since packets came late: everything sounds at another time now. */
  follow({state, epoch, revision, anchor_us: anchor, position_us: position}) {
    if (state !== 1 || epoch === this.roomEpoch || !isNewer(revision, this.revision)) return false;
    this.roomEpoch = epoch;
    this.revision = revision;
    this.start = anchor - Math.max(0, position - this.position);
    return true;
  }
}
