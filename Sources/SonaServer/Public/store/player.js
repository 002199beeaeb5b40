// The page's one player: which room we are in, whether we want to hear it, and how that goes. It survives navigation.

import {Engine, Blocked} from '../audio/engine.js';
import {MediaControls} from '../audio/media-session.js';
import {Meter} from '../audio/meter.js';
import {pauseWhenLost} from '../audio/outputs.js';
import {PacketShelf} from '../audio/packet-shelf.js';
import {SHIFTED} from '../wire/frames.js';
import {RoomStore} from './room.js';
import {session} from './session.js';
import {Shift} from './shift.js';
import {settings} from './settings.js';

export {Blocked};

/** How often things are looked after, ms; how long nothing may sound that should before one says so; before one enters anew. */
const LOOK = 250, BEHIND = 1500, RESYNC = 5000;
/** How often measurements are sent to the server, ms; how long a listener who hears no sound is still sent it. */
const REPORT = 10_000, UNHEARD = 120_000;
/** Larger errors count as behind or ahead, µs: they are audible in the next room. */
const OUT_OF_STEP = 30_000;
/** For how long after a beginning sound may be on its way, and what still counts as the same moment, µs. */
const BEGINNING = 2_000_000, JUST_AFTER = 50_000;

/** What a room may be refused with for the moment, and how long to wait where nothing is said of it, ms. */
const LATER = new Set(['room.resync_limited', 'request.rate_limited', 'server.busy', 'server.draining', 'server.internal']);
const PAUSE = 2000;
/** How long sound goes before another place is heard, ms. */
const HUSH = 40;

/** Which room was being heard, for as long as the tab lives. */
const remembered = {
  get room() {
    try { return sessionStorage.getItem('sona.listening'); } catch { return null; }
  },
  set room(reference) {
    try {
      if (reference === null) sessionStorage.removeItem('sona.listening');
      else sessionStorage.setItem('sona.listening', reference);
    } catch { /* It is not allowed: then it is not remembered. */ }
  },
};

/**
 * Fires `change` (at most once a frame), `tracks` when what is heard changes, `failed` with why a room is not entered,
 * `unheard` with why Play does nothing: `Blocked`, or another error.
 *
 * States: idle (nothing to hear is wanted) · connecting · waiting (for the host) · live · shifted (live, and later than others) ·
 * held (waits, to go on from here) · behind · paused (by the host) ·
 * silent (a room without sound) · reconnecting · knocking (somebody has to let us in) · blocked (the browser wants a click) ·
 * gone.
 */
