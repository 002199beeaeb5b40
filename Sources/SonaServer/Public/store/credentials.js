// The user's tokens, kept in the browser and renewed before they expire. Protocol/spec/accounts.md.

import {RequestError} from './line.js';

const PLACE = 'sona.credentials', LOCK = 'sona.credentials';
/** A token is renewed when it has less than this left, ms. */
const MARGIN = 60_000;
/** How long another tab may take to renew a token where the browser has no locks, ms. */
const TURN = 10_000;

/** How long the server may take to answer, ms. */
const PATIENCE = 10_000;

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

/**
 * The browser's storage; where it is refused, memory that lasts as long as the page. Where storage is refused cookies are,
 * too: then the refresh token stays in that memory.
 */
const [storage, keepsCookies] = (() => {
  try {
    localStorage.setItem(`${PLACE}.try`, '1');
    localStorage.removeItem(`${PLACE}.try`);
    return [localStorage, true];
  } catch {
    const kept = new Map();
    return [{
      getItem: key => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: key => kept.delete(key),
    }, false];
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

/** The accounts that this page has seen, by uid. Another tab may have stored a different one. */
const seen = new Map();

/** A refresh token on its way into the cookie; null once it is there. */
let handedOver = null;

/**
 * Tokens of an account or a guest. Shared by all tabs of the browser.
 *
 * The access token is kept in the browser's storage and is good for minutes. The refresh token is good for weeks: it goes
 * into a cookie that no script reads and the server alone renews.
 */
export class Credentials {
  #rpc; #cookie;

  /** @param paths Where requests over HTTP go, and those that go by the cookie: absolute or relative to the page. */
  constructor({rpc = '/v1/rpc/', cookie = '/v1/cookie/'} = {}) {
    this.#rpc = rpc;
    this.#cookie = cookie;
    // Kept by a version of this page that had no cookie.
    const kept = this.kept;
    if (kept?.refresh_token && keepsCookies) this.keep(kept);
  }

  /** {user, access_token, expires_ms, renewable} or null. */
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
    const before = this.kept, isSame = before?.user.uid === grant.user.uid;
    const kept = {
      user: grant.user, access_token: grant.access_token,
      expires_ms: grant.expires_ms ?? Date.now() + 1000 * (grant.expires_in_s ?? 0),
      renewable: grant.refresh_token !== undefined || (isSame && before.renewable === true),
    };
    if (!keepsCookies) kept.refresh_token = grant.refresh_token ?? (isSame ? before.refresh_token : undefined);
    this.#write(JSON.stringify(kept));
    if (!grant.refresh_token || !keepsCookies) return;
    handedOver = grant.refresh_token;
    // If this fails, it is tried again when the token is needed.
    alone(() => this.#handOver()).catch(() => {});
  }

  #write(text) {
    storage.setItem(PLACE, text);
    return this.kept;
  }

  forget() { storage.removeItem(PLACE); }

  /** Puts the newest that was seen of an account back to where it was. */
  putBack(uid) { if (seen.has(uid)) this.#write(seen.get(uid)); }

  /** Asks over HTTP. Throws what `fetch` throws where the server cannot be asked. */
  async #ask(path, data = {}) {
    const answer = await fetch(path, {
      method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(data), keepalive: true,
      signal: AbortSignal.timeout(PATIENCE),
    });
    return {status: answer.status, ...await answer.json()};
  }

  async #handOver() {
    const token = handedOver;
    if (token === null) return;
    const reply = await this.#ask(`${this.#cookie}keep`, {refresh_token: token});
    if (reply.type !== 'ok') throw new RequestError(reply.error);
    if (handedOver === token) handedOver = null;
  }

  /** Ends the sign-in that this browser holds. Throws where the server does not do it. */
  async signOut() {
    const kept = this.kept;
    if (!kept?.renewable) return;
    await alone(async () => {
      await this.#handOver();
      const reply = kept.refresh_token
        ? await this.#ask(`${this.#rpc}auth.sign_out`, {refresh_token: kept.refresh_token})
        : await this.#ask(`${this.#cookie}sign_out`);
      if (reply.type !== 'ok') throw new RequestError(reply.error);
    });
  }

  /**
   * Returns the token for the server, renewed if necessary; null if there is no valid one. Throws the error of `fetch`
   * if the server cannot be reached.
   */
  async fresh() {
    const good = kept => kept && kept.expires_ms - Date.now() > MARGIN;
    const kept = this.kept;
    if (good(kept)) return kept;
    if (!kept?.renewable) {
      if (kept) this.forget();
      return null;
    }
    return alone(async () => {
      // Another tab may have been first.
      const now = this.kept;
      if (!now?.renewable || good(now)) return good(now) ? now : null;
      await this.#handOver();
      const reply = now.refresh_token
        ? await this.#ask(`${this.#rpc}auth.refresh`, {refresh_token: now.refresh_token})
        : await this.#ask(`${this.#cookie}refresh`);
      // Somebody has signed in or out meanwhile: that counts.
      const after = this.kept;
      if (after?.access_token !== now.access_token) return good(after) ? after : null;
      if (reply.type === 'ok') {
        this.keep(reply.data);
        return this.kept;
      }
      if (reply.status >= 500 || reply.status === 429) throw new RequestError(reply.error);
      this.forget();
      return null;
    });
  }
}
