// Chooses what makes the sound of listening alone: the page itself, or the browser's media element.
import {settings} from '../../store/settings.js';
import {ElementDeck} from './element-deck.js';
import {PageDeck} from './page-deck.js';

const EVENTS = ['state', 'advance', 'end', 'failed', 'progress'];

/** The commands and events of PageDeck. If the settings ask for the other way, the sound goes on there at the same place. */
export class Decks extends EventTarget {
  #decks = {}; #name = null; #next = null;

  get #wanted() { return settings.get('pocket') || settings.get('speed') !== 1 ? 'element' : 'page'; }
  get #deck() {
    this.#name ??= this.#wanted;
    return this.#decks[this.#name] ??= this.#made(this.#name);
  }

  #made(name) {
    const deck = name === 'page' ? new PageDeck() : new ElementDeck();
    for (const type of EVENTS) {
      deck.addEventListener(type, ({detail}) => { if (this.#name === name) this.dispatchEvent(new CustomEvent(type, {detail})); });
    }
    return deck;
  }

  /** 'page' or 'element'. */
  get mode() { return this.#name ?? this.#wanted; }
  get item() { return this.#deck.item; }
  get position() { return this.#deck.position; }
  get duration() { return this.#deck.duration; }
  get loaded() { return this.#deck.loaded; }
  get analyser() { return this.#deck.analyser; }
  get output() {
    const {context, graph} = this.#deck;
    return context && graph ? {context, node: graph.volume} : null;
  }

  unlock() { this.#deck.unlock(); }
  load(entry, from) {
    this.#name = this.#wanted;
    return this.#deck.load(entry, from);
  }
  setNext(entry) { this.#next = entry; this.#deck.setNext(entry); }
  seek(milliseconds) { this.#deck.seek(milliseconds); }
  pause() { this.#deck.pause(); }
  resume() { return this.#deck.resume(); }
  fadeOut() { return this.#deck.fadeOut(); }
  /** Lets another device in the house play: the element's sound can go there, the page's own cannot. */
  async cast() {
    settings.set('pocket', true);
    await this.#decks.element?.cast();
  }
  stop() { for (const deck of Object.values(this.#decks)) deck.stop(); }

  apply() {
    const before = this.#deck, {item} = before;
    if (this.#name === this.#wanted) return before.apply();
    const {position} = before, wasPlaying = item && !before.isPaused;
    before.stop();
    this.#name = this.#wanted;
    if (!item) return undefined;
    this.#deck.setNext(this.#next);
    return this.#deck.load(item.entry, position).then(() => { if (!wasPlaying) this.#deck.pause(); })
      .catch((detail) => this.dispatchEvent(new CustomEvent('failed', {detail})));
  }
}