class Player extends EventTarget {
  room = null;
  /** Whether our own Play is on. */
  playing = false;
  state = 'idle';
  /** Why the room cannot be entered: a RequestError, or null. */
  failure = null;
  meter = new Meter();
  engine = new Engine(session);
  /** When Play was pressed, when the first sample sounded after that, ms of `performance.now()`. */
  pressedAt = null;
  soundedAt = null;
  #isStarting = false; #shelf = new PacketShelf();
  /** How much later than others we hear the room. */
  shift = new Shift(session, this.#shelf, () => this.room);
   #wantsAudio = true; #joining = null; #isJoinWanted = false; #isToldSoon = false;
  #lastSound = 0; #lastTrack = undefined; #lastPlayback = null; #quietSince = null; #resyncedAt = 0; #wokenAt = 0; #reportedAt = 0; #idleSince = performance.now();
  #retry = null; #changing = null; #heard = 0; #listenedAt = 0;
  /** Why nothing sounds although it should: 'click', 'device', or null. */
  blockedBy = null;

  constructor() {
    super();
    session.addEventListener('fresh', () => this.#enterAgain());
    session.addEventListener('resumed', ({detail}) => this.#resumed(detail.stay ?? null));
    session.addEventListener('user', ({detail}) => { if (detail.other && session.status === 'online') this.#enterAgain(); });
    session.addEventListener('status', () => this.#look());
    session.addEventListener('frame', ({detail}) => this.#takeFrame(detail));
    this.engine.addEventListener('report', ({detail}) => this.#takeReport(detail));
    this.engine.addEventListener('first', ({detail}) => this.#sounded(detail));
    this.engine.addEventListener('undecodable', ({detail}) => this.meter.undecodable(detail));
    this.engine.addEventListener('state', () => this.#look());
    settings.addEventListener('change', () => this.#applySettings());
    setInterval(() => this.#look(), LOOK);
    this.engine.shift = this.shift;
    this.shift.addEventListener('change', () => {
      this.engine.followShift();
      this.#feed();
      this.#look();
      this.#tell();
    });
    this.shift.addEventListener('moved', () => this.#move());
    this.shift.addEventListener('found', () => {
      this.#feed();
      this.#tell();
    });
    new MediaControls(this);
    // Whoever presses Play again is at the live place.
    pauseWhenLost(() => this.pause());
  }

  // Visible to others

  get volume() { return settings.get('volume'); }
  set volume(value) { settings.set('volume', Math.max(0, Math.min(1, value))); }
  get muted() { return settings.get('muted'); }
  set muted(value) { settings.set('muted', value); }
  /** Sound is heard so much later than the clock says, ms: set by ear. */
  get nudge() { return settings.get('nudge'); }
  set nudge(value) { settings.set('nudge', Math.max(-500, Math.min(500, Math.round(value)))); }
  /** 'worklet', 'buffers', or null before it is known. */
  get mode() { return this.engine.mode; }
  get analyser() { return this.engine.graph?.analyser ?? null; }
  /** The place in the track that is heard, µs. */
  get position() { return this.room?.playback?.position(Math.round(this.now)) ?? 0; }
  /** The server time of what is heard, µs. */
  get now() { return this.shift.heard(session.serverNow); }
  /** Whether the room has a sound to be heard. */
  get hasSound() { return this.room?.stream != null || this.shift.isOn; }

  #tell() {
    if (this.#isToldSoon) return;
    this.#isToldSoon = true;
    setTimeout(() => {
      this.#isToldSoon = false;
      this.dispatchEvent(new Event('change'));
    }, 16);
  }

  // Rooms

  /** Enters a room, by id or @username; leaves the one before. Entering the one we are in does nothing. */
  async enter(reference, {invite = null} = {}) {
    if (this.room && !this.room.gone && !this.failure
      && (this.room.reference === reference || this.room.id === reference) && (!invite || invite === this.room.invite)) return;
    clearTimeout(this.#retry);
    const before = this.room;
    this.#shelf.clear();
    this.shift.reset();
    this.engine.clear();
    this.failure = null;
    this.#wantsAudio = true;
    this.#idleSince = performance.now();
    const room = this.room = new RoomStore(session, reference, invite);
    room.heard = () => this.now;
    room.addEventListener('change', ({detail}) => {
      if (detail === 'stream' && room.stream) this.#announce(room.stream);
      if (detail === 'gone') this.#shelf.clear();
      this.#look();
      this.#tell();
    });
    room.addEventListener('admitted', () => this.#join());
    before?.leave();
    this.engine.open().catch(error => { this.failure ??= error; this.#tell(); });
    this.#look();
    // A user who was listening when the page was reloaded goes on listening, if the browser allows it.
    if (!this.playing && remembered.room === reference) this.play();
    // Where there is no connection yet, `fresh` comes with it.
    if (session.status === 'online') await this.#join();
  }

  /** Tries again to enter after it failed. */
  async retry() {
    const {reference, invite} = this.room ?? {};
    if (!reference) return;
    this.failure = this.failure ?? new Error('again');
    await this.enter(reference, {invite});
  }

  /** @param isOut The server knows already that we are out. */
  async leave({isOut = false} = {}) {
    const room = this.room;
    clearTimeout(this.#retry);
    this.pause();
    this.room = null;
    this.failure = null;
    this.#shelf.clear();
    this.shift.reset();
    this.#look();
    await room?.leave(isOut);
  }

  /** Enters the room again: seen or not, at the bit rate that is wished. */
  rejoin() { this.#enterAgain(); }

  #enterAgain() {
    if (this.room && !this.room.gone && !this.failure) this.#join();
  }

  /** Enters, or enters again. One request at a time, and another one if the wish has changed meanwhile. */
  #join() {
    this.#isJoinWanted = true;
    return this.#joining ??= (async () => {
      try {
        while (this.#isJoinWanted && this.room) {
          this.#isJoinWanted = false;
          await this.#tryToJoin();
        }
      } finally {
        this.#joining = null;
      }
    })();
  }

  async #tryToJoin() {
    const {room} = this;
    clearTimeout(this.#retry);
    try {
      const snapshot = await room.join(this.#wantsAudio, settings.get('unseen'), settings.get('saver'));
      if (room !== this.room) {
        // We have left while the answer was on its way. Another room that is wanted by now is entered instead.
        if (!this.room) await session.request('room.leave').catch(() => {});
        return;
      }
      this.failure = null;
      this.#shelf.clear();
      this.meter.restart();
      // Who comes in is at the live place.
      const wasShifted = this.shift.isOn;
      this.shift.reset();
      if (wasShifted) this.engine.followShift();
      for (const stream of snapshot.streams ?? []) this.#announce(stream);
      this.shift.look().catch(() => {});
    } catch (error) {
      if (room !== this.room || error.code === 'room.approval_pending') return;
      const isLost = error.code?.startsWith('connection.') ?? false;
      // Without a connection, the next one asks again.
      if (isLost && session.status !== 'online') return;
      if (isLost || LATER.has(error.code)) {
        this.#retry = setTimeout(() => this.#join(), error.retryAfter ?? PAUSE);
      } else {
        this.failure = error;
        this.dispatchEvent(new CustomEvent('failed', {detail: error}));
      }
    } finally {
      this.#look();
      this.#tell();
    }
  }

  /** The session went on. Where it is in another room than ours, or we never heard that we are in, we enter. */
  #resumed(stay) {
    const {room} = this;
    // We have left while the line was away.
    if (stay && (!room || room.gone || this.failure)) session.request('room.leave').catch(() => {});
    if (room && stay?.room === room.id && room.isJoined) {
      room.resume(stay);
      for (const stream of stay.snapshot?.streams ?? []) this.#announce(stream);
    } else if (room && !room.isJoined) {
      this.#enterAgain();
    }
    this.#look();
  }

  // Sound

  #announce(stream) {
    this.shift.announce(stream);
    this.engine.announce(stream);
  }

  #takeFrame(frame) {
    const packets = frame.frame === 'AUDIO_DN' ? [frame] : frame.frame === 'BUNDLE_DN' ? frame.packets : null;
    // Late events of a room that we have left are ignored.
    if (!packets || !this.room?.isJoined) return;
    const fresh = packets.filter(({flags}) => !(flags & SHIFTED));
    if (fresh.length > 0) this.meter.packets(fresh);
    this.shift.take(packets);
    if (!this.playing) return;
    if (this.shift.isOn || this.shift.isFed) return this.#feed();
    // They come as a decoder wants them.
    this.engine.take(fresh);
    this.shift.noteFed(fresh.at(-1));
  }

  /** Hands over what is to be heard soon. */
  #feed() {
    const next = this.playing ? this.shift.next() : null;
    if (!next) return;
    // At the live place the room announces them itself.
    if (this.shift.isOn) for (const stream of next.streams) this.engine.announce(stream);
    this.engine.take(next.packets);
  }

  /** What is heard is elsewhere from now on: what was to be heard is forgotten, in silence. */
  async #move() {
    if (!this.playing) return;
    const graph = this.engine.graph;
    graph?.setVolume(0, true);
    await new Promise(resolve => setTimeout(resolve, HUSH));
    if (!this.playing) return;
    this.soundedAt = null;
    this.pressedAt = performance.now();
    this.shift.restart();
    this.engine.clear();
    this.engine.followShift();
    graph?.setVolume(this.volume, this.muted);
    this.#feed();
    this.shift.ask();
    this.#look();
  }

  /** Pauses for us alone, to go on from here later. */
  hold() {
    this.shift.hold();
    this.pause();
  }

  /** Goes on from where `hold` was pressed. To be called from a click. */
  release() {
    this.shift.release();
    return this.play();
  }

  /** Lets the room be heard. To be called from a click where the browser wants one. Where it cannot be, `unheard` says why. */
  async play() {
    this.pressedAt = performance.now();
    this.soundedAt = null;
    this.playing = true;
    this.blockedBy = null;
    this.#quietSince = null;
    this.#isStarting = true;
    this.#look();
    try {
      await this.engine.start();
    } catch (error) {
      this.#isStarting = false;
      this.playing = false;
      if (error instanceof Blocked) this.blockedBy = error.wasClicked ? 'device' : 'click';
      this.dispatchEvent(new CustomEvent('unheard', {detail: error}));
      this.#look();
      this.#tell();
      return;
    }
    this.#isStarting = false;
    if (!this.playing) {
      // Paused again before the device had started.
      this.engine.stop();
      return;
    }
    remembered.room = this.room?.reference ?? null;
    this.#applySettings();
    this.#lastSound = this.#reportedAt = performance.now();
    // Whoever presses Play is at the live place, unless they have asked for another.
    if (this.shift.heldAt !== null) this.shift.live();
    for (const stream of this.shift.streams.slice(-8)) this.engine.announce(stream);
    if (this.#wantsAudio) {
      this.shift.restart();
      this.#feed();
    } else {
      this.#wantsAudio = true;
      if (this.room?.isJoined && session.status === 'online') this.#join();
    }
    this.#look();
  }

  /** The listener's own pause: nobody else is told, and the room goes on. */
  pause() {
    if (!this.playing) return;
    this.playing = false;
    remembered.room = null;
    this.#idleSince = performance.now();
    this.engine.stop();
    this.#look();
  }

  toggle() { return this.playing ? this.pause() : this.play(); }

  #sounded() {
    this.soundedAt ??= performance.now();
    this.#look();
  }

  #takeReport(report) {
    // Where a pause begins, the sound ends to the microsecond: what holds just after it counts.
    const at = report.starvedAt, then = at === null ? null : this.room?.playback?.at(Math.round(at) + JUST_AFTER);
    const isDue = then?.state === 1 && !(this.room.streamEndedAt !== null && at >= this.room.streamEndedAt - 1000);
    this.meter.report(report, isDue);
    if (report.isSounding) this.#lastSound = performance.now();
    this.#look();
  }

  #applySettings() {
    this.engine.graph?.setVolume(this.volume, this.muted);
    this.engine.graph?.setEqualizer(settings.get('equalizer'));
    this.engine.setLoudness(settings.get('loudness'));
    if (this.engine.nudge !== this.nudge) this.engine.setNudge(this.nudge);
    this.#tell();
  }

  // Looking after it

  #look() {
    const state = this.#judge(performance.now());
    this.#listen(state);
    session.expectsAudio = this.playing && this.room?.isJoined === true && this.#wantsAudio && this.room.state?.state === 1;
    if (state !== this.state) {
      this.state = state;
      this.#tell();
    }
    const {room} = this, {now} = this, timed = room?.tracks.at(now) ?? null;
    if (timed !== this.#lastTrack) {
      this.#lastTrack = timed;
      this.dispatchEvent(new Event('tracks'));
      this.#tell();
    }
    // An earlier announcement, such as a seek, is in force by now.
    const playback = room?.state ?? null;
    if (playback !== this.#lastPlayback) {
      this.#lastPlayback = playback;
      this.#tell();
    }
    // A title that is to change before the next look changes with the sound.
    const next = room?.tracks.next(now) ?? null, wait = next === null ? Infinity : (next - now) / 1000;
    clearTimeout(this.#changing);
    if (wait < 2 * LOOK) this.#changing = setTimeout(() => this.#look(), Math.ceil(wait) + 1);
    this.#feed();
    if (this.playing) this.shift.ask();
    this.#report();
    this.#rest();
    this.#wake();
  }

  #judge(now) {
    const {room} = this;
    if (!room) return 'idle';
    if (room.gone || this.failure || session.status === 'ended') return 'gone';
    if (room.isWaiting) return 'knocking';
    if (!room.isJoined) return session.status === 'offline' ? 'reconnecting' : 'connecting';
    if (session.status !== 'online') return 'reconnecting';
    const playback = room.state;
    if (playback.state === 2) return 'paused';
    if (playback.state !== 1) return 'waiting';
    if (!this.hasSound) return 'silent';
    if (this.blockedBy) return 'blocked';
    if (!this.playing) return this.shift.heldAt === null ? 'idle' : 'held';
    if (this.#isStarting) return 'connecting';
    return this.#judgeSound(now, playback);
  }

  #judgeSound(now, playback) {
    const error = this.meter.recent.at(-1) ?? 0, isSounding = now - this.#lastSound < BEHIND;
    if (isSounding && this.soundedAt === null) return 'connecting';
    if (isSounding && Math.abs(error) < OUT_OF_STEP) {
      this.#quietSince = null;
      return this.shift.isOn ? 'shifted' : 'live';
    }
    // Sound that has just begun, or goes on after a pause, is still on its way.
    if (this.now < playback.anchor_us + BEGINNING) {
      this.#quietSince = null;
      return 'connecting';
    }
    this.#quietSince ??= now;
    if (!this.shift.isOn && now - this.#quietSince > RESYNC && now - this.#resyncedAt > RESYNC) {
      this.#resyncedAt = now;
      this.#join();
    }
    return 'behind';
  }

  /** Counts what is heard in step and audibly, ms. */
  #listen(state) {
    const now = performance.now(), passed = now - this.#listenedAt;
    this.#listenedAt = now;
    // A tab that was held back for long tells nothing of the time between.
    if (['live', 'shifted'].includes(state) && !this.muted && this.volume > 0 && passed < 4 * REPORT) this.#heard += passed;
  }

  #report() {
    const now = performance.now();
    if (!this.playing || !this.room?.isJoined || session.status !== 'online') return;
    if (now - this.#reportedAt < REPORT || !session.features.has('meter')) return;
    this.#reportedAt = now;
    const report = this.meter.take(session.clock.filter, this.engine.latency);
    if (session.features.has('plays')) report.heard_ms = Math.min(600_000, Math.round(this.#heard));
    this.#heard = 0;
    session.request('listening.report', report).catch(() => {});
  }

  /** A device that the system has put to rest, for a call perhaps, is asked to go on. */
  #wake() {
    const now = performance.now();
    if (!this.playing || this.#isStarting || this.engine.isRunning || now - this.#wokenAt < 1000) return;
    this.#wokenAt = now;
    this.engine.wake();
  }

  /** A listener who has paused for a while gets no more sound. */
  #rest() {
    if (this.playing || this.shift.heldAt !== null || !this.#wantsAudio || !this.room?.isJoined || session.status !== 'online') return;
    if (performance.now() - this.#idleSince < UNHEARD) return;
    this.#wantsAudio = false;
    this.#join();
  }
}

export const player = new Player();
