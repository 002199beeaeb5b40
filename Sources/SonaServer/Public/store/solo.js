// Listening alone: what is played, the queue, and the commands for it. The sound itself is fetched when something is played.
import {pauseWhenLost} from '../audio/outputs.js';
import {keep, kept} from './solo/kept-queue.js';
import {PlayOrder, REPEATS} from './solo/play-order.js';
import {PlayReports} from './solo/plays.js';
import {SharedPlayer} from './solo/shared-player.js';
import {player} from './player.js';
import {session} from './session.js';
import {settings} from './settings.js';

/** How often the position is kept, ms; after how much of a track "previous" returns to its beginning, ms. */
const KEEP = 5000, RESTART = 4000;
/** How far from another device's place it may be before it goes there, ms. */
const OFF = 1500;
/** How many tracks in a row may fail before it stops. */
const FAILURES = 5;

/**
 * Fires `change` (at most once a frame), `track` when another track is heard, and `failed` with an error that the user has
 * to be told.
 *
 * States: 'idle' (nothing chosen) · 'paused' · 'loading' · 'playing'.
 */
class Solo extends EventTarget {
  state = 'idle';
  /** Where the queue comes from: `{kind, id, name, href}` | null. */
  source = null;
  /** Whether it is heard beside a room for a moment, while one of the two takes over from the other. */
  isBeside = false;
  /** When the sleep timer ends the sound: ms of Date.now(), 'track' for the end of this one, or null. */
  sleepAt = null;
  #order = new PlayOrder(); #deck = null; #opening = null; #from = 0; #isToldSoon = false; #failures = 0; #keptAt = 0; #told = null; #sleeping = null;

