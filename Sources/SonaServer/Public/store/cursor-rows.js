// Rows of a list that is read page after page, and whose length is known from the first. No DOM.
import {Rows} from './library-rows.js';

/** More than this is not read for rows that are flown past: rows further down come while one waits. */
const AT_ONCE = 20;

export class CursorRows extends Rows {
  #ask; #items = []; #cursor = null; #isAll = false; #loading = null; #turn = 0;

  /** @param ask Is given a cursor, null for the first page; returns `{items, total, cursor}`, `cursor` null on the last page. */
  constructor(ask) {
    super();
    this.#ask = ask;
    this.need(0, 1);
  }

  at(index) { return this.#items[index]; }

  need(from, to) {
    if (!this.#isAll && !this.#loading && to > this.#items.length) this.load(from, to).catch(() => { /* `error` says it. */ });
  }

  async load(_, to) {
    for (let pages = 0; !this.#isAll && this.#items.length < to && pages < AT_ONCE; pages += 1) await (this.#loading ?? this.#load());
  }

  retry() {
    this.error = null;
    this.need(0, this.#items.length + 1);
  }

  /** Reads the list anew from its beginning. What is there is shown until then. */
  refresh() {
    this.#turn += 1;
    this.#loading = null;
    return this.#load(true);
  }

  #load(isAnew = false) {
    const turn = this.#turn;
    this.error = null;
    const loading = (async () => {
      try {
        const {items, total, cursor} = await this.#ask(isAnew ? null : this.#cursor);
        if (turn !== this.#turn) return;
        this.#items = isAnew ? items : [...this.#items, ...items];
        this.#cursor = cursor;
        this.#isAll = cursor === null;
        // Things come and go while pages are read.
        this.total = this.#isAll ? this.#items.length : Math.max(total, this.#items.length + 1);
      } catch (error) {
        if (turn !== this.#turn) return;
        this.error = error;
        throw error;
      } finally {
        if (turn === this.#turn) {
          this.#loading = null;
          this.tell();
        }
      }
    })();
    this.#loading = loading;
    loading.catch(() => { /* `error` says it. */ });
    return loading;
  }

  /** Takes out what `is` says; returns what puts it back to where it was. */
  remove(is) {
    const before = this.#items;
    this.#items = before.filter((item) => !is(item));
    this.total -= before.length - this.#items.length;
    this.tell();
    return () => {
      const back = before.filter((item) => is(item));
      for (const item of back) this.#items = this.#items.toSpliced(Math.min(this.#items.length, before.indexOf(item)), 0, item);
      this.total += back.length;
      this.tell();
    };
  }

  replace(tracks) {
    const changed = new Map(tracks.map((track) => [track.id, track]));
    this.#items = this.#items.map((item) => changed.get(item.id) ?? item);
    this.tell();
  }
}
