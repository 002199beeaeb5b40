// Rows of lists of any length, of which only those are asked for that are looked at. No DOM.
// Source: Protocol/spec/library.md, "library.outline", "library.list", "search".
import {askPatiently} from './patient.js';

/** Rows of a page; blocks that are kept; blocks that are asked for at a time. */
const PAGE = 100, BLOCKS = 60, AT_ONCE = 2;
/** After this time a list is asked for anew when it is shown again, ms. */
const FRESH = 5 * 60_000;
/** A search goes no deeper. */
const DEPTH = 1000;

/** What all rows have: `total` (null until it is known), `letters`, `error`. Fires `change`. */
export class Rows extends EventTarget {
  total = null;
  letters = [];
  error = null;

  tell() { this.dispatchEvent(new Event('change')); }
  /** Has the rows from one to before another fetched, if they are not there. What was needed before is not any more. */
  need() {}
  /** The items from one to before another, fetched first. */
  async between(from, to) {
    await this.load(from, to);
    // Gaps, which some lists have, are nothing that can be played.
    return Array.from({length: Math.max(0, to - from)}, (_, at) => this.at(from + at)).filter((item) => item && !item.isGap);
  }
  async load() {}
  /** Puts in tracks that have changed. */
  replace() {}
  refresh() {}
  retry() {}
}

/** Rows that are all there. */
export class FixedRows extends Rows {
  #items;

  constructor(items) {
    super();
    this.#items = items;
    this.total = items.length;
  }

  at(index) { return this.#items[index]; }
  replace(tracks) {
    const changed = new Map(tracks.map((track) => [track.id, track]));
    this.#items = this.#items.map((item) => changed.get(item.id) ?? item);
    this.tell();
  }
}

/** The rows of `library.list`, by an outline. */
export class ListRows extends Rows {
  #query; #outline = null; #blocks = new Map(); #loading = new Map(); #wanted = [0, 0]; #turn = 0; #asking = null; #at = 0; #isOutdated = false;

  constructor(query) {
    super();
    this.#query = query;
    this.refresh();
  }

  get kind() { return this.#query.kind; }
  get isOutdated() { return this.#isOutdated || this.error !== null || performance.now() - this.#at > FRESH; }
  outdate() { this.#isOutdated = true; }

  /** Asks for the outline anew. Rows that are there are shown until then. */
  async refresh() {
    const turn = ++this.#turn;
    this.#at = performance.now();
    this.error = null;
    const asking = this.#asking = askPatiently('library.outline', this.#query);
    try {
      const outline = await asking;
      if (turn !== this.#turn) return;
      this.#outline = outline;
      this.#blocks.clear();
      this.#loading.clear();
      this.total = outline.total;
      this.letters = outline.letters;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error;
    }
    this.tell();
    this.#pump();
  }

  at(index) { return this.#blocks.get(Math.floor(index / (this.#outline?.step ?? PAGE)))?.[index % (this.#outline?.step ?? PAGE)]; }

  need(from, to) {
    this.#wanted = [from, to];
    this.#pump();
  }

  /** Goes on after an error. */
  retry() {
    if (!this.#outline) return void this.refresh();
    this.error = null;
    this.tell();
    this.#pump();
  }

  async load(from, to) {
    if (!this.#outline) await this.#asking;
    const {step} = this.#outline, blocks = [];
    for (let block = Math.floor(from / step); block <= Math.floor((to - 1) / step); block += 1) blocks.push(block);
    await Promise.all(blocks.map((block) => this.#loading.get(block) ?? (this.#isWhole(block) ? null : this.#load(block))));
    if (this.error) throw this.error;
  }

  replace(tracks) {
    const changed = new Map(tracks.map((track) => [track.id, track]));
    for (const [block, items] of this.#blocks) this.#blocks.set(block, items.map((item) => changed.get(item.id) ?? item));
    this.tell();
  }

  #isWhole(block) {
    const {step, total} = this.#outline, items = this.#blocks.get(block);
    return Boolean(items) && (items.isWhole || items.length >= Math.min(step, total - block * step));
  }

  #pump() {
    if (!this.#outline || this.error) return;
    const {step, total} = this.#outline, [from, to] = this.#wanted;
    for (let block = Math.floor(Math.max(0, from) / step); block * step < Math.min(to, total); block += 1) {
      if (this.#loading.size >= AT_ONCE) return;
      if (!this.#isWhole(block) && !this.#loading.has(block)) this.#load(block).catch(() => { /* `error` says it. */ });
    }
  }

  #load(block) {
    const turn = this.#turn, loading = this.#fetch(block, turn).catch((error) => {
      if (turn !== this.#turn) return;
      this.error = error;
      this.tell();
    }).finally(() => {
      if (turn !== this.#turn) return;
      this.#loading.delete(block);
      this.#pump();
    });
    this.#loading.set(block, loading);
    return loading;
  }

  async #fetch(block, turn) {
    const {step, cursors} = this.#outline;
    let items = [], cursor = block === 0 ? null : cursors[block - 1];
    do {
      const page = await askPatiently('library.list', {...this.#query, limit: PAGE, ...cursor ? {cursor} : {}});
      if (turn !== this.#turn) return;
      items = [...items, ...page[this.#query.kind]];
      cursor = page.next_cursor;
      // Tracks that went away since leave fewer.
      items.isWhole = !cursor || items.length >= step;
      this.#blocks.delete(block);
      this.#blocks.set(block, items);
      if (this.#blocks.size > BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value);
      this.tell();
    } while (cursor && items.length < step);
  }
}

/** The rows that a text finds in one kind. How many they are is known at their end. */
export class FoundRows extends Rows {
  #data; #items = []; #isAll = false; #loading = null;

  constructor(query, kind) {
    super();
    this.#data = {query, kind, limit: PAGE};
    this.need(0, 1);
  }

  get kind() { return this.#data.kind; }
  get isAll() { return this.#isAll; }
  at(index) { return this.#items[index]; }

  need(from, to) {
    if (!this.#isAll && !this.#loading && to > this.#items.length - PAGE / 2) this.#load().catch(() => { /* `error` says it. */ });
  }

  retry() { this.#load().catch(() => { /* `error` says it. */ }); }

  async load(from, to) {
    while (!this.#isAll && this.#items.length < to) await (this.#loading ?? this.#load());
  }

  #load() {
    this.error = null;
    this.#loading = (async () => {
      const offset = this.#items.length, {kind} = this.#data;
      try {
        const found = await askPatiently('search', {...this.#data, offset});
        this.#items = [...this.#items, ...found[kind]];
        this.#isAll = found[kind].length < PAGE || this.#items.length > DEPTH;
        this.total = this.#items.length;
      } catch (error) {
        this.error = error;
        throw error;
      } finally {
        this.#loading = null;
        this.tell();
      }
    })();
    return this.#loading;
  }

  replace(tracks) {
    const changed = new Map(tracks.map((track) => [track.id, track]));
    this.#items = this.#items.map((item) => changed.get(item.id) ?? item);
    this.tell();
  }
}
