// An evening that a room has kept, played again in its own time: its sound by listening alone, its chat and its reactions at
// their moments. No DOM. Source: Protocol/spec/replays.md.
import {library} from './library.js';
import {askPatiently} from './patient.js';
import {player} from './player.js';
import {ReplayRecordings} from './replay-recordings.js';
import {session} from './session.js';
import {solo} from './solo.js';

/** How often it looks where it is, at most and at least, ms: where a passage begins it looks right then. */
const TICK = 250, SOON = 10;
/** A track that begins so shortly after the end of another follows it without a gap, ms. */
const NEAR = 1500;
/** Before which moment what was said is not asked for when one comes to it, and how far ahead it is, ms. */
const BEFORE = 300_000, AHEAD = 30_000;
/** How long reactions are seen, ms. */
const SEEN = 4000;
/** Passages and messages in one page. */
const PASSAGES = 200, MESSAGES = 100;
/** Messages that are shown. */
const SHOWN = 200;

/** The moments of passages: `{at, end, sounds, play, from}`, ms. A track that ends before its passage is followed by silence. */
export const spansOf = (passages, plays, length) => passages.flatMap(({at_ms: at, sounds, play, position_us: position}, index) => {
  const end = Math.max(at, passages[index + 1]?.at_ms ?? length), from = position / 1000, one = plays.get(play) ?? null;
  const span = {at, end, sounds, play: sounds ? one : null, from};
  const duration = sounds && one?.track.duration_us ? one.track.duration_us / 1000 : Infinity, over = at + duration - from;
  if (over + NEAR >= end) return end > at ? [span] : [];
  const rest = {at: Math.max(at, over), end, sounds: false, play: null, from: 0};
  return over > at ? [{...span, end: over}, rest] : [rest];
});

/** Fires `change` when something of it changes: where it is, what is heard, what was said. */
export class ReplayPlayer extends EventTarget {
  replay = null; room = null; spans = []; plays = new Map();
  /** Whether it goes on. */
  playing = false;
  #time = 0; #ticking = null; #since = 0;
  /** The spans that listening alone plays one after the other: `{spans, isBegun, at}`; null while none sounds. */
  #chain = null; #turn = 0;
  #tracks = new Map(); #recordings;
  #said = {from: 0, to: 0, messages: [], reactions: [], isAsking: false};

  constructor(id) {
    super();
    this.id = id;
    this.#recordings = new ReplayRecordings(id);
  }

  /** Asks for all that was heard. */
  async load() {
    const {replay, room} = await askPatiently('replay.get', {replay: this.id});
    const passages = [];
    for (let after = null; ;) {
      const page = await askPatiently('replay.passages', {replay: this.id, limit: PASSAGES, ...after === null ? {} : {after}});
      passages.push(...page.passages);
      for (const play of page.plays) this.plays.set(play.id, play);
      after = page.next_after;
      if (after === null) break;
    }
    if (session.features.has('recording')) await this.#recordings.load();
    this.replay = replay;
    this.room = room;
    this.spans = spansOf(passages, this.plays, (replay.end_ms ?? Date.now()) - replay.start_ms);
    this.#fetchSaid();
    this.#prepare(0);
    return this;
  }

