// The sound of hosts that was recorded for a replay: one file at a time. While one sounds, it leads the clock. No DOM but the
// element that plays. Source: Protocol/spec/replays.md, "Recordings".
import {askPatiently} from './patient.js';
import {player} from './player.js';
import {settings} from './settings.js';
import {solo} from './solo.js';

/** How long the clock waits for a file that does not come, ms. */
const PATIENCE = 8000;

export class ReplayRecordings {
  #list = []; #audio = null; #current = null; #failed = new Set(); #waitsSince = null; #replay;

  constructor(replay) { this.#replay = replay; }

  /** Asks for what there is: again when the addresses of an earlier answer have ended. */
  async load() {
    const list = [];
    for (let after = null; ;) {
      const page = await askPatiently('replay.recordings', {replay: this.#replay, ...after === null ? {} : {after}});
      list.push(...page.recordings);
      after = page.next_after;
      if (after === null) break;
    }
    this.#list = list;
    this.#failed.clear();
  }

  /** The recording of a moment, ms, or null. */
  at(time) { return this.#list.findLast(({id, at_ms: at, length_ms: length}) => at <= time && time < at + length && !this.#failed.has(id)) ?? null; }

  /**
   * Sounds from a moment on, or goes on.
   *
   * @returns The moment that is heard, ms; null where nothing is recorded.
   */
  follow(time) {
    const one = this.at(time);
    if (!one) {
      this.pause();
      return null;
    }
    const audio = this.#element();
    // An element that has ended is paused: it is not to begin its last moment again.
    const isOver = one === this.#current && audio.ended && time > one.at_ms + audio.currentTime * 1000 - 1000;
    if (isOver) return one.at_ms + one.length_ms;
    if (one !== this.#current || audio.paused) this.#begin(one, time);
    const isThere = audio.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA && !audio.seeking;
    if (isThere) this.#waitsSince = null;
    else if ((this.#waitsSince ??= performance.now()) < performance.now() - PATIENCE) this.#fail();
    return isThere ? one.at_ms + audio.currentTime * 1000 : time;
  }

  pause() {
    this.#audio?.pause();
    this.#waitsSince = null;
  }

  #begin(one, time) {
    const audio = this.#audio;
    // One of the ways of listening is heard at a time.
    if (player.playing) player.pause();
    if (solo.playing) solo.pause();
    if (one !== this.#current) audio.src = one.stream;
    this.#current = one;
    audio.currentTime = Math.max(0, time - one.at_ms) / 1000;
    audio.play().catch((error) => { if (error.name !== 'AbortError') this.#fail(); });
  }

  /** A file that cannot be played is passed over. */
  #fail() {
    if (this.#current) this.#failed.add(this.#current.id);
    this.pause();
  }

  #element() {
    if (this.#audio) return this.#audio;
    const audio = this.#audio = new Audio();
    const louden = () => { Object.assign(audio, {volume: Math.min(1, settings.get('volume')), muted: settings.get('muted')}); };
    louden();
    settings.addEventListener('change', louden);
    audio.addEventListener('error', () => this.#fail());
    return audio;
  }
}
