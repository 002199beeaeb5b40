// Playing to a room: from the first packet to the end, through pauses, seeks, cuts, and what others want. No DOM.
// Protocol/spec/hosting.md. What one host needs, a concern each, is in hosting/.

import {Encoder} from '../audio/hosting/encoder.js';
import {Unmixed, Unplayable} from '../audio/hosting/files.js';
import {carryOut, excuse} from './hosting/commands.js';
import {Covers} from './hosting/covers.js';
import {Epochs} from './hosting/epochs.js';
import {Follower, NoFile, meaningOf} from './hosting/follower.js';
import {HostInputs} from './hosting/inputs.js';
import {microseconds, sampleAt} from './hosting/places.js';
import {Playlist} from './hosting/playlist.js';
import {Seat, sleep} from './hosting/seat.js';
import {Sounds} from './hosting/sounds.js';
import {Turns} from './hosting/turns.js';
import {RequestError} from './session.js';

/** How often a seat that is still taken is asked for, and after how long, ms. */
const SEAT = {tries: 12, pause: 1500};
/** A failed encoder is started again, unless it has failed within this time before, ms. */
const ENCODER_LASTS = 10_000;
/** How long the page waits for the server to confirm the end, ms. After that the request goes on in the background. */
const STOPPING = 4000;

/**
 * States: idle → starting → live ⇄ paused, live ⇄ waiting (the list is over), any of these ⇄ away (the line is lost),
 * → ended (`reason`), → starting.
 *
 * Fires `change`; `level` with `{level, voice}`; `offered` and `requested` with what the server said; `trouble` with an
 * error that the broadcast survives.
 */
export class Host extends EventTarget {
  state = 'idle';
  /** 'files' | 'microphone' | 'tab' */
  mode = 'files';
  playlist = new Playlist();
  reason = null;
  failure = null;
  /** Those who asked for the seat and have no answer yet: {user}, the first one first. */
  requests = [];
  #seat = null; #epochs = null; #encoder = null; #inputs = null; #sounds = null; #turns = new Turns(() => this.isOnAir);
  #follower = null; #covers = null; #pausedAt = 0; #liveTrack = null; #before = null; #failedAt = -Infinity; #comings = 0; #uid = null; #leaving = null;

