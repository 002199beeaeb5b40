// Sona for other people's pages: rooms to listen to in step with everybody else, to read, and to write in. The modules that
// our own page is made of, behind a few names that stay. No dependencies, no build step. README: /client/1/README.md.
//
//     import {connect} from 'https://sona.example/client/1/sona.js';
//     const sona = await connect('https://sona.example');
//     const room = await sona.enter('@ada');
//     button.onclick = () => room.play();

import {Blocked, Engine} from './audio/engine.js';
import {PacketShelf} from './audio/packet-shelf.js';
import {RoomStore} from './store/room.js';
import {RequestError, Session} from './store/sessions.js';

/** The version of these names, by SemVer. What is under one major version goes on working. */
export const version = '1.0.0';
export {Blocked, RequestError};

/** How long packets stay that have sounded, µs. */
const KEPT = 30e6;

/** Who we are, in this page's memory alone: an account by its token, or a guest. */
class Bearer {
  #token; kept = null;

  /** @param token A string, or a function that gives one when it is needed; null: a guest. */
  constructor(token) { this.#token = token; }

  async fresh() {
    if (this.#token !== null) {
      const token = typeof this.#token === 'function' ? await this.#token() : this.#token;
      return {access_token: token, user: {uid: '', guest: false}};
    }
    return this.kept && this.kept.expires_ms > Date.now() + 60_000 ? this.kept : null;
  }

  /** The token that a guest was given: the same guest comes back with it. */
  keep(grant) { this.kept = {...grant, expires_ms: grant.expires_ms ?? Date.now() + 1000 * (grant.expires_in_s ?? 0)}; }
  forget() { this.kept = null; }
  putBack() {}
  async signOut() { this.forget(); }
}

/**
 * Connects to a server.
 *
 * @param address Its address, such as `https://sona.example`. It must name this page's origin in `allow-origin`.
 * @param token An access token of an account, or a function that gives a fresh one; without it, a guest.
 * @returns A Sona that is online. It comes back by itself when the connection is lost.
 * @throws RequestError with `code`: `connection.timeout` where there is no server, or why it does not take us.
 */
export const connect = async (address, {token = null, name = 'sona-client-js', timeout = 15_000} = {}) => {
  const sona = new Sona(address, {token, name});
  await sona.online(timeout);
  return sona;
};

/** A connection to a server. Fires `status`, and `event` with `detail` `{type, room?, data}` for everything the server tells. */
export class Sona extends EventTarget {
  #session; #room = null;

