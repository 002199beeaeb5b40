// What is kept on this device to be heard without a network, in IndexedDB: playlists with their tracks, and the sound of each
// track as the server sent it. It is not encrypted. No DOM.

/** Says at the start of a page whether there is anything here: then it is looked after. */
const FLAG = 'sona.offline';

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Whether this browser may have kept something. */
export const isFlagged = () => {
  try { return localStorage.getItem(FLAG) !== null; } catch { return false; }
};

export class OfflineShelf {
  #database;

  /** Opens it. Throws where the browser keeps nothing. */
  static async open() {
    const request = indexedDB.open('sona-offline', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('playlists', {keyPath: ['owner', 'id']});
      request.result.createObjectStore('sounds', {keyPath: ['owner', 'track']});
    };
    return new OfflineShelf(await done(request));
  }

  constructor(database) { this.#database = database; }

  #store(name, mode = 'readonly') { return this.#database.transaction(name, mode).objectStore(name); }
  #of(owner) { return IDBKeyRange.bound([owner], [owner, []]); }

  /** The playlists of an account: `{owner, id, playlist, entries, isWhole, at}`. */
  playlists(owner) { return done(this.#store('playlists').getAll(this.#of(owner))); }

  async put(record) {
    await done(this.#store('playlists', 'readwrite').put(record));
    try { localStorage.setItem(FLAG, '1'); } catch { /* Then it is looked after when a playlist is opened. */ }
  }

  /** The identifiers of the tracks of an account whose sound is here. */
  async tracks(owner) { return (await done(this.#store('sounds').getAllKeys(this.#of(owner)))).map(([, track]) => track); }

  /** The sound of a track, a Blob; null if it is not here. */
  async sound(owner, track) { return (await done(this.#store('sounds').get([owner, track])))?.blob ?? null; }
  putSound(owner, track, blob) { return done(this.#store('sounds', 'readwrite').put({owner, track, blob})); }

  /** How many bytes the sound of an account takes. */
  async bytes(owner) {
    let sum = 0;
    const request = this.#store('sounds').openCursor(this.#of(owner));
    await new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const {result: cursor} = request;
        if (!cursor) return void resolve();
        sum += cursor.value.blob.size;
        cursor.continue();
        return undefined;
      };
    });
    return sum;
  }

  /** Takes a playlist out, with the sound that no other one of the account has. */
  async drop(owner, id) {
    await done(this.#store('playlists', 'readwrite').delete([owner, id]));
    await this.tidy(owner);
  }

  /** Takes out the sound that no playlist of the account has any more. */
  async tidy(owner) {
    const kept = await this.playlists(owner), wanted = new Set(kept.flatMap(({entries}) => entries.map(({track}) => track?.id)));
    for (const track of await this.tracks(owner)) if (!wanted.has(track)) await done(this.#store('sounds', 'readwrite').delete([owner, track]));
    if (!kept.length) await this.#unflag();
  }

  /** Takes out whatever belongs to other accounts than this one; null: to all. */
  async dropOthers(owner) {
    for (const name of ['playlists', 'sounds']) {
      for (const key of await done(this.#store(name).getAllKeys())) if (key[0] !== owner) await done(this.#store(name, 'readwrite').delete(key));
    }
    await this.#unflag();
  }

  async #unflag() {
    if (await done(this.#store('playlists').count())) return;
    try { localStorage.removeItem(FLAG); } catch { /* Looked at again next time. */ }
  }
}
