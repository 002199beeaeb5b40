// Plays tracks on the page's own audio context: without a gap, with crossfades, loudness and the equaliser.
import {Graph} from '../graph.js';
import {follow} from '../outputs.js';
import {settings} from '../../store/settings.js';
import {offline} from '../../store/offline.js';
import {session} from '../../store/session.js';
import {follows} from '../../store/solo/play-order.js';
import {addressOf} from './addresses.js';
import {gainOfEntry, linear} from './loudness.js';
import {Sound} from './sound.js';
import {Voice} from './voice.js';

/** What is kept on this device is heard where there is no line: with one, the server sends it, and counts it as heard. */
const soundOf = async (id) => session.status !== 'online' && await offline.sound(id) || addressOf(id);

/** How often it looks after things, ms. How long before the end the next track is fetched, and scheduled, s. */
const LOOK = 100, FETCH = 25, SCHEDULE = 8;
/** How long the sound takes to go before the device rests, ms; how long a browser may take to start its device, ms. */
const REST = 70, START = 2500;
/** How often the position is told, ms. */
const TELL = 250;

/** The browser has not started the device: it wants a click. */
export class Blocked extends Error {
  name = 'Blocked';
  constructor() { super('The browser has not started the sound device.'); }
}

/**
 * Fires `state` ('loading', 'playing', 'paused'), `advance` with the entry that is heard from now on, `end`, `failed`, and
 * `progress` while it plays.
 */
