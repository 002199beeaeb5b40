// Rows, or rows of cards, of which only those near the window are in the document. The body has the height of all of
// them, so that the scroll bar is right at once.

/** Elements are kept ready for so many pixels above and below the window. */
const BEYOND = 320;
/** More rows than this in one frame, and whoever scrolls sees none of them: their contents are fetched when it ends. */
const LEAP = 40;
/** A scroll has ended when nothing moves for so long, ms. */
const REST = 90;

export class Windowed {
  #body; #make; #fill; #need; #shown = new Map(); #free = []; #count = 0; #frame = 0; #from = 0; #timer = null; #ending = new AbortController(); #observer;
  /** Of a row, or a card, px; how many stand side by side; the space between two, px. */
  height = 56;
  perRow = 1;
  gap = 0;

  /**
   * @param body The element that the rows are put into; `position: relative`.
   * @param make Returns a new element. @param fill Writes the item of an index into one. @param need Is told the range that is seen.
   * @param resize Is called before anything is drawn and whenever the width changes: sets `height`, `perRow` and `gap`.
   */
  constructor(body, {make, fill, need, resize}) {
    this.#body = body;
    this.#make = make;
    this.#fill = fill;
    this.#need = need;
    const {signal} = this.#ending;
    addEventListener('scroll', () => this.#later(), {signal, passive: true});
    addEventListener('resize', () => this.#later(), {signal, passive: true});
    let width = null;
    this.#observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry.contentRect.width);
      if (now === width || now === 0) return;
      width = now;
      resize(now);
      this.#measure();
      this.refresh();
    });
    this.#observer.observe(body);
    body.addEventListener('focusout', () => this.#later(), {signal});
  }

  end() {
    this.#ending.abort();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
  }

  get count() { return this.#count; }
  set count(count) {
    this.#count = count;
    this.#measure();
    this.draw();
  }

  #measure() {
    const lines = Math.ceil(this.#count / this.perRow);
    this.#body.style.height = `${Math.max(0, lines * this.height - this.gap)}px`;
  }

  #later() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** Elements in the document, by index. */
  get shown() { return this.#shown; }

  /** Writes every element anew: something has come, or was chosen. */
  refresh() {
    for (const [index, element] of this.#shown) {
      this.#place(element, index);
      if (index < this.#count) this.#fill(element, index);
    }
    this.draw();
  }

  #place(element, index) {
    const row = Math.floor(index / this.perRow), column = index % this.perRow, width = this.perRow > 1 ? this.#body.clientWidth : 0;
    const x = this.perRow > 1 ? column * (width + this.gap) / this.perRow : 0;
    element.style.transform = `translate(${x}px, ${row * this.height}px)`;
    if (this.perRow > 1) element.style.width = `${(width + this.gap) / this.perRow - this.gap}px`;
    else element.style.removeProperty('width');
  }

  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.#body.isConnected) return;
    const {top} = this.#body.getBoundingClientRect(), lines = Math.ceil(this.#count / this.perRow);
    const line = (y, round) => Math.max(0, Math.min(lines, round(y / this.height)));
    const from = line(-top - BEYOND, Math.floor) * this.perRow, to = Math.min(this.#count, line(innerHeight - top + BEYOND, Math.ceil) * this.perRow);
    this.#show(from, to);
    // What is flown past is not asked for.
    clearTimeout(this.#timer);
    if (Math.abs(from - this.#from) < LEAP * this.perRow) this.#need(from, to);
    else this.#timer = setTimeout(() => this.#need(from, to), REST);
    this.#from = from;
  }

  /** In the order of the list, so that it is read out in it. The element with the focus stays, wherever it is. */
  #show(from, to) {
    let before = null, after = null;
    for (const [index, element] of this.#shown) {
      if (index >= from && index < to) continue;
      if (index < this.#count && element.contains(document.activeElement)) {
        if (index < from) before = element;
        else after = element;
        continue;
      }
      this.#shown.delete(index);
      this.#free.push(element);
      // At once: what stands in the right order is not moved below, and a moved element would lose the focus.
      element.remove();
    }
    let next = after;
    for (let index = to - 1; index >= from; index -= 1) {
      let element = this.#shown.get(index);
      if (!element) {
        element = this.#free.pop() ?? this.#make();
        this.#place(element, index);
        this.#fill(element, index);
        this.#shown.set(index, element);
      }
      if (element.parentNode !== this.#body || element.nextElementSibling !== next) this.#body.insertBefore(element, next);
      next = element;
    }
    if (before && before !== this.#body.firstElementChild) this.#body.prepend(before);
  }

  /** Scrolls until an element is in sight, and returns it. `isTop`: it stands at the top then. */
  reveal(index, {isTop = false} = {}) {
    const style = getComputedStyle(document.documentElement), head = 88;
    const foot = Number.parseFloat(style.getPropertyValue('--foot')) || 120;
    const y = this.#body.getBoundingClientRect().top + Math.floor(index / this.perRow) * this.height;
    if (isTop || y < head) scrollBy(0, y - head);
    else if (y + this.height > innerHeight - foot) scrollBy(0, y + this.height - innerHeight + foot);
    this.draw();
    return this.#shown.get(index) ?? null;
  }
}
