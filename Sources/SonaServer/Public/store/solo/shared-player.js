// What is played alone is the same on all devices of an account: tells the server what is done here, and obeys what is done
// elsewhere. No DOM. Source: Protocol/spec/player.md.
import {isSignedIn} from '../../router.js';
import {askPatiently} from '../patient.js';
import {session} from '../session.js';
import {settings} from '../settings.js';
import {ownDevice} from './device.js';

/** How often the place is reported while it plays, ms; how far off it may be before others are told, ms. */
const REPORT = 8000, TOLERANCE = 1500;
/** Tracks in one message, in one page of an answer, and in the queue that is kept: Protocol/spec/player.md. */
const PIECE = 1500, PAGE = 200, KEPT = 10_000;

/** Fires `change` when devices come and go, or something plays on another one. */
export class SharedPlayer extends EventTarget {
  /** Devices of the account that are there, this one among them. */
  devices = [];
  /** The player as the server has it: null until it was asked for. */
  state = null;
  /** When `state` was as it says, ms of performance.now(). */
  #since = 0;
  /** Which change of our queue the server has, and which revision of its queue that is. */
  #stored = -1; #held = null;
  /** Whether it is settled whose queue counts. */
  #isReady = false;
  #solo; #isSending = false; #isObeying = false; #adopting = 0; #generation = 0; #reportedAt = 0; #ticking = null;