  get length() { return Math.max(0, (this.replay?.end_ms ?? Date.now()) - (this.replay?.start_ms ?? 0)); }
  get time() { return Math.min(this.#time, this.length); }
  get span() { return this.#spanAt(this.#time); }
  #spanAt(time) { return this.spans.findLast(({at}) => at <= time) ?? this.spans[0] ?? null; }

  /** What is heard: `{play, track, why}`. `why` says why nothing is: 'silence', 'unnamed', 'outside', 'preview', 'denied', 'waiting'. */
  get now() {
    const {span} = this, {play = null} = span ?? {};
    if (!span?.sounds) return {play: null, track: null, why: 'silence'};
    const music = play?.track.music ?? null;
    if (!music && this.#recordings.at(this.#time)) return {play, track: null, why: play ? null : 'unnamed', isRecorded: true};
    if (!play) return {play, track: null, why: 'unnamed'};
    if (!music) return {play, track: null, why: 'outside'};
    const track = this.#tracks.get(music)?.track;
    if (track === undefined) return {play, track: null, why: 'waiting'};
    return {play, track, why: track === null ? 'denied' : track.access === 'full' ? null : 'preview'};
  }

  #tell() { this.dispatchEvent(new Event('change')); }

  // Sound

  #trackIsOf(span) { return Boolean(span?.sounds && span.play?.track.music); }

  /** The track of the library that a span has, if the user may hear it whole; else null. */
  async #trackOf(span) {
    const music = span?.sounds ? span.play?.track.music : null;
    if (!music) return null;
    let known = this.#tracks.get(music);
    if (!known) {
      known = {track: undefined};
      known.asked = library.track(music).then((track) => { known.track = track; }, (error) => {
        known.track = null;
        // Without a line it is asked for again.
        if (!error.code || error.code.startsWith('connection.')) this.#tracks.delete(music);
      });
      this.#tracks.set(music, known);
    }
    await known.asked;
    return known.track?.access === 'full' ? known.track : null;
  }

  /** Asks for the tracks of the span of a moment and of the next. */
  #prepare(time) {
    const index = this.spans.indexOf(this.#spanAt(time));
    for (const span of this.spans.slice(Math.max(0, index), index + 2)) this.#trackOf(span).then(() => this.#tell());
  }

  /** To be called from a click, so that the browser lets it sound. */
  play() {
    if (this.#time >= this.length) this.#time = 0;
    this.playing = true;
    this.#look();
    return this.#goTo(this.#time);
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#ticking);
    this.#turn += 1;
    if (this.#chain && this.#isOurs) solo.pause();
    this.#chain = null;
    this.#recordings.pause();
    this.#tell();
  }

  toggle() { return this.playing ? this.pause() : this.play(); }

  seek(time) {
    this.#time = Math.max(0, Math.min(time, this.length));
    this.#fetchSaid();
    this.#prepare(this.#time);
    if (this.playing) return this.#goTo(this.#time);
    return this.#tell();
  }

  /** Ends it for good: another one is played. */
  close() { this.pause(); }

  get #isOurs() { return solo.source?.kind === 'replay' && solo.source.id === this.id; }

  /** Goes on at a moment: with sound, or by the clock where there is none. */
  async #goTo(time) {
    const turn = ++this.#turn, span = this.#spanAt(time);
    this.#time = time;
    this.#since = performance.now();
    this.#recordings.pause();
    this.#tell();
    if (!this.#trackIsOf(span)) this.#recordings.follow(time);
    const track = await this.#trackOf(span);
    if (turn !== this.#turn) return;
    // The clock went on while the track was asked for.
    const at = this.#chain ? time : this.#time;
    if (!track || at >= span.end) {
      if (this.#chain && this.#isOurs) solo.pause();
      this.#chain = null;
      return;
    }
    const spans = [span], tracks = [track];
    const next = this.#following(span), after = next && await this.#trackOf(next);
    if (turn !== this.#turn) return;
    if (after) { spans.push(next); tracks.push(after); }
    this.#chain = {spans, isBegun: false, index: 0};
    solo.setRepeat('off');
    const source = {kind: 'replay', id: this.id, name: this.room?.title ?? '', href: `/replay/${this.id}`};
    await solo.play(tracks, {index: 0, from: Math.max(0, span.from + at - span.at), source, shuffle: false});
  }

  /** The span that follows without a gap, if it begins a track. */
  #following(span) {
    const next = this.spans[this.spans.indexOf(span) + 1];
    const duration = span.play?.track.duration_us;
    if (!next?.sounds || !next.play || next.from > NEAR || !duration) return null;
    return Math.abs(span.at + duration / 1000 - span.from - next.at) < NEAR ? next : null;
  }

  /** Looks again when something may have changed. */
  #look() {
    clearTimeout(this.#ticking);
    const wait = (this.span?.end ?? Infinity) - this.#time;
    this.#ticking = setTimeout(() => this.#tick(), Math.max(SOON, Math.min(TICK, wait > 0 ? wait : TICK)));
  }

  #tick() {
    if (!this.playing) return;
    if (this.#chain) this.#followSound();
    else this.#followClock();
    this.#fetchSaid();
    this.#tell();
    if (this.playing) this.#look();
  }

  #followClock() {
    const now = performance.now(), heard = this.#trackIsOf(this.span) ? null : this.#recordings.follow(this.#time);
    if (heard !== null && (player.playing || solo.playing)) return this.pause();
    this.#time = heard ?? this.#time + now - this.#since;
    this.#since = now;
    if (this.#time >= this.length) {
      this.#time = this.length;
      return this.pause();
    }
    const {span} = this;
    if (span?.sounds && span.play?.track.music && this.#tracks.get(span.play.track.music)?.track?.access === 'full') this.#goTo(this.#time);
    else this.#prepare(this.#time);
    return undefined;
  }

  #followSound() {
    const chain = this.#chain;
    // Something else is heard, by the user's own wish.
    if (!this.#isOurs) {
      this.#chain = null;
      return this.pause();
    }
    if (solo.state === 'loading') return undefined;
    if (solo.state === 'playing') chain.isBegun = true;
    if (!chain.isBegun) return this.pause();
    if (solo.index !== chain.index && chain.spans[solo.index]) {
      chain.index = solo.index;
      this.#extend(chain);
    }
    const span = chain.spans[chain.index], place = span.at + solo.ownPosition - span.from;
    if (solo.state !== 'playing') {
      // At its end the track stands at its beginning; elsewhere somebody has paused it.
      const isOver = solo.ownPosition === 0 && span.end - this.#time < 2 * NEAR;
      return isOver ? this.#goTo(span.end) : this.pause();
    }
    const next = chain.spans[chain.index + 1] ?? null;
    if (place >= span.end + (next ? NEAR : 0)) return this.#goTo(span.end);
    this.#time = Math.min(Math.max(span.at, place), span.end);
    return undefined;
  }

  /** Puts the track after the next into the queue, so that it follows without a gap too. */
  async #extend(chain) {
    const last = chain.spans.at(-1), next = this.#following(last);
    const track = next && await this.#trackOf(next);
    if (!track || chain !== this.#chain || chain.spans.at(-1) !== last || !this.#isOurs) return;
    chain.spans.push(next);
    solo.add([track]);
  }

  // What was said

  /** The messages up to now, the oldest first. */
  get messages() {
    const until = this.replay ? this.replay.start_ms + this.#time : 0;
    return this.#said.messages.filter(({at_ms: at}) => at <= until).slice(-SHOWN);
  }

  /** The reactions of the last seconds: `[{emoji, count}]`. */
  get reactions() {
    const counts = new Map();
    for (const {at_ms: at, counts: some} of this.#said.reactions) {
      if (at > this.#time || at <= this.#time - SEEN) continue;
      for (const {emoji, count} of some) counts.set(emoji, (counts.get(emoji) ?? 0) + count);
    }
    return [...counts].map(([emoji, count]) => ({emoji, count}));
  }

  /** Asks for what was said about now, a page at a time. */
  async #fetchSaid() {
    const time = this.#time;
    if (time < this.#said.from || time > this.#said.to + BEFORE) {
      const from = Math.max(0, Math.floor(time - BEFORE));
      this.#said = {from, to: from, messages: [], reactions: [], isAsking: false};
    }
    const said = this.#said;
    if (said.isAsking || said.to > time + AHEAD) return;
    said.isAsking = true;
    try {
      const page = await askPatiently('replay.moments', {replay: this.id, from_ms: said.to, limit: MESSAGES});
      said.messages.push(...page.messages);
      said.reactions.push(...page.reactions);
      said.to = page.next_ms ?? Infinity;
    } catch {
      // The next look asks again.
      return;
    } finally {
      said.isAsking = false;
    }
    if (said !== this.#said) return;
    this.#tell();
    if (said.to <= this.#time + AHEAD) this.#fetchSaid();
  }
}

let current = null;
/** The replay of an identifier: the one that plays, if it is that; it goes on when its page is left. */
export const replayPlayer = (id) => {
  if (current?.id !== id) {
    current?.close();
    current = new ReplayPlayer(id);
  }
  return current;
};
/** Forgets it: it could not be loaded, or is another by now. */
export const forgetReplay = (id) => {
  if (current?.id !== id) return;
  current.close();
  current = null;
};
