// The rows of a list from its end to its beginning: the server knows each order in one direction. No DOM.
import {Rows} from './library-rows.js';

export class ReversedRows extends Rows {
  #rows; #wanted = null;

  /** @param rows Rows whose number is known before all of them are there. */
  constructor(rows) {
    super();
    this.#rows = rows;
    this.#take();
    rows.addEventListener('change', () => {
      this.#take();
      // Until the number was known, the far end could not be asked for.
      if (this.#wanted && this.total !== null) this.need(...this.#wanted);
      this.tell();
    });
  }

  get kind() { return this.#rows.kind; }

  #take() {
    const {total, error, letters} = this.#rows;
    this.total = total;
    this.error = error;
    // A letter begins where the next one began, seen from the end.
    this.letters = letters.map(({letter}, at) => ({letter, index: total - (letters[at + 1]?.index ?? total)})).reverse();
  }

  at(index) { return this.total === null ? undefined : this.#rows.at(this.total - 1 - index); }

  need(from, to) {
    this.#wanted = [from, to];
    if (this.total !== null) this.#rows.need(Math.max(0, this.total - to), Math.max(0, this.total - from));
  }

  async load(from, to) {
    if (this.total === null) await this.#rows.load(0, 1);
    await this.#rows.load(Math.max(0, this.total - to), this.total - from);
  }

  replace(tracks) { this.#rows.replace(tracks); }
  refresh() { return this.#rows.refresh(); }
  retry() { this.#rows.retry(); }
}