export class PageDeck extends EventTarget {
  context = null;
  graph = null;
  /** `{entry, sound, voice}` of what is heard. */
  item = null;
  #next = null; #wanted = null; #timer = null; #resting = null; #isPlaying = false; #toldAt = 0; #state = null; #turn = 0; #wasInterrupted = false;

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }
  #set(state) { if (state !== this.#state) { this.#state = state; this.#emit('state', state); } }

  /** The first thing within a click, so that every browser counts it as one. */
  unlock() {
    if (!this.context) {
      this.context = new AudioContext({sampleRate: 48_000, latencyHint: 'playback'});
      this.graph = new Graph(this.context);
      follow(this.context);
      this.context.addEventListener('statechange', () => this.#interrupted());
    }
    clearTimeout(this.#resting);
    this.context.resume().catch(() => {});
  }

  /** Another program has the device, as a call does: it is paused, and goes on when the device is ours again. */
  #interrupted() {
    const {state} = this.context;
    if (state === 'interrupted' && this.#isPlaying) {
      this.#wasInterrupted = true;
      this.pause();
    } else if (state === 'running' && this.#wasInterrupted) {
      this.#wasInterrupted = false;
      if (!this.#isPlaying) this.resume();
    }
  }

  /** From the program to the ear as far as the system says, s. */
  get #latency() { return (this.context?.outputLatency || 0) + (this.context?.baseLatency || 0); }
  get #heard() { return this.context.currentTime - this.#latency; }

  get position() {
    if (!this.item) return 0;
    const {voice, sound, from} = this.item;
    return Math.max(0, voice ? (voice.sampleAt(voice.origin === null ? 0 : this.#heard) - sound.preSkip) / 48 : from);
  }

  get duration() {
    const {sound, entry} = this.item ?? {};
    if (sound?.end) return (sound.end - sound.preSkip) / 48;
    return entry ? entry.track.duration_ms : 0;
  }

  get loaded() { return this.item ? Math.max(0, (this.item.sound.until - this.item.sound.preSkip) / 48) : 0; }
  get analyser() { return this.graph?.analyser ?? null; }

  #makeSound(entry) {
    const {id, duration_ms: duration} = entry.track, sound = new Sound(() => soundOf(id), () => offline.sound(id));
    if (duration > 0) sound.duration = duration * 48;
    return sound;
  }

  async load(entry, from = 0) {
    const turn = ++this.#turn;
    this.#dispose();
    const sound = this.#next?.entry === entry && !this.#next.sound.failure ? this.#next.sound : this.#makeSound(entry);
    if (this.#next && this.#next.sound !== sound) this.#drop();
    this.#next?.voice?.end();
    this.#next = null;
    this.item = {entry, sound, voice: null, from};
    this.#isPlaying = true;
    this.#set('loading');
    this.unlock();
    this.apply();
    const running = this.#run();
    await this.#head(sound);
    if (turn !== this.#turn) return;
    this.#begin(from);
    await running;
    if (turn !== this.#turn) return;
    this.#look();
  }

  /** Waits for the device. */
  async #run() {
    if (this.context.state === 'running') return;
    let timer;
    await Promise.race([this.context.resume(), new Promise((resolve) => { timer = setTimeout(resolve, START); })]);
    clearTimeout(timer);
    if (this.context.state !== 'running') throw new Blocked();
  }

  /** Waits for the first packets of a sound. */
  #head(sound) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (sound.failure) return reject(sound.failure);
        if (sound.head && sound.packets.length > 0) return resolve();
        for (const type of ['data', 'failed']) sound.addEventListener(type, look, {once: true});
        return undefined;
      };
      look();
    });
  }

  /** The gain of a track by its loudness and by what its file asks for. */
  #gain({entry, sound}) {
    const own = (sound.head?.gain ?? 0) / 256;
    return linear(own + (settings.get('loudness') ? gainOfEntry(entry) : 0));
  }

  #voice(item, from, at) {
    const voice = new Voice(this.context, this.graph.input, item.sound, {from, at, gain: this.#gain(item)});
    voice.onchange = () => this.#look();
    return voice;
  }

  #begin(from) {
    const {item} = this;
    item.voice?.end();
    item.voice = this.#voice(item, item.sound.preSkip + Math.round(from * 48), null);
    item.from = from;
  }

  seek(milliseconds) {
    if (!this.item) return;
    this.#unschedule();
    if (this.item.voice) {
      this.#begin(milliseconds);
      if (this.#isPlaying) this.#set('loading');
      this.#look();
    } else {
      this.item.from = milliseconds;
      this.load(this.item.entry, milliseconds).catch((error) => this.#emit('failed', error));
    }
    this.#emit('progress');
  }

  pause() {
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    clearTimeout(this.#timer);
    this.graph?.setVolume(0, true);
    this.#rest();
    this.#set('paused');
  }

  #rest() {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.context?.suspend(), REST);
  }

  async resume() {
    if (!this.item) return;
    this.#isPlaying = true;
    this.#set('loading');
    this.unlock();
    this.apply();
    try {
      await this.#run();
      this.#look();
    } catch (error) {
      this.#isPlaying = false;
      this.#emit('failed', error);
    }
  }

  /** Lets the sound go slowly, in two seconds: the end of a sleep timer. */
  async fadeOut() {
    const gain = this.graph?.volume.gain;
    gain?.setTargetAtTime(0, this.context.currentTime, 0.6);
    await new Promise((resolve) => { setTimeout(resolve, 2000); });
  }

  stop() {
    this.#turn += 1;
    this.#isPlaying = false;
    clearTimeout(this.#timer);
    this.#dispose();
    this.#drop();
    if (this.context) this.#rest();
    this.#state = null;
  }

  #dispose() {
    this.item?.voice?.end();
    if (this.item && this.item.sound !== this.#next?.sound) this.item.sound.close();
    this.item = null;
  }

  #drop() {
    this.#next?.voice?.end();
    this.#next?.sound.close();
    this.#next = null;
  }

  /** Says what follows; null for nothing. */
  setNext(entry) {
    this.#wanted = entry;
    if (this.#next && this.#next.entry !== entry) {
      this.#unschedule();
      this.#drop();
    }
  }

  /** What follows was scheduled, but does not follow now. */
  #unschedule() {
    if (!this.#next?.voice) return;
    this.#next.voice.end();
    this.#next.voice = null;
    this.item?.voice?.stay();
  }

  /** How long two tracks are heard together, s: not within an album, whose tracks may run into each other. */
  #overlap(next) {
    const {entry} = this.item;
    if (follows(entry.track, next.entry.track)) return 0;
    return Math.min(settings.get('crossfade'), this.duration / 3000, (next.entry.track.duration_ms || 30_000) / 3000);
  }

  #look() {
    clearTimeout(this.#timer);
    if (!this.#isPlaying || !this.item) return;
    const {voice, sound} = this.item, now = this.context.currentTime;
    if (voice) {
      voice.look();
      const failure = voice.failure ?? (sound.failure && voice.isStarved ? sound.failure : null);
      if (failure) return void this.#emit('failed', failure);
      this.#set(voice.isStarved ? 'loading' : 'playing');
      this.#follow(now);
    }
    if (!this.item) return;
    if (performance.now() - this.#toldAt >= TELL) {
      this.#toldAt = performance.now();
      this.#emit('progress');
    }
    this.#timer = setTimeout(() => this.#look(), LOOK);
  }

  /** Fetches, schedules and begins what follows. */
  #follow(now) {
    const {endAt} = this.item.voice;
    if (endAt === null) return;
    const left = endAt - now;
    if (left < FETCH && this.#wanted && !this.#next) this.#next = {entry: this.#wanted, sound: this.#makeSound(this.#wanted), voice: null, from: 0};
    const next = this.#next;
    if (next && !next.voice && next.sound.head && next.sound.packets.length > 0) {
      const overlap = this.#overlap(next);
      if (left - overlap < SCHEDULE) {
        next.beginAt = Math.max(endAt - overlap, now);
        next.voice = this.#voice(next, next.sound.preSkip, next.beginAt);
        if (overlap > 0) {
          this.item.voice.cross(false, next.beginAt, endAt);
          next.voice.cross(true, next.beginAt, endAt);
        }
      }
    }
    next?.voice?.look();
    if (next?.voice && this.#heard >= next.beginAt + (endAt - next.beginAt) / 2) return this.#advance();
    if (!next?.voice && this.#heard >= endAt) this.#end();
    return undefined;
  }

  #advance() {
    const {item} = this, next = this.#next;
    this.#next = null;
    this.#wanted = null;
    this.item = next;
    // What is still heard of the one before goes by itself.
    const rest = Math.max(0, (item.voice.endAt ?? 0) - this.context.currentTime);
    setTimeout(() => { item.voice.end(); if (item.sound !== this.item?.sound) item.sound.close(); }, rest * 1000 + 300);
    this.#emit('advance', next.entry);
  }

  #end() {
    this.#isPlaying = false;
    this.#rest();
    this.#state = null;
    this.#emit('end');
  }

  /** Takes the settings in. */
  apply() {
    if (!this.graph) return;
    this.graph.setVolume(settings.get('volume'), settings.get('muted') || !this.#isPlaying);
    this.graph.setEqualizer(settings.get('equalizer'));
    for (const item of [this.item, this.#next]) if (item?.voice) item.voice.setGain(this.#gain(item));
  }
}
