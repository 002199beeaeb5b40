// A room as we see it from inside: the snapshot, and every event since. No DOM, no sound.
// Protocol/spec/rooms.md, playback.md, listening.md, chat.md, queue.md, roles.md, joining.md.

import {PlaybackView} from '../wire/playback.js';
import {QueueView} from './queue.js';
import {TimedTracks} from './tracks.js';

const CHAT_MAX = 500, PEOPLE_MAX = 300, PAGE = 100;

/**
 * Fires `change` with the name of what changed: room, playback, tracks, stream, chat, reactions, people, queue, history,
 * waiting, gone, you, schedule.
 */
export class RoomStore extends EventTarget {
  id = null;
  room = null;
  you = null;
  playback = null;
  tracks = new TimedTracks();
  stream = null;
  /** Chat messages, the oldest first; and whether older ones can be asked for: undefined while nobody has asked. */
  chat = [];
  chatBefore = undefined;
  people = [];
  count = null;
  ghosts = 0;
  queue = null;
  /** What goes on by the schedule and what comes: {now, next}; null while nobody has asked. */
  schedule = null;
  plays = null;
  playsBefore = null;
  /** People who wait to be let in, for those who may moderate. */
  knocking = [];
  /** Why we are out: {reason, message?, until_ms?} or null. */
  gone = null;
  /** Whether a member has to admit us first. */
  isWaiting = false;
  streamEndedAt = null;
  #session; #ends = []; #isQueueWanted = false; #arePlaysWanted = false; #queueWork = null; #queueMissed = null; #peopleWork = null;

  constructor(session, reference, invite = null) {
    super();
    this.#session = session;
    this.reference = reference;
    this.invite = invite;
    const heard = ({detail}) => this.#take(detail);
    const framed = ({detail}) => this.#takeFrame(detail);
    session.addEventListener('message', heard);
    session.addEventListener('frame', framed);
    this.#ends.push(() => session.removeEventListener('message', heard), () => session.removeEventListener('frame', framed));
  }

  /** Takes in what `room.shift` told of the past. */
  recall({playbacks, tracks}) {
    this.playback?.recall(playbacks);
    this.tracks.recall(tracks);
    this.#tell('tracks');
  }

