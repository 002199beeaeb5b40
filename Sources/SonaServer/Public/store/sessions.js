// Our stay with the server: who we are, the connection and its coming back, requests, events, and the server's clock.
// Protocol/spec/connection.md, resuming.md, errors.md. No DOM.

import {ClockSync} from '../wire/clock.js';
import {timeRequest} from '../wire/frames.js';
import {Backoff} from './backoff.js';
import {Credentials} from './credentials.js';
import {Line, RequestError} from './line.js';

export {RequestError};

const CLIENT = {name: 'sona-web', version: '1'};
/** How long a handshake and a hello may take, ms. */
const OPENING = 10_000;
/** When a quiet line is asked whether it is still there, and given up without an answer, ms: with sound due, and without. */
const QUIET = {sounding: {ask: 500, dead: 1500}, idle: {ask: 6000, dead: 3000}};
const LOOK = 250;
/** How long another tab may take until what it keeps is seen here, ms. */
const SETTLING = 500;
/** Temporary refusals of a hello. */
const LATER = new Set([
  'server.busy', 'server.draining', 'server.internal', 'request.rate_limited', 'auth.busy', 'auth.rate_limited', 'auth.provider_unavailable',
]);

/** Who is there where nobody is signed in and the server takes no guests. */
const NOBODY = Object.freeze({uid: null, username: null, guest: true});

/** Fires, beside the events of the server by `on`: status, user, message, frame, fresh, resumed, clock, draining. */
export class Session extends EventTarget {
  /** 'connecting' | 'online' | 'offline' | 'ended' */
  status = 'connecting';
  user = null;
  features = new Set();
  limits = {};
  /** The close code or error code with which it has ended. */
  endedBy = null;
  /** The same as a RequestError's code is written: `close.4403`, `auth.banned`. */
  get endedByCode() { return typeof this.endedBy === 'number' ? `close.${this.endedBy}` : this.endedBy; }
  /** Whether packets are due: a line that is quiet then is found out sooner. */
  expectsAudio = false;
  /** When a quiet line is asked and given up, ms, where it is neither of the two kinds there are: {ask, dead} or null. */
  quiet = null;

  #line = null; #abandoned = null; #retry = null; #watch = null; #started = false; #generation = 0; #ending = new AbortController();
  #url; #client; #backoff = new Backoff(); #welcomedAt = null;
  /** When the line was asked whether it is there, for how long we have waited awake; when that was looked at last. */
  #asked = null; #unheard = 0; #checkedAt = 0;
  #resumeToken = null; #sessionSeq = null; #unanswered = 0; #moves = 0;
  /** The room we are in: its id, the newest event's and the newest packet's number. */
  #room = null;
  /** The token that the line has shown or was given; whether a line has ended because its token was revoked. */
  #shown = null; #wasRevoked = false;

