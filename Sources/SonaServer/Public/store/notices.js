// Notifications of the user: the newest of them, how many are not read, and what comes while one is here. No DOM.
// Source: Protocol/spec/notifications.md.
import {isSignedIn} from '../router.js';
import {askPatiently} from './patient.js';
import {session} from './session.js';

const PAGE = 30;

/** Fires `change`, and `added` with a notification that has just come. */
class Notices extends EventTarget {
  /** The newest first; empty until they were asked for. */
  list = [];
  unread = 0;
  /** Whether `list` is there; whether older ones are on the server. */
  isLoaded = false;
  error = null;
  #before = null; #loading = null; #uid = null;

  constructor() {
    super();
    session.on('notification.added', ({notification, unread}) => {
      // After a connection was lost, one that is in the list already may be told.
      const isNew = !this.list.some(({id}) => id === notification.id);
      if (isNew && this.isLoaded) this.list = [notification, ...this.list].sort((one, other) => other.id - one.id);
      this.#take(unread);
      if (isNew) this.dispatchEvent(new CustomEvent('added', {detail: notification}));
    });
    session.on('notifications.changed', ({unread}) => {
      this.#take(unread);
      // Another tab or device has read or removed some: which, is not told.
      if (this.isLoaded && unread !== this.list.filter(({read}) => !read).length) this.load().catch(() => {});
    });
    for (const type of ['user', 'fresh']) session.addEventListener(type, () => this.#begin());
    this.#begin();
  }

  get isThere() { return isSignedIn() && session.features.has('notifications'); }
  get hasMore() { return this.#before !== null; }

  #begin() {
    const uid = this.isThere ? session.user.uid : null;
    if (uid !== this.#uid) {
      this.#uid = uid;
      this.list = [];
      this.isLoaded = false;
      this.#take(0);
    }
    if (uid) this.load().catch(() => { /* The next connection asks again. */ });
  }

  #take(unread) {
    this.unread = unread;
    this.dispatchEvent(new Event('change'));
  }

  /** Asks for the newest. */
  load() {
    return this.#loading ??= this.#ask({}).then(({notifications}) => { this.list = notifications; }).finally(() => { this.#loading = null; this.dispatchEvent(new Event('change')); });
  }

  /** Asks for the page of older ones. */
  more() {
    return this.#loading ??= this.#ask({before: this.#before}).then(({notifications}) => {
      const known = new Set(this.list.map(({id}) => id));
      this.list = [...this.list, ...notifications.filter(({id}) => !known.has(id))];
    }).finally(() => { this.#loading = null; this.dispatchEvent(new Event('change')); });
  }

  async #ask(data) {
    this.error = null;
    const uid = this.#uid;
    try {
      const page = await askPatiently('notifications.list', {limit: PAGE, ...data});
      if (uid !== this.#uid) return {notifications: []};
      this.#before = page.next_before;
      this.unread = page.unread;
      this.isLoaded = true;
      return page;
    } catch (error) {
      this.error = error;
      throw error;
    }
  }

  /** These were read, or all. */
  async read(ids = null) {
    const isMeant = ({id}) => ids === null || ids.includes(id);
    this.list = this.list.map((one) => isMeant(one) ? {...one, read: true} : one);
    this.dispatchEvent(new Event('change'));
    const {unread} = await askPatiently('notifications.read', ids === null ? {} : {ids});
    this.#take(unread);
  }

  /** Removes one. */
  async remove(id) {
    this.list = this.list.filter((one) => one.id !== id);
    this.dispatchEvent(new Event('change'));
    const {unread} = await askPatiently('notifications.remove', {ids: [id]});
    this.#take(unread);
  }
}

export const notices = new Notices();
