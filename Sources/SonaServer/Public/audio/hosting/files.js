// Files to play: their names and their sound.
import {downmixed} from './mixing.js';
import {looksLikeOgg, readOggOpus} from './ogg-opus.js';
import {readTags} from './tags.js';

/** The largest file that is read, bytes. */
const BYTES_MAX = 1 << 30;
/**
 * How long a song may be that is decoded, minutes: its samples, two channels of four bytes each at 48 kHz, take about 1 GB,
 * and those of the next are made ready while it plays. Opus goes out as it is.
 */
export const MINUTES_MAX = 45;
const SAMPLES_MAX = MINUTES_MAX * 60 * 48_000;
/** For an unknown length: the bytes that so many minutes usually have, without loss and with. */
const LOSSLESS = /\.(aif[cf]?|flac|wave?)$/i, LOSSLESS_MAX = 256 << 20, LOSSY_MAX = 48 << 20;
/**
 * A file is tried with so many bytes of its beginning when it is chosen. Where that is not enough for the browser, all of it
 * is, up to so many: some kinds keep at their end what a decoder has to know first.
 */
const TRIED = 256 << 10, TRIED_WHOLE = 64 << 20;
/** Sound has at least this many bytes a second. A stated length that would mean fewer is not believed. */
const BYTES_A_SECOND = 500;

/** It cannot be played: 'empty', 'too-long', 'unknown', or 'gone', until it is chosen again. */
export class Unplayable extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** A voice cannot be heard over a song that is too long to be decoded. */
export class Unmixed extends Error {}

let counted = 0;

/** A name that no other file has, in this tab or any other: letters and digits. */
const makeKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, '0')).join('');

/** A file of the list. `duration` is in samples at 48 kHz, null until it is known. */
export class Song {
  id = ++counted;
  /** What the room's queue calls it. */
  key = makeKey();
  /** The entry of the queue that the host chose this file for, as `meaningOf` has it; null: it is there for itself. */
  standsFor = null;
  /** Whether it was put into the queue in this broadcast. */
  isQueued = false;
  duration = null;
  failure = null;
  /** What the room that is played to calls its cover; null: listeners see none. */
  artwork = null;
  /** Name and size of a file that is gone; the handle by which it may be had again, or null. */
  kept = null;
  handle = null;
  #loading = null;

  constructor(file, {title, artist, album, duration_us: microseconds, cover}) {
    this.file = file;
    this.title = title;
    this.artist = artist;
    this.album = album;
    this.cover = cover;
    if (microseconds !== null) this.duration = Math.round(microseconds * 0.048);
  }

  static async open(file) { return new Song(file, await readTags(file)); }

  /** A song that was kept as `record`, with the file if there is one. */
  static restored({file, name, size, duration, key, standsFor, isQueued, handle, ...tags}) {
    const song = new Song(file, {...tags, duration_us: null});
    Object.assign(song, {key, standsFor, isQueued, duration, handle, kept: {name, size}});
    if (!file) song.failure = new Unplayable('gone');
    return song;
  }

  /** What is kept of it beside the file. */
  get record() {
    const {key, name, size, title, artist, album, duration, cover, standsFor, isQueued} = this;
    return {key, name, size, title, artist, album, duration, cover, standsFor, isQueued};
  }

  get name() { return this.file?.name ?? this.kept.name; }
  get size() { return this.file?.size ?? this.kept.size; }
  /** Whether its file has to be chosen again. */
  get isGone() { return this.file === null; }

  /** Takes its file again. Returns whether it is the one. */
  bring(file) {
    if (!this.isGone || file.name !== this.name || file.size !== this.size) return false;
    this.file = file;
    this.failure = null;
    return true;
  }

  /** The tags that listeners get. */
  get track() {
    return {
      title: this.title, artist: this.artist, album: this.album,
      duration_us: this.duration === null ? null : Math.round(this.duration / 0.048),
      ...this.artwork ? {artwork: this.artwork} : {},
    };
  }

  /** Whether its samples would fill the memory. */
  get #isTooLong() {
    const {size, name} = this.file;
    if (this.duration !== null && size > this.duration / 48_000 * BYTES_A_SECOND) return this.duration > SAMPLES_MAX;
    return size > (LOSSLESS.test(name) ? LOSSLESS_MAX : LOSSY_MAX);
  }

  /**
   * Its sound: `{opus}` as read by `readOggOpus`, or `{channels}`, samples at 48 kHz. Throws Unplayable. What was loaded is
   * kept until `release`.
   *
   * @param asSamples Whether samples are wanted, of Opus too: to mix something in.
   */
  load(asSamples = false) {
    if (this.#loading && (this.#loading.asSamples || !asSamples)) return this.#loading.done;
    this.#loading = {asSamples, done: this.#load(asSamples)};
    this.#loading.done.catch(error => { this.failure = error; this.#loading = null; });
    return this.#loading.done;
  }

  release() { this.#loading = null; }

  /** Finds out whether it can be played, without reading more of it than that takes. `failure` says why not. */
  async check() {
    try {
      const {size} = this.file;
      if (size === 0) throw new Unplayable('empty');
      const head = await this.#bytes(TRIED), isOgg = looksLikeOgg(head);
      if (size > BYTES_MAX || this.#isTooLong && !isOgg) throw new Unplayable('too-long');
      if (isOgg && size > TRIED_WHOLE || await decodes(head)) return;
      if (size > TRIED && size > TRIED_WHOLE) return;
      await this.load();
    } catch (error) {
      this.failure = error;
    }
    this.release();
  }

  /** Reads so many bytes from the beginning, or all. */
  async #bytes(count) {
    try {
      return new Uint8Array(await this.file.slice(0, count).arrayBuffer());
    } catch {
      throw new Unplayable('unknown');
    }
  }

  async #load(asSamples) {
    if (this.file.size === 0) throw new Unplayable('empty');
    const isOgg = looksLikeOgg(await this.#bytes(64));
    if (this.file.size > BYTES_MAX || this.#isTooLong && !isOgg) throw new Unplayable('too-long');
    const bytes = await this.#bytes();
    const opus = readOggOpus(bytes);
    if (opus) {
      this.duration = opus.total - opus.preSkip;
      if (!asSamples || this.duration > SAMPLES_MAX) return {opus};
    } else if (this.#isTooLong) {
      throw new Unplayable('too-long');
    }
    let decoded;
    try {
      decoded = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes.buffer);
    } catch {
      throw new Unplayable('unknown');
    }
    if (decoded.length === 0) throw new Unplayable('empty');
    const channels = downmixed(Array.from({length: decoded.numberOfChannels}, (_, k) => taken(decoded.getChannelData(k))));
    if (!opus) this.duration = decoded.length;
    // The decoder may have left more or less at the ends than the packets say.
    return {channels: opus ? channels.map(channel => fitted(channel, this.duration)) : channels};
  }
}

/** Whether a piece of a file is enough for the browser to read sound from it. */
async function decodes(bytes) {
  try {
    return (await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes.buffer)).length > 0;
  } catch {
    return false;
  }
}

/** The samples of a channel: those of the decoder themselves, where the browser gives them away, and else a copy. */
function taken(samples) {
  try {
    if (samples.byteLength === samples.buffer.byteLength) return new Float32Array(samples.buffer.transfer());
  } catch { /* They are not to be had. */ }
  return samples.slice();
}

function fitted(samples, size) {
  if (samples.length === size) return samples;
  const whole = new Float32Array(size);
  whole.set(samples.subarray(0, size));
  return whole;
}
