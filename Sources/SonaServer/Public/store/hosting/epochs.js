// The epochs that are sent, one after another: the source of their packets, the packets under way, and the song that is
// heard. Protocol/spec/hosting.md. No DOM.

import {EncodedTake, LiveTake, OpusTake} from '../../audio/hosting/takes.js';
import {captureFrame} from '../../wire/host-frames.js';
import {TimedTracks} from '../tracks.js';
import {microseconds} from './places.js';
import {Upload} from './upload.js';

/** What is captured earlier than this before a lead before the beginning is thrown away, µs: it has to arrive whole. */
const LIVE_EARLY = 60_000;

/** The epochs of one stay on a seat. */
export class Epochs {
  /** The song that is being sent. The one that is heard is `heard`: a lead apart. */
  song = null;
  /** Called with the take whose last packet is sent, and with one whose encoder failed, and the error. */
  onlast = null;
  onfailure = null;
  #seat; #encoder; #inputs; #sounds; #take = null; #isHeld = false; #upload = null; #heard = new TimedTracks();

  constructor(seat, {encoder, inputs, sounds}) {
    this.#seat = seat;
    this.#encoder = encoder;
    this.#inputs = inputs;
    this.#sounds = sounds;
  }

  get #session() { return this.#seat.session; }
  /** The song that listeners hear now, or null. */
  get heard() { return this.#heard.at(this.#session.serverNow)?.track ?? null; }
  /** Whether there is something to go on with, sent or held; whether its last packet is sent. */
  get isBegun() { return this.#take !== null; }
  get isSent() { return this.#upload?.isOver ?? false; }
  /** Whether what is sent now goes out as it is, without a voice. */
  get isUnmixed() { return this.#take instanceof OpusTake; }
  /** The position of the next unsent sample, samples from the song's beginning. */
  get place() { return this.#take.at + (this.#upload?.heard ?? 0); }
  /** Whether what is begun is what the room's queue says. */
  followsQueue = false;
  isOf(take) { return take === this.#take; }
  /** Whether it goes on by itself: it was begun, and neither held nor to be followed by what could not begin. */
  get isRunning() { return this.#take !== null && !this.#isHeld; }

  /** Makes the sound of a song ready. Throws Unplayable. */
  prepare(song) { return this.#sounds.of(song, this.#inputs.voice !== null); }

  /** Begins a song at a place, samples, that `at` tells when the sound is there. Returns whether it began. */
  async begin(song, at, command) {
    const sound = await this.prepare(song);
    if (this.#seat.isClosed) return false;
    const place = at();
    this.hold();
    const take = sound.opus ? new OpusTake(sound.opus, place, this.#encoder) : new EncodedTake(this.#encoder, sound, place);
    const position = microseconds(take.at);
    let reply = null;
    try {
      reply = await this.#start(take, {pacing: 'server', track: song.track, position_us: position}, command);
    } finally {
      if (!reply || this.#seat.isClosed) take.close();
    }
    if (this.#seat.isClosed) return false;
    this.#attach(take, reply, position, false);
    this.song = song;
    this.#heard.apply(song, reply.start_us);
    return true;
  }

  /** Begins what comes in live, as a track that is at this place, samples. Returns whether it began. */
  async beginLive(track, place, command) {
    if (this.#seat.isClosed) return false;
    this.hold();
    const position = microseconds(place);
    const stream = {channels: 2, preSkip: this.#encoder.lookahead};
    const reply = await this.#start(stream, {pacing: 'live', track, position_us: position}, command);
    if (this.#seat.isClosed) return false;
    const from = this.#session.clock.localMilliseconds(Math.round(reply.start_us - reply.lead_us - LIVE_EARLY));
    this.#attach(new LiveTake(this.#encoder, this.#inputs.clock.frameAt(from), place), reply, position, true);
    return true;
  }

  #start({channels, preSkip}, about, command) {
    return this.#seat.request('host.start', {
      stream: {codec: 'opus', channels, pre_skip: preSkip}, ...about, follows_queue: this.followsQueue, ...command === null ? {} : {command},
    });
  }

  #attach(take, reply, position, isLive) {
    this.#isHeld = false;
    this.#take = take;
    const upload = this.#upload = new Upload(this.#session, reply, {preSkip: take.preSkip, position, isLive});
    take.onpacket = packet => {
      upload.send(packet);
      if (packet.isLast) this.onlast(take);
    };
    take.onfailure = error => this.onfailure(take, error);
    if (take.failure) take.onfailure(take.failure);
  }

  /**
   * Sends the packets that are due, and tells when they were captured. `isOn`: whether the room plays. Call it at each
   * tick.
   */
  advance(isOn) {
    const session = this.#session, take = this.#take, upload = this.#upload;
    const capture = this.#inputs.look(isOn ? take : null, session.clock.filter);
    if (!isOn || session.status !== 'online' || !take || !upload) return;
    if (capture) session.send(captureFrame({epoch: upload.epoch, ...capture}));
    if (!upload.isOver) take.advance(upload.dueAt(session.serverNow));
  }

  /** No more packets are made. */
  hold() {
    this.#isHeld = true;
    this.#take?.close();
  }

  /** There is nothing to go on with. */
  end() {
    this.hold();
    this.#take = null;
  }

  /** A Playback of the server's: what is heard next may be heard at another time. */
  follow(playback) {
    if (this.#upload?.follow(playback) && this.song) this.#heard.apply(this.song, this.#upload.start);
  }

  /** Sends what the server has not got, by `host` of the stay that goes on. Returns false if it is about another epoch. */
  resend(host) { return this.#upload?.resend(host) ?? true; }
}