  constructor(solo) {
    super();
    this.#solo = solo;
    solo.addEventListener('change', () => this.#look());
    session.on('player.changed', (data) => this.#heard(data));
    session.on('player.devices', ({devices}) => this.#takeDevices(devices));
    for (const type of ['user', 'fresh']) session.addEventListener(type, () => this.#begin());
    addEventListener('pagehide', () => this.#leave());
    this.#begin();
  }

  get isThere() { return session.status === 'online' && isSignedIn() && session.features.has('player') && !location.pathname.startsWith('/embed/'); }
  get own() { return ownDevice(); }
  /** The device that plays, if that is another one; else null. */
  get elsewhere() {
    const {state, devices} = this;
    // A device that is gone no longer plays, whatever it has said last.
    return state?.playing && !this.#isOurs && devices.some(({id}) => id === state.device.id) ? state.device : null;
  }

  get #isOurs() { return this.state !== null && (this.state.revision === 0 || this.state.device === null || this.state.device.id === ownDevice().id); }

  /** Where the server believes it to be now, ms. */
  get #place() {
    const {position_ms: from, playing, speed_percent: speed} = this.state;
    return playing ? from + (performance.now() - this.#since) * speed / 100 : from;
  }

  /** The place of what plays on another device, ms; null if none does. */
  get placeElsewhere() { return this.elsewhere && this.#isReady ? this.#place : null; }

  #tell() {
    this.#watch();
    this.dispatchEvent(new Event('change'));
  }

  #takeDevices(devices) {
    const place = this.placeElsewhere, solo = this.#solo;
    this.devices = devices;
    // What played there stands where it was.
    if (place !== null && this.elsewhere === null) {
      this.#obey(() => solo.obey({index: solo.index, position: place, playing: false, repeat: solo.repeat, shuffle: solo.shuffle}));
    }
    this.#tell();
  }

  /** @returns Whether it is news. */
  #take({player, now_ms: now}) {
    if (this.state && player.revision < this.state.revision) return false;
    this.state = player;
    this.#since = performance.now() - (now - player.at_ms);
    this.#tell();
    return true;
  }

  // Coming

  /** Takes up what is played, or says what is played here if that is the newest. */
  async #begin() {
    const generation = ++this.#generation, solo = this.#solo, wasPlaying = solo.playing;
    this.state = null;
    this.#isReady = false;
    this.#takeDevices([]);
    if (!this.isThere) return;
    try {
      const device = ownDevice();
      const {devices} = await session.request('player.announce', {device});
      const page = await askPatiently('player.get', {limit: PAGE});
      if (generation !== this.#generation) return;
      this.devices = devices;
      this.#take(page);
      const isPressed = solo.playing && !wasPlaying, isOwn = page.player.device?.id === device.id;
      if (page.player.count === 0 || isPressed || solo.playing && !this.elsewhere) this.#lead();
      // A page that was loaded anew knows its own place best.
      else await this.#adopt(page, generation, {isPlaying: false, keepsPlace: isOwn});
    } catch { /* The next connection asks again. */ }
  }

  /** What is here counts: it is told. */
  #lead() {
    this.#held = this.state.queue_revision;
    this.#stored = -1;
    this.#isReady = true;
    this.#look();
  }

  /** Says where it stopped: nothing plays in a page that is gone. */
  #leave() {
    if (!this.isThere || !this.state || !this.#isOurs || !this.#solo.playing) return;
    session.request('player.update', {revision: this.state.revision, playing: false, position_ms: Math.round(this.#solo.position)}).catch(() => {});
  }

  // Obeying

  async #heard(data) {
    if (!this.state || !this.#take(data)) return;
    const generation = this.#generation, isPlaying = this.state.playing && this.#isOurs;
    if (!isPlaying && this.#solo.playing) this.#obey(() => this.#solo.pause());
    if (data.player.queue_revision === this.#held && this.#stored === this.#solo.changes) return void this.#settle(isPlaying);
    this.#adopting += 1;
    try {
      const page = await askPatiently('player.get', {limit: PAGE});
      if (generation === this.#generation && this.#take(page)) await this.#adopt(page, generation, {isPlaying: page.player.playing && this.#isOurs});
    } catch { /* The next change asks again. */ } finally {
      this.#adopting -= 1;
    }
    this.#look();
  }

  #obey(run) {
    this.#isObeying = true;
    try { run(); } finally { this.#isObeying = false; }
  }

  /** Takes the queue that the server has. */
  async #adopt(page, generation, {isPlaying, keepsPlace = false}) {
    const {queue_revision: version, count} = page.player, solo = this.#solo;
    const more = async (from, limit) => {
      const {player, items} = await askPatiently('player.get', {from, limit});
      return player.queue_revision === version && items.length > 0 ? items : null;
    };
    let {from, items} = page;
    while (from > 0) {
      const at = Math.max(0, from - PAGE), before = await more(at, from - at);
      if (!before) return;
      items = [...before, ...items];
      from = at;
    }
    while (items.length < count) {
      const after = await more(items.length, PAGE);
      if (!after) return;
      items = [...items, ...after];
    }
    // A change that came meanwhile brings the newest by its own event.
    if (generation !== this.#generation || this.state?.queue_revision !== version) return;
    const seen = items.map((item, at) => ({...item, at})).filter(({track}) => track);
    if (seen.length === 0 && count > 0) return;
    const index = Math.max(0, seen.findIndex(({at}) => at >= this.state.index));
    const isKept = keepsPlace && solo.track && solo.track.id === seen[index]?.track.id;
    const places = seen.every(({place}) => place !== undefined) ? seen.map(({place}) => place) : null;
    const {shuffle, repeat} = this.state, position = isKept ? solo.ownPosition : this.#place;
    this.#obey(() => solo.adopt({tracks: seen.map(({track}) => track), places, index, position, shuffle, repeat, playing: isPlaying}));
    // Tracks that are out of sight are left out, and the server is told.
    this.#stored = seen.length === items.length ? solo.changes : -1;
    this.#held = version;
    this.#isReady = true;
    this.#look();
  }

  /** Takes up what the server has made of it: the answer to a request. */
  async takeUp(result, isPlaying) {
    this.#take(result);
    this.#adopting += 1;
    try {
      const generation = this.#generation, page = await askPatiently('player.get', {limit: PAGE});
      if (generation === this.#generation && this.#take(page)) await this.#adopt(page, generation, {isPlaying: isPlaying && page.player.playing && this.#isOurs});
    } finally {
      this.#adopting -= 1;
    }
  }

  /** Does what the server says with the queue that is here. */
  #settle(isPlaying) {
    const {index, repeat, shuffle} = this.state;
    if (this.#solo.queue[index]) this.#obey(() => this.#solo.obey({index, position: this.#place, playing: isPlaying, repeat, shuffle}));
    this.#tell();
  }

  /** Has another device go on; or this one, from a click, so that the browser lets it sound. */
  async transfer(id) {
    const solo = this.#solo;
    if (id === ownDevice().id) return solo.resume();
    await this.#send();
    this.#take(await session.request('player.transfer', {device: id, ...solo.playing ? {playing: true} : {}}));
    this.#obey(() => solo.pause());
    return this.#watch();
  }

  /** Changes what plays on another device: `index`, `position_ms`, `playing`. It obeys, and we follow. */
  async control(change) {
    const result = await session.request('player.update', {revision: this.state.revision, ...change});
    if (!this.#take(result)) return;
    const {index, repeat, shuffle} = this.state, solo = this.#solo;
    if (solo.queue[index]) this.#obey(() => solo.obey({index, position: this.#place, playing: false, repeat, shuffle}));
  }

  /** The place of what plays elsewhere goes on without an event. */
  #watch() {
    const isElsewhere = this.elsewhere !== null;
    if (isElsewhere === (this.#ticking !== null)) return;
    clearInterval(this.#ticking);
    this.#ticking = isElsewhere ? setInterval(() => this.#solo.dispatchEvent(new Event('change')), 1000) : null;
  }

  // Telling

  #look() {
    if (this.#isObeying || this.#adopting > 0 || !this.state || !this.isThere || !this.#isReady && !this.#solo.playing) return;
    if (!this.#isSending && this.#difference()) this.#send().catch(() => { /* The next change tells it. */ });
    else if (this.#solo.state === 'playing' && this.#isOurs && performance.now() - this.#reportedAt > REPORT) this.#report();
  }

  #report() {
    this.#reportedAt = performance.now();
    const data = {device: ownDevice(), index: this.state.index, position_ms: Math.round(this.#solo.position)};
    session.request('player.update', data).then((result) => this.#take(result)).catch(() => {});
  }

  /** What the server must be told, or null. */
  #difference() {
    const {state} = this, solo = this.#solo, {track, playing, index} = solo, isOurs = this.#isOurs;
    if (!track) return isOurs && state.count > 0 ? {tracks: [], playing: false} : null;
    // The queue that the server has was not taken up yet.
    if (this.#held !== state.queue_revision && !playing) return null;
    // A page that stands still says nothing of what plays elsewhere, but for the queue.
    const mayLead = isOurs || playing, told = {}, place = mayLead ? solo.ownPosition : this.#place;
    if (this.#stored !== solo.changes || this.#held !== state.queue_revision) Object.assign(told, {tracks: true, shuffle: solo.shuffle, index, position_ms: place});
    if (solo.repeat !== state.repeat) told.repeat = solo.repeat;
    if (mayLead) {
      const speed = Math.round((settings.get('speed') || 1) * 100);
      if (speed !== state.speed_percent) told.speed_percent = speed;
      if (playing !== state.playing || playing && (!isOurs || state.device === null)) Object.assign(told, {playing, position_ms: place});
      if (index !== state.index || Math.abs(place - this.#place) > TOLERANCE && solo.state !== 'loading') Object.assign(told, {index, position_ms: place});
    }
    if (Object.keys(told).length === 0) return null;
    if (told.position_ms !== undefined) told.position_ms = Math.max(0, Math.round(told.position_ms));
    return mayLead ? {...told, device: ownDevice()} : told;
  }

  /** Tells the server whatever is different, before something is asked for that rests on it. */
  async flush() {
    while (this.#isSending) await new Promise((resolve) => { setTimeout(resolve, 20); });
    await this.#send();
  }

  /** Sends what is different, until nothing is. */
  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    const generation = this.#generation;
    try {
      for (let tries = 0; tries < 4; tries += 1) {
        const told = this.state && this.#difference();
        if (!told || generation !== this.#generation) return;
        const wasOurs = this.#isOurs, changes = this.#solo.changes;
        const result = told.tracks === true
          ? await this.#sendQueue(told, changes)
          : await session.request('player.update', {revision: this.state.revision, ...told});
        if (generation !== this.#generation) return;
        this.#take(result);
        this.#reportedAt = performance.now();
        if (result.stored) continue;
        // Another device was faster. Whoever presses play here goes before it; what went on by itself gives way.
        if (wasOurs || !this.#solo.playing) return void await this.#heard(result);
      }
    } finally {
      this.#isSending = false;
    }
  }

  /** The whole queue, in as many pieces as it takes. */
  async #sendQueue(told, changes) {
    const solo = this.#solo, {index} = solo, from = Math.max(0, Math.min(index - 100, solo.queue.length - KEPT));
    const entries = solo.queue.slice(from, from + KEPT), places = solo.places?.slice(from, from + KEPT);
    let {revision} = this.state, result = null;
    for (let at = 0; at === 0 || at < entries.length; at += PIECE) {
      const piece = {
        revision, tracks: entries.slice(at, at + PIECE).map(({track}) => track.id), ...places ? {places: places.slice(at, at + PIECE)} : {}, append: at > 0,
      };
      result = await session.request('player.update', {...told, index: index - from, ...piece});
      if (!result.stored) return result;
      revision = result.player.revision;
    }
    this.#stored = changes;
    this.#held = result.player.queue_revision;
    return result;
  }
}
