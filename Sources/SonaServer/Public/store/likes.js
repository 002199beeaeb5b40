// What the user likes and how they rate it, as it is known here: from the objects of music, changed by presses of ours and by
// events. No DOM. Source: Protocol/spec/likes.md.
import {isSignedIn} from '../router.js';
import {session} from './session.js';

/** How many opinions are remembered beside the objects that carry them. */
const KEPT = 2000;

/** Fires `change` with `{kind, id, liked, rating}`, at once; and `stored` with the same when the server has it, or has refused. */
class Likes extends EventTarget {
  /** By kind and id: `{liked, rating}`, newer than what an object says that was asked for before. */
  #known = new Map();

  constructor() {
    super();
    session.on('like.changed', ({opinion}) => this.#stored(opinion));
    session.addEventListener('user', () => this.#known.clear());
    // What changed while the line was cut was not told.
    session.addEventListener('fresh', () => this.#known.clear());
  }

  /** Whether the user can like something here. */
  get isThere() { return isSignedIn() && session.features.has('likes'); }

  /** What the user thinks of an object of music: `{liked, rating}`. */
  of(kind, item) { return this.#known.get(`${kind} ${item.id}`) ?? {liked: item.liked ?? false, rating: item.rating ?? null}; }

  #take({kind, id, liked, rating}) {
    const key = `${kind} ${id}`, before = this.#known.get(key);
    if (before && before.liked === liked && before.rating === rating) return;
    this.#known.delete(key);
    this.#known.set(key, {liked, rating});
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value);
    this.dispatchEvent(new CustomEvent('change', {detail: {kind, id, liked, rating}}));
  }

  #stored(opinion) {
    this.#take(opinion);
    this.dispatchEvent(new CustomEvent('stored', {detail: opinion}));
  }

  /** Shows what is wanted at once, and takes it back if the server refuses. Throws what it refused. */
  async #change(type, kind, item, wanted) {
    const before = this.of(kind, item);
    this.#take({kind, id: item.id, ...before, ...wanted});
    try {
      const {opinion} = await session.request(type, {[kind]: item.id, ...wanted});
      this.#stored(opinion);
    } catch (error) {
      this.#stored({kind, id: item.id, ...before});
      throw error;
    }
  }

  /** Likes a `track`, `album`, `artist` or `playlist`, or no longer. */
  set(kind, item, liked) { return this.#change('like.set', kind, item, {liked}); }
  /** 1 to 5, or null for none. */
  rate(kind, item, rating) { return this.#change('rating.set', kind, item, {rating}); }

  /** Likes the track that the room plays now. Returns the opinion. */
  async setHeard(liked) {
    const {opinion} = await session.request('like.set', {room: true, liked});
    this.#stored(opinion);
    return opinion;
  }
}

export const likes = new Likes();
