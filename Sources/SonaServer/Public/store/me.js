// The server's data about the signed-in user: address, profile, settings, permissions. Requested once and kept up to
// date.
import {i18n} from './i18n.js';
import {session} from './session.js';
import {settings} from './settings.js';

const LOCALES = {en_US: 'en', pl_PL: 'pl', es_ES: 'es'};
const CODES = {en: 'en_US', pl: 'pl_PL', es: 'es_ES'};

class Me extends EventTarget {
  /** The reply to `user.me`, or null for guests and as long as it is not known. */
  data = null;
  #adopting = false; #isNew = false;

  begin() {
    session.addEventListener('user', () => this.load());
    session.addEventListener('fresh', () => this.load());
    settings.addEventListener('change', ({detail}) => this.#send(detail));
  }

  async load() {
    const user = session.user;
    if (!user || user.guest) return this.#take(null);
    try {
      const data = await session.request('user.me');
      if (session.user?.uid !== data.user.uid) return undefined;
      this.#take(data);
      if (this.#isNew) await this.#bring();
      else if (data.settings) this.#adopt(data.settings);
    } catch { /* The next connection asks again. */ }
    return this.data;
  }

  may(permission) { return this.data?.permissions?.includes(permission) ?? false; }
  /** Whether there are pages for administrators that the user may see. */
  get isAdmin() { return ['reports.handle', 'users.list', 'content.take_down', 'addresses.ban', 'registration.manage', 'words.manage', 'journal.read', 'library.manage', 'library.curate'].some(one => this.may(one)); }

  /** An account was made here: what is chosen on this device goes along with it. */
  expectNew() { this.#isNew = true; }

  async #bring() {
    this.#isNew = false;
    for (const key of ['locale', 'theme', 'shading']) await this.#send({key, value: key === 'locale' ? i18n.code : settings.get(key)});
    // Nobody's room is public before they say so.
    try { this.merge(await session.request('settings.update', {visibility: 'private'})); } catch (error) { this.dispatchEvent(new CustomEvent('failed', {detail: error})); }
  }

  /** Takes in what a request of ours has changed. */
  merge(changes) {
    if (this.data) this.#take({...this.data, ...changes});
  }

  #take(data) {
    this.data = data;
    this.dispatchEvent(new Event('change'));
  }

  #adopt({locale, theme, shading}) {
    this.#adopting = true;
    settings.adopt({locale: LOCALES[locale] ?? i18n.code, theme, shading});
    this.#adopting = false;
  }

  /** A setting that is chosen here is stored in the account. If that fails, it still holds on this device. */
  async #send({key, value}) {
    if (this.#adopting || !this.data || !settings.isOfAccount(key)) return;
    const change = {[key]: key === 'locale' ? CODES[value] : value};
    try {
      const reply = await session.request('settings.update', change);
      this.merge({settings: reply.settings});
    } catch (error) {
      this.dispatchEvent(new CustomEvent('failed', {detail: error}));
    }
  }
}

export const me = new Me();
