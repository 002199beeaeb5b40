// How much is heard alone, told to the server, which counts plays by it. No DOM. Source: Protocol/spec/plays.md.
import {isSignedIn} from '../router.js';
import {tokenOf} from '../audio/solo/addresses.js';
import {player} from './player.js';
import {session} from './session.js';

/** How often the position is looked at, ms; a longer step is a jump, not something that was heard. */
const LOOK = 1000, STEP_MAX = 4000;
/** Of a longer track four minutes are enough, ms; so is half of a shorter one. */
const ENOUGH = 240_000;
/** What is heard on after it was counted is told again after so long, ms. */
const AGAIN = 60_000;

export class Hearing {
  #solo; #now = null; #at = 0;

  constructor(solo) {
    this.#solo = solo;
    setInterval(() => this.#look(), LOOK);
    solo.addEventListener('track', () => this.#look());
    addEventListener('pagehide', () => this.#end());
  }

  get #isHeard() { return this.#solo.playing && !player.muted && player.volume > 0; }

  #look() {
    const {track, position, queue, index} = this.#solo, entry = track ? queue[index] : null;
    if (this.#now && this.#now.entry !== entry) this.#end();
    if (!entry || !isSignedIn() || !session.features.has('plays')) return;
    const step = position - this.#at;
    this.#at = position;
    // Repeated, the same entry begins again: another hearing.
    if (this.#now && step < -STEP_MAX && position < STEP_MAX && this.#now.counted) this.#end();
    this.#now ??= {entry, track, key: crypto.randomUUID(), started: Date.now(), heard: 0, told: 0, counted: false};
    if (step > 0 && step < STEP_MAX && this.#isHeard) this.#now.heard += step;
    const enough = track.duration_ms ? Math.min(track.duration_ms / 2, ENOUGH) : ENOUGH, {heard, told, counted} = this.#now;
    if (!counted && heard >= enough && heard > told + 5000 || !counted && heard >= enough && told === 0 || counted && heard > told + AGAIN) this.#tell(this.#now);
  }

  #end() {
    const now = this.#now;
    this.#now = null;
    this.#at = this.#solo.position;
    if (now && now.heard > now.told + 1000 && now.told > 0) this.#tell(now);
  }

  async #tell(now) {
    now.told = now.heard;
    try {
      const {counted} = await session.request('play.report', {
        track: now.track.id, key: now.key, heard_ms: Math.round(now.heard), started_ms: now.started, ...tokenOf(now.track.id),
      });
      now.counted = counted;
    } catch { /* A play that is not counted is none to worry about. */ }
  }
}
