// The files to be played, in their order. No DOM.
import {Song} from '../../audio/hosting/files.js';
import {noteHandle} from './shelf.js';

/** How many songs there may be, and how many files are read at a time. */
export const SONGS_MAX = 500;
const AT_A_TIME = 4;

/** Fires `change`. */
export class Playlist extends EventTarget {
  songs = [];
  /** 'off' | 'all' | 'one' */
  repeat = 'off';

  #tell() { this.dispatchEvent(new Event('change')); }

  /** Adds files, as many as there is room for; `settings` are properties of theirs. Returns the songs. */
  async add(files, settings = {}) {
    // Files that were here before the page was loaded anew take their places again.
    const others = Object.keys(settings).length > 0 ? files : files.filter(file => !this.songs.some(song => song.bring(file)));
    if (others.length < files.length) this.#tell();
    const wanted = others.slice(0, SONGS_MAX - this.songs.length), opened = [];
    const open = async () => {
      for (let next; (next = opened.length) < wanted.length;) {
        opened.push(null);
        const song = opened[next] = Object.assign(await Song.open(wanted[next]), settings);
        await song.check();
      }
    };
    await Promise.all(Array.from({length: AT_A_TIME}, open));
    // Others may have been added meanwhile.
    const songs = opened.slice(0, SONGS_MAX - this.songs.length);
    this.songs = [...this.songs, ...songs];
    this.#tell();
    return songs;
  }

  /** Puts songs that are made already to the end, as many as there is room for; at the beginning with `isFirst`. Returns them. */
  put(songs, isFirst = false) {
    const taken = songs.slice(0, SONGS_MAX - this.songs.length);
    this.songs = isFirst ? [...taken, ...this.songs] : [...this.songs, ...taken];
    this.#tell();
    return taken;
  }

  /** Takes the list as it was before the page was loaded anew. */
  restore(songs, repeat) {
    this.songs = [...songs, ...this.songs];
    this.repeat = repeat;
    this.#tell();
  }

  /** Lets go of everything: whoever comes next is somebody else. */
  clear() {
    for (const song of this.songs) song.release();
    this.songs = [];
    this.#tell();
  }

  /** Songs whose files have to be chosen again. */
  get gone() { return this.songs.filter(({isGone}) => isGone); }

  /** Asks for the files that the browser has handles of. To be called from a click. Returns how many are there again. */
  async ask() {
    let count = 0;
    for (const song of this.gone) {
      try {
        if (!song.handle || await song.handle.requestPermission?.({mode: 'read'}) === 'denied') continue;
        if (song.bring(noteHandle(await song.handle.getFile(), song.handle))) count += 1;
      } catch { /* It was moved, or is not allowed. */ }
    }
    if (count > 0) this.#tell();
    return count;
  }

  remove(song) {
    this.songs = this.songs.filter(one => one !== song);
    song.release();
    this.#tell();
  }

  /** Moves one by so many places. */
  move(song, by) {
    const from = this.songs.indexOf(song), to = Math.max(0, Math.min(this.songs.length - 1, from + by));
    if (from < 0 || from === to) return;
    const songs = this.songs.filter(one => one !== song);
    songs.splice(to, 0, song);
    this.songs = songs;
    this.#tell();
  }

  setRepeat(repeat) {
    this.repeat = repeat;
    this.#tell();
  }

  /** Returns the song after another one, or null. Songs that cannot be played are skipped. */
  after(song, {isSkipped = false} = {}) {
    if (this.repeat === 'one' && !isSkipped && this.songs.includes(song) && !song.failure) return song;
    const playable = this.songs.filter(one => !one.failure || one === song);
    const place = playable.indexOf(song);
    if (place < 0) return playable.find(one => !one.failure) ?? null;
    return playable[place + 1] ?? (this.repeat === 'all' ? playable.find(one => !one.failure) ?? null : null);
  }

  before(song) {
    const playable = this.songs.filter(one => !one.failure || one === song);
    return playable[playable.indexOf(song) - 1] ?? null;
  }
}
