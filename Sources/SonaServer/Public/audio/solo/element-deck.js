// Plays tracks by the browser's media element: at another speed, and on where phones end what a hidden page does itself.
import {gainOf} from '../graph.js';
import {follow} from '../outputs.js';
import {offline} from '../../store/offline.js';
import {session} from '../../store/session.js';
import {settings} from '../../store/settings.js';
import {addressOf, forget} from './addresses.js';
import {gainOfEntry, linear} from './loudness.js';

/** How often a stream that failed is asked for anew. */
const TRIES = 2;

/** The same commands and events as PageDeck. There is a short gap between tracks, and neither crossfade nor equaliser. */
export class ElementDeck extends EventTarget {
  item = null;
  #element = new Audio(); #wanted = null; #turn = 0; #tries = 0; #isPlaying = false; #kept = null;

  constructor() {
    super();
    const element = this.#element;
    element.preload = 'auto';
    element.preservesPitch = true;
    follow(element);
    const on = (type, run) => element.addEventListener(type, () => { if (this.item) run(); });
    on('playing', () => this.#emit('state', 'playing'));
    on('waiting', () => { if (this.#isPlaying) this.#emit('state', 'loading'); });
    // Another program took the device, or headphones were pulled out.
    on('pause', () => { if (this.#isPlaying && !element.ended) { this.#isPlaying = false; this.#emit('state', 'paused'); } });
    on('timeupdate', () => this.#emit('progress'));
    on('ended', () => this.#ended());
    on('error', () => this.#failed());
  }

  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }

  /** Asks the browser for another device in the house. */
  cast() { return this.#element.remote.prompt(); }

  unlock() { /* The element is played within the click itself. */ }
  get position() { return this.item ? this.#element.currentTime * 1000 : 0; }
  get duration() {
    const {duration} = this.#element;
    return Number.isFinite(duration) && duration > 0 ? duration * 1000 : this.item?.entry.track.duration_ms ?? 0;
  }
  get loaded() {
    const {buffered} = this.#element;
    return buffered.length ? buffered.end(buffered.length - 1) * 1000 : 0;
  }
  get analyser() { return null; }

  async load(entry, from = 0) {
    const turn = ++this.#turn;
    this.item = {entry};
    this.#isPlaying = true;
    this.#emit('state', 'loading');
    const address = await this.#addressOf(entry.track.id);
    if (turn !== this.#turn) return;
    this.#element.src = from > 0 ? `${address}#t=${(from / 1000).toFixed(3)}` : address;
    this.apply();
    await this.#play();
  }

  /** Where there is no line, the address of what is kept on this device. */
  async #addressOf(id) {
    const kept = session.status === 'online' ? null : await offline.sound(id);
    URL.revokeObjectURL(this.#kept);
    this.#kept = kept && URL.createObjectURL(kept);
    return this.#kept ?? addressOf(id);
  }

  async #play() {
    try {
      await this.#element.play();
    } catch (error) {
      if (error.name === 'AbortError' || !this.#isPlaying) return;
      if (error.name !== 'NotAllowedError') return;
      this.#isPlaying = false;
      this.#emit('failed', Object.assign(new Error(error.message), {name: 'Blocked'}));
    }
  }

  #ended() {
    const next = this.#wanted;
    if (!next) {
      this.#isPlaying = false;
      return this.#emit('end');
    }
    this.#wanted = null;
    this.#tries = 0;
    this.load(next).catch((error) => this.#emit('failed', error));
    return this.#emit('advance', next);
  }

  /** An address that has run out is asked for anew, at the same place. */
  #failed() {
    const {entry} = this.item, at = this.position;
    this.#tries += 1;
    if (this.#tries > TRIES) {
      this.#tries = 0;
      return this.#emit('failed', Object.assign(new Error('The browser could not play it.'), {code: 'track.conversion_failed'}));
    }
    forget(entry.track.id);
    return this.load(entry, at).catch((error) => this.#emit('failed', error));
  }

  seek(milliseconds) { this.#element.currentTime = milliseconds / 1000; this.#emit('progress'); }

  pause() {
    this.#isPlaying = false;
    this.#element.pause();
    this.#emit('state', 'paused');
  }

  async resume() {
    if (!this.item) return;
    this.#isPlaying = true;
    this.apply();
    await this.#play();
  }

  async fadeOut() {
    for (let step = 10; step > 0; step -= 1) {
      this.#element.volume = Math.max(0, this.#element.volume * 0.75);
      await new Promise((resolve) => { setTimeout(resolve, 200); });
    }
  }

  stop() {
    this.#turn += 1;
    this.#isPlaying = false;
    this.item = null;
    this.#element.pause();
    this.#element.removeAttribute('src');
    this.#element.load();
  }

  setNext(entry) { this.#wanted = entry; }

  apply() {
    const element = this.#element, {entry} = this.item ?? {};
    // An element has no volume above 1.
    const gain = entry && settings.get('loudness') ? linear(Math.min(0, gainOfEntry(entry))) : 1;
    element.volume = Math.min(1, gainOf(settings.get('volume')) * gain);
    element.muted = settings.get('muted');
    element.defaultPlaybackRate = element.playbackRate = settings.get('speed');
  }
}
