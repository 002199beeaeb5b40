// Which rows of a list are chosen: single ones, and stretches. No DOM.

/** More are not chosen at once: each of them may have to be fetched. */
export const SELECTED_MAX = 500;

export class Selection {
  #rows = new Set(); #anchor = 0; #before = new Set();

  get size() { return this.#rows.size; }
  /** In the order of the list. */
  get indexes() { return [...this.#rows].sort((one, other) => one - other); }
  has(index) { return this.#rows.has(index); }

  clear() { this.#rows.clear(); this.#before.clear(); }

  /** Only this one. */
  only(index) {
    this.#rows = new Set([index]);
    this.#before = new Set();
    this.#anchor = index;
  }

  toggle(index) {
    if (!this.#rows.delete(index) && this.size < SELECTED_MAX) this.#rows.add(index);
    this.#before = new Set(this.#rows);
    this.#anchor = index;
  }

  /** Where a stretch begins from, if nothing was chosen yet. */
  from(index) { if (!this.size) { this.#anchor = index; this.#before.clear(); } }

  /** From the one that was chosen last to this one, besides what was chosen before. Returns whether it was all. */
  to(index) {
    const [least, most] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
    this.#rows = new Set(this.#before);
    // From the anchor on, so that what is near it is chosen.
    for (let step = 0; step <= most - least && this.size < SELECTED_MAX; step += 1) this.#rows.add(index >= this.#anchor ? least + step : most - step);
    return this.has(index);
  }

  all(count) {
    this.only(0);
    return this.to(count - 1);
  }
}
