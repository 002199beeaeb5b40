// The room's queue as its host plays it: which file an entry means, what is to be begun, and what comes after it. No DOM.
// Protocol/spec/queue.md.

/** The source of an entry that means a file of a tab: this, and the file's key. */
const OURS = 'local-';
/** How many tracks `queue.add` takes. */
const AT_A_TIME = 20;
/** How long the event about a change may come after its answer, ms. After that the queue is asked for. */
const PATIENCE = 2000;

/** Entries that none of the files of this tab is: how many, and what the first is called. */
export class NoFile extends Error {
  constructor(entries) {
    super('The host has no file for these tracks.');
    this.count = entries.length;
    const [entry] = entries;
    this.name = [entry.track.artist, entry.track.title].filter(Boolean).join(' – ') || entry.source;
  }
}

/** Files that the server does not take into the queue: each has `failure`. */
export class Refused extends Error {
  constructor(songs) {
    super('The server does not take these tracks into the queue.');
    this.songs = songs;
  }
}

/** Refusals that are about a track, and not about the queue. */
const ABOUT_TRACK = new Set(['content.refused', 'queue.track_invalid', 'request.invalid']);

const sourceOf = song => `${OURS}${song.key}`;
/** Whether an entry means a file of a tab, of this one or another. */
export const isFile = ({source}) => source?.startsWith(OURS) ?? false;
/** What a file that the host chose for an entry stands for; the same for the entry's copies when the queue repeats. */
export const meaningOf = ({source, track: {title, artist}}) => JSON.stringify([source, title, artist]);

const folded = text => text?.toLowerCase() ?? '';
const stem = name => name.replace(/\.[^.]*$/, '');

export class Follower {
  /**
   * What this host began last, as {entry, play}: `play` is the queue's at that time, and `entry` is null for a song that is
   * not in the queue. Null: nothing.
   */
  playing = null;
  #room; #request; #trouble; #playlist; #uid; #filling = null; #isLeaving = false;

  /**
   * @param request Sends a request of the seat: it is repeated where it is refused for the moment only.
   * @param trouble Is told an error that the broadcast survives.
   */
  constructor(room, request, trouble, playlist, uid) {
    this.#room = room;
    this.#request = request;
    this.#trouble = trouble;
    this.#playlist = playlist;
    this.#uid = uid;
  }

