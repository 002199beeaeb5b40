// Files that somebody wants to play: what they are called, and their sound.
import {downmixed} from './mixing.js';
import {readOggOpus} from './ogg-opus.js';
import {readTags} from './tags.js';

/** Larger files are not decoded: their samples would fill the memory. Opus goes out as it is. */
const BYTES_MAX = 1 << 30;

/** It cannot be played: 'empty', 'too-large', 'unknown'. */
export class Unplayable extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

let counted = 0;

/** A file of the list. `duration` is in samples at 48 kHz, null until it is known. */
export class Song {
  id = ++counted;
  duration = null;
  failure = null;
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

  /** What is told to everybody. */
  get track() {
    return {
      title: this.title, artist: this.artist, album: this.album,
      duration_us: this.duration === null ? null : Math.round(this.duration / 0.048),
    };
  }

  /**
   * Its sound: `{opus}` as read by `readOggOpus`, or `{channels}`, samples at 48 kHz. Throws Unplayable. What was loaded is
   * kept until `release`.
   *
   * @param asSamples Whether samples are needed, of Opus too: to mix something in.
   */
  load(asSamples = false) {
    if (this.#loading && (this.#loading.asSamples || !asSamples)) return this.#loading.done;
    this.#loading = {asSamples, done: this.#load(asSamples)};
    this.#loading.done.catch(error => { this.failure = error; this.#loading = null; });
    return this.#loading.done;
  }

  release() { this.#loading = null; }

  async #load(asSamples) {
    if (this.file.size === 0) throw new Unplayable('empty');
    if (this.file.size > BYTES_MAX) throw new Unplayable('too-large');
    let bytes;
    try {
      bytes = await this.file.arrayBuffer();
    } catch {
      throw new Unplayable('unknown');
    }
    const opus = readOggOpus(new Uint8Array(bytes));
    if (opus) {
      this.duration = opus.total - opus.preSkip;
      if (!asSamples) return {opus};
    }
    let decoded;
    try {
      decoded = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes);
    } catch {
      throw new Unplayable('unknown');
    }
    if (decoded.length === 0) throw new Unplayable('empty');
    const channels = downmixed(Array.from({length: decoded.numberOfChannels}, (_, k) => decoded.getChannelData(k).slice()));
    if (!opus) this.duration = decoded.length;
    // The decoder may have left more or less at the ends than the packets say.
    return {channels: opus ? channels.map(channel => fitted(channel, this.duration)) : channels};
  }
}

function fitted(samples, size) {
  if (samples.length === size) return samples;
  const whole = new Float32Array(size);
  whole.set(samples.subarray(0, size));
  return whole;
}
