// Tells the server how much of a track was heard alone: Protocol/spec/plays.md, "play.report". No DOM.
import {tokenOf} from '../../audio/solo/addresses.js';
import {session} from '../session.js';
import {settings} from '../settings.js';

/** A track is a play after half of it, and after so long at most, ms. */
const ENOUGH = 240_000;
/** The longest that passes between two looks of a tab that the browser does not hold back, ms. */
const LOOKS = 5000;

const isHeard = () => !settings.get('muted') && settings.get('volume') > 0;

/** Follows what is played alone. One hearing of a track is one entry of the queue, from its beginning to its end. */
export class PlayReports {
  #solo; #hearing = null; #lookedAt = 0; #place = 0;

  constructor(solo) {
    this.#solo = solo;
    solo.addEventListener('change', () => this.#look());
    solo.addEventListener('track', () => this.#look());
    addEventListener('pagehide', () => this.#tell());
  }

  #look() {
    const {track, playing, state, position} = this.#solo, now = performance.now(), at = this.#lookedAt, from = this.#place;
    this.#lookedAt = now;
    this.#place = position;
    const isAgain = this.#hearing && track?.id === this.#hearing.track.id && position < from - 1000 && position < 2000 && this.#hearing.isTold;
    if (track?.id !== this.#hearing?.track.id || isAgain) {
      this.#tell();
      this.#hearing = track && {track, key: crypto.randomUUID?.() ?? `${Date.now()}.${Math.random()}`, heard: 0, told: 0, isTold: false, since: Date.now()};
      return;
    }
    if (!this.#hearing || !playing || state !== 'playing' || !isHeard()) return;
    // What sounded since the last look: no more than the time that has passed, and none of what was jumped over.
    const moved = (position - from) / (settings.get('speed') || 1);
    this.#hearing.heard += Math.max(0, Math.min(moved, now - at, LOOKS));
    const enough = Math.min(track.duration_ms > 0 ? track.duration_ms / 2 : ENOUGH, ENOUGH);
    if (!this.#hearing.isTold && this.#hearing.heard >= enough) {
      this.#hearing.isTold = true;
      this.#tell();
    }
  }

  /** Reports the hearing as far as it goes. A report that is lost is made up for by the next one of the same key. */
  #tell() {
    const hearing = this.#hearing;
    if (!hearing?.isTold || hearing.heard <= hearing.told || session.status !== 'online' || session.user?.guest || !session.features.has('plays')) return;
    hearing.told = hearing.heard;
    const {track, key, heard, since} = hearing;
    session.request('play.report', {track: track.id, key, token: tokenOf(track.id), heard_ms: Math.round(heard), started_ms: since}).catch(() => { hearing.told = 0; });
  }
}