  constructor(address, {token = null, name = 'sona-client-js'} = {}) {
    super();
    this.address = new URL(address).origin;
    this.#session = new Session({
      url: `${this.address.replace(/^http/, 'ws')}/v1/ws`, credentials: new Bearer(token), client: {name, version},
    });
    this.#session.addEventListener('status', () => this.dispatchEvent(new Event('status')));
    this.#session.addEventListener('message', ({detail}) => this.dispatchEvent(new CustomEvent('event', {detail})));
    this.#session.start();
  }

  /** 'connecting', 'online', 'offline' or 'ended'. */
  get status() { return this.#session.status; }
  /** Who we are: `{uid, username, guest}`. */
  get user() { return this.#session.user; }
  /** Names of what the server can do beyond the first revision of its protocol. */
  get features() { return this.#session.features; }
  /** The server's time now, µs. All times of the protocol are of this clock. */
  get serverNow() { return this.#session.serverNow; }
  /** How far that may be off, µs. */
  get clockError() { return this.#session.clock.filter.error; }
  /** The room that one is in, or null. */
  get room() { return this.#room; }

  /** Waits until it is online. @throws RequestError */
  async online(timeout = 15_000) {
    const end = performance.now() + timeout;
    while (this.status !== 'online') {
      if (this.status === 'ended') throw new RequestError({code: this.#session.endedByCode ?? 'connection.ended', message: 'The server does not take us.'});
      if (performance.now() > end) throw new RequestError({code: 'connection.timeout', message: 'No connection.'});
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    return this;
  }

  /** Any request of the protocol. Returns the data of the answer. @throws RequestError */
  request(type, data = {}) { return this.#session.request(type, data); }

  /**
   * Enters a room, and leaves the one before. A connection is in one room at most.
   *
   * @param room Its identifier, or `@` and the name of a user.
   * @param invite The code of an invite. `ghost`: counted and not named. `dataSaver`: at a lower bit rate, if it can be.
   */
  async enter(room, {invite = null, ghost = false, dataSaver = false} = {}) {
    this.#room?.close();
    const entered = new Room(this.#session, room, {invite, ghost, dataSaver});
    try {
      await entered.join();
    } catch (error) {
      entered.close();
      throw error;
    }
    this.#room = entered;
    return entered;
  }

  /** Leaves the room. */
  async leave() {
    const room = this.#room;
    this.#room = null;
    room?.close();
    if (room) await this.#session.request('room.leave');
  }

  /** Ends the connection for good. */
  close() {
    this.#room?.close();
    this.#session.stop();
  }
}

/** A room as one sees it from inside. Fires `change` with what changed, `track` when another one is heard, and `state`. */
export class Room extends EventTarget {
  #session; #store; #engine; #shelf = new PacketShelf(); #wishes; #ends = []; #timer = null; #track = null; #volume = 0.8; #hasJoined = false;
  #streams = new Map(); #state = 'silent';
  /** Whether it is let be heard. */
  isPlaying = false;

  constructor(session, reference, {invite, ghost, dataSaver}) {
    super();
    this.#session = session;
    this.#store = new RoomStore(session, reference, invite);
    this.#wishes = {ghost, dataSaver};
    this.#engine = new Engine(session);
    const listen = (target, type, take) => {
      target.addEventListener(type, take);
      this.#ends.push(() => target.removeEventListener(type, take));
    };
    listen(this.#store, 'change', ({detail}) => this.dispatchEvent(new CustomEvent('change', {detail})));
    listen(session, 'frame', ({detail}) => this.#takeFrame(detail));
    // A resumed session goes on where it was; a fresh one enters again.
    listen(session, 'fresh', () => { if (this.#hasJoined) this.join().catch((error) => this.dispatchEvent(new CustomEvent('failed', {detail: error}))); });
    this.#ends.push(session.on('stream.started', ({stream}) => this.#announce(stream)));
    listen(this.#engine, 'report', ({detail}) => this.#become(detail.isSounding ? 'sounding' : 'waiting'));
    this.#timer = setInterval(() => this.#look(), 100);
  }

  get id() { return this.#store.id; }
  /** The protocol's Room: `{title, owner, host, live, listeners, …}`. */
  get info() { return this.#store.room; }
  /** The track that is heard at this moment: `{title, artist, album, duration_us, …}` or null. */
  get track() { return this.#store.track; }
  /** Where the room is in the track that is heard, µs. */
  get position() { return this.#store.playback?.position(Math.round(this.#session.serverNow)) ?? 0; }
  /** Messages, the oldest first; people who are there. */
  get chat() { return this.#store.chat; }
  get people() { return this.#store.people.map(({user}) => user.user); }
  /** 'silent' (not let be heard), 'waiting' (nothing comes), or 'sounding'. */
  get state() { return this.#state; }
  /** 0 to 1. */
  get volume() { return this.#volume; }
  set volume(value) {
    this.#volume = Math.max(0, Math.min(1, value));
    if (this.isPlaying) this.#engine.graph?.setVolume(this.#volume, false);
  }

  /** An AnalyserNode of what is heard, for whatever shows it; null before `play`. */
  get analyser() { return this.#engine.graph?.analyser ?? null; }
  /** What makes the sound, for those who want more of it than these names: audio/engine.js. No promise holds for it. */
  get engine() { return this.#engine; }

  /** Enters, or enters again. */
  async join() {
    const snapshot = await this.#store.join(true, this.#wishes.ghost, this.#wishes.dataSaver);
    this.#hasJoined = true;
    this.#shelf.clear();
    for (const stream of snapshot.streams ?? []) this.#announce(stream);
    return snapshot;
  }

  /**
   * Lets the room be heard: each sample at the moment at which all others hear it. From a click, where the browser wants one.
   *
   * @throws Blocked where the browser does not let it sound: `wasClicked` says whether a click would help.
   */
  async play() {
    this.isPlaying = true;
    try {
      await this.#engine.start();
    } catch (error) {
      this.isPlaying = false;
      throw error;
    }
    this.#engine.graph.setVolume(this.#volume, false);
    for (const stream of this.#streams.values()) this.#engine.announce(stream);
    this.#engine.take(this.#shelf.from(this.#session.serverNow));
    this.#session.expectsAudio = true;
    this.#become('waiting');
  }

  /** Hears nothing; the room goes on. */
  pause() {
    this.isPlaying = false;
    this.#session.expectsAudio = false;
    this.#engine.stop();
    this.#become('silent');
  }

  /** Writes in the chat. @throws RequestError */
  async send(text) { return (await this.#session.request('chat.send', {text})).message; }

  close() {
    clearInterval(this.#timer);
    if (this.isPlaying) this.pause();
    for (const end of this.#ends) end();
    this.#store.close();
    this.#engine.context?.close();
  }

  #announce(stream) {
    this.#streams.set(stream.epoch, stream);
    if (this.#streams.size > 8) this.#streams.delete(this.#streams.keys().next().value);
    this.#engine.announce(stream);
  }

  #takeFrame(frame) {
    const packets = frame.frame === 'AUDIO_DN' ? [frame] : frame.frame === 'BUNDLE_DN' ? frame.packets : null;
    if (!packets || !this.#store.isJoined) return;
    this.#shelf.put(packets, this.#session.serverNow - KEPT);
    if (this.isPlaying) this.#engine.take(packets);
  }

  #become(state) {
    const next = this.isPlaying ? state : 'silent';
    if (next === this.#state) return;
    this.#state = next;
    this.dispatchEvent(new Event('state'));
  }

  /** Titles change with the sound. */
  #look() {
    const {track} = this;
    if (track === this.#track) return;
    this.#track = track;
    this.dispatchEvent(new Event('track'));
  }
}