  /** Forgets the session: later events are ignored. */
  close() { this.#ends.splice(0).forEach(end => end()); }

  get isJoined() { return this.room !== null && this.gone === null; }
  get title() { return this.room?.title ?? null; }
  get picture() { return this.room?.picture ?? null; }
  /** What goes on by the schedule and what comes, where somebody has asked and no event has told it meanwhile. */
  plan(schedule) {
    if (this.schedule !== null) return;
    this.schedule = schedule;
    this.#tell('schedule');
  }
  may(capability) { return this.you?.may?.includes(capability) ?? false; }
  /** Whether a host plays something else than the queue says. */
  get isQueueIdle() { return this.room?.follows_queue === false; }
  /** The track that is heard now: Track | null. */
  get track() { return this.tracks.at(this.now)?.track ?? null; }
  get nowPlaying() { return this.track; }
  /** Playback in force now. */
  get state() { return this.playback?.at(this.now) ?? null; }
  /** The server time of what is heard, µs: earlier than now for whoever hears the room later. */
  get now() { return this.heard?.() ?? this.#session.serverNow; }
  heard = null;

  #tell(what) { this.dispatchEvent(new CustomEvent('change', {detail: what})); }

  // Coming and going

  /** Enters, or enters again, as a ghost: counted, and not named; `saver`: at a lower bit rate, if it can be. Returns the snapshot. Throws RequestError. */
  async join(audio, ghost = false, saver = false) {
    const data = {room: this.id ?? this.reference, audio, ...ghost ? {ghost} : {}, ...saver ? {data_saver: true} : {}};
    if (this.invite) data.invite = this.invite;
    try {
      const snapshot = await this.#session.request('room.join', data);
      this.isWaiting = false;
      // Closed meanwhile, it takes nothing in.
      if (this.#ends.length > 0) this.take(snapshot);
      return snapshot;
    } catch (error) {
      if (error.code === 'room.approval_pending') {
        this.isWaiting = true;
        this.#tell('waiting');
      }
      throw error;
    }
  }

  /** Takes a snapshot in: all of the room as it is. */
  take(snapshot) {
    this.id = snapshot.room.id;
    this.savesData = snapshot.data_saver === true;
    this.room = snapshot.room;
    this.you = snapshot.you;
    this.gone = null;
    this.schedule = null;
    this.stream = snapshot.stream;
    this.streamEndedAt = null;
    this.playback = new PlaybackView(snapshot.playback, snapshot.upcoming);
    this.tracks = new TimedTracks(snapshot.now_playing ?? null, snapshot.upcoming_tracks ?? []);
    const oldest = snapshot.chat?.[0]?.id ?? 0;
    // Older messages that were loaded stay if the snapshot follows them without a gap.
    const older = this.chat.some(one => one.id === oldest) ? this.chat.filter(one => one.id < oldest) : [];
    if (older.length === 0) this.chatBefore = snapshot.chat?.length >= 50 ? oldest : undefined;
    this.chat = [...older, ...snapshot.chat ?? []];
    for (const what of ['room', 'you', 'playback', 'tracks', 'stream', 'chat']) this.#tell(what);
    this.#reload();
  }

  /** Live events are not repeated, and lists may have changed: asks again for what is shown. */
  #reload() {
    this.loadPeople().catch(() => {});
    if (this.#isQueueWanted) this.loadQueue().catch(() => {});
    if (this.#arePlaysWanted) this.loadPlays().catch(() => {});
    if (this.may('moderate')) this.loadKnocking().catch(() => {});
  }

  /** The session went on: `stay` of the welcome. */
  resume(stay) {
    if (!stay || stay.room !== this.id) return;
    if (stay.snapshot) {
      this.take(stay.snapshot);
      return;
    }
    this.playback?.apply(stay.playback, this.#session.serverNow);
    for (const next of stay.upcoming) this.playback?.apply(next, this.#session.serverNow);
    this.#tell('playback');
    this.#reload();
  }

  /** Without a connection nothing is sent: by the time there is one, another room may have been entered. */
  /** @param isOut The server knows already that we are out. */
  async leave(isOut = false) {
    this.close();
    if (!isOut && this.isJoined && this.#session.status === 'online') await this.#session.request('room.leave').catch(() => {});
  }

  #out(gone) {
    this.gone = gone;
    this.people = [];
    this.#tell('gone');
  }

  // Incoming

  #takeFrame(frame) {
    if (frame.frame !== 'POSITION' || !this.isJoined || !this.playback) return;
    this.playback.apply(frame, this.#session.serverNow);
    this.#tell('playback');
  }

  #take({type, room, data}) {
    if (room !== undefined && room !== this.id) return;
    if (room === undefined && data?.room !== undefined && data.room !== this.id && !this.isWaiting) return;
    this.#events[type]?.(data);
  }

  #events = {
    // What it does not say is not so any more.
    'room.updated': ({room}) => this.#merge({replays: undefined, data_saver: undefined, recorded: undefined, follows_queue: undefined, ...room}),
    'room.closed': ({reason}) => this.#out({reason}),
    'room.removed': data => this.#out(data),
    'room.listeners': ({count}) => this.#merge({listeners: count}),
    'host.changed': ({host, state, follows_queue, recorded}) => {
      this.people = this.people.map(one => ({...one, host: one.user.user.uid === host?.uid}));
      this.#merge({host, host_state: state, follows_queue, recorded});
      this.#tell('people');
    },
    'stream.started': ({stream, track}) => {
      this.stream = stream;
      this.streamEndedAt = null;
      this.tracks.apply(track, stream.start_us);
      this.#merge({track, live: true});
      this.#tell('stream');
      this.#tell('tracks');
    },
    'stream.ended': ({at_us}) => {
      this.streamEndedAt = at_us;
      this.tracks.apply(null, at_us);
      this.#merge({live: false});
      this.#tell('tracks');
    },
    'track.changed': ({track, at_us}) => {
      this.tracks.apply(track, at_us);
      this.#merge({track});
      this.#tell('tracks');
    },
    'chat.message': ({message}) => {
      if (this.chat.some(one => one.id === message.id)) return;
      const chat = [...this.chat, message];
      this.chat = chat.slice(-CHAT_MAX);
      // Dropped entries can be requested again, from there on.
      if (chat.length > CHAT_MAX) this.chatBefore = this.chat[0].id;
      this.#tell('chat');
    },
    'chat.changed': ({message}) => {
      this.chat = this.chat.map(one => one.id === message.id ? message : one);
      this.#tell('chat');
    },
    reactions: data => this.dispatchEvent(new CustomEvent('reactions', {detail: data})),
    'room.members_changed': data => this.#comeAndGo(data),
    'room.standing_changed': ({user, standing, may}) => {
      if (user.uid === this.#session.user?.uid && this.you) {
        this.you = {...this.you, standing, may};
        this.#tell('you');
      }
      this.people = this.people.map(one => one.user.user.uid === user.uid ? {...one, standing, user: {...one.user, user}} : one);
      this.#tell('people');
    },
    'room.moderated': ({action, user, until_ms}) => {
      if (user.uid !== this.#session.user?.uid || !this.you) return;
      if (action === 'mute') this.you = {...this.you, muted_until_ms: until_ms ?? Number.MAX_SAFE_INTEGER};
      if (action === 'unmute') this.you = {...this.you, muted_until_ms: undefined};
      this.#tell('you');
    },
    'room.knocked': () => this.loadKnocking().catch(() => {}),
    'room.admitted': () => {
      if (this.isWaiting) this.dispatchEvent(new CustomEvent('admitted'));
    },
    'room.denied': () => {
      if (!this.isWaiting) return;
      this.isWaiting = false;
      this.#out({reason: 'denied'});
    },
    'schedule.changed': ({now, next}) => {
      this.schedule = {now, next};
      this.#tell('schedule');
    },
    'queue.changed': data => {
      this.#queueMissed?.push(data);
      if (!this.queue) return;
      if (this.queue.apply(data)) this.#tell('queue');
      else this.loadQueue().catch(() => {});
    },
  };

  #merge(fields) {
    if (!this.room) return;
    this.room = {...this.room, ...fields};
    this.#tell('room');
  }

  #comeAndGo({joined, left, more, count, ghosts}) {
    this.count = count;
    this.ghosts = ghosts;
    const gone = new Set(left);
    this.people = this.people.filter(one => !gone.has(one.user.user.uid));
    if (more || joined.length > 0 && this.people.length < PEOPLE_MAX) this.loadPeople().catch(() => {});
    this.#tell('people');
  }

  // Requests

  /** Everybody who is here, as far as a page of them goes. One request at a time, and one more if there was news meanwhile. */
  loadPeople() {
    if (this.#peopleWork) {
      this.#peopleWork.again = true;
      return this.#peopleWork.done;
    }
    const work = this.#peopleWork = {again: false};
    return work.done = (async () => {
      try {
        do {
          work.again = false;
          const {members, count, ghosts} = await this.#session.request('room.members', {limit: PAGE});
          this.people = members;
          this.count = count;
          this.ghosts = ghosts;
          this.#tell('people');
        } while (work.again && this.isJoined);
      } finally {
        this.#peopleWork = null;
      }
    })();
  }

  async loadKnocking() {
    if (!this.may('moderate')) return;
    this.knocking = (await this.#session.request('room.waiting', {room: this.id})).users;
    this.#tell('waiting');
  }

  /** All pages of the queue; from there on changes are applied. */
  loadQueue() {
    this.#isQueueWanted = true;
    return this.#queueWork ??= (async () => {
      try {
        for (;;) {
          const pages = [];
          let offset = 0;
          // Answers and events may overtake one another.
          this.#queueMissed = [];
          do {
            const page = await this.#session.request('queue.get', {offset, limit: PAGE});
            pages.push(page);
            offset = page.next_offset;
          } while (offset !== null && pages.at(-1).revision === pages[0].revision);
          if (pages.some(page => page.revision !== pages[0].revision)) continue;
          this.queue = new QueueView(pages);
          if (!this.#queueMissed.every(change => this.queue.apply(change))) continue;
          this.#tell('queue');
          return;
        }
      } finally {
        this.#queueWork = this.#queueMissed = null;
      }
    })();
  }

  /** The newest plays, before the known ones, or older ones, after them. */
  async loadPlays(older = false) {
    this.#arePlaysWanted = true;
    const from = older ? this.playsBefore : null;
    const {plays, next_before: before} = await this.#session.request('room.history', {limit: 50, ...from === null ? {} : {before: from}});
    const known = this.plays ?? [], last = plays.at(-1)?.id;
    if (from !== null) {
      // The plays that they follow were dropped meanwhile: there would be a gap.
      if (from !== this.playsBefore) return;
      this.plays = [...known, ...plays];
      this.playsBefore = before;
    } else if (last !== undefined && known.some(({id}) => id === last)) {
      this.plays = [...plays, ...known.filter(({id}) => id < last)];
    } else {
      this.plays = plays;
      this.playsBefore = before;
    }
    this.#tell('history');
  }

  async loadOlderChat() {
    const before = this.chatBefore ?? this.chat[0]?.id;
    if (!before) return;
    const {messages, next_before: next} = await this.#session.request('chat.history', {before, limit: 50});
    // The message that it follows was dropped meanwhile: there would be a gap.
    if (before !== (this.chatBefore ?? this.chat[0]?.id)) return;
    const known = new Set(this.chat.map(one => one.id));
    this.chat = [...messages.filter(one => !known.has(one.id)), ...this.chat];
    this.chatBefore = next;
    this.#tell('chat');
  }

  // Our actions

  send(text, replyTo) { return this.#session.request('chat.send', replyTo ? {text, reply_to: replyTo} : {text}); }
  edit(id, text) { return this.#session.request('chat.edit', {id, text}); }
  erase(id) { return this.#session.request('chat.delete', {id}); }
  react(emoji) { return this.#session.request('reaction.send', {emoji, at_us: Math.round(this.#session.serverNow)}); }
  suggest(track, source) { return this.#session.request('queue.suggest', source ? {track, source} : {track}); }

  async vote(id, vote) {
    await this.#session.request('queue.vote', vote ? {id, vote} : {id});
    this.queue?.voted(id, vote);
    this.#tell('queue');
  }

  async voteSkip(id, skip) {
    await this.#session.request('queue.vote_skip', {id, skip});
    if (this.queue) this.queue.votes.skip = skip;
    this.#tell('queue');
  }
}