  constructor() {
    super();
    session.addEventListener('user', () => this.#restore());
    // One of the two ways of listening is heard at a time.
    player.addEventListener('change', () => { if (player.playing && this.playing && !this.isBeside) this.pause(); });
    settings.addEventListener('change', () => this.#deck?.apply());
    addEventListener('pagehide', () => this.#keep());
    pauseWhenLost(() => { if (this.playing) this.pause(); });
    new PlayReports(this);
    this.shared = new SharedPlayer(this);
  }

  // Visible to others

  get queue() { return this.#order.entries; }
  get index() { return this.#order.index; }
  get track() { return this.#order.current?.track ?? null; }
  get upcoming() { return this.queue.slice(this.index + 1); }
  get playing() { return this.state === 'playing' || this.state === 'loading'; }
  get shuffle() { return this.#order.shuffle; }
  get repeat() { return this.#order.repeat; }
  /** Rises whenever the tracks of the queue or their order change. */
  get changes() { return this.#order.changes; }
  /** The place of each track before the queue was shuffled; null if it is not. */
  get places() { return this.#order.places; }
  /** The place that is heard, here or on another device of the account, ms. */
  get position() { return this.#elsewhere ?? this.ownPosition; }
  /** The place in the track here, ms. */
  get ownPosition() { return this.#deck?.item ? this.#deck.position : this.#from; }
  /** The place on the device that plays, if that is another one; else null. */
  get #elsewhere() {
    const place = this.playing ? null : this.shared?.placeElsewhere ?? null;
    return place !== null && this.track?.duration_ms > 0 ? Math.min(place, this.track.duration_ms) : place;
  }
  /** The length of what is heard, ms: of the preview, where that is all there is; 0 if unknown. */
  get duration() { return this.#deck?.duration ?? this.track?.duration_ms ?? 0; }
  /** Up to where the sound has come, ms. */
  get loaded() { return this.#deck?.loaded ?? 0; }
  get analyser() { return this.#deck?.analyser ?? null; }
  /** What the page's own sound leaves by, `{context, node}`, for whatever records or shows it; null before there is any. */
  get output() { return this.#deck?.output ?? null; }

  #tell(isTrack = false) {
    const {key} = this.#order.current ?? {};
    if (isTrack || key !== this.#told) {
      this.#told = key;
      this.dispatchEvent(new Event('track'));
    }
    if (this.#isToldSoon) return;
    this.#isToldSoon = true;
    setTimeout(() => {
      this.#isToldSoon = false;
      this.dispatchEvent(new Event('change'));
    }, 16);
  }

  #fail(error) { this.dispatchEvent(new CustomEvent('failed', {detail: error})); }

  // Commands

  /**
   * Plays tracks of the library from `index`, `from` ms. To be called from a click, so that the browser lets it sound.
   * `shuffle` turns shuffling on or off before; a random track begins if it is turned on without an index.
   */
  play(tracks, {index = null, from = 0, source = null, shuffle = null} = {}) {
    if (tracks.length === 0) return undefined;
    if (shuffle !== null) this.#order.setShuffle(shuffle);
    this.#order.load(tracks, index ?? (shuffle ? Math.floor(Math.random() * tracks.length) : 0));
    this.source = source;
    this.#failures = 0;
    return this.#begin(from);
  }

  /** Puts tracks after the present one. If nothing is there, they are played. */
  playNext(tracks) { return this.#put(tracks, this.index + 1); }

  /** Puts tracks at the end of the queue. If nothing is there, they are played. */
  add(tracks) { return this.#put(tracks, this.queue.length); }

  #put(tracks, at) {
    if (!this.track) return this.play(tracks);
    this.#order.insert(tracks, at);
    this.#changed();
    return undefined;
  }

  /** Puts one entry that was taken out back to its place. */
  restore(track, at) { if (this.track) { this.#order.insert([track], at); this.#changed(); } }
  move(from, to) { this.#order.move(from, to); this.#changed(); }
  remove(at) {
    const isCurrent = at === this.index, wasPlaying = this.playing;
    const gone = this.#order.remove(at);
    if (!this.track) this.clear();
    else if (isCurrent) this.#goTo(this.index, wasPlaying);
    else this.#changed();
    return gone?.track ?? null;
  }
  /** Takes out what is still to come. Returns the tracks. */
  clearUpcoming() {
    const gone = this.#order.clearUpcoming().map(({track}) => track);
    this.#changed();
    return gone;
  }

  /** Ends listening alone. */
  clear() {
    this.#deck?.stop();
    this.#order.load([]);
    this.source = null;
    this.#from = 0;
    this.sleep(null);
    this.#set('idle');
    keep(null);
  }

  toggle() { return this.playing ? this.pause() : this.resume(); }

  resume() {
    if (!this.track) return undefined;
    const elsewhere = this.#elsewhere;
    if (elsewhere !== null) this.#goToPlace(elsewhere);
    if (!this.#deck?.item) return this.#begin(this.#from);
    this.#leaveRoom();
    return this.#deck.resume();
  }

  pause() {
    this.#deck?.pause();
    if (this.track) this.#set('paused');
    this.#keep();
  }

  next() {
    const at = this.#order.following(true);
    if (this.#elsewhere !== null) return at >= 0 ? this.#control({index: at}) : undefined;
    if (at >= 0) return this.#goTo(at, true);
    this.pause();
    return this.seek(0);
  }

  /** The one before, or, later in a track, its beginning. */
  previous() {
    const at = this.#order.preceding();
    if (this.position > RESTART || at < 0) return this.seek(0);
    return this.#elsewhere === null ? this.#goTo(at, true) : this.#control({index: at});
  }

  /** Plays the entry at a place of the queue. */
  jump(at) {
    if (!this.queue[at]) return undefined;
    return this.#elsewhere === null ? this.#goTo(at, true) : this.#control({index: at});
  }

  /** Has the device that plays do something. */
  #control(change) { return this.shared.control(change).catch((error) => this.#fail(error)); }
  pauseElsewhere() { return this.#control({playing: false}); }

  seek(milliseconds) {
    const to = Math.max(0, Math.min(milliseconds, Math.max(0, this.duration - 250) || milliseconds));
    if (this.#elsewhere !== null) return void this.#control({index: this.index, position_ms: Math.round(to)});
    this.#goToPlace(to);
    this.#keep();
    return this.#tell();
  }

  #goToPlace(to) {
    if (this.#deck?.item) this.#deck.seek(to);
    else this.#from = to;
  }

  // What other devices say

  /** Takes the queue of another device: `places` as of `places` here. */
  adopt({tracks, places, index, position, shuffle, repeat, playing}) {
    if (tracks.length === 0) return this.clear();
    const before = this.#order.current;
    this.#order.replace(tracks, index, places, shuffle);
    if (before !== this.#order.current) this.source = null;
    return this.#obeyed(before, {position, playing, repeat});
  }

  /** Does with the queue that is here what another device says. */
  obey({index, position, playing, repeat, shuffle}) {
    const before = this.#order.current;
    this.#order.index = index;
    this.#order.shuffle = shuffle;
    return this.#obeyed(before, {position, playing, repeat});
  }

  #obeyed(before, {position, playing, repeat}) {
    const isSame = before === this.#order.current, isOff = Math.abs(this.ownPosition - position) > OFF;
    this.#order.repeat = repeat;
    if (playing && !(isSame && this.#deck?.item)) return this.#begin(position);
    if (!isSame) {
      this.#deck?.stop();
      this.#from = position;
    } else if (isOff) {
      this.#goToPlace(position);
    }
    if (playing) {
      if (!this.playing) this.resume();
      return this.#changed();
    }
    if (this.#deck?.item) this.#deck.pause();
    this.#set('paused');
    return this.#keep();
  }

  setShuffle(isOn) { this.#order.setShuffle(isOn); this.#changed(); }
  setRepeat(mode) { if (REPEATS.includes(mode)) { this.#order.repeat = mode; this.#changed(); } }
  /** Goes to the next repeat mode: off, all, one. */
  cycleRepeat() { this.setRepeat(REPEATS[(REPEATS.indexOf(this.repeat) + 1) % REPEATS.length]); }

  /** Ends the sound after so many minutes, at the end of the 'track', or not (null). */
  sleep(when) {
    clearTimeout(this.#sleeping);
    this.sleepAt = typeof when === 'number' ? Date.now() + when * 60_000 : when;
    if (typeof when === 'number') {
      this.#sleeping = setTimeout(() => { this.sleepAt = null; this.#deck?.fadeOut().then(() => this.pause()); }, when * 60_000);
    }
    this.#changed();
  }

  /** Asks the browser for another device in the house, to play there. To be called from a click. */
  async cast() {
    await (this.#deck ?? await this.#open());
    return this.#deck.cast();
  }

  // Sound

  #set(state) {
    this.state = state;
    this.#tell();
  }

  #leaveRoom() { if (player.room && !this.isBeside) player.leave(); }

  /** The queue has changed: what follows may be another track. */
  #changed() {
    this.#prepare();
    this.#keep();
    this.#tell();
  }

  #goTo(index, isPlaying) {
    this.#order.index = index;
    if (isPlaying) return this.#begin(0);
    this.#deck?.stop();
    this.#from = 0;
    this.#changed();
    return undefined;
  }

  async #begin(from) {
    const entry = this.#order.at(this.#order.index);
    this.#from = from;
    this.#leaveRoom();
    this.#set('loading');
    try {
      const deck = this.#deck ?? await this.#open();
      // Another one was chosen, or it was paused, while the modules came.
      if (entry !== this.#order.current || this.state !== 'loading') return;
      this.#deck.unlock();
      await deck.load(entry, from);
      this.#prepare();
    } catch (error) {
      if (entry === this.#order.current) this.#failed(error);
    }
    this.#keep();
  }

  /** Fetches what makes sound. */
  #open() {
    return this.#opening ??= import('../audio/solo/decks.js').then(({Decks}) => {
      const deck = this.#deck = new Decks();
      deck.addEventListener('state', ({detail}) => { if (this.track) this.#set(detail); });
      deck.addEventListener('advance', ({detail}) => this.#advanced(detail));
      deck.addEventListener('end', () => this.#ended());
      deck.addEventListener('failed', ({detail}) => this.#failed(detail));
      deck.addEventListener('progress', () => this.#progress());
      deck.apply();
      import('../audio/solo/keys.js').then(({SystemKeys}) => new SystemKeys(this)).catch(() => { /* Without the system's keys. */ });
      return deck;
    }).catch((error) => {
      this.#opening = null;
      throw error;
    });
  }

  /** Tells the deck what follows, so that it follows without a gap. */
  #prepare() {
    const at = this.sleepAt === 'track' ? -1 : this.#order.following();
    this.#deck?.setNext(at < 0 ? null : this.#order.at(at));
  }

  #advanced(entry) {
    const at = this.queue.indexOf(entry);
    if (at < 0) return;
    this.#failures = 0;
    this.#order.index = at;
    this.#prepare();
    this.#keep();
    this.#tell(true);
  }

  #ended() {
    const isAsleep = this.sleepAt === 'track', at = this.#order.following();
    if (isAsleep) this.sleepAt = null;
    // What follows had not come in time to follow by itself.
    if (!isAsleep && at >= 0 && this.state === 'playing') return this.#goTo(at, true);
    this.#from = 0;
    this.#deck.stop();
    this.#set('paused');
    return this.#keep();
  }

  /** A track that cannot be played is passed over; several in a row end it. */
  #failed(error) {
    this.#failures += 1;
    this.#fail(error);
    const at = this.#order.following(true);
    if (error?.code?.startsWith?.('connection.') || error?.name === 'Blocked' || this.#failures >= FAILURES || at < 0) {
      this.#from = this.position;
      this.#deck?.stop();
      return this.#set('paused');
    }
    return this.#goTo(at, true);
  }

  #progress() {
    if (performance.now() - this.#keptAt > KEEP) this.#keep();
    this.#tell();
  }

  // Keeping

  #keep() {
    this.#keptAt = performance.now();
    if (!this.track || !session.user) return;
    keep({
      uid: session.user.uid, tracks: this.queue.map(({track}) => track), index: this.index, position: Math.round(this.position),
      source: this.source, repeat: this.repeat,
    });
  }

  #restore() {
    const uid = session.user?.uid;
    if (!uid) return;
    if (this.track && this.owner !== uid) {
      // Somebody else signed in here: their queue is another.
      if (this.owner) this.clear();
    }
    this.owner = uid;
    const state = this.track ? null : kept(uid);
    if (!state) return;
    this.#order.load(state.tracks, state.index);
    this.#order.repeat = REPEATS.includes(state.repeat) ? state.repeat : 'off';
    this.source = state.source ?? null;
    this.#from = Number(state.position) || 0;
    this.#set('paused');
  }
}

export const solo = new Solo();