  /** @param credentials Who we are, where that is not kept as on the server's own page: see Credentials. */
  constructor({url = defaultURL(), credentials = null, client = CLIENT, ...paths} = {}) {
    super();
    this.#url = url;
    this.#client = client;
    this.credentials = credentials ?? new Credentials(paths);
    this.clock = new ClockSync(bytes => this.#line?.send(bytes));
    this.clock.onchange = () => this.#tell('clock');
  }

  // Beginning and ending

  /** Connects, as the account or guest that the browser remembers, or as a new guest. A second call does nothing. */
  start() {
    if (this.#started) return;
    this.#started = true;
    const {signal} = this.#ending;
    globalThis.addEventListener?.('online', () => this.#hurry(), {signal});
    globalThis.addEventListener?.('offline', () => this.#check(true), {signal});
    globalThis.addEventListener?.('storage', ({key}) => this.#followOtherTabs(key), {signal});
    globalThis.addEventListener?.('pageshow', ({persisted}) => { if (persisted) this.#hurry(); }, {signal});
    this.#watch = setInterval(() => this.#check(), LOOK);
    this.#watch.unref?.();
    this.#connect();
  }

  /** Ends the session for good. */
  stop() {
    this.#ending.abort();
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#generation += 1;
    this.clock.stop();
    const line = this.#line;
    this.#line = null;
    line?.close();
    this.#finish(1000);
  }

  /** Connects again as the user whom the browser remembers now: another session. */
  restart() {
    clearTimeout(this.#retry);
    this.#resumeToken = this.#sessionSeq = this.#room = null;
    const line = this.#line;
    this.#line = null;
    line?.close();
    this.endedBy = null;
    this.#connect();
  }

  #finish(code) {
    this.endedBy = code;
    this.#become('ended');
  }

  #become(status) {
    if (this.status === status) return;
    this.status = status;
    this.#tell('status');
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }

  // Coming and coming back

  async #connect() {
    const generation = ++this.#generation;
    clearTimeout(this.#retry);
    if (this.status !== 'offline') this.#become('connecting');
    let kept = null;
    try {
      kept = await this.credentials.fresh();
    } catch {
      if (generation === this.#generation) this.#lost(1006, null);
      return;
    }
    if (generation !== this.#generation) return;
    this.#shown = kept?.access_token ?? null;
    const line = this.#line = new Line(this.#url);
    this.#welcomedAt = null;
    const patience = setTimeout(() => { if (line === this.#line && !this.#welcomedAt) line.abandon(); }, OPENING);
    line.onend = code => {
      clearTimeout(patience);
      if (line === this.#line) this.#lost(code, this.#welcomedAt && performance.now() - this.#welcomedAt);
    };
    line.onopen = () => this.#hello(line, kept).catch(error => {
      if (line !== this.#line) return;
      if (error instanceof RequestError && !error.code.startsWith('connection.') && !LATER.has(error.code)) {
        this.#line = null;
        line.close();
        // A user who may not sign in may come as a guest next time.
        if (error.code === 'auth.banned') this.#forgetShown();
        this.#finish(error.code);
      } else {
        line.abandon();
      }
    });
    line.onmessage = message => this.#take(message);
    line.onframe = frame => this.#takeFrame(frame);
  }

  async #hello(line, kept) {
    const data = {client: this.#client, auth: kept ? {token: kept.access_token} : {guest: true}};
    if (this.#resumeToken) data.resume = this.#resumePoint();
    let welcome;
    try {
      welcome = kept ? await line.request('hello', data, {timeout: OPENING}) : await this.#helloOfGuest(line, data);
    } catch (error) {
      if (!kept || !['auth.token_invalid', 'auth.token_expired', ...(kept.user.guest ? ['auth.account_required'] : [])].includes(error.code)) throw error;
      // Revoked, or of another server: we go on as a guest.
      this.#forgetShown();
      welcome = await this.#helloOfGuest(line);
    }
    if (line !== this.#line) return;
    if (welcome.access_token && this.credentials.kept) {
      // Somebody has signed in meanwhile, in another tab perhaps: a new guest is not wanted any more.
      this.restart();
      return;
    }
    this.#welcome(welcome);
  }

  /** Comes as a guest, or as nobody where the server takes no guests: then there is nothing to do but to sign in. */
  async #helloOfGuest(line, data = {client: this.#client, auth: {guest: true}}) {
    try {
      return await line.request('hello', data, {timeout: OPENING});
    } catch (error) {
      if (error.code !== 'auth.account_required') throw error;
      return line.request('hello', {client: this.#client}, {timeout: OPENING});
    }
  }

  /** Whether nobody is signed in, not even as a guest: the server takes none. */
  get isAnonymous() { return this.user === NOBODY; }

  /** Forgets the token that the line has shown, unless another has been kept since: by another tab, or by ourselves. */
  #forgetShown() {
    if (this.#shown === null || this.credentials.kept?.access_token !== this.#shown) return;
    this.credentials.forget();
    this.#shown = null;
  }

  #welcome(welcome) {
    if (welcome.access_token) {
      this.credentials.keep(welcome);
      this.#shown = welcome.access_token;
    }
    const user = welcome.user ?? NOBODY;
    const isSignedOut = this.#wasRevoked && user.guest;
    this.#wasRevoked = false;
    this.#welcomedAt = performance.now();
    this.features = new Set(welcome.features);
    this.limits = welcome.limits;
    const resumed = welcome.resumed === true;
    if (!resumed) this.#sessionSeq = null;
    this.#resumeToken = welcome.resume_token ?? null;
    this.clock.filter.begin(welcome.clock_id);
    this.clock.start();
    // The old connection, if there still is one, has been closed by the server.
    this.#abandoned?.close();
    this.#abandoned = null;
    this.#setUser(user);
    this.endedBy = null;
    if (resumed) {
      if (!welcome.stay) this.#room = null;
      else if (welcome.stay.snapshot) this.#room = {id: welcome.stay.room, seq: welcome.stay.seq, packet: this.#room?.packet ?? null};
    } else {
      this.#room = null;
    }
    this.#become('online');
    this.#tell(resumed ? 'resumed' : 'fresh', welcome);
    if (isSignedOut) this.#tell('signedout');
  }

  #resumePoint() {
    const point = {token: this.#resumeToken};
    if (this.#sessionSeq !== null) point.session_seq = this.#sessionSeq;
    // While it is not known in which room we are, numbers of a room say nothing.
    if (this.#room && this.#unanswered === 0) {
      point.room_seq = this.#room.seq;
      if (this.#room.packet !== null) point.packet_seq = this.#room.packet;
    }
    return point;
  }

  #lost(code, lasted) {
    const line = this.#line;
    this.#line = null;
    this.clock.stop();
    this.#asked = null;
    if (line?.isLeftOpen) this.#abandoned = line;
    if (code === 4401) {
      // Signed out elsewhere, a new password, or a guest who has signed up: as whoever the browser remembers from here on.
      // The tab that brought it about hears of it at this very moment: its new token has to be seen first.
      this.#wasRevoked = this.user?.guest === false;
      this.#resumeToken = this.#room = null;
      this.#become('offline');
      this.#retry = setTimeout(() => {
        this.#forgetShown();
        this.#connect();
      }, SETTLING);
      return;
    }
    const pause = this.#backoff.next(code, lasted, performance.now());
    if (pause === null) {
      this.#finish(code);
      return;
    }
    this.#become('offline');
    this.#retry = setTimeout(() => this.#connect(), pause);
  }

  /** Tries at once where a try was still to come, and looks after the line where there is one. */
  #hurry() {
    // A try that is under way may still be on its way into nothing.
    if (this.#line && !this.#welcomedAt) this.#line.abandon();
    if (this.status === 'offline' && !this.#line) this.#connect();
    else this.#check(true);
  }

  /**
   * Finds out lines that are dead without having ended. What counts is the time in which we were awake: a page that stood
   * still finds the answer when it goes on.
   */
  #check(now = false) {
    const line = this.#line, at = performance.now(), awake = Math.min(at - this.#checkedAt, 2 * LOOK);
    this.#checkedAt = at;
    if (!line?.isOpen || !this.#welcomedAt) return;
    const limits = this.quiet ?? (this.expectsAudio ? QUIET.sounding : QUIET.idle);
    if (this.#asked !== null && line.heardAt >= this.#asked) this.#asked = null;
    if (this.#asked !== null) {
      this.#unheard += awake;
      if (this.#unheard > limits.dead) line.abandon();
    } else if (now || at - line.heardAt > limits.ask) {
      this.#asked = at;
      this.#unheard = 0;
      line.send(timeRequest(0xffff, BigInt(Math.round(at * 1000))));
    }
  }

  // The user

  #setUser(user) {
    const before = this.user;
    this.user = user;
    if (before?.uid !== user?.uid || before?.username !== user?.username) {
      this.#tell('user', {user, other: before !== null && before?.uid !== user?.uid});
    }
  }

  get accessToken() { return this.credentials.kept?.access_token ?? null; }

  /** A token that is good for a while: for requests over HTTP. */
  async freshToken() { return (await this.credentials.fresh())?.access_token ?? null; }

  /** Keeps what `auth.*` or `username.claim` answered with: the connection belongs to that user already. */
  adopt(grant) {
    this.credentials.keep(grant);
    if (this.user?.uid !== grant.user.uid) this.#room = null;
    this.#setUser(grant.user);
  }

  /** Signs out, here or everywhere, and goes on as a guest. */
  async signOut(everywhere = false) {
    if (everywhere) await this.request('auth.sign_out_everywhere');
    // The server ends the lines of this sign-in, our own among them.
    else if (this.credentials.kept?.renewable) await this.credentials.signOut();
    else await this.request('auth.sign_out');
    this.#wasRevoked = false;
    this.credentials.forget();
    this.restart();
  }

  #followOtherTabs(key) {
    if (key !== null && key !== 'sona.credentials') return;
    const kept = this.credentials.kept;
    if (kept?.user.uid === this.user?.uid || (!kept || kept.user.guest) && this.user?.guest) return;
    if (kept?.user.guest && this.status === 'online') this.#outlast(kept);
    else this.restart();
  }

  /**
   * A guest stands where our account stood. Where it was signed out of, our line ends in a moment. Where it does not, and
   * the server still knows us on it, the other tab had not seen our account when it asked to be a guest: the account
   * stays, and that tab follows.
   */
  #outlast(guest) {
    const {uid} = this.user, generation = this.#generation;
    const isOurs = () => generation === this.#generation && this.status === 'online' && this.user.uid === uid;
    setTimeout(async () => {
      if (!isOurs()) return;
      // A line that is dead says nothing, and is not known to be for a while.
      try { await this.request('user.me'); } catch { return; }
      if (isOurs() && this.credentials.kept?.user.uid === guest.user.uid) this.credentials.putBack(uid);
    }, SETTLING);
  }

  // Requests and events

  /** Returns the data of the answer. Throws RequestError. Waits for the connection if there is none. */
  async request(type, data = {}, {signal, timeout = 20_000} = {}) {
    const end = performance.now() + timeout;
    if (this.status !== 'online') await this.#online(end - performance.now(), signal);
    const reply = this.#line.request(type, data, {signal, timeout: Math.max(1, end - performance.now())});
    return type === 'room.join' || type === 'room.leave' ? this.#moved(type, reply) : reply;
  }

  /** Answers may overtake one another: the last move decides where we are. */
  async #moved(type, promise) {
    const move = ++this.#moves;
    this.#unanswered += 1;
    try {
      const reply = await promise;
      if (move === this.#moves) this.#room = type === 'room.join' ? {id: reply.room.id, seq: reply.seq, packet: null} : null;
      return reply;
    } catch (error) {
      // The outcome is unknown, so the sequence numbers of a room are not reliable any more.
      if (error.code?.startsWith('connection.')) this.#room = null;
      throw error;
    } finally {
      this.#unanswered -= 1;
    }
  }

  #online(timeout, signal) {
    return new Promise((resolve, reject) => {
      const settle = (how, value) => {
        clearTimeout(timer);
        this.removeEventListener('status', look);
        signal?.removeEventListener('abort', aborted);
        how(value);
      };
      const look = () => {
        if (this.status === 'online') settle(resolve);
        else if (this.status === 'ended') settle(reject, new RequestError({code: 'connection.ended', message: 'The session has ended.'}));
      };
      const aborted = () => settle(reject, signal.reason);
      const timer = setTimeout(() => settle(reject, new RequestError({code: 'connection.timeout', message: 'No connection.'})), timeout);
      this.addEventListener('status', look);
      signal?.addEventListener('abort', aborted, {once: true});
      if (signal?.aborted) aborted();
      else look();
    });
  }

  /** Sends a frame. Without a connection it is dropped. */
  send(bytes) { if (this.status === 'online') this.#line.send(bytes); }

  /** Calls `take(data, message)` for each event of a type. Returns a function that ends that. */
  on(type, take) {
    const listener = ({detail}) => { if (detail.type === type) take(detail.data, detail); };
    this.addEventListener('message', listener);
    return () => this.removeEventListener('message', listener);
  }

  #take(message) {
    const {type, room, seq, data} = message;
    if (Number.isInteger(seq)) {
      if (room === undefined) this.#sessionSeq = seq;
      else if (this.#room?.id === room) this.#room.seq = seq;
    }
    if (type === 'server.draining') this.#backoff.name(data?.reconnect_in_ms ?? 0);
    this.#tell('message', message);
    const left = type === 'room.closed' ? room : type === 'room.removed' ? data?.room : undefined;
    if (left !== undefined && this.#room?.id === left) this.#room = null;
  }

  #takeFrame(frame) {
    if (this.clock.take(frame)) return;
    if (this.#room && frame.frame === 'AUDIO_DN') this.#room.packet = frame.seq;
    if (this.#room && frame.frame === 'BUNDLE_DN') this.#room.packet = frame.packets.at(-1).seq;
    this.#tell('frame', frame);
  }

  /** The server's time now, µs. */
  get serverNow() { return this.clock.serverNow; }
  /** Whether the server's time is known. */
  get knowsTime() { return this.clock.filter.count > 0; }
}

const defaultURL = () => globalThis.location ? `${location.origin.replace(/^http/, 'ws')}/v1/ws` : null;
