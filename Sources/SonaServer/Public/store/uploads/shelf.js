// What is needed to go on with uploads after the tab was closed, kept in IndexedDB: not the files, but by what they are known
// again, and, where the browser gives handles of files, those. Beside it the tracks whose tags nobody has looked at. No DOM.

/** Uploads that were not gone on with are forgotten after so long, ms. The server forgets theirs after a day. */
const FORGOTTEN = 7 * 86_400_000;
const TAB = 'sona.uploads.tab';
/** Says at the start of a page whether there is anything here: then this module is fetched. */
const FLAG = 'sona.uploads';
/** How old a note may be that another tab is still sending, where the browser has no locks, ms. */
const FRESH = 10_000;

const done = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** This tab, for as long as its page is there: another page must not send the same files. */
const tab = Math.random().toString(36).slice(2);
navigator.locks?.request(`${TAB}.${tab}`, () => new Promise(() => {})).catch(() => {});

/** Whether the page of a record is still there. */
const living = async () => {
  if (!navigator.locks?.query) return ({at}) => Date.now() - at < FRESH;
  const held = new Set((await navigator.locks.query()).held.map(({name}) => name));
  return record => record.tab !== tab && held.has(`${TAB}.${record.tab}`);
};

export class UploadShelf {
  #database;

  /** Opens it; null where the browser keeps nothing. */
  static async open() {
    try {
      const request = indexedDB.open('sona-uploads', 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('files', {keyPath: 'key'});
        request.result.createObjectStore('reviews', {keyPath: 'track'});
      };
      return new UploadShelf(await done(request));
    } catch {
      return null;
    }
  }

  constructor(database) { this.#database = database; }

  #store(name, mode = 'readonly') { return this.#database.transaction(name, mode).objectStore(name); }

  /** What is kept of an account, in order, without what another tab is busy with. Those records belong to this tab then. */
  async load(owner) {
    const isBusy = await living(), records = await done(this.#store('files').getAll()), mine = [];
    for (const record of records) {
      if (Date.now() - record.at > FORGOTTEN) await done(this.#store('files', 'readwrite').delete(record.key));
      else if (record.owner === owner && !isBusy(record)) mine.push(record);
    }
    return mine.sort((one, other) => one.order - other.order);
  }

  async put(records) {
    for (const record of records) {
      const note = {...record, tab, at: Date.now()};
      // A handle that cannot be kept is done without.
      try { await done(this.#store('files', 'readwrite').put(note)); } catch { await done(this.#store('files', 'readwrite').put({...note, handle: null})); }
    }
    if (records.length > 0) this.#flag(true);
  }

  async drop(keys) {
    for (const key of keys) await done(this.#store('files', 'readwrite').delete(key));
    if (keys.length > 0 && await done(this.#store('files').count()) === 0) this.#flag(false);
  }

  #flag(is) {
    try { is ? localStorage.setItem(FLAG, '1') : localStorage.removeItem(FLAG); } catch { /* The uploads page restores them. */ }
  }

  /** The tracks of an account that wait to be looked at: `{track, name}`, the newest first. */
  async reviews(owner) {
    const all = await done(this.#store('reviews').getAll());
    return all.filter(review => review.owner === owner).sort((one, other) => other.at - one.at);
  }

  async review(owner, track, name) { await done(this.#store('reviews', 'readwrite').put({track, owner, name, at: Date.now()})); }
  async reviewed(tracks) { for (const track of tracks) await done(this.#store('reviews', 'readwrite').delete(track)); }
}
