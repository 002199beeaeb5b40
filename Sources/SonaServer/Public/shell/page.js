// The base of all pages.
import {t} from '../store/i18n.js';
import {shade} from '../store/settings.js';
import {h} from './dom.js';

/** A page of one narrow column: `build` is asked for its parts when it is shown. */
export class NarrowPage extends HTMLElement {
  #endings = [];
  /** The key of its title. */
  static title = '';
  /** Whether it is a card in the middle. */
  static isCard = false;

  get pageTitle() { return t(this.constructor.title); }

  connectedCallback() {
    shade(null);
    this.draw();
  }

  /**
   * Draws anew when what the operator says has changed in a way that this page shows: `shown` returns it. What is typed
   * stays: then the next visit shows it.
   */
  follow(server, shown) {
    let drawn = JSON.stringify(shown());
    this.listen(server, 'change', () => {
      const now = JSON.stringify(shown());
      const isTyped = [...this.querySelectorAll('input')].some((input) => input.type !== 'checkbox' && input.value);
      if (now === drawn || isTyped) return;
      drawn = now;
      const name = this.contains(document.activeElement) ? document.activeElement.name : '';
      this.draw();
      if (name) this.querySelector(`[name="${name}"]`)?.focus();
    });
  }

  disconnectedCallback() { for (const end of this.#endings.splice(0)) end(); }

  /** Listens for as long as the page is shown. */
  listen(target, type, body) {
    target.addEventListener(type, body);
    this.#endings.push(() => target.removeEventListener(type, body));
  }

  draw() {
    const parts = [this.build()].flat(Infinity).filter(Boolean);
    this.replaceChildren(this.constructor.isCard
      ? h('div', {class: 'narrow'}, h('div', {class: 'card stack roomy'}, h('h1', {}, this.pageTitle), parts))
      : h('div', {class: 'column stack'}, h('h1', {}, this.pageTitle), parts));
  }
}

/** A part of a page with its heading. */
export const section = (title, ...content) => h('section', {class: 'card stack'}, h('h2', {}, title), content);