  get queue() { return this.#room.queue; }
  /** The entry that is to be heard now, or null. */
  get chosen() { return this.queue?.now?.entry ?? null; }
  /** Whether the queue has gone on from what this host began last. */
  get isElsewhere() { return (this.queue?.now?.play ?? null) !== (this.playing?.play ?? null); }
  /** Whether there is anything in the queue that this host can play. */
  get hasSome() { return this.queue !== null && [this.queue.now?.entry, ...this.queue.line].some(entry => this.#playable(entry)); }

  /** The file of an entry, or null. */
  songOf(entry) {
    const {songs} = this.#playlist, {source, track: {title, artist}} = entry, key = isFile(entry) ? source.slice(OURS.length) : null;
    const own = songs.find(song => song.key === key);
    if (own) return own;
    const meaning = meaningOf(entry), chosen = songs.find(song => song.standsFor === meaning);
    if (chosen || key !== null) return chosen ?? null;
    return songs.find(song => source !== null && stem(song.name) === source)
      ?? songs.find(song => title !== null && folded(song.title) === folded(title) && (!artist || !song.artist || folded(song.artist) === folded(artist)))
      ?? null;
  }

  #playable(entry) {
    const song = entry ? this.songOf(entry) : null;
    return song && !song.failure ? song : null;
  }

  /** The song that will be wanted after the present one, if nothing else happens; or null. */
  next(song, {isSkipped = false} = {}) {
    const {repeat, line} = this.queue;
    if (repeat === 'one' && !isSkipped) return song;
    for (const entry of line) {
      const found = this.#playable(entry);
      if (found) return found;
    }
    return repeat === 'all' ? song : null;
  }

  /** The songs a broadcast may begin with, the best first: what is chosen, what waits, and then the files themselves. */
  get firsts() {
    return [...new Set([this.queue.now?.entry, ...this.queue.line].map(entry => this.#playable(entry)).filter(Boolean).concat(this.#playlist.songs))]
      .filter(song => !song.failure);
  }

  load() { return this.#room.loadQueue(); }

  /**
   * The seat is ours: puts the files into the queue, and says which of them sounds. Entries of the user's own that mean
   * files of a tab that is gone are taken out, since nobody can play them.
   *
   * @param isReturning Whether the broadcast goes on after the page was loaded anew: what was put in is not put in again.
   */
  async open(song, isReturning) {
    if (!isReturning) for (const one of this.#playlist.songs) one.isQueued = false;
    const lost = [...this.queue.waiting, ...this.queue.pending].filter(entry => isFile(entry) && entry.user.uid === this.#uid && !this.songOf(entry));
    try {
      await this.#remove(lost);
      if (this.#playlist.repeat !== this.queue.repeat && !isReturning) await this.ask('queue.set_repeat', {repeat: this.#playlist.repeat});
      await this.fill();
    } finally {
      // The song sounds already, whatever the queue takes.
      await this.startedSong(song);
    }
  }

  /** Takes the files that still wait out again: without this tab nobody can play them. */
  async withdraw() {
    this.#isLeaving = true;
    // What is on its way into the queue is seen there first.
    await this.#filling?.catch(() => {});
    return this.#remove([...this.queue?.waiting ?? [], ...this.queue?.pending ?? []].filter(entry => isFile(entry) && this.songOf(entry)));
  }

  async #remove(entries) {
    for (const {id} of entries) {
      try {
        await this.#request('queue.remove', {id});
      } catch (error) {
        if (error.code !== 'queue.entry_not_found') throw error;
      }
    }
  }

  /** Puts files that are not in the queue yet to its end, as many as it takes. */
  fill() { return this.#filling ??= this.#fill().finally(() => { this.#filling = null; }); }

  async #fill() {
    const refused = [];
    try {
      for (let most = AT_A_TIME; !this.#isLeaving;) {
        const {waiting, pending, now, rules} = this.queue, taken = [...waiting, ...pending, ...now ? [now.entry] : []];
        for (const entry of taken) {
          const song = isFile(entry) && this.songOf(entry);
          if (song) song.isQueued = true;
        }
        const songs = this.#playlist.songs.filter(song => !song.isQueued && !song.failure).slice(0, Math.max(0, Math.min(most, rules.entries_max - taken.length)));
        if (songs.length === 0) return;
        for (const song of songs) song.isQueued = true;
        try {
          await this.ask('queue.add', {tracks: songs.map(song => ({track: song.track, source: sourceOf(song)}))});
        } catch (error) {
          for (const song of songs) song.isQueued = false;
          if (error.code === 'queue.full') return;
          if (!ABOUT_TRACK.has(error.code)) throw error;
          // One track that is refused keeps none of the others out. Where the server does not say which, they go one by one.
          const song = songs.length === 1 ? songs[0] : songs[/^data\.tracks\[(\d+)\]/.exec(error.field)?.[1]];
          if (song) {
            song.failure = error;
            refused.push(song);
          } else {
            most = 1;
          }
        }
      }
    } finally {
      if (refused.length > 0) this.#trouble(new Refused(refused));
    }
  }

  // What plays

  /** The host has begun an entry. */
  async started({id}) {
    // What was chosen is begun from here on, whatever becomes of the request, and whatever others choose meanwhile.
    this.#begun(id);
    await this.#unlessGone(this.ask('queue.started', {id}));
    this.#begun(id);
  }

  /** The host has begun a song: the entry that means it is what plays, if there is one. */
  async startedSong(song) {
    const {now, line} = this.queue, entry = [now?.entry, ...line].find(one => one && this.songOf(one) === song);
    if (entry) return this.started(entry);
    // The song plays to its end, until the queue goes on from where it is now.
    this.playing = {entry: null, play: now?.play ?? null};
    return undefined;
  }

  #begun(id) {
    const {now} = this.queue;
    if (now?.entry.id === id) this.playing = {entry: now.entry, play: now.play};
  }

  /** What was begun last has been sent to its end. Where somebody went on before, that holds. */
  async finish() {
    const entry = this.playing?.entry;
    if (entry) await this.#unlessGone(this.ask('queue.finished', {id: entry.id}));
  }

  /** Goes on from an entry that is passed over, or, from null, to the first that waits. */
  advance(entry) { return this.#unlessGone(this.ask('queue.next', entry ? {id: entry.id} : {})); }

  /** Goes back to the entry that was over last. Returns whether there was one. */
  async previous() {
    try {
      await this.ask('queue.previous');
      return true;
    } catch (error) {
      if (error.code !== 'queue.empty') throw error;
      return false;
    }
  }

  async #unlessGone(asked) {
    try {
      await asked;
    } catch (error) {
      if (error.code !== 'queue.entry_not_found' && error.code !== 'queue.empty') throw error;
    }
  }

  /** Changes the queue, and waits until the change is seen here. */
  async ask(type, data = {}) {
    const {revision} = await this.#request(type, data);
    await this.#seen(revision);
  }

  async #seen(revision) {
    const isHere = () => (this.queue?.revision ?? 0) >= revision;
    if (isHere()) return;
    await new Promise(resolve => {
      const settle = () => {
        clearTimeout(timer);
        this.#room.removeEventListener('change', look);
        resolve();
      };
      const look = () => { if (isHere()) settle(); };
      const timer = setTimeout(settle, PATIENCE);
      this.#room.addEventListener('change', look);
    });
    if (!isHere()) await this.load();
  }
}
