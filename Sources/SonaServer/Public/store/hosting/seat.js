// The host's place in a room: a connection of its own, the room as it is seen from there, and requests that do not give
// up at once. No DOM. A host has a connection of its own since the page may listen to any room meanwhile.

import {RoomStore} from '../room.js';
import {RequestError, Session} from '../session.js';

/** How long one waits to be known and to know the time, ms. */
const OPENING = 15_000;
/** A line that has been quiet so long is asked, and given up after so long without an answer, ms. */
const QUIET = {ask: 1000, dead: 3000};
/** How long the server keeps the seat of a host whose connection was lost, ms: Protocol/spec/hosting.md, "The seat". */
const KEPT = 60_000;
/** Temporary refusals of requests on air: how often to repeat them, and the wait if the server names none, ms. */
const MOMENTARY = new Set(['request.rate_limited', 'server.busy', 'server.internal']), REPEATS = {tries: 6, pause: 1000, longest: 30_000};

export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

const ended = () => new RequestError({code: 'connection.ended', message: 'The broadcast is over.'});

export class Seat {
  session = new Session();
  #mayRepeat; #ending = new AbortController();

  /** @param mayRepeat Whether what is refused for the moment is asked again: where nobody is there to press a button. */
  constructor(roomId, mayRepeat) {
    this.room = new RoomStore(this.session, roomId);
    this.#mayRepeat = mayRepeat;
  }

  get isClosed() { return this.#ending.signal.aborted; }

  /** Enters the room and learns the time. Throws RequestError. */
  async open() {
    const {session} = this;
    session.start();
    await this.room.join(false);
    for (const end = performance.now() + OPENING; !session.knowsTime;) {
      if (this.isClosed) throw ended();
      if (performance.now() > end) throw new RequestError({code: 'connection.timeout', message: 'The time is not known.'});
      await sleep(20);
    }
    session.quiet = QUIET;
  }

  /** Leaves. The end of the session brings no news. */
  close() {
    this.#abandon();
    this.session.stop();
  }

  /**
   * Leaves after the server was told, if the connection is lost. Otherwise the server would keep the seat for a host
   * who is gone for good.
   */
  async closeWhenTold() {
    this.#abandon();
    for (const end = performance.now() + KEPT; performance.now() < end && !await this.stop(end - performance.now());) await sleep(REPEATS.pause);
    this.session.stop();
  }

  /** It is not needed any more. */
  #abandon() {
    this.#ending.abort(ended());
    this.room.close();
  }

  /** Gives the seat back. Returns whether the server knows within so many ms, or has no seat of ours any more. */
  async stop(patience) {
    try {
      await this.session.request('host.stop', {}, {timeout: patience});
      return true;
    } catch ({code = ''}) {
      return code === 'connection.ended' || !code.startsWith('connection.') && !MOMENTARY.has(code);
    }
  }

  request(type, data) {
    const {signal} = this.#ending;
    return this.patiently(() => this.session.request(type, data, {signal}));
  }

  /** Repeats what is refused for the moment only. */
  async patiently(work) {
    for (let tries = 1, pause = REPEATS.pause; ; tries += 1, pause *= 2) {
      if (this.isClosed) throw ended();
      try {
        return await work();
      } catch (error) {
        const wait = error.retryAfter ?? pause;
        if (!this.#mayRepeat() || !MOMENTARY.has(error.code) || tries >= REPEATS.tries || wait > REPEATS.longest) throw error;
        await sleep(wait);
      }
    }
  }
}