  constructor() {
    super();
    // The next song may be another one now.
    this.playlist.addEventListener('change', () => {
      if (this.#follower) this.#heed();
      else if (this.state === 'live' && this.song) this.#prepareNext();
    });
  }

  get encoder() { return this.#encoder ??= this.#makeEncoder(); }
  get inputs() { return this.#inputs ??= this.#makeInputs(); }
  get isOnAir() { return ['live', 'paused', 'waiting', 'away'].includes(this.state); }
  get isLive() { return this.mode !== 'files'; }
  get session() { return this.#seat?.session ?? null; }
  /** RoomStore of the room that is played to. */
  get room() { return this.#seat?.room ?? null; }
  /** The song that is being sent, and the one that is heard: a lead apart. */
  get song() { return this.#epochs?.song ?? null; }
  get heard() { return this.#epochs?.heard ?? null; }
  /** Place in the track that is heard now, µs. */
  get position() { return this.room?.playback?.position(Math.round(this.session.serverNow)) ?? 0; }
  get liveTitle() { return this.#liveTrack?.title ?? null; }
  /** Whether the room's queue is played, and not a list of this page alone. */
  get followsQueue() { return this.#follower !== null; }
  /** The entry of the queue that was begun last, or null. */
  get entry() { return this.#follower?.playing?.entry ?? null; }
  /** The file that is there for an entry of the queue, or null. */
  songOf(entry) { return this.#follower?.songOf(entry) ?? null; }
  /** Whether there is another song to go on to. */
  get hasNext() { return this.song !== null && this.#next({isSkipped: true}) !== null; }

  #next(options) { return this.#follower?.queue ? this.#follower.next(this.song, options) : this.playlist.after(this.song, options); }

  #makeEncoder() {
    const encoder = new Encoder();
    encoder.addEventListener('tick', () => this.#epochs?.advance(this.state === 'live'));
    encoder.addEventListener('level', ({detail}) => this.#tell('level', detail));
    return encoder;
  }

  #makeInputs() {
    const inputs = new HostInputs(this.encoder);
    inputs.addEventListener('change', () => this.#tell());
    inputs.addEventListener('lost', () => this.#pauseWithoutInput());
    return inputs;
  }

  /** A live input that ends is paused: at once, or as soon as the connection is back. */
  #pauseWithoutInput() {
    if (this.isOnAir && this.isLive && !this.inputs.music) this.pause().catch(error => this.#trouble(error));
  }

  #tell(type = 'change', detail = undefined) { this.dispatchEvent(new CustomEvent(type, {detail})); }
  #trouble(error) { this.#tell('trouble', error); }

  #become(state) {
    this.state = state;
    this.#tell();
  }

  // Beginning and ending

  /**
   * Takes the seat of a room and begins: the list from `song` on, or what `inputs.openMusic` opened. Throws RequestError,
   * NotLoaded, CannotEncode or Unplayable; then it is as before. What ends meanwhile has ended, with its reason.
   *
   * @param from Where `song` begins, µs.
   * @param takesBack Whether the seat is taken from whoever has it, where that is allowed.
   * @param returning What was on air before the page was loaded anew, {song, state, place}: it goes on where the room stopped.
   */
  async start(roomId, {mode = 'files', song = null, from = 0, title = null, takesBack = false, returning = null} = {}) {
    if (this.isOnAir || this.state === 'starting') await this.end();
    this.mode = mode;
    this.failure = this.reason = this.#turns.again = null;
    this.#pausedAt = 0;
    this.#liveTrack = {title, artist: null, album: null, duration_us: null};
    this.#become('starting');
    const seat = this.#seat = new Seat(roomId, () => this.isOnAir);
    try {
      await this.encoder.ready();
      // What the broadcast before took out of the queue is not to be among what this one finds there.
      await this.#leaving;
      if (!seat.isClosed) await this.#sit(seat, takesBack);
      if (returning) await this.#return(seat, returning);
      else await this.#turns.take(() => seat.isClosed ? undefined : this.#beginSomething(song, false, from));
      if (!seat.isClosed) this.encoder.run(true);
    } catch (error) {
      // It has ended meanwhile, and that was told.
      if (seat.isClosed) return;
      this.failure = error;
      this.#release();
      this.#become('idle');
      throw error;
    }
  }

  async #sit(seat, takesBack) {
    const {encoder, inputs} = this, sounds = this.#sounds ??= new Sounds(encoder);
    const epochs = this.#epochs = new Epochs(seat, {encoder, inputs, sounds});
    epochs.onlast = take => this.#turns.take(() => this.#goOn(take)).catch(error => this.#fail(error));
    // The planned beginning has happened by then.
    epochs.onfailure = (take, error) => this.#turns.queue(() => {}).then(() => this.#mend(take, error)).catch(again => this.#fail(again));
    seat.room.addEventListener('change', ({detail}) => {
      if (seat !== this.#seat) return;
      if (detail === 'gone' && this.isOnAir) this.#over(this.room.gone.reason);
      if (detail === 'queue') this.#heed();
      if (detail === 'you' && this.#follower && !seat.room.may('control')) this.#unfollow();
      this.#tell();
    });
    await seat.open();
    this.#uid = seat.session.user.uid;
    this.#covers = seat.session.features.has('covers') ? new Covers(seat.room.id) : null;
    for (const song of this.playlist.songs) {
      song.artwork = null;
      // What one room refused another may take.
      if (song.failure instanceof RequestError) song.failure = null;
    }
    if (takesBack) await seat.session.request('host.take_back');
    // Who may not control the queue cannot put files into it, and plays a list of their own.
    if (!this.isLive && seat.session.features.has('queue') && seat.room.may('control')) {
      this.#follower = new Follower(seat.room, (type, data) => seat.request(type, data), error => this.#trouble(error), this.playlist, seat.session.user.uid);
      epochs.followsQueue = true;
      await this.#follower.load();
    }
    this.#listen(seat);
  }

  #listen(seat) {
    const {session} = seat;
    // A seat that was left has nothing to say any more, though its session may last for a while.
    const ours = take => data => { if (seat === this.#seat) take(data); };
    session.addEventListener('resumed', ours(({detail}) => this.#resumed(detail.stay)));
    session.addEventListener('fresh', ours(() => this.#comeBack()));
    session.addEventListener('status', ours(() => this.#follow()));
    session.addEventListener('frame', ours(({detail}) => { if (detail.frame === 'POSITION') this.#epochs?.follow(detail); }));
    session.on('host.command', ours(command => this.#obey(command)));
    session.on('host.lost_seat', ours(({reason}) => this.#lose(reason)));
    session.on('host.requested', ours(({user}) => {
      if (!this.requests.some(one => one.user.uid === user.uid)) this.requests = [...this.requests, {user}];
      this.#tell('requested', {user});
      this.#tell();
    }));
    seat.room.addEventListener('change', ({detail}) => {
      // Who has left does not wait for an answer. A page of the people is not all of them.
      const {people, count} = seat.room;
      if (detail === 'people' && people.length > 0 && people.length >= count) for (const {user} of this.requests) if (!people.some(one => one.user.user.uid === user.uid)) this.decline(user.uid);
    });
  }

  /**
   * Ends the broadcast. Sound that was sent is still played. If the connection is lost, the server is told when it is
   * back.
   */
  async end() {
    // Its files are of no use to the queue any more.
    if (this.#follower && this.isOnAir && this.state !== 'away') await Promise.race([this.#follower.withdraw().catch(() => {}), sleep(STOPPING)]);
    const seat = this.#seat, isTold = !seat || !this.isOnAir && seat.session.status === 'online' || this.state !== 'away' && await seat.stop(STOPPING);
    if (seat === this.#seat) this.#over('finished', isTold);
  }

  #over(reason, isTold = true) {
    if (this.state === 'ended' || this.state === 'idle') return;
    this.reason = reason;
    this.#release(isTold);
    this.#become('ended');
  }

  /** Somebody else has the seat. The files that still wait are taken out of the queue first: nobody else can play them. */
  #lose(reason) {
    const seat = this.#seat, follower = this.#follower;
    if (!follower || !this.isOnAir || !seat.room.may('control')) return void this.#over(reason);
    const withdrawn = follower.withdraw().catch(() => {});
    this.#leaving = Promise.race([withdrawn, sleep(STOPPING)]).then(() => seat.close());
    this.#over(reason, this.#leaving);
  }

  /** @param isTold Whether the server knows that the seat is left; or a promise, after which the seat is closed. */
  #release(isTold = true) {
    this.encoder.run(false);
    this.#epochs?.end();
    this.#inputs?.close();
    this.#sounds?.keepOnly();
    const seat = this.#seat;
    this.#seat = this.#epochs = this.#follower = this.#covers = null;
    this.requests = [];
    if (isTold instanceof Promise) return;
    if (isTold) seat?.close();
    else seat.closeWhenTold();
  }

  // Epochs

  async #beginSomething(song, isReturning = false, from = 0) {
    if (this.isLive) return this.#beginLive();
    const follower = this.#follower;
    const failure = follower ? await this.#beginFirst(song ? [song] : follower.firsts, from) : await this.#beginFrom(song ?? this.playlist.songs[0], from);
    if (failure) throw failure;
    // Only now is it certain that the seat is ours, and with it the queue.
    if (follower && this.#seat) await this.#open(follower, isReturning);
    return undefined;
  }

  /** Puts the files into the queue. Where that fails, the song goes on all the same. */
  async #open(follower, isReturning) {
    try {
      await follower.open(this.song, isReturning);
    } catch (error) {
      if (error.code?.startsWith('connection.')) throw error;
      this.#trouble(error);
    }
  }

  /**
   * Goes on after the page was loaded anew. The seat was kept, as that of a host whose line is lost. The server knows where
   * the sound it had came to its end.
   */
  async #return(seat, {song: key, state, place}) {
    const song = this.playlist.songs.find(one => one.key === key && !one.failure) ?? null, follower = this.#follower;
    const {playback} = seat.room, now = Math.round(seat.session.serverNow), last = playback.upcoming(now).at(-1) ?? playback.at(now);
    const position = sampleAt(last.state === 2 || last.state === 3 ? last.position_us : place);
    await this.#onceSeated(async () => {
      if (seat.isClosed) return;
      if (!song) return void await this.#beginSomething(null, true);
      await song.load().catch(() => {});
      const end = Math.max(0, song.duration - 1);
      await this.#begin(song, () => Math.min(position, end));
      if (state === 'live' || seat.isClosed) return;
      this.#epochs.hold();
      await this.#request('host.pause', {position_us: microseconds(Math.min(position, end))});
      this.#pausedAt = Math.min(position, end);
      if (state === 'waiting') this.#epochs.end();
      this.#become(state);
    });
    if (song && follower && !seat.isClosed) await this.#turns.take(() => this.#open(follower, true));
  }

  /** Begins the first of these songs that can be played; the very first one `from` a place, µs. Returns why the last could not, or null. */
  async #beginFirst(songs, from = 0) {
    let failure = new Unplayable('unknown');
    for (const song of songs) {
      try {
        await this.#begin(song, () => song === songs[0] ? this.#within(song, from) : 0);
        return null;
      } catch (error) {
        if (!song.failure) throw error;
        failure = error;
        this.#trouble(error);
      }
    }
    return failure;
  }

  /** The place `from` in a song, µs, as samples: of a song that is shorter, its beginning. */
  #within(song, from) {
    const place = sampleAt(from);
    return place < song.duration ? place : 0;
  }

  /** Begins the first from `song` on that can be played; it itself `from` a place, µs. Returns why the last could not, or null. */
  async #beginFrom(song, from = 0) {
    let failure = null;
    for (let next = song; next; next = this.playlist.after(next)) {
      try {
        await this.#begin(next, () => next === song ? this.#within(song, from) : 0);
        return null;
      } catch (error) {
        if (!next.failure) throw error;
        failure = error;
        this.#trouble(error);
      }
    }
    return failure;
  }

  /** Begins a song at a place, samples from its beginning, that `at` tells when the sound is there. */
  async #begin(song, at, command = null) {
    if (!await this.#epochs?.begin(song, at, command)) return;
    this.#turns.again = null;
    this.#become('live');
    this.#showCover(song);
    if (this.inputs.voice && this.#epochs.isUnmixed) this.#trouble(new Unmixed());
    this.#prepareNext();
  }

  /** Has listeners see the cover of a song that plays already: only who has the seat may send one. */
  async #showCover(song) {
    if (!this.#covers || song.artwork !== null || song.cover === null) return;
    await this.#covers.of(song);
    if (song.artwork !== null && this.song === song && this.state !== 'away') await this.#request('host.track', {track: song.track}).catch(() => {});
  }

  /** Begins what comes in live, or goes on with it, at a place of what was live so far, samples. */
  async #beginLive(command = null, place = this.#place) {
    if (!await this.#epochs?.beginLive(this.#liveTrack, place, command)) return;
    this.#turns.again = null;
    this.#become('live');
  }

  /** The encoder of a take has failed: another goes on where it stopped; where that fails too, the room is paused. */
  async #mend(take, error) {
    if (!this.#epochs?.isOf(take) || this.#epochs.isSent) return;
    if (this.state === 'away' && this.#before === 'live') {
      this.#turns.again ??= () => this.isLive ? this.#beginLive() : this.#begin(this.song, () => this.#place);
    }
    if (this.state !== 'live') return;
    const now = performance.now(), isFirst = now - this.#failedAt > ENCODER_LASTS;
    this.#failedAt = now;
    if (isFirst) return void await this.#restart();
    this.#fail(error);
    await this.pause();
  }

  /** A request whose answer may be lost with the line: `#comeBack` and `#resumed` make up for it. */
  async #request(type, data) {
    if (!this.#seat) throw new RequestError({code: 'connection.ended', message: 'The broadcast is over.'});
    return this.#seat.request(type, data);
  }

  /** Prepares the next song, and releases those that are no longer needed. */
  #prepareNext() {
    const next = this.#next();
    this.#sounds.keepOnly(this.song, next);
    if (!next || this.#sounds.has(next)) return;
    this.#covers?.of(next);
    this.#turns.queue(() => this.#epochs?.prepare(next)).catch(() => {
      this.#tell();
      // It will be passed over.
      if (next.failure && this.song) this.#prepareNext();
    });
  }

  /** After the last packet of a song. */
  async #goOn(take) {
    if (!this.#epochs?.isOf(take)) return;
    if (this.#follower) {
      await this.#follower.finish();
      if (await this.#choose()) return;
    } else {
      const next = this.playlist.after(this.song);
      if (next && await this.#beginFrom(next) === null) return;
    }
    this.#runDry();
  }

  // What the queue says

  /**
   * Begins what the queue has chosen, or has it choose. Entries without a file that can be played are passed over, as long
   * as there is another that can. Returns whether something was begun.
   */
  async #choose(command = null) {
    const follower = this.#follower, passed = [];
    try {
      while (follower === this.#follower && follower?.hasSome) {
        const entry = follower.chosen;
        if (!entry) {
          await follower.advance(null);
          continue;
        }
        const song = follower.songOf(entry);
        if (song && !song.failure) {
          try {
            await this.#begin(song, () => 0, command);
            if (this.#follower) await follower.started(entry);
            return true;
          } catch (error) {
            if (!song.failure) throw error;
            this.#trouble(error);
          }
        } else if (!song) {
          passed.push(entry);
        }
        await follower.advance(entry);
      }
      return false;
    } finally {
      // One message for all of them: a host before may have left many.
      if (passed.length > 0) this.#trouble(new NoFile(passed));
    }
  }

  /** The queue has changed. */
  #heed() {
    const follower = this.#follower;
    if (!this.isOnAir || this.state === 'away' || !follower?.queue) return;
    follower.fill().catch(error => this.#fail(error));
    if (this.#isToChoose) this.#turns.take(() => this.#catchUp()).catch(error => this.#fail(error));
    else if (this.state === 'live' && this.song) this.#prepareNext();
  }

  /** The queue may not be controlled any more: from the next song on, the list of this page is played. */
  #unfollow() {
    this.#follower = null;
    if (this.#epochs) this.#epochs.followsQueue = false;
    if (this.state === 'live' && this.song) this.#prepareNext();
  }

  /** Whether others have gone on, or there is something again where there was nothing. */
  get #isToChoose() { return this.#follower !== null && (this.#mood === 'waiting' ? this.#follower.hasSome : this.#follower.isElsewhere); }

  async #catchUp() {
    if (!this.isOnAir || !this.#isToChoose || await this.#choose() || this.#mood === 'waiting') return;
    this.#follower.playing = null;
    this.#runDry();
  }

  /** Plays an entry that waits now. */
  playEntry(entry) {
    return this.#turns.take(async () => {
      const song = this.songOf(entry);
      if (!song) return;
      await this.#begin(song, () => 0);
      await this.#follower?.started(entry);
    });
  }

  /** Asks for a change of the queue, on the connection of the host. */
  /** Agrees to be recorded, or does not any more. */
  record(on) { return this.#request('host.record', {on}); }

  async askQueue(type, data) { await this.#follower?.ask(type, data); }

  /** Takes a file for an entry that has none, or another in place of the one that was chosen for it. */
  async bring(entry, file) {
    const meaning = meaningOf(entry), before = this.playlist.songs.filter(({standsFor}) => standsFor === meaning);
    const [song] = await this.playlist.add([file], {isQueued: true, standsFor: meaning});
    if (!song) return undefined;
    for (const one of before) {
      one.standsFor = null;
      if (one !== this.song) this.playlist.remove(one);
    }
    return song;
  }

  /** Nothing more is sent. The room is not paused for that: whoever listens reads that it waits for the host. */
  #runDry() {
    this.#turns.again = null;
    this.#pausedAt = this.#place;
    this.#epochs.end();
    this.#become('waiting');
  }

  #fail(error) {
    if (!this.isOnAir || error.code?.startsWith('connection.')) return;
    this.failure = error;
    this.#trouble(error);
  }

  /** The state of the room, with or without a connection. */
  get mood() { return this.#mood; }
  get #mood() { return this.state === 'away' ? this.#before : this.state; }
  /** The position of the next unsent sample, samples from the song's beginning. */
  get #place() { return this.#mood === 'paused' || !this.#epochs?.isBegun ? this.#pausedAt : this.#epochs.place; }

  // Actions of the host, or requested by others

  /**
   * Plays a song from a place, µs, or goes on: where the list was over, with what was added since. What plays already goes
   * on as it is; a command is answered by going on in another epoch.
   */
  async play(song = null, command = null, from = null) {
    const isReopened = this.isLive && !this.inputs.music, before = this.song;
    // An input that had ended is opened again.
    if (isReopened) await this.inputs.openMusic(this.mode, this.inputs.device);
    return this.#turns.take(async () => {
      // Pressed twice, it was done by the first press; a song that played before begins anew.
      const isDone = this.#mood === 'live' && this.#epochs.isRunning && (song === null ? !isReopened : song === this.song && song !== before);
      if (isDone && command === null && from === null) return undefined;
      if (this.isLive) return this.#beginLive(command);
      if (this.#follower && song === null && this.#mood === 'waiting') {
        // Where nothing waits, the last is played again.
        if (!this.#follower.hasSome) await this.#follower.previous();
        if (await this.#choose(command)) return undefined;
      }
      const next = this.#mood === 'waiting' && this.song ? this.playlist.after(this.song) : null;
      const wanted = song ?? next ?? this.song ?? this.playlist.songs[0];
      if (!wanted) return undefined;
      const last = this.song;
      await this.#begin(wanted, () => from !== null ? sampleAt(from) : this.#goesOnAt(wanted, song === null), command);
      return wanted === last ? undefined : this.#follower?.startedSong(wanted);
    });
  }

  /** The position at which Play begins a song, samples. `isOpen`: the song was not asked for by name. */
  #goesOnAt(song, isOpen) {
    const goesOn = this.#mood === 'paused' || isOpen && this.#mood === 'live';
    return goesOn && song === this.song ? this.#place : 0;
  }

  async pause(command = null) {
    return this.#turns.take(async () => {
      if (this.state !== 'live') {
        // It was done meanwhile, and nobody waits for an answer any more once the line was lost.
        if (command !== null && this.state !== 'away') await this.#request('host.pause', {command});
        return;
      }
      this.#epochs.hold();
      const place = this.#place;
      const {playback, upcoming} = await this.#request('host.pause', command === null ? {} : {command});
      // The server knows what it has got of what is live.
      this.#pausedAt = this.isLive ? sampleAt((upcoming.at(-1) ?? playback).position_us) : place;
      this.#turns.again = null;
      this.#become('paused');
    });
  }

  /** Goes to a place in the song, µs; a room that is paused stays so. */
  async seek(position, command = null) {
    return this.#turns.take(async () => {
      if (this.isLive || !this.song) return;
      const place = Math.max(0, Math.min(sampleAt(position), this.song.duration - 1));
      if (this.#mood === 'live') return void await this.#begin(this.song, () => place, command);
      await this.#request('host.pause', {position_us: microseconds(place), ...command === null ? {} : {command}});
      this.#turns.again = null;
      this.#pausedAt = place;
      this.#become('paused');
    });
  }

  skip(by) {
    if (this.#follower) return this.#skipInQueue(by);
    const next = by > 0 ? this.playlist.after(this.song, {isSkipped: true}) : this.playlist.before(this.song);
    return next ? this.play(next) : by < 0 && this.song ? this.seek(0) : undefined;
  }

  async #skipInQueue(by) {
    const isGone = by > 0 || await this.#turns.take(() => this.#follower?.previous());
    if (!isGone) return this.song ? this.seek(0) : undefined;
    return this.#turns.take(async () => {
      if (by > 0) await this.#follower?.advance(this.#follower.playing?.entry ?? null);
      await this.#catchUp();
    });
  }

  /**
   * Opens a microphone for the voice. From then on songs are mixed: what goes out as it is is coded anew from here on, if it
   * is not too long.
   */
  async openVoice(device) {
    await this.inputs.openVoice(device);
    if (this.state === 'live' && this.#epochs.isUnmixed) await this.#turns.take(() => this.#begin(this.song, () => this.#place));
  }

  /** Says what plays, where no file does. */
  async setTitle(title) {
    this.#liveTrack = {title, artist: null, album: null, duration_us: null};
    await this.#request('host.track', {track: this.#liveTrack});
    this.#tell();
  }

  async #obey(command) {
    let message;
    try {
      message = await carryOut(this, command);
    } catch (error) {
      this.#fail(error);
      message = excuse(error);
    }
    if (message === null || !this.isOnAir) return;
    await this.#request('host.reject', {command: command.command, code: 'host.refused', message}).catch(error => this.#fail(error));
  }

  async offer(uid) {
    await this.#request('host.offer', {user: uid});
    this.decline(uid);
  }

  /** Somebody who asked for the seat has an answer. */
  decline(uid) {
    const others = this.requests.filter(({user}) => user.uid !== uid);
    if (others.length === this.requests.length) return;
    this.requests = others;
    this.#tell();
  }

  // Lines that break

  #follow() {
    if (!this.session) return undefined;
    const {status} = this.session;
    if (status === 'ended') return this.#over('connection');
    if (status === 'offline' && this.isOnAir && this.state !== 'away') {
      this.#before = this.state;
      this.#become('away');
    }
    return undefined;
  }

  #resumed(stay) {
    if (!this.room) return;
    this.room.resume(stay);
    // Before the first epoch there is nothing of ours to go on with.
    if (this.state === 'starting') return;
    if (!stay || !stay.host) return void this.#over(stay ? 'lost' : 'connection');
    if (this.state === 'away') this.#become(this.#before);
    for (const playback of [stay.playback, ...stay.upcoming]) this.#epochs.follow(playback);
    // What is heard now comes first. An epoch whose answer was lost is not ours to go on with: what we have is begun anew.
    const goesOn = this.#epochs.resend(stay.host);
    if (this.#turns.again) this.#turns.doAgain().catch(error => this.#fail(error));
    else if (!goesOn && this.state === 'live') this.#restart().catch(error => this.#fail(error));
    this.#pauseWithoutInput();
  }

  /** The server has lost our session: everything begins again from the position that was heard last. */
  async #comeBack() {
    if (!this.room || this.state === 'starting') return;
    // Another account may be signed in now. The broadcast is not its own.
    if (this.session.user?.uid !== this.#uid) return void this.#over('signed-out');
    const coming = ++this.#comings;
    try {
      await this.#seat.patiently(() => this.room.join(false));
      // The line was lost once more meanwhile.
      if (coming !== this.#comings || !this.room) return;
      if (this.#before !== null && this.state === 'away') this.state = this.#before;
      await this.#sitAgain();
      this.#pauseWithoutInput();
      this.#tell();
    } catch (error) {
      if (!error.code?.startsWith('connection.')) this.#over('lost');
    }
  }

  /** Takes the seat that nobody has now, and does again what the line was lost over. */
  async #sitAgain() {
    const {again} = this.#turns;
    try {
      if (again) return void await this.#turns.doAgain();
    } catch (error) {
      // It was to be done on the seat.
      if (error.code !== 'host.not_host') throw error;
    }
    if (this.state === 'live') await this.#restart();
    else await this.#restAgain();
    if (again) await this.#turns.take(again);
  }

  /** Does something as soon as the seat is free: who sat there before may be us. */
  async #onceSeated(work) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#turns.take(work);
      } catch (error) {
        if (error.code !== 'host.seat_taken' || tries >= SEAT.tries) throw error;
        await sleep(SEAT.pause);
      }
    }
  }

  #restart() {
    const place = this.#place;
    return this.#onceSeated(() => this.isLive ? this.#beginLive(null, place) : this.#begin(this.song, () => place));
  }

  /** Paused or waiting as before: only with an epoch does a host take the seat, and it is paused before it begins. */
  #restAgain() {
    const place = this.#pausedAt, {state} = this;
    return this.#onceSeated(async () => {
      if (!await (this.isLive ? this.#epochs?.beginLive(this.#liveTrack, place, null) : this.#epochs?.begin(this.song, () => place, null))) return;
      this.#epochs.hold();
      await this.#request('host.pause', {position_us: microseconds(place)});
      this.#pausedAt = place;
      if (state === 'waiting') this.#epochs.end();
      this.#become(state);
    });
  }
}

/** The page's one host. */
export const host = new Host();
