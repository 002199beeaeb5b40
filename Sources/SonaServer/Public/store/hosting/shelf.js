// Keeps the host's list for as long as the tab lives: what is in it, and the files themselves as far as there is room.
// IndexedDB; where the browser gives handles of files, those too. No DOM.

/**
 * How many bytes of files are kept for one tab, and at most which share of what the browser gives this page. The other files
 * are asked for again after the page was loaded anew.
 */
export const BYTES_MAX = 256 << 20, SHARE_MAX = 0.2;
/** Lists of tabs that are gone are thrown away after so long, ms. */
const FORGOTTEN = 24 * 3_600_000;
/** How long the tab's own lock may still be held by the page before it, ms. */
const RELEASED = 2000;
const TAB = 'sona.list';

/** The handles of files, where the browser gave any. */
const handles = new WeakMap();
export const noteHandle = (file, handle) => {
  if (handle) handles.set(file, handle);
  return file;
};

const done = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Holds a lock for as long as the page is there. Returns whether it could be had. */
const hold = name => new Promise(resolve => {
  if (!navigator.locks) return void resolve(true);
  navigator.locks.request(name, {ifAvailable: true}, lock => {
    resolve(lock !== null);
    return lock && new Promise(() => {});
  }).catch(() => resolve(false));
});

/** The name of this tab's list: the one before the page was loaded anew. A copy of the tab has another. */
async function nameOfTab() {
  const known = sessionStorage.getItem(TAB);
  for (const end = performance.now() + RELEASED; known && performance.now() < end;) {
    if (await hold(`${TAB}.${known}`)) return known;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  const name = crypto.randomUUID();
  await hold(`${TAB}.${name}`);
  sessionStorage.setItem(TAB, name);
  return name;
}

/** What is kept of one tab. */
export class Shelf {
  #database; #tab; #kept = new Map(); #bytesMax;

  /** Opens it. Throws where the browser keeps nothing. */
  static async open() {
    const request = indexedDB.open('sona-list', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('lists');
      request.result.createObjectStore('files');
    };
    const database = await done(request), tab = await nameOfTab();
    const {quota = Infinity} = await navigator.storage?.estimate?.() ?? {};
    const shelf = new Shelf(database, tab, Math.min(BYTES_MAX, quota * SHARE_MAX));
    await shelf.#tidy();
    return shelf;
  }

  constructor(database, tab, bytesMax) {
    this.#database = database;
    this.#tab = tab;
    this.#bytesMax = bytesMax;
  }

  #store(name, mode = 'readonly') { return this.#database.transaction(name, mode).objectStore(name); }
  #range(tab) { return IDBKeyRange.bound([tab], [tab, []]); }

  /** Throws away lists that no tab has any more. */
  async #tidy() {
    const tabs = await done(this.#store('lists').getAllKeys()), held = (await navigator.locks?.query())?.held?.map(({name}) => name) ?? [];
    for (const tab of tabs) {
      if (tab === this.#tab || held.includes(`${TAB}.${tab}`)) continue;
      const list = await done(this.#store('lists').get(tab));
      if (Date.now() - list.at < FORGOTTEN) continue;
      await this.#drop(tab);
    }
  }

  async #drop(tab) {
    await done(this.#store('lists', 'readwrite').delete(tab));
    await done(this.#store('files', 'readwrite').delete(this.#range(tab)));
  }

  /**
   * What was kept of an account's list: `{repeat, songs}`, each song with its `file` where that can be had without asking;
   * or null. A list of another account is thrown away. So is any list where nobody is signed in: `owner` is null then.
   */
  async load(owner) {
    const list = await done(this.#store('lists').get(this.#tab));
    if (!list) return null;
    if (owner === null || list.owner !== owner) {
      await this.#drop(this.#tab);
      return null;
    }
    for (const song of list.songs) {
      const {file = null} = await done(this.#store('files').get([this.#tab, song.key])) ?? {};
      if (file) this.#kept.set(song.key, song.size);
      song.file = file ?? await this.#granted(song.handle);
    }
    return list;
  }

  /** The file of a handle that may be read without asking, or null. */
  async #granted(handle) {
    try {
      return handle && (!handle.queryPermission || await handle.queryPermission({mode: 'read'}) === 'granted') ? noteHandle(await handle.getFile(), handle) : null;
    } catch {
      return null;
    }
  }

  /** Writes down what is in the list of an account now, and keeps the files that are not kept yet. A guest's is not kept. */
  async save({repeat, songs}, owner) {
    if (owner === null) {
      this.#kept.clear();
      return this.#drop(this.#tab);
    }
    const list = songs.map(song => ({
      ...song.record, handle: (song.file && handles.get(song.file)) ?? song.handle ?? null,
    }));
    await done(this.#store('lists', 'readwrite').put({at: Date.now(), owner, repeat, songs: list}, this.#tab));
    const present = new Set(songs.map(({key}) => key));
    for (const key of [...this.#kept.keys()]) {
      if (present.has(key)) continue;
      await done(this.#store('files', 'readwrite').delete([this.#tab, key]));
      this.#kept.delete(key);
    }
    for (const {key, file, library} of songs) {
      // The server has the library's.
      if (!file || library || this.#kept.has(key)) continue;
      const whole = [...this.#kept.values()].reduce((sum, size) => sum + size, 0);
      if (whole + file.size > this.#bytesMax) continue;
      this.#kept.set(key, file.size);
      // A disk that is full, or a file that is gone: it is asked for again.
      await done(this.#store('files', 'readwrite').put({file}, [this.#tab, key])).catch(() => this.#kept.delete(key));
    }
    return undefined;
  }
}
