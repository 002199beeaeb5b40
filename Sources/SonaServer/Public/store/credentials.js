// Who we are to the server: tokens kept in the browser, and renewed before they expire. Protocol/spec/accounts.md.

const PLACE = 'sona.credentials', LOCK = 'sona.credentials';
/** A token is renewed when it has less than this left, ms. */
const MARGIN = 60_000;
/** How long another tab may take to renew a token where the browser has no locks, ms. */
const TURN = 10_000;

/** How long the server may take to answer, ms. */
const PATIENCE = 10_000;

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

/** The browser's storage; where it is refused, memory that lasts as long as the page. */
const storage = (() => {
  try {
    localStorage.setItem(`${PLACE}.try`, '1');
    localStorage.removeItem(`${PLACE}.try`);
    return localStorage;
  } catch {
    const kept = new Map();
    return {
      getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: key => kept.delete(key),
    };
  }
})();

/** Runs `work` while no other tab of this browser does. A refresh token is good once: shown twice, its family ends. */
async function alone(work) {
  if (globalThis.navigator?.locks) return navigator.locks.request(LOCK, work);
  // Locks need a secure context. Without them: a note with a time, read again after others had a moment to write theirs.
  const mine = String(Math.random()), place = `${PLACE}.turn`;
  for (;;) {
    const note = storage.getItem(place), at = Number(note?.split(' ')[0] ?? 0);
    if (Date.now() - at > TURN || at > Date.now() + TURN) {
      storage.setItem(place, `${Date.now()} ${mine}`);
      await wait(60);
      if (storage.getItem(place)?.endsWith(` ${mine}`)) break;
    } else {
      await wait(100);
    }
  }
  try {
    return await work();
  } finally {
    storage.removeItem(place);
  }
}

/** What this page has seen of accounts, by uid: another tab may put something else in its place. */
const seen = new Map();

/** Tokens of an account or a guest. Shared by all tabs of the browser. */
export class Credentials {
  #url;

  /** @param url Where requests over HTTP go: `/v1/rpc/`, absolute or relative to the page. */
  constructor(url) { this.#url = url; }

  /** {user, access_token, expires_ms, refresh_token?} or null. */
  get kept() {
    try {
      const text = storage.getItem(PLACE), kept = JSON.parse(text);
      if (typeof kept?.access_token !== 'string' || typeof kept.user?.uid !== 'string') return null;
      if (kept.user.guest === false) seen.set(kept.user.uid, text);
      return kept;
    } catch {
      return null;
    }
  }

  /** Keeps a grant, or an access grant, which leaves the refresh token of the same user as it is. */
  keep(grant) {
    const before = this.kept;
    const refresh = grant.refresh_token ?? (before?.user.uid === grant.user.uid ? before.refresh_token : undefined);
    this.#write(JSON.stringify({
      user: grant.user, access_token: grant.access_token, refresh_token: refresh,
      expires_ms: Date.now() + 1000 * (grant.expires_in_s ?? 0),
    }));
  }

  #write(text) {
    storage.setItem(PLACE, text);
    return this.kept;
  }

  forget() { storage.removeItem(PLACE); }

  /** Puts the newest that was seen of an account back to where it was. */
  putBack(uid) { if (seen.has(uid)) this.#write(seen.get(uid)); }

  /**
   * What to show the server now: renewed if need be; null if there is nothing, or nothing that is still good.
   * Throws what `fetch` throws where the server cannot be asked.
   */
  async fresh() {
    const good = kept => kept && kept.expires_ms - Date.now() > MARGIN;
    const kept = this.kept;
    if (good(kept)) return kept;
    if (!kept?.refresh_token) {
      if (kept) this.forget();
      return null;
    }
    return alone(async () => {
      // Another tab may have been first.
      const now = this.kept;
      if (!now?.refresh_token || good(now)) return good(now) ? now : null;
      const answer = await fetch(`${this.#url}auth.refresh`, {
        method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify({refresh_token: now.refresh_token}),
        signal: AbortSignal.timeout(PATIENCE),
      });
      const reply = await answer.json();
      // Somebody has signed in or out meanwhile: that counts.
      const after = this.kept;
      if (after?.refresh_token !== now.refresh_token) return good(after) ? after : null;
      if (reply.type === 'ok') {
        this.keep(reply.data);
        return this.kept;
      }
      if (answer.status >= 500 || answer.status === 429) throw new Error(reply.error?.code ?? 'server.busy');
      this.forget();
      return null;
    });
  }
}
